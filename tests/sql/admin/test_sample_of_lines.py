"""sample_of_lines: what is to be counted anew, of entities and relations, without those that are stale."""

from __future__ import annotations

import psycopg
import pytest
from support.small_graph import Entity, Relation, SmallGraph

GRAPH = SmallGraph(
    entities=[Entity(1, tokens=7, name='Ada "Countess"'), Entity(2, tokens=8, name="數學")],
    relations=[Relation(11, 1, 2, tokens=9)],
)
LINES = {
    ("w", "entity", 1, '{"entity": "Ada \\"Countess\\"", "type": "thing", "description": "described 1"}', 7),
    ("w", "entity", 2, '{"entity": "數學", "type": "thing", "description": "described 2"}', 8),
    ("w", "relation", 11, '{"entity1": "Ada \\"Countess\\"", "entity2": "數學", "description": "related 11"}', 9),
}


@pytest.fixture
def small(db: psycopg.Connection) -> psycopg.Connection:
    GRAPH.store(db, "w")
    db.execute("UPDATE pgrag.entity SET stale = false; UPDATE pgrag.relation SET stale = false")
    return db


def sample(connection: psycopg.Connection, rows: int | None) -> list[tuple[object, ...]]:
    return connection.execute("SELECT * FROM pgrag.sample_of_lines(%s)", (rows,)).fetchall()


def test_lines_as_the_prompt_shows_them_with_their_counts(small: psycopg.Connection) -> None:
    assert set(sample(small, 10)) == LINES


def test_so_many_of_each_kind(small: psycopg.Connection) -> None:
    assert sorted(row[1] for row in sample(small, 1)) == ["entity", "relation"]
    assert sample(small, 0) == sample(small, None) == []


def test_what_is_stale_has_a_bound_and_no_count(small: psycopg.Connection) -> None:
    small.execute("UPDATE pgrag.entity SET stale = true WHERE id = 1")
    assert set(sample(small, 10)) == {line for line in LINES if line[2] != 1}
