"""entities_of_relations: the ends, the lesser name before the greater, where first seen."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.types.json import Jsonb
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph

GRAPH = SmallGraph(
    documents=[Document(1, "a", {"year": 2000}), Document(2, "b", {"year": 2020})],
    chunks=[Chunk(1, 1, 0), Chunk(2, 2, 0)],
    entities=[Entity(1, (1,), name="d"), Entity(2, (2,), name="b"), Entity(3, (1, 2), name="C"), Entity(4, name="á")],
    relations=[Relation(11, 3, 1), Relation(12, 2, 3), Relation(13, 4, 2)],
)


@pytest.fixture
def small(db: psycopg.Connection) -> psycopg.Connection:
    GRAPH.store(db)
    return db


def ends(connection: psycopg.Connection, relation_ids: list[int] | None, filter: object = None) -> list[int]:
    rows = connection.execute(
        "SELECT x.ordinal, x.entity_id FROM pgrag.workspace w, pgrag.entities_of_relations(w.id, %s, %s) x"
        " WHERE w.name = 'small' ORDER BY 1",
        (relation_ids, None if filter is None else Jsonb(filter)),
    ).fetchall()
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    return [row[1] for row in rows]


def test_the_lesser_name_before_the_greater_each_where_first_seen(small: psycopg.Connection) -> None:
    """By bytes: C, b, d, á. Which end is the source says who was named first, and nothing of rank."""
    assert ends(small, [11, 12, 13]) == [3, 1, 2, 4]
    assert ends(small, [13, 11, 12]) == [2, 4, 3, 1]
    assert ends(small, [12, 12]) == [3, 2]


def test_nothing_of_nothing(small: psycopg.Connection) -> None:
    assert ends(small, []) == []
    assert ends(small, None) == []
    assert ends(small, [999]) == []


def test_a_filter_asks_for_evidence(small: psycopg.Connection) -> None:
    assert ends(small, [11, 12, 13], {"year": 2000}) == [3, 1]
    assert ends(small, [11, 12, 13], {"year": 2020}) == [3, 2]
