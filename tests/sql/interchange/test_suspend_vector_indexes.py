"""Vector indexes are built anew for an import that is most of what there is, and by nobody who may not."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from support.import_staging import Staging

INDEXES = """
    SELECT c.relname, c.oid, pg_get_indexdef(c.oid), i.indisvalid
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
     WHERE i.indrelid IN ('pgrag.chunk_embedding'::regclass, 'pgrag.entity_embedding'::regclass) AND m.amname = 'hnsw'
"""
MANY = 1000


@pytest.fixture
def connection(url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(url) as own:
        yield own


def indexes(connection: psycopg.Connection) -> dict[str, tuple[object, ...]]:
    return {row[0]: tuple(row[1:]) for row in connection.execute(INDEXES).fetchall()}


def import_many(connection: psycopg.Connection, prefix: str = "") -> None:
    """An import of MANY chunks with embeddings, and of an entity with one."""
    staging = Staging(connection, prefix=prefix)
    connection.execute(
        "INSERT INTO pgrag_import_chunks (line, id, document_id, chunk_index, content, token_count, embedding)"
        " SELECT 10 + n, %(p)s || 'm' || n, %(p)s || 'book', 10 + n, 'x', 1, ARRAY[n, 1, 0, 0, 0, 0, 0, 1]::real[]"
        " FROM generate_series(1, %(n)s) n",
        {"p": prefix, "n": MANY},
    )
    staging.entity(f"{prefix}Ada", {"chunk": 0}, embedding="[1,0,0,0,0,0,0,0]", token_count=3)
    staging.finish()


def test_what_fills_an_empty_table_builds_its_index_anew(connection: psycopg.Connection) -> None:
    before = indexes(connection)
    import_many(connection)
    connection.commit()
    after = indexes(connection)
    assert {name: row[1:] for name, row in after.items()} == {name: row[1:] for name, row in before.items()}
    assert after["chunk_embedding_hnsw"][0] != before["chunk_embedding_hnsw"][0]
    assert after["entity_embedding_hnsw"][0] == before["entity_embedding_hnsw"][0]  # one row is no reason
    connection.execute("SET enable_seqscan = off")
    found = connection.execute("SELECT count(*) FROM pgrag.search_chunks('w', '[1,1,0,0,0,0,0,1]', 20)").fetchone()
    assert found == (20,)


def test_what_adds_to_a_full_table_leaves_its_index_alone(connection: psycopg.Connection) -> None:
    import_many(connection)
    connection.commit()
    before = indexes(connection)
    import_many(connection, "more-")
    connection.commit()
    assert indexes(connection) == before


def test_nobody_who_is_reading_is_waited_for(connection: psycopg.Connection, url: str) -> None:
    before = indexes(connection)
    with psycopg.connect(url) as reader:
        reader.execute("SELECT count(*) FROM pgrag.chunk_embedding")
        import_many(connection)
    connection.commit()
    assert indexes(connection) == before


def test_who_does_not_own_the_table_leaves_its_index_alone(connection: psycopg.Connection) -> None:
    before = indexes(connection)
    connection.execute("CREATE ROLE test_importer")
    connection.execute("GRANT USAGE ON SCHEMA pgrag TO test_importer")
    connection.execute("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgrag TO test_importer")
    connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA pgrag TO test_importer")
    connection.execute("SET LOCAL ROLE test_importer")
    assert connection.execute("SELECT pgrag.suspend_vector_indexes('chunk', 100000)").fetchall() == []
    connection.execute("RESET ROLE")
    assert indexes(connection) == before
    connection.rollback()
