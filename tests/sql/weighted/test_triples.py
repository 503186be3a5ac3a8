"""triples_of_names and the walk below it, held against a walk in plain Python that starts at each match by itself."""

from __future__ import annotations

import random
from collections import deque

import psycopg
import pytest
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph

NAMES = ["Scrooge", "Scrooge & Marley", "Fred", "Fezziwig", "Belle", "Cratchit", "Tiny Tim", "Old Scrooge"]


def walked(graph: SmallGraph, qualities: dict[int, float], max_depth: int) -> dict[int, float]:
    """For every relation in reach the largest quality / hops * weight / (1 + weight) over all starts."""
    best: dict[int, float] = {}
    for start, quality in qualities.items():
        hops = {start: 0}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            if hops[here] == max_depth:
                continue
            for relation in graph.relations:
                if here not in (relation.source_id, relation.target_id):
                    continue
                other = relation.target_id if here == relation.source_id else relation.source_id
                score = quality / (hops[here] + 1) * relation.weight / (1 + relation.weight)
                best[relation.id] = max(best.get(relation.id, 0.0), score)
                if other not in hops:
                    hops[other] = hops[here] + 1
                    waiting.append(other)
    return best


def random_graph(rng: random.Random) -> SmallGraph:
    entities = [Entity(n + 1, name=name) for n, name in enumerate(NAMES)]
    ids = [entity.id for entity in entities]
    pairs = {tuple(sorted(rng.sample(ids, 2))) for _ in range(rng.randint(0, 11))}
    relations = [
        Relation(20 + n, *rng.sample(pair, 2), weight=float(rng.randint(0, 4))) for n, pair in enumerate(sorted(pairs))
    ]
    return SmallGraph(entities=entities, relations=relations)


@pytest.mark.parametrize("seed", range(12))
def test_it_finds_what_a_walk_from_each_match_finds(db: psycopg.Connection, seed: int) -> None:
    rng = random.Random(seed)
    graph = random_graph(rng)
    workspace_id = graph.store(db)
    asked = rng.sample(["scrooge", "FRED", "tim", "fezzi", "nobody"], 3)
    matches: dict[int, float] = {}
    for name in asked:
        for id_, score in db.execute("SELECT id, score FROM pgrag.match_entities('small', %s, 5)", (name,)):
            matches[id_] = max(matches.get(id_, 0.0), score)
    for max_depth in (1, 2, 3):
        rows = db.execute(
            "SELECT relation_id, score, ordinal, quality / hops FROM pgrag.triples_of_names(%s, %s, %s)",
            (workspace_id, asked, max_depth),
        ).fetchall()
        expected = walked(graph, matches, max_depth)
        assert {row[0]: row[1] for row in rows} == pytest.approx(expected)
        assert [row[0] for row in rows] == sorted(expected, key=lambda id_: (-round(expected[id_], 12), id_))
        assert [row[2] for row in rows] == list(range(1, len(rows) + 1))


# Scrooge - Fred - Tim, Fred told of in a book of 1843, Tim in one of 1900.
GRAPH = SmallGraph(
    documents=[Document(1, "tale", {"year": 1843}), Document(2, "later", {"year": 1900})],
    chunks=[Chunk(11, 1, 0), Chunk(12, 2, 0)],
    entities=[Entity(1, (11,), name="Scrooge"), Entity(2, (11, 12), name="Fred"), Entity(3, (12,), name="Tim")],
    relations=[Relation(21, 1, 2, 1.0, (11,)), Relation(22, 3, 2, 3.0, (12,))],
)


def triples(connection: psycopg.Connection, workspace_id: int, *arguments: object) -> list[int]:
    marks = ", ".join(["%s"] * len(arguments))
    call = f"SELECT relation_id FROM pgrag.triples_of_names(%s, {marks})"
    return [row[0] for row in connection.execute(call, (workspace_id, *arguments))]


def test_hops_keywords_and_filter(db: psycopg.Connection) -> None:
    workspace_id = GRAPH.store(db)
    db.execute("UPDATE pgrag.relation SET keywords = '{Family, Ｌｏｖｅ}' WHERE id = 21")
    assert triples(db, workspace_id, ["Scrooge"], 1) == [21]
    assert triples(db, workspace_id, ["Scrooge"], 2) == [21, 22]
    assert triples(db, workspace_id, ["Scrooge"], 2, ["love", None]) == [21]
    assert triples(db, workspace_id, ["Scrooge"], 2, ["knows"]) == [], "what lies behind is not reached"
    assert triples(db, workspace_id, ["Fred"], 1, ["knows"]) == [22]
    assert triples(db, workspace_id, ["Fred"], 2, None, '{"year": 1900}') == [22]
    assert triples(db, workspace_id, ["Scrooge"], 2, None, '{"year": 1900}') == [], "nor along what is filtered out"
    assert triples(db, workspace_id, ["Scrooge"], 2, []) == [21, 22]


@pytest.mark.parametrize("names", [None, [], [None], ["", " "], ["nobody at all"]])
def test_no_name_no_triple(db: psycopg.Connection, names: object) -> None:
    assert triples(db, GRAPH.store(db), names, 3) == []


def test_names_that_fold_to_one_count_once(db: psycopg.Connection) -> None:
    workspace_id = GRAPH.store(db)
    rows = db.execute(
        "SELECT * FROM pgrag.matched_entities(%s, ARRAY['scrooge', 'ＳＣＲＯＯＧＥ', NULL, ''])", (workspace_id,)
    )
    assert rows.fetchall() == [(1, 1.0)]


def test_only_the_foremost_are_walked_on_from(db: psycopg.Connection) -> None:
    """Scrooge knows 2, 3 and 4; each of them one more. 4 has most relations, then comes the first name."""
    entities = [Entity(n, name=f"E{n}") for n in range(1, 9)]
    pairs = [(1, 2), (1, 3), (1, 4), (2, 5), (3, 6), (4, 7), (4, 8)]
    relations = [Relation(10 * a + b, a, b) for a, b in pairs]
    workspace_id = SmallGraph(entities=entities, relations=relations).store(db)
    for max_nodes, further in ((1, [47, 48]), (2, [25, 47, 48]), (3, [25, 36, 47, 48])):
        rows = db.execute(
            "SELECT relation_id FROM pgrag.relations_within_reach(%s, '{1}', '{1}', 2, %s, '{}', NULL)"
            " WHERE hops = 2 AND relation_id > 19 ORDER BY 1",
            (workspace_id, max_nodes),
        )
        assert [row[0] for row in rows] == further


@pytest.mark.parametrize("backend", ["age", "sql"])
def test_both_hops_give_the_same(db: psycopg.Connection, backend: str) -> None:
    workspace_id = GRAPH.store(db)
    db.execute("UPDATE pgrag.setting SET graph_backend = %s", (backend,))
    assert triples(db, workspace_id, ["Scrooge"], 2) == [21, 22]
