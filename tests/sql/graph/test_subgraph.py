"""Many hops: level by level, every relation once, never more than max_nodes entities, the foremost first."""

from __future__ import annotations

import random
from itertools import pairwise

import psycopg
import pytest
from support.graph_store import Row, add_entities, add_relations, add_workspace

WAYS = ("age", "sql")


@pytest.fixture(params=WAYS, autouse=True)
def way(request: pytest.FixtureRequest, db: psycopg.Connection) -> str:
    """Every test here walks by Cypher and by join."""
    db.execute("SELECT set_config('pgrag.graph_backend', %s, true)", (request.param,))
    return str(request.param)


def walk(
    db: psycopg.Connection, ids: list[int] | None, depth: int = 2, nodes: int = 1000, keywords: list[str] | None = None
) -> list[Row]:
    """(depth, relation) of the subgraph, in its order."""
    found = db.execute("SELECT * FROM pgrag.subgraph('w', %s::bigint[], %s, %s, %s)", (ids, depth, nodes, keywords))
    return [row[:2] for row in found]


def path(db: psycopg.Connection, length: int) -> tuple[list[int], list[int]]:
    """e0 - e1 - … in a line: entities, relations."""
    workspace = add_workspace(db)
    ids = add_entities(db, workspace, [f"e{i}" for i in range(length + 1)])
    pairs = [(a, b) if i % 2 else (b, a) for i, (a, b) in enumerate(pairwise(ids))]
    return ids, add_relations(db, workspace, pairs)


def test_its_columns_and_defaults(db: psycopg.Connection) -> None:
    ids, relations = path(db, 4)
    found = db.execute("SELECT * FROM pgrag.subgraph('w', %s)", (ids[:1],))
    assert [c.name for c in found.description or ()] == [
        "depth", "relation_id", "source_id", "target_id", "keywords", "weight"
    ]  # fmt: skip
    assert found.fetchall() == [
        (1, relations[0], ids[1], ids[0], ["knows"], 1.0),
        (2, relations[1], ids[1], ids[2], ["knows"], 1.0),
    ]


def test_depth(db: psycopg.Connection) -> None:
    ids, relations = path(db, 5)
    assert walk(db, [ids[0]], depth=1) == [(1, relations[0])]
    assert walk(db, [ids[0]], depth=3) == [(i + 1, relations[i]) for i in range(3)]
    assert walk(db, [ids[0]], depth=50) == [(i + 1, relations[i]) for i in range(5)]
    assert walk(db, [ids[0], ids[5]], depth=2) == [
        (1, relations[0]),
        (1, relations[4]),
        (2, relations[1]),
        (2, relations[3]),
    ]
    assert walk(db, [ids[2]], depth=1) == [(1, relations[1]), (1, relations[2])]


def test_a_circle_is_walked_once(db: psycopg.Connection) -> None:
    workspace = add_workspace(db)
    a, b, c, d = add_entities(db, workspace, "abcd")
    ab, bc, ca, cd = add_relations(db, workspace, [(a, b), (b, c), (c, a), (c, d)])
    assert walk(db, [a], depth=1) == [(1, ab), (1, ca)]
    assert walk(db, [a], depth=2) == [(1, ab), (1, ca), (2, bc), (2, cd)]
    assert walk(db, [a], depth=9) == [(1, ab), (1, ca), (2, bc), (2, cd)]
    assert walk(db, [a, b, a], depth=1) == [(1, ab), (1, bc), (1, ca)]


def test_the_cap_keeps_the_foremost(db: psycopg.Connection) -> None:
    """By degree, then by name; the given entities count, and relations between two visited ones stay."""
    workspace = add_workspace(db)
    hub, z, y, x, far, more = add_entities(db, workspace, ["hub", "z", "y", "x", "far", "more"])
    to_z, to_y, to_x, z_far, z_more, far_y = add_relations(
        db, workspace, [(hub, z), (y, hub), (hub, x), (z, far), (z, more), (far, y)]
    )
    assert walk(db, [hub], nodes=1) == []
    assert walk(db, [hub], nodes=2) == [(1, to_z)]
    assert walk(db, [hub], nodes=3) == [(1, to_z), (1, to_y)]
    assert walk(db, [hub], nodes=5) == [(1, to_z), (1, to_y), (1, to_x), (2, z_far), (2, far_y)]
    assert walk(db, [hub], nodes=6) == [(1, to_z), (1, to_y), (1, to_x), (2, z_far), (2, z_more), (2, far_y)]
    assert walk(db, [x, y, hub, z], nodes=2) == [(1, to_z)], "the given ones are capped too"


