"""fuse_weighted, fuse_rrf and triple_score: what a score is made of, and what never depends on luck."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Hit = tuple[str, str, float]
some = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
MATCHES = st.sampled_from([0.0, 1.0]) | st.floats(1e-9, 1)  # the share of a name is never smaller
DOCUMENTED = {"vector": 0.6, "graph": 0.4}
hits = st.lists(
    st.tuples(st.sampled_from(["vector", "graph"]), st.sampled_from("abcdef"), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    max_size=10,
)


def by_score(connection: psycopg.Connection, found: Sequence[Hit], weights: Mapping[str, float]) -> list[tuple]:
    sources, keys, scores = zip(*found, strict=True) if found else ((), (), ())
    return connection.execute(
        "SELECT ordinal, source, key, score FROM pgrag.fuse_weighted(%s::text[], %s::text[], %s::float8[], %s)",
        (list(sources), list(keys), list(scores), json.dumps(weights)),
    ).fetchall()


def by_rank(connection: psycopg.Connection, found: Sequence[tuple[str, str, int]]) -> list[tuple]:
    sources, keys, ranks = zip(*found, strict=True)
    return connection.execute(
        "SELECT ordinal, source, key, score FROM pgrag.fuse_rrf(%s::text[], %s::text[], %s::int[])",
        (list(sources), list(keys), list(ranks)),
    ).fetchall()


def test_the_numbers_of_the_specification(db: psycopg.Connection) -> None:
    near = [("vector", f"passage {n}", score) for n, score in enumerate((0.85, 0.82, 0.78))]
    related = [("graph", f"triple {n}", score) for n, score in enumerate((0.75, 0.73, 0.70, 0.68))]
    found = by_score(db, near + related, DOCUMENTED)
    assert [round(row[3], 3) for row in found[:5]] == [0.510, 0.492, 0.468, 0.300, 0.292]
    assert [row[1] for row in found] == ["vector"] * 3 + ["graph"] * 4


def test_what_both_found_counts_twice_and_keeps_the_vector_copy(db: psycopg.Connection) -> None:
    found = by_score(db, [("vector", "a", 0.85), ("vector", "b", 0.82), ("graph", "b", 0.75)], DOCUMENTED)
    assert [(row[1], row[2]) for row in found] == [("vector", "b"), ("vector", "a")]
    assert [row[3] for row in found] == pytest.approx([0.6 * 0.82 + 0.4 * 0.75, 0.510])


def test_a_source_counts_its_best_score_once(db: psycopg.Connection) -> None:
    found = by_score(db, [("graph", "a", 0.2), ("graph", "a", 0.5), ("graph", "a", 0.4)], {"graph": 1})
    assert found == [(1, "graph", "a", 0.5)]


def test_a_source_without_weight_is_left_out(db: psycopg.Connection) -> None:
    given_hits = [("vector", "a", 0.9), ("graph", "b", 0.1), ("text", "c", 1.0)]
    assert [row[2] for row in by_score(db, given_hits, {"vector": 0, "graph": 0.4})] == ["b"]
    assert by_score(db, given_hits, {}) == by_score(db, [], DOCUMENTED) == []


def test_reciprocal_ranks(db: psycopg.Connection) -> None:
    found = by_rank(db, [("vector", "a", 1), ("vector", "b", 2), ("graph", "c", 1), ("graph", "b", 2)])
    assert [(row[1], row[2]) for row in found] == [("vector", "b"), ("vector", "a"), ("graph", "c")]
    assert [row[3] for row in found] == pytest.approx([2 / 62, 1 / 61, 1 / 61])


@some
@given(found=hits, share=st.sampled_from([0.0, 0.3, 0.6, 1.0]))
def test_fusing_keeps_its_rules(db: psycopg.Connection, found: list[Hit], share: float) -> None:
    weights = {"vector": share, "graph": 1 - share}
    fused = by_score(db, found, weights)
    assert fused == by_score(db, found, weights), "the same again"
    counted = [hit for hit in found if weights[hit[0]] > 0]
    assert sorted(row[2] for row in fused) == sorted({key for _, key, _ in counted}), "each key once, none lost"
    assert [row[0] for row in fused] == list(range(1, len(fused) + 1))
    assert [row[3] for row in fused] == sorted((row[3] for row in fused), reverse=True)
    for _, source, key, score in fused:
        mine = [hit for hit in counted if hit[1] == key]
        assert source == mine[0][0], "the copy of the source that comes first"
        best = {name: max((s for n, _, s in mine if n == name), default=0.0) for name in weights}
        assert score == pytest.approx(sum(weights[name] * best[name] for name in weights))
        assert 0 <= score <= 1
    first_seen = [hit[1] for hit in counted]
    for one, other in pairwise(fused):
        if one[3] == other[3]:
            assert first_seen.index(one[2]) < first_seen.index(other[2]), "ties stay in the order given"


@some
@given(found=hits)
def test_one_empty_side_leaves_the_order_of_the_other(db: psycopg.Connection, found: list[Hit]) -> None:
    alone = sorted({(key, "graph"): ("graph", key, score) for _, key, score in found}.values(), key=lambda hit: -hit[2])
    assert [row[2] for row in by_score(db, alone, DOCUMENTED)] == [key for _, key, _ in alone]


def triple_score(connection: psycopg.Connection, quality: float, hops: int, weight: float) -> float:
    row = connection.execute("SELECT pgrag.triple_score(%s, %s, %s)", (quality, hops, weight)).fetchone()
    assert row is not None
    return float(row[0])


@some
@given(
    quality=st.tuples(MATCHES, MATCHES).map(sorted),
    hops=st.tuples(st.integers(1, 50), st.integers(1, 50)).map(sorted),
    weight=st.tuples(st.floats(0, 1e12), st.floats(0, 1e12)).map(sorted),
)
def test_a_triple_score_falls_with_match_hops_and_weight(
    db: psycopg.Connection, quality: list[float], hops: list[int], weight: list[float]
) -> None:
    best = triple_score(db, quality[1], hops[0], weight[1])
    assert 0 <= best <= 1
    assert triple_score(db, quality[0], hops[0], weight[1]) <= best
    assert triple_score(db, quality[1], hops[1], weight[1]) <= best
    assert triple_score(db, quality[1], hops[0], weight[0]) <= best


def test_a_triple_score_by_hand(db: psycopg.Connection) -> None:
    assert triple_score(db, 1, 1, 1) == 0.5
    assert triple_score(db, 1, 1, 3) == 0.75
    assert triple_score(db, 0.5, 2, 3) == 0.75 / 4
    assert triple_score(db, 1, 1, 0) == 0


def test_a_triple_is_source_keywords_target(db: psycopg.Connection) -> None:
    row = db.execute(
        "SELECT pgrag.triple_text('MLOps', ARRAY['包含', '組成'], 'Docker'), pgrag.triple_text('a', '{}', 'b')"
    )
    assert row.fetchone() == ("MLOps - 包含, 組成 - Docker", "a - b")
