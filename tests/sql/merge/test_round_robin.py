"""round_robin_legs and round_robin_chunks: interleaved, first seen kept."""

from __future__ import annotations

import psycopg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.retrieval_reference import alternate

Ids = st.none() | st.lists(st.integers(1, 9), max_size=8)
few_examples = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def legs(connection: psycopg.Connection, local: list[int] | None, global_: list[int] | None) -> list[tuple[int, str]]:
    rows = connection.execute(
        "SELECT ordinal, id, source FROM pgrag.round_robin_legs(%s::bigint[], %s::bigint[])", (local, global_)
    ).fetchall()
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    return [(row[1], row[2]) for row in rows]


def chunks(connection: psycopg.Connection, *lists: list[int] | None) -> list[tuple[int, str]]:
    rows = connection.execute(
        "SELECT ordinal, chunk_id, source FROM pgrag.round_robin_chunks(%s::bigint[], %s::bigint[], %s::bigint[])",
        lists,
    ).fetchall()
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    return [(row[1], row[2]) for row in rows]


def test_the_checklist_case(db: psycopg.Connection) -> None:
    a, b, c, d = 1, 2, 3, 4
    assert legs(db, [a, b, c], [b, d]) == [(a, "local"), (b, "global"), (d, "global"), (c, "local")]


def test_three_sources(db: psycopg.Connection) -> None:
    assert chunks(db, [1, 2], [3, 1, 4], [5]) == [
        (1, "vector"),
        (3, "entity"),
        (5, "relation"),
        (2, "vector"),
        (4, "entity"),
    ]


def test_empty_lists_are_passed_over(db: psycopg.Connection) -> None:
    assert legs(db, None, [1, 2]) == [(1, "global"), (2, "global")]
    assert legs(db, [], None) == []
    assert chunks(db, None, None, [2, 1]) == [(2, "relation"), (1, "relation")]


@few_examples
@given(local=Ids, global_=Ids)
def test_legs_alternate(db: psycopg.Connection, local: list[int] | None, global_: list[int] | None) -> None:
    assert legs(db, local, global_) == alternate({"local": local or [], "global": global_ or []})


@few_examples
@given(vector=Ids, entity=Ids, relation=Ids)
def test_chunks_alternate(
    db: psycopg.Connection, vector: list[int] | None, entity: list[int] | None, relation: list[int] | None
) -> None:
    expected = alternate({"vector": vector or [], "entity": entity or [], "relation": relation or []})
    assert chunks(db, vector, entity, relation) == expected
