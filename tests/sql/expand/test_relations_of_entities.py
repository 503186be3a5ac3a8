"""relations_of_entities: every incident relation once, by rank, weight, first hit, id."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.types.json import Jsonb
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph

#   1 - 2 - 3 - 4, and 5 hangs on 2; 6 - 7 apart.   degrees: 1:1  2:3  3:2  4:1  5:1  6:1  7:1
GRAPH = SmallGraph(
    documents=[Document(1, "a", {"year": 2000}), Document(2, "b", {"year": 2020})],
    chunks=[Chunk(1, 1, 0), Chunk(2, 2, 0)],
    entities=[Entity(id_) for id_ in range(1, 8)],
    relations=[
        Relation(11, 1, 2, weight=1.0, chunks=(1,)),
        Relation(12, 3, 2, weight=9.0, chunks=(1, 2)),
        Relation(13, 3, 4, weight=9.0, chunks=(2,)),
        Relation(14, 5, 2, weight=1.0),
        Relation(15, 7, 6, weight=5.0),
    ],
)


@pytest.fixture(params=["age", "sql"])
def small(db: psycopg.Connection, request: pytest.FixtureRequest) -> psycopg.Connection:
    GRAPH.shifted(100).store(db, "elsewhere")
    GRAPH.store(db)
    db.execute("SELECT set_config('pgrag.graph_backend', %s, false)", (request.param,))
    return db


def relations(
    connection: psycopg.Connection, entity_ids: list[int] | None, filter: object = None
) -> list[tuple[int, int]]:
    rows = connection.execute(
        "SELECT x.ordinal, x.relation_id, x.rank FROM pgrag.workspace w,"
        " pgrag.relations_of_entities(w.id, %s, %s) x WHERE w.name = 'small' ORDER BY x.ordinal",
        (entity_ids, None if filter is None else Jsonb(filter)),
    ).fetchall()
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    return [(row[1], row[2]) for row in rows]


def test_by_rank_then_weight(small: psycopg.Connection) -> None:
    assert relations(small, [3]) == [(12, 5), (13, 3)]
    assert relations(small, [2]) == [(12, 5), (11, 4), (14, 4)]
    assert relations(small, [6, 3]) == [(12, 5), (13, 3), (15, 2)]


def test_a_tie_goes_to_the_earlier_hit_then_to_the_smaller_id(small: psycopg.Connection) -> None:
    assert relations(small, [5, 1]) == [(14, 4), (11, 4)]
    assert relations(small, [1, 5]) == [(11, 4), (14, 4)]
    assert relations(small, [2, 5, 1]) == [(12, 5), (11, 4), (14, 4)], "both are first hit by 2"


def test_a_relation_of_two_hits_comes_once(small: psycopg.Connection) -> None:
    assert relations(small, [3, 2, 4]) == [(12, 5), (11, 4), (14, 4), (13, 3)]


def test_nothing_of_nothing(small: psycopg.Connection) -> None:
    assert relations(small, []) == []
    assert relations(small, None) == []
    assert relations(small, [999, 101]) == [], "neither an unknown id nor one of another workspace"


def test_a_filter_asks_for_evidence(small: psycopg.Connection) -> None:
    assert relations(small, [2, 3], {"year": 2000}) == [(12, 5), (11, 4)]
    assert relations(small, [2, 3], {"year": 2020}) == [(12, 5), (13, 3)]
    assert relations(small, [2, 3], {"year": 1}) == []
