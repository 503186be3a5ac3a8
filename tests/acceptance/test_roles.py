"""The roles: a writer ingests and asks, a reader asks and writes nothing, a stranger gets nothing."""

from __future__ import annotations

import psycopg
import pytest

from pgrag import PgRAG
from pgrag.errors import DatabaseError
from pgrag.models.openai import OpenAIModels

TEXT = "Alice met Bob in Paris. Bob knows Carol."


def acting_as(url: str, role: str) -> str:
    return f"{url}&options=-c%20role%3D{role}"


def test_a_writer_does_everything_but_ddl(backend_url: str, models: OpenAIModels) -> None:
    with PgRAG(acting_as(backend_url, "pgrag_writer"), workspace="w", models=models) as rag:
        assert rag.ingest([TEXT], ids=["t"]).documents[0].error is None
        assert rag.query("Who met Bob?", max_distance=2.0).context.entities
        assert rag.query("Who met Bob?", max_distance=2.0).is_cached
        assert rag.check() == []
        assert rag.delete_document("t") == ["t"]
        with pytest.raises(DatabaseError):
            rag.migrate()


def test_a_reader_asks_and_leaves_no_trace(backend_url: str, models: OpenAIModels) -> None:
    with PgRAG(backend_url, workspace="w", models=models) as rag:
        rag.ingest([TEXT], ids=["t"])
    with PgRAG(acting_as(backend_url, "pgrag_reader"), workspace="w", models=models) as reader:
        assert reader.query("Who met Bob?", max_distance=2.0).context.entities
        assert not reader.query("Who met Bob?", max_distance=2.0).is_cached
        with pytest.raises(DatabaseError, match="permission denied"):
            reader.delete_document("t")
    with psycopg.connect(backend_url) as connection:
        assert connection.execute("SELECT count(*) FROM pgrag.query_cache").fetchone() == (0,)


def test_public_may_do_nothing(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS test_stranger")
        connection.execute("CREATE ROLE test_stranger")
        connection.execute("SET ROLE test_stranger")
        for attempt in (
            "SELECT pgrag.schema_version()",
            "SELECT * FROM pgrag.entity",
            "CREATE TABLE pgrag.mine (x int)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(attempt)
        connection.execute("RESET ROLE")
        connection.execute("DROP ROLE test_stranger")
