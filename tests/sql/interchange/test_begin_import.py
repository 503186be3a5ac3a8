"""begin_import makes tables for this transaction alone, whose embeddings are of the database's dimensions."""

from __future__ import annotations

import psycopg
import pytest

COPIED = {
    "documents": {"line", "id", "file_path", "content", "metadata"},
    "chunks": {"line", "id", "document_id", "chunk_index", "content", "token_count", "embedding"},
    "aliases": {"line", "alias", "name", "name_is_key", "alias_key", "key", "kept"},
    "entities": {
        "line", "name", "type", "description", "description_source", "has_evidence", "token_count", "embedding",
    },
    "entity_evidence": {"line", "place", "chunk_id", "name", "type", "description"},
    "relations": {
        "line", "source", "target", "keywords", "description", "weight", "description_source", "has_evidence",
        "token_count", "embedding",
    },
    "relation_evidence": {"line", "place", "chunk_id", "source", "target", "keywords", "weight", "description"},
}  # fmt: skip


def columns(db: psycopg.Connection, table: str) -> dict[str, str]:
    return dict(
        db.execute(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0",
            (f"pg_temp.pgrag_import_{table}",),
        ).fetchall()
    )


@pytest.mark.parametrize("table", COPIED)
def test_every_column_that_is_copied_is_there(db: psycopg.Connection, table: str) -> None:
    db.execute("SELECT pgrag.begin_import()")
    assert set(columns(db, table)) >= COPIED[table]


@pytest.mark.parametrize("table", ["chunks", "entities", "relations"])
def test_embeddings_have_the_dimensions_of_the_database(db: psycopg.Connection, table: str) -> None:
    db.execute("SELECT pgrag.begin_import()")
    assert columns(db, table)["embedding"] == "halfvec(8)"
    with pytest.raises(psycopg.errors.DataException, match="expected 8 dimensions, not 2"):
        db.execute(f"INSERT INTO pgrag_import_{table} (embedding) VALUES ('[1,2]')")


def test_they_are_empty_and_types_are_plain(db: psycopg.Connection) -> None:
    db.execute("SELECT pgrag.begin_import()")
    assert db.execute("SELECT count(*) FROM pgrag_import_relations").fetchone() == (0,)
    found = columns(db, "relations")
    assert (found["keywords"], found["weight"], found["relation_id"]) == ("text[]", "double precision", "bigint")


def test_they_go_with_the_transaction_and_can_be_made_anew(url: str) -> None:
    with psycopg.connect(url) as connection:
        for _ in range(2):
            connection.execute("SELECT pgrag.begin_import()")
            assert connection.execute("SELECT to_regclass('pg_temp.pgrag_import_chunks')").fetchone() != (None,)
            connection.commit()
            assert connection.execute("SELECT to_regclass('pg_temp.pgrag_import_chunks')").fetchone() == (None,)


def test_a_search_path_without_pgvector_is_no_hindrance(db: psycopg.Connection) -> None:
    db.execute("SET LOCAL search_path = pg_catalog")
    db.execute("SELECT pgrag.begin_import()")
    assert columns(db, "chunks")["embedding"].endswith("halfvec(8)")