def test_ties_go_by_name(db: psycopg.Connection) -> None:
    workspace = add_workspace(db)
    hub, c, b, a = add_entities(db, workspace, ["hub", "c", "b", "a"])
    to_c, to_b, to_a = add_relations(db, workspace, [(hub, c), (hub, b), (hub, a)])
    assert walk(db, [hub], depth=1, nodes=2) == [(1, to_a)]
    assert walk(db, [hub], depth=1, nodes=3) == [(1, to_b), (1, to_a)]
    assert to_c not in {relation for _, relation in walk(db, [hub], nodes=3)}


def test_relation_keywords_are_folded_and_filter_the_walk(db: psycopg.Connection) -> None:
    workspace = add_workspace(db)
    a, b, c, d = add_entities(db, workspace, "abcd")
    (ab,) = add_relations(db, workspace, [(a, b)], ["Ownership", "law"])
    (bc,) = add_relations(db, workspace, [(b, c)], ["travel"])
    (cd,) = add_relations(db, workspace, [(c, d)], ["ＯＷＮＥＲＳＨＩＰ"])
    assert walk(db, [a], depth=3, keywords=[" ownership "]) == [(1, ab)]
    assert walk(db, [a], depth=3, keywords=["ownership", "TRAVEL"]) == [(1, ab), (2, bc), (3, cd)]
    assert walk(db, [a], depth=3, keywords=["owner"]) == []
    assert walk(db, [a], depth=3, keywords=[]) == walk(db, [a], depth=3) == [(1, ab), (2, bc), (3, cd)]


def test_wrong_ids(db: psycopg.Connection) -> None:
    ids, relations = path(db, 2)
    other = add_workspace(db, "other")
    c, d = add_entities(db, other, "cd")
    add_relations(db, other, [(c, d)])
    assert walk(db, [c, 0, -5]) == []
    assert walk(db, None) == []
    assert walk(db, []) == []
    assert walk(db, [c, ids[0]], depth=1, nodes=2) == [(1, relations[0])], "what is not there does not count"


@pytest.mark.parametrize(
    ("arguments", "state", "message"),
    [
        ("'w', '{1}', 0", "RG001", "max_depth must be positive, got 0"),
        ("'w', '{1}', NULL", "RG001", "max_depth must be positive"),
        ("'w', '{1}', 1, 0", "RG001", "max_nodes must be positive, got 0"),
        ("'nowhere', '{1}'", "RG002", "unknown workspace 'nowhere'"),
    ],
)
def test_wrong_arguments(db: psycopg.Connection, arguments: str, state: str, message: str) -> None:
    add_workspace(db)
    with pytest.raises(psycopg.Error) as raised:
        db.execute(f"SELECT * FROM pgrag.subgraph({arguments})")
    assert raised.value.sqlstate == state
    assert message in str(raised.value.diag.message_primary)


def ends_of(two: list[int]) -> tuple[int, int]:
    """Both, the smaller first."""
    return min(two), max(two)


def expected_walk(
    names: dict[int, str], relations: dict[int, tuple[int, int]], seeds: list[int], depth: int, nodes: int
) -> list[Row]:
    """The definition, in Python."""
    degree = {entity: sum(entity in pair for pair in relations.values()) for entity in names}

    def foremost(entities: set[int]) -> list[int]:
        return sorted(entities, key=lambda entity: (-degree[entity], names[entity]))

    frontier = foremost(set(seeds))[:nodes]
    visited = set(frontier)
    rows: list[Row] = []
    walked: set[int] = set()
    for level in range(1, depth + 1):
        at = {relation: pair for relation, pair in relations.items() if set(pair) & set(frontier)}
        ends = {end for pair in at.values() for end in pair}
        frontier = foremost(ends - visited)[: nodes - len(visited)]
        visited |= set(frontier)
        found = sorted(relation for relation, pair in at.items() if set(pair) <= visited and relation not in walked)
        walked |= set(found)
        rows += [(level, relation) for relation in found]
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_random_graphs_against_the_definition(db: psycopg.Connection, seed: int) -> None:
    rng = random.Random(seed)
    workspace = add_workspace(db)
    words = [f"n{i:03}" for i in range(40)]
    rng.shuffle(words)
    names = dict(zip(add_entities(db, workspace, words), words, strict=True))
    ids = sorted(names)
    pairs = sorted({ends_of(rng.sample(ids[: rng.choice([8, 40])], 2)) for _ in range(60)})
    relations = dict(zip(add_relations(db, workspace, pairs), pairs, strict=True))
    for _ in range(8):
        seeds, depth, nodes = rng.sample(ids, rng.randint(1, 4)), rng.randint(1, 5), rng.randint(1, 45)
        expected = expected_walk(names, relations, seeds, depth, nodes)
        assert walk(db, seeds, depth, nodes) == expected
