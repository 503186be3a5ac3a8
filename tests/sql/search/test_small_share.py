"""small_share: a twentieth of the table, at most exact_scan_rows(); all of these while nobody knows its size."""

from __future__ import annotations

import psycopg
import pytest
from support.small_graph import Chunk, SmallGraph

N = (1, 0, 0, 0, 0, 0, 0, 0)


def share(db: psycopg.Connection) -> object:
    row = db.execute("SELECT pgrag.small_share('pgrag.chunk_embedding')").fetchone()
    assert row is not None
    return row[0]


def test_of_a_table_that_was_never_analyzed_it_is_the_most(url: str) -> None:
    with psycopg.connect(url) as db:
        assert share(db) == 10_000


@pytest.mark.parametrize(("rows", "small"), [(20, 1), (61, 4)])
def test_it_is_a_twentieth_rounded_up(url: str, rows: int, small: int) -> None:
    with psycopg.connect(url) as db:
        SmallGraph(chunks=[Chunk(id_, 1, id_, N) for id_ in range(1, rows + 1)]).store(db)
        db.execute("ANALYZE pgrag.chunk_embedding")
        assert share(db) == small


def test_it_is_never_more_than_is_scanned_exactly(db: psycopg.Connection) -> None:
    db.execute("UPDATE pg_class SET reltuples = 1e9 WHERE oid = 'pgrag.chunk_embedding'::regclass")
    assert share(db) == 10_000
