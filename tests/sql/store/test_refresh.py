"""refresh_pending and store_refreshed: a vector is only ever taken for the text that it was made from."""

from __future__ import annotations

import psycopg
import pytest
from support.documents import Publisher, array_of, entity, relation, vector_of


@pytest.fixture
def publish(db: psycopg.Connection) -> Publisher:
    made = Publisher(db)
    made("d1", ["x"], [entity(0, "A", "t", "a"), entity(0, "B", "t", "b")], [relation(0, "A", "B", ["k"], "r")])
    return made


def pending(db: psycopg.Connection, batch: int = 100) -> list[tuple]:
    return db.execute(
        "SELECT kind, id, text_hash, embedded_text, line FROM pgrag.refresh_pending('w', %s)", (batch,)
    ).fetchall()


def store(db: psycopg.Connection, rows: list[tuple]) -> int:
    row = db.execute(
        "SELECT pgrag.store_refreshed('w', %s, %s, %s, %s, %s)",
        (
            [row[1] for row in rows if row[0] == "entity"],
            [row[1] for row in rows if row[0] == "relation"],
            [row[2] for row in rows],
            array_of([vector_of(row[3]) for row in rows]),
            [len(row[4]) for row in rows],
        ),
    ).fetchone()
    assert row is not None
    return int(row[0])


def test_entities_come_before_relations_by_id(db: psycopg.Connection, publish: Publisher) -> None:
    rows = pending(db)
    assert [row[0] for row in rows] == ["entity", "entity", "relation"]
    assert [row[3] for row in rows] == ["A\na", "B\nb", "k\tA\nB\nr"]
    assert rows == sorted(rows, key=lambda row: (row[0], row[1]))
    assert pending(db, 2) == rows[:2]


def test_what_is_stored_is_no_longer_stale(db: psycopg.Connection, publish: Publisher) -> None:
    rows = pending(db)
    assert store(db, rows) == 3
    assert pending(db) == []
    counts = db.execute("SELECT token_count FROM pgrag.entity ORDER BY name").fetchall()
    assert counts == [(len(rows[0][4]),), (len(rows[1][4]),)]


def test_what_changed_meanwhile_stays_stale(db: psycopg.Connection, publish: Publisher) -> None:
    rows = pending(db)
    publish("d2", ["y"], [entity(0, "A", "t", "more")], [])
    assert store(db, rows) == 2
    assert [row[3] for row in pending(db)] == ["A\na<SEP>more"]


def test_storing_bumps_the_version_only_when_something_was_stored(db: psycopg.Connection, publish: Publisher) -> None:
    rows = pending(db)

    def version() -> int:
        row = db.execute("SELECT corpus_version FROM pgrag.workspace WHERE name = 'w'").fetchone()
        assert row is not None
        return int(row[0])

    before = version()
    store(db, rows)
    assert version() == before + 1
    store(db, rows)
    assert version() == before + 1


def test_an_unrefreshed_line_counts_no_less_than_it_is(db: psycopg.Connection, publish: Publisher) -> None:
    for count, line in db.execute(
        "SELECT token_count, pgrag.entity_line(name, type, description) FROM pgrag.entity"
    ).fetchall():
        assert count == len(line.encode()) + 1
