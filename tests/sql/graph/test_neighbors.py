"""One hop: what neighbors returns, and that Cypher and join return the same rows."""

from __future__ import annotations

import random

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.graph_store import Row, add_entities, add_relations, add_workspace

HOPS = ("neighbors_by_join", "neighbors_by_cypher", "neighbors_of")


def hop(db: psycopg.Connection, function: str, workspace: int, ids: list[int] | list[int | None] | None) -> list[Row]:
    return sorted(db.execute(f"SELECT * FROM pgrag.{function}(%s, %s::bigint[])", (workspace, ids)).fetchall())


@pytest.fixture(params=HOPS)
def function(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_both_directions_each_relation_once(db: psycopg.Connection, function: str) -> None:
    workspace = add_workspace(db)
    a, b, c, d, e = add_entities(db, workspace, "abcde")
    ab, cb, da = add_relations(db, workspace, [(a, b), (c, b), (d, a)])
    assert hop(db, function, workspace, [a]) == [(a, ab, b), (a, da, d)]
    assert hop(db, function, workspace, [b]) == [(b, ab, a), (b, cb, c)]
    assert hop(db, function, workspace, [a, b]) == [(a, ab, b), (a, da, d), (b, ab, a), (b, cb, c)]
    assert hop(db, function, workspace, [e]) == []


def test_ids_that_are_not_there_give_no_rows(db: psycopg.Connection, function: str) -> None:
    workspace, other = add_workspace(db), add_workspace(db, "other")
    a, b = add_entities(db, workspace, "ab")
    c, d = add_entities(db, other, "cd")
    (ab,) = add_relations(db, workspace, [(a, b)])
    (cd,) = add_relations(db, other, [(c, d)])
    assert hop(db, function, workspace, [c, d, 0, -1, 2**62]) == []
    assert hop(db, function, workspace, [a, a, c, a]) == [(a, ab, b)]
    assert hop(db, function, other, [a, c]) == [(c, cd, d)]
    assert hop(db, function, 0, [a]) == []
    assert hop(db, function, workspace, []) == []
    assert hop(db, function, workspace, None) == []
    assert hop(db, function, workspace, [None, b, None]) == [(b, ab, a)]


def test_a_hub(db: psycopg.Connection, function: str) -> None:
    workspace = add_workspace(db)
    hub, *points = add_entities(db, workspace, [f"e{i}" for i in range(1_001)])
    relations = add_relations(db, workspace, [(hub, p) if p % 2 else (p, hub) for p in points])
    assert hop(db, function, workspace, [hub]) == sorted(
        (hub, relation, point) for relation, point in zip(relations, points, strict=True)
    )


def test_an_id_that_two_workspaces_could_share_is_asked_of_one(db: psycopg.Connection, function: str) -> None:
    """Ids are unique by the identity sequence; the hop asks for the workspace all the same."""
    workspace, other = add_workspace(db), add_workspace(db, "other")
    a, b = add_entities(db, workspace, "ab")
    add_relations(db, workspace, [(a, b)])
    assert hop(db, function, other, [a, b]) == []


@pytest.mark.parametrize("seed", range(4))
def test_both_ways_agree_on_random_graphs(db: psycopg.Connection, seed: int) -> None:
    rng = random.Random(seed)
    for name in ("w", "v"):
        workspace = add_workspace(db, name)
        ids = add_entities(db, workspace, [f"e{i}" for i in range(60)])
        said = [(rng.choice(ids[:9] if rng.random() < 0.5 else ids), rng.choice(ids)) for _ in range(150)]
        pairs = {frozenset(pair): pair for pair in said if pair[0] != pair[1]}.values()
        relations = dict(zip(add_relations(db, workspace, sorted(pairs)), sorted(pairs), strict=True))
        for size in (1, 3, 60):
            asked = rng.sample(ids, size)
            ends = [(x, relation, y) for relation, (a, b) in relations.items() for x, y in ((a, b), (b, a))]
            expected = sorted(row for row in ends if row[0] in asked)
            assert {f: hop(db, f, workspace, [*asked, asked[0]]) for f in HOPS} == dict.fromkeys(HOPS, expected)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pairs=st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda p: p[0] < p[1]), max_size=12),
    asked=st.lists(st.integers(-1, 8), max_size=6),
)
def test_both_ways_agree_on_any_small_graph(
    db: psycopg.Connection, pairs: set[tuple[int, int]], asked: list[int]
) -> None:
    workspace = add_workspace(db)
    ids = add_entities(db, workspace, "abcdefg")
    add_relations(db, workspace, [(ids[a], ids[b]) for a, b in sorted(pairs)])
    wanted = [ids[i] if 0 <= i < 7 else -i for i in asked]
    found = [hop(db, f, workspace, wanted) for f in HOPS]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == sum((a in asked) + (b in asked) for a, b in pairs)
    db.rollback()


def test_the_door(db: psycopg.Connection) -> None:
    workspace = add_workspace(db, "books")
    a, b, c = add_entities(db, workspace, "abc")
    ca, ab = add_relations(db, workspace, [(c, a), (a, b)])
    found = db.execute("SELECT * FROM pgrag.neighbors('books', %s)", ([b, a],))
    assert [column.name for column in found.description or ()] == ["entity_id", "relation_id", "neighbor_id"]
    assert found.fetchall() == [(a, ca, c), (a, ab, b), (b, ab, a)]
    with pytest.raises(psycopg.Error, match="unknown workspace") as raised:
        db.execute("SELECT * FROM pgrag.neighbors('nowhere', '{1}')")
    assert raised.value.sqlstate == "RG002"


def test_the_first_call_of_a_fresh_backend(shared_url: str) -> None:
    """AGE is not loaded there, and cypher() is unknown until it is."""
    for function in HOPS[1:]:
        with psycopg.connect(shared_url) as fresh:
            assert fresh.execute(f"SELECT * FROM pgrag.{function}(1, '{{1,2}}')").fetchall() == []


def test_the_first_write_of_a_fresh_backend(db: psycopg.Connection) -> None:
    workspace = add_workspace(db)
    assert len(add_entities(db, workspace, "ab")) == 2


def test_in_a_read_only_transaction(db: psycopg.Connection, url: str) -> None:
    workspace = add_workspace(db)
    a, b = add_entities(db, workspace, "ab")
    (ab,) = add_relations(db, workspace, [(a, b)])
    db.commit()
    with psycopg.connect(url) as reader:
        reader.read_only = True
        assert hop(reader, "neighbors_by_cypher", workspace, [a]) == [(a, ab, b)]
        assert reader.execute("SELECT * FROM pgrag.subgraph('w', %s)", ([a],)).fetchall() == [
            (1, ab, a, b, ["knows"], 1.0)
        ]
