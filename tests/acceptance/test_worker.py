"""`worker`, and what is queued for it: taking, stopping, being killed, and a database that goes away meanwhile."""

from __future__ import annotations

import _thread
import asyncio
import json
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from support.model_server import ModelServer
from support.processes import finish, pgrag, read_line, wait_until

from pgrag import AsyncPgRAG, IngestOptions, PgRAG
from pgrag.chunking import ChunkSize
from pgrag.errors import DatabaseUnreachable, InvalidArgument, ModelError
from pgrag.flow import Call, Request
from pgrag.models.openai import OpenAIModels

from .conftest import Cli

Write = Callable[[str, str], Path]
QUEUE_ONLY = IngestOptions(queue_only=True)


def one(url: str, query: str) -> Any:
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


def statuses(rag: PgRAG) -> dict[str, str]:
    return {each.document: each.status for each in rag.documents()}


def make_stale(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE pgrag.entity SET stale = true")


# Queueing and draining


def test_what_is_only_queued_is_not_worked_on(cli: Cli, write: Write, model_server: ModelServer) -> None:
    write("docs/a.txt", "Alice met Bob.")
    result = cli("ingest", "docs", "--queue-only")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[0] == "a.txt: queued"
    assert result.out.splitlines()[1].startswith("0 documents ready, 1 queued, 0 failed, in ")
    assert model_server.count() == 0
    assert [each["status"] for each in json.loads(cli("documents", "list", "--json").out)] == ["pending"]


def test_a_worker_drains_the_queue_and_says_what_it_did(cli: Cli, write: Write) -> None:
    write("docs/a.txt", "Alice met Bob.")
    write("docs/b.txt", "Bob met Carol.")
    cli("ingest", "docs", "--queue-only")
    result = cli("worker", "--drain")
    assert result.code == 0
    assert result.out.startswith("2 documents ready, 0 failed, in ")
    first, *lines = result.err.splitlines()
    assert first == "taking jobs of workspace w; Ctrl-C stops"
    assert sorted(line.split(":")[0] for line in lines) == ["a.txt", "b.txt"]
    assert cli("check").code == 0
    report = json.loads(cli("worker", "--drain", "--json").out)
    assert (report["ready"], report["failed"]) == (0, 0)


def test_a_worker_says_what_failed(cli: Cli, write: Write, model_server: ModelServer) -> None:
    write("a.txt", "Alice met Bob.")
    cli("ingest", "a.txt", "--queue-only")
    model_server.reply("extract", "no JSON at all")
    result = cli("worker", "--drain")
    assert result.code == 1
    assert "failed: a.txt: " in result.err


def test_every_workspace_or_one(cli: Cli, write: Write, url: str) -> None:
    write("a.txt", "Alice met Bob.")
    for workspace in ("one", "two"):
        cli("ingest", "a.txt", "--queue-only", "-w", workspace)
    assert cli("worker", "--drain", "-w", "one").out.startswith("1 documents ready")
    assert one(url, "SELECT count(*) FROM pgrag.job") == 1
    assert cli("worker", "--drain", "--all-workspaces").out.startswith("1 documents ready")
    assert one(url, "SELECT count(*) FROM pgrag.chunk") == 2
    assert cli("worker", "--all-workspaces", "-w", "one").code == 2
    assert cli("worker", "-w", "nowhere", "--drain").err.endswith(
        "unknown workspace 'nowhere'\ncure: pgrag workspace list shows those there are; "
        "ingest and import create the one they name.\n"
    )


def test_options_travel_with_the_job(rag: PgRAG) -> None:
    small = ChunkSize(20, 0)
    rag.ingest(["Alice met Bob. " * 50], ids=["a"], options=IngestOptions(chunk_size=small))
    (expected,) = rag.document("a")
    rag.ingest(["Alice met Bob. " * 50], ids=["b"], options=IngestOptions(chunk_size=small, queue_only=True))
    assert rag.work(drain=True).ready == 1
    assert rag.document("b")[0].chunk_count == expected.chunk_count > 3


def test_vectors_are_made_anew_once_nothing_waits(rag: PgRAG, url: str) -> None:
    rag.ingest(["Alice met Bob."], ids=["a"])
    make_stale(url)
    assert rag.work(drain=True).refreshed == 2
    assert rag.workspaces()[0].stale_items == 0


def test_a_model_that_cannot_be_had_ends_a_drain_but_no_worker(
    rag: PgRAG, url: str, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    rag.ingest(["Alice met Bob."], ids=["a"])
    make_stale(url)
    model_server.fail_next(100, status=400, kind="embeddings")
    with pytest.raises(ModelError):
        rag.work(drain=True)
    stop = threading.Event()
    worker = threading.Thread(target=rag.work, kwargs={"stop": stop})
    worker.start()
    wait_until(lambda: "vectors cannot be made anew now" in caplog.text)
    stop.set()
    worker.join(10)
    assert not worker.is_alive()


def test_a_worker_waits_for_work_and_stops_after_the_job_at_hand(rag: PgRAG) -> None:
    stop, reports = threading.Event(), []

    def seen(report: object) -> None:
        reports.append(report)
        stop.set()

    worker = threading.Thread(target=rag.work, kwargs={"stop": stop, "on_report": seen})
    rag.create_workspace()
    worker.start()
    rag.ingest(["Alice met Bob."], ids=["a"], options=QUEUE_ONLY)
    worker.join(10)
    assert [(each.id, each.status) for each in reports] == [("a", "ready")]


def test_the_awaited_twin(url: str, models: OpenAIModels) -> None:
    async def scenario() -> tuple[int, list[str]]:
        async with AsyncPgRAG(url, workspace="w", models=models) as rag:
            await rag.ingest(["Alice met Bob."], ids=["a"], options=QUEUE_ONLY)
            report = await rag.work(drain=True)
            (found,) = await rag.document("a")
            await rag.retry_documents()
            return report.ready, [found.status]

    assert asyncio.run(scenario()) == (1, ["ready"])


def test_a_caller_s_connection_is_no_place_to_work(url: str, models: OpenAIModels) -> None:
    import sqlalchemy as sa

    with sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://")).connect() as connection:
        rag = PgRAG(connection=connection, models=models)
        with pytest.raises(InvalidArgument, match="work needs"):
            rag.work(drain=True)
        with pytest.raises(InvalidArgument, match="retry_documents needs"):
            rag.retry_documents()


# Stopping


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_gives_the_jobs_back_at_once(
    url: str, write: Write, cli: Cli, model_server: ModelServer, number: signal.Signals
) -> None:
    write("docs/a.txt", "Alice met Bob.")
    cli("ingest", "docs", "--queue-only")
    model_server.hang_next(500)
    process = pgrag("worker")
    assert read_line(process.stderr) == "taking jobs of workspace w; Ctrl-C stops\n"
    wait_until(lambda: model_server.count("extract"))
    process.send_signal(number)
    code, out, err = finish(process, timeout=10)
    assert (code, out, err) == (0, "", "stopped; what was under way is back in the queue\n")
    assert one(url, "SELECT state || ' ' || attempts FROM pgrag.job") == "queued 0"


def test_terminating_an_ingest_gives_its_jobs_back(url: str, write: Write, model_server: ModelServer) -> None:
    write("docs/a.txt", "Alice met Bob.")
    model_server.hang_next(500)
    process = pgrag("ingest", "docs")
    wait_until(lambda: model_server.count("extract"))
    process.send_signal(signal.SIGTERM)
    assert finish(process, timeout=10)[0] == 143
    assert one(url, "SELECT state FROM pgrag.job") == "queued"


def test_a_job_claimed_in_the_moment_of_ctrl_c_is_given_back(
    rag: PgRAG, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    perform = rag._performer.perform

    def slow_to_claim(request: Request) -> Any:
        if isinstance(request, Call) and request.function == "claim_job":
            _thread.interrupt_main()
            time.sleep(0.3)
        return perform(request)

    monkeypatch.setattr(rag._performer, "perform", slow_to_claim)
    with pytest.raises(KeyboardInterrupt):
        rag.ingest(["Alice met Bob."], ids=["a"])
    time.sleep(0.3)
    assert one(url, "SELECT state || ' ' || attempts FROM pgrag.job") == "queued 0"


def test_a_killed_worker_is_succeeded_after_its_lease(
    url: str, write: Write, cli: Cli, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGRAG_LEASE_SECONDS", "1")
    write("docs/a.txt", "Alice met Bob.")
    cli("ingest", "docs", "--queue-only")
    model_server.hang_next(1)
    process = pgrag("worker")
    wait_until(lambda: model_server.count("extract"))
    process.kill()
    finish(process)
    assert one(url, "SELECT state FROM pgrag.job") == "working"
    assert cli("worker", "--drain").out.startswith("1 documents ready")


def test_a_document_that_kills_its_workers_is_given_up(rag: PgRAG, url: str) -> None:
    rag.ingest(["Alice met Bob."], ids=["a"], options=QUEUE_ONLY)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE pgrag.job SET attempts = 5")
    assert rag.work(drain=True).failed == 1
    (found,) = rag.document("a")
    assert found.error == "given up after 5 attempts: each worker that took it died before it was done"
    assert rag.retry_documents().documents[0].status == "ready"


# A database that goes away


def end_sessions(url: str) -> None:
    """What a restart does to those that lie in a pool."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_question_after_a_restart_does_not_meet_a_dead_connection(rag: PgRAG, url: str) -> None:
    rag.ingest(["Alice met Bob."], ids=["a"])
    rag.retrieve("Alice", mode="naive")
    end_sessions(url)
    assert rag.retrieve("Alice", mode="naive")
    assert rag.delete_document("a") == ["a"]


def test_an_awaited_question_neither(url: str, models: OpenAIModels) -> None:
    async def scenario() -> bool:
        async with AsyncPgRAG(url, workspace="w", models=models) as rag:
            await rag.ingest(["Alice met Bob."], ids=["a"])
            await asyncio.to_thread(end_sessions, url)
            return bool(await rag.retrieve("Alice", mode="naive"))

    assert asyncio.run(scenario())


def test_a_database_that_stays_away_ends_an_ingest_with_one_sentence(
    rag: PgRAG, models: OpenAIModels, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGRAG_DATABASE_PATIENCE", "0.3")
    perform = rag._performer.perform

    def lost(request: Request) -> Any:
        if isinstance(request, Call) and request.function == "keep_extraction":
            raise DatabaseUnreachable("the database cannot be reached: gone")
        return perform(request)

    with PgRAG(url, workspace="w", models=models) as impatient:
        monkeypatch.setattr(impatient._performer, "perform", lost)
        started = time.monotonic()
        with pytest.raises(DatabaseUnreachable, match="gone"):
            impatient.ingest(["Alice met Bob."], ids=["a"])
        assert 0.1 < time.monotonic() - started < 5
    assert one(url, "SELECT state FROM pgrag.job") == "queued"
