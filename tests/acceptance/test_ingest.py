"""Ingest from outside: what is there afterwards, what is paid for, and what failure leaves behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import psycopg
import pytest
from support.model_server import ModelServer

from pgrag import AsyncPgRAG, PgRAG, Progress
from pgrag.errors import EmbeddingMismatch, InvalidArgument, SchemaMismatch
from pgrag.models.openai import OpenAIModels
from pgrag.models.scripted import ScriptedModels

TEXT = "Alice met Bob in Paris. Bob knows Carol."
COUNTS = (
    "SELECT (SELECT count(*) FROM pgrag.chunk), (SELECT count(*) FROM pgrag.entity), "
    "(SELECT count(*) FROM pgrag.relation), (SELECT count(*) FROM pgrag.entity_evidence)"
)


def counts(url: str) -> tuple[int, ...]:
    with psycopg.connect(url) as connection:
        row = connection.execute(COUNTS).fetchone()
        assert row is not None
        return row


def test_a_text_becomes_a_graph_with_vectors(backend_url: str, models: OpenAIModels) -> None:
    with PgRAG(backend_url, workspace="w", models=models) as rag:
        report = rag.ingest([TEXT], ids=["t"], metadata={"year": 1843})
        (document,) = report.documents
        assert (document.status, document.chunks) == ("ready", 1)
        assert document.entities >= 4
        assert rag.check() == []
        (info,) = rag.workspaces()
        assert (info.stale_items, info.ready_documents) == (0, 1)
    with psycopg.connect(backend_url) as connection:
        assert connection.execute("SELECT metadata FROM pgrag.document").fetchone() == ({"year": 1843},)
        names = [name for (name,) in connection.execute("SELECT name FROM pgrag.entity ORDER BY name")]
        assert {"Alice", "Bob", "Paris", "Carol"} <= set(names)
        wanting = connection.execute(
            "SELECT count(*) FROM pgrag.entity e WHERE NOT EXISTS "
            "(SELECT FROM pgrag.entity_embedding v WHERE v.entity_id = e.id)"
        ).fetchone()
        assert wanting == (0,)


def test_the_same_again_costs_nothing(rag: PgRAG, model_server: ModelServer) -> None:
    rag.ingest([TEXT], ids=["t"])
    asked = model_server.count()
    report = rag.ingest([TEXT], ids=["t"])
    assert report.documents[0].status == "unchanged"
    assert model_server.count() == asked


def test_what_was_extracted_once_is_never_asked_again(rag: PgRAG, model_server: ModelServer) -> None:
    rag.ingest([TEXT], ids=["t"])
    rag.delete_document("t")
    rag.clear_cache()
    asked = model_server.count("chat")
    rag.ingest([TEXT], ids=["another id"])
    assert model_server.count("chat") == asked


def test_one_that_fails_holds_up_no_other(rag: PgRAG, url: str, model_server: ModelServer) -> None:
    def extract(body: dict) -> str:
        return "no JSON at all" if "Mallory" in str(body) else '{"entities": [], "relations": []}'

    model_server.reply("extract", extract)
    report = rag.ingest(["Alice is here.", "Mallory is here.", "Bob is here."], ids=["a", "m", "b"])
    assert [document.status for document in report.documents] == ["ready", "failed", "ready"]
    failed = report.failed[0]
    assert failed.error
    assert "\n" not in failed.error
    statuses = {document.document: (document.status, document.error) for document in rag.documents()}
    assert statuses["m"] == ("failed", failed.error)
    assert counts(url)[0] == 2

    model_server.reply("extract", '{"entities": [], "relations": []}')
    asked = model_server.count("chat")
    assert rag.ingest(["Mallory is here."], ids=["m"]).documents[0].status == "ready"
    assert model_server.count("chat") == asked + 2, "the first reply, and what it missed"


def test_a_slip_of_the_model_is_asked_once_more(rag: PgRAG, model_server: ModelServer) -> None:
    replies = iter(["no JSON at all"])
    model_server.reply("extract", lambda body: next(replies, '{"entities": [], "relations": []}'))
    assert rag.ingest([TEXT], ids=["t"]).documents[0].status == "ready"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_stumbles_is_asked_again(rag: PgRAG, model_server: ModelServer, status: int) -> None:
    model_server.fail_next(3, status=status)
    assert rag.ingest([TEXT], ids=["t"]).documents[0].status == "ready"


def test_a_server_that_is_down_fails_the_document_with_one_sentence(
    rag: PgRAG, url: str, model_server: ModelServer
) -> None:
    model_server.fail_next(100, status=500)
    (document,) = rag.ingest([TEXT], ids=["t"]).documents
    assert document.status == "failed"
    assert "500" in (document.error or "")
    assert "secret-key" not in (document.error or "")
    assert counts(url) == (0, 0, 0, 0)


def test_a_failed_new_version_leaves_the_old_one(rag: PgRAG, url: str, model_server: ModelServer) -> None:
    rag.ingest([TEXT], ids=["t"])
    before = counts(url)
    model_server.fail_next(100, status=400)
    (document,) = rag.ingest(["Something else entirely."], ids=["t"], metadata={"new": True}).documents
    assert document.status == "failed"
    assert counts(url) == before
    (info,) = rag.documents()
    assert (info.status, info.metadata) == ("ready", {})


def test_metadata_alone_is_brought_up_to_date(rag: PgRAG, model_server: ModelServer) -> None:
    rag.ingest([TEXT], ids=["t"], metadata={"a": 1})
    asked = model_server.count()
    rag.ingest([TEXT], ids=["t"], metadata={"a": 2})
    assert model_server.count() == asked
    assert rag.documents()[0].metadata == {"a": 2}


def test_deleting_leaves_what_the_others_say(rag: PgRAG, url: str, models: OpenAIModels) -> None:
    rag.ingest(["Alice met Bob in Paris."], ids=["a"])
    rag.ingest(["Bob met Carol in Rome."], ids=["b"])
    assert rag.delete_document("a") == ["a"]
    assert rag.check() == []
    with psycopg.connect(url) as connection:
        left = {name for (name,) in connection.execute("SELECT name FROM pgrag.entity")}
        assert "Alice" not in left
        assert "Bob" in left
        assert (
            connection.execute("SELECT description FROM pgrag.entity WHERE name = 'Bob'").fetchone()[0].count("Paris")
            == 0
        )
    assert rag.workspaces()[0].stale_items == 0


def test_several_at_once_take_the_same_documents(url: str, models: OpenAIModels, model_server: ModelServer) -> None:
    texts = [f"Alice met Bob in Town{i}." for i in range(6)]
    ids = [f"d{i}" for i in range(6)]
    reports = []

    def take() -> None:
        with PgRAG(url, workspace="w", models=models) as rag:
            reports.append(rag.ingest(texts, ids=ids))

    threads = [threading.Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(reports) == 3
    assert [document.error for report in reports for document in report.failed] == []
    assert counts(url)[0] == 6
    with PgRAG(url, workspace="w", models=models) as rag:
        assert rag.check() == []


def test_progress_is_told(rag: PgRAG) -> None:
    heard: list[Progress] = []
    rag.ingest([TEXT], ids=["t"], on_progress=heard.append)
    assert [each.stage for each in heard if each.stage != "refresh"] == ["extract", "published"]
    assert (heard[0].done, heard[0].total, heard[0].document) == (1, 1, "t")


def test_the_async_client_does_the_same(url: str, models: OpenAIModels) -> None:
    async def both() -> tuple[str, str]:
        async with AsyncPgRAG(url, workspace="w", models=models) as rag:
            report = await rag.ingest([TEXT], ids=["t"])
            answer = await rag.query("Who met Bob?")
            assert await rag.check() == []
            pieces = [piece async for piece in rag.stream("Who is Carol?")]
            assert pieces
            await rag.delete_document("t")
            assert (await rag.documents()) == []
            return report.documents[0].status, answer.text

    status, text = asyncio.run(both())
    assert status == "ready"
    assert text


@pytest.mark.parametrize("text", ["", "   \n\t ", "\x00"])
def test_an_empty_text_is_refused_with_a_reason(rag: PgRAG, url: str, text: str) -> None:
    (document,) = rag.ingest([text], ids=["t"]).documents
    assert document.status == "failed"
    assert "empty" in (document.error or "")
    assert counts(url) == (0, 0, 0, 0)


def test_a_nul_character_is_dropped_from_a_text(rag: PgRAG, url: str) -> None:
    assert rag.ingest(["Alice\x00 met Bob."], ids=["t"]).documents[0].status == "ready"
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT content FROM pgrag.document").fetchone() == ("Alice met Bob.",)


def test_ids_and_texts_must_match(rag: PgRAG) -> None:
    with pytest.raises(InvalidArgument, match="2 texts, but 1 ids"):
        rag.ingest(["a", "b"], ids=["x"])
    with pytest.raises(InvalidArgument, match="'x' is given twice"):
        rag.ingest(["a", "b"], ids=["x", "x"])


def test_a_provider_of_another_size_is_refused(url: str) -> None:
    with (
        PgRAG(url, workspace="w", models=ScriptedModels(dimensions=16)) as rag,
        pytest.raises(EmbeddingMismatch) as caught,
    ):
        rag.ingest([TEXT])
    assert "8" in str(caught.value)
    assert "16" in str(caught.value)


def test_a_database_that_is_not_migrated_says_what_to_run(
    fresh_database: Callable[..., str], models: OpenAIModels
) -> None:
    with PgRAG(fresh_database(migrated=False), models=models) as rag, pytest.raises(SchemaMismatch) as caught:
        rag.ingest([TEXT])
    assert caught.value.hint == "run: pgrag migrate"


def test_within_the_callers_transaction_one_reads_and_does_not_ingest(
    url: str, rag: PgRAG, models: OpenAIModels
) -> None:
    import sqlalchemy as sa

    rag.ingest([TEXT], ids=["t"])
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        inside = PgRAG(connection=connection, workspace="w", models=models)
        assert inside.retrieve("Who met Bob?").chunks
        with pytest.raises(InvalidArgument, match="transactions of its own"):
            inside.ingest([TEXT])
    with PgRAG(engine=engine, workspace="w", models=models) as by_engine:
        assert by_engine.ingest([TEXT], ids=["t"]).documents[0].status == "unchanged"
    engine.dispose()
