"""Several workers at one queue: nothing is lost, nothing is done twice, and the rows are those of one worker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import psycopg
import pytest
from support.flaky_replies import make_flaky
from support.hub_documents import OPTIONS, HubDocument, hub_documents
from support.model_replies import chunk_of
from support.model_server import ModelServer
from support.worker_processes import DIMENSIONS, hub_client, start_ingest, start_worker
from support.workspace_rows import assert_same_rows, workspace_rows

QUEUE_ONLY = replace(OPTIONS, queue_only=True)


def work_off(url: str, server: ModelServer, documents: list[HubDocument], workers: int) -> None:
    """Queues the documents, and has so many processes work on them."""
    with hub_client(url, server.base_url) as rag:
        report = rag.ingest([each.new for each in documents], ids=[each.id for each in documents], options=QUEUE_ONLY)
        assert {each.status for each in report.documents} == {"queued"}
    processes = [start_worker(url, server.base_url) for _ in range(workers)]
    for process in processes:
        process.join(timeout=600)
    assert [process.exitcode for process in processes] == [0] * workers


def deadlocks(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
    assert row is not None
    return int(row[0])


def four_do_what_one_does(fresh_database: Callable[..., str], server: ModelServer, count: int) -> None:
    documents = hub_documents(count, sentences=4, every_second_is_old=False)
    alone, together = fresh_database(), fresh_database()
    work_off(alone, server, documents, 1)
    server.forget()
    work_off(together, server, documents, 4)
    with hub_client(together, server.base_url) as rag:
        assert {each.status for each in rag.documents()} == {"ready"}
        assert len(rag.documents()) == count
        assert rag.check() == []
    assert_same_rows(workspace_rows(together), workspace_rows(alone))
    assert deadlocks(together) == 0


def test_four_workers_make_the_rows_of_one(fresh_database: Callable[..., str], model_server: ModelServer) -> None:
    make_flaky(model_server, DIMENSIONS)
    four_do_what_one_does(fresh_database, model_server, 8)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_four_workers_make_the_rows_of_one_of_two_hundred_documents(
    fresh_database: Callable[..., str], model_server: ModelServer
) -> None:
    make_flaky(model_server, DIMENSIONS)
    four_do_what_one_does(fresh_database, model_server, 200)


def test_no_chunk_is_asked_twice(url: str, model_server: ModelServer) -> None:
    work_off(url, model_server, hub_documents(6, every_second_is_old=False), 2)
    asked = Counter(chunk_of(body) for body in model_server.bodies("extract"))
    assert len(asked) >= 12
    assert max(asked.values()) == 1


def test_several_ingests_of_the_same_documents_all_end_well(url: str, model_server: ModelServer) -> None:
    documents = hub_documents(4, every_second_is_old=False)
    processes = [start_ingest(url, model_server.base_url, documents) for _ in range(3)]
    for process in processes:
        process.join(timeout=60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    asked = Counter(chunk_of(body) for body in model_server.bodies("extract"))
    assert max(asked.values()) == 1
    with hub_client(url, model_server.base_url) as rag:
        assert [each.status for each in rag.documents()] == ["ready"] * 4
        assert rag.check() == []
