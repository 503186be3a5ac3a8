"""pgrag.explain_retrieve: every candidate once, kept as retrieve keeps it, or with the one reason why not."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import psycopg
import pytest
from support.random_questions import arguments_of, random_options
from support.retrieval_reference import Question, Reference
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph, random_graph

N, E, NE, S = (1, 0, 0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0, 0, 0), (-1, 0, 0, 0, 0, 0, 0, 0)
NORTH = str(list(N))
REASONS = {"duplicate", "budget", "limit", "threshold", "filter"}
LEGS = {"entity": {"local", "global"}, "relation": {"local", "global"}, "chunk": {"vector", "entity", "relation"}}


class Candidate(NamedTuple):
    kind: str
    id: int
    leg: str
    rank: int | None
    distance: float | None
    token_count: int
    kept: bool
    reason: str | None
    ordinal: int | None


def explain(connection: psycopg.Connection, *arguments: Any) -> list[Candidate]:
    marks = ", ".join(["%s"] * len(arguments))
    rows = connection.execute(f"SELECT * FROM pgrag.explain_retrieve('small', {marks})", arguments)
    assert tuple(column.name for column in rows.description or ()) == Candidate._fields
    return [Candidate(*row) for row in rows]


def kept_rows(candidates: Sequence[Candidate]) -> list[tuple[Any, ...]]:
    return [(c.kind, c.ordinal, c.id, c.token_count, c.leg, c.distance) for c in candidates if c.kept]


@pytest.mark.parametrize("seed", range(8))
def test_random_questions_to_random_graphs(db: psycopg.Connection, seed: int) -> None:
    """The kept are the rows of retrieve, in their order; the others have one reason each, which is true."""
    rng = random.Random(seed)
    graph = random_graph(rng)
    graph.shifted(1000).store(db, "elsewhere")
    graph.store(db, "small")
    truth = Truth(graph)
    marks = ", ".join(["%s"] * 13)
    asked = f"SELECT kind, ordinal, id, token_count, source, distance FROM pgrag.retrieve('small', {marks})"
    for _ in range(30):
        question = random_options(rng)
        candidates = explain(db, *arguments_of(question))
        assert kept_rows(candidates) == db.execute(asked, arguments_of(question)).fetchall(), question
        assert max(Counter((c.kind, c.id, c.leg) for c in candidates).values(), default=1) == 1, question
        for candidate in candidates:
            assert candidate.leg in LEGS[candidate.kind]
            assert candidate.kept == (candidate.reason is None) == (candidate.ordinal is not None)
            assert candidate.kept or candidate.reason in REASONS
        truth.check(candidates, question)


class Truth:
    """What must be true of a reason, by the reference's own reading of the graph."""

    def __init__(self, graph: SmallGraph) -> None:
        self.reference = Reference(graph)
        self.items = {
            "entity": self.reference.entities,
            "relation": self.reference.relations,
            "chunk": self.reference.chunks,
        }

    def check(self, candidates: Sequence[Candidate], question: Question) -> None:
        copies: dict[tuple[str, int], list[Candidate]] = defaultdict(list)
        for candidate in candidates:
            copies[candidate.kind, candidate.id].append(candidate)
            admitted = self.reference._is_admitted(self.items[candidate.kind][candidate.id], question)
            assert admitted == (candidate.reason != "filter"), (candidate, question)
            if candidate.reason == "threshold":
                assert candidate.distance is not None
                assert candidate.distance >= question.max_distance
        for same in copies.values():
            assert sum(each.kept for each in same) <= 1
            if any(each.reason == "duplicate" for each in same):
                assert any(each.reason in (None, "budget", "limit") for each in same), (same, question)
        self._check_ranks(candidates)
        self._check_budgets(candidates, question)
        self._check_that_none_is_missing(candidates, question)

    def _check_ranks(self, candidates: Sequence[Candidate]) -> None:
        ranks: dict[tuple[str, str], list[int]] = defaultdict(list)
        for candidate in candidates:
            if candidate.rank is not None:
                ranks[candidate.kind, candidate.leg].append(candidate.rank)
        for found in ranks.values():
            assert sorted(found) == list(range(1, len(found) + 1))

    def _check_budgets(self, candidates: Sequence[Candidate], question: Question) -> None:
        limits = {"entity": question.max_entity_tokens, "relation": question.max_relation_tokens}
        for kind, limit in limits.items():
            spent = sum(c.token_count for c in candidates if c.kind == kind and c.kept)
            fell = [c.token_count for c in candidates if c.kind == kind and c.reason == "budget"]
            assert spent <= limit
            assert not fell or spent + max(fell) > limit

    def _check_that_none_is_missing(self, candidates: Sequence[Candidate], question: Question) -> None:
        """A graph smaller than the search is looked at whole."""
        named = {(c.kind, c.id) for c in candidates if c.leg == "vector"}
        if question.mode in ("mix", "naive") and question.chunk_top_k == 20:
            assert named == {("chunk", chunk.id) for chunk in self.reference.chunks.values() if chunk.vector}


def test_over_the_seeds_every_reason_turns_up(db: psycopg.Connection) -> None:
    reasons: set[tuple[str, str, str | None]] = set()
    for seed in range(8):
        rng = random.Random(seed)
        workspace = random_graph(rng).shifted(1000 * (seed + 1))
        db.execute("DELETE FROM pgrag.workspace WHERE name = 'small'")
        workspace.store(db, "small")
        for _ in range(12):
            reasons |= {(c.kind, c.leg, c.reason) for c in explain(db, *arguments_of(random_options(rng)))}
    assert {
        (kind, leg, reason)
        for kind in ("entity", "relation")
        for leg in ("local", "global")
        for reason in (None, "duplicate", "budget", "filter")
    } <= reasons
    assert {("chunk", leg, "limit") for leg in ("vector", "entity", "relation")} <= reasons
    assert {("chunk", leg, "filter") for leg in ("vector", "entity", "relation")} <= reasons
    searches = {("entity", "local"), ("relation", "global"), ("chunk", "vector")}
    assert {(*search, "threshold") for search in searches} <= reasons


# Entities 1 and 2 are near the question, 3 is not; relation 11 joins 1 and 2.
GRAPH = SmallGraph(
    documents=[Document(1, "tale", {"year": 1843}), Document(2, "report", {"year": 2024})],
    chunks=[Chunk(21, 1, 0, N, tokens=100), Chunk(22, 2, 0, NE, tokens=200), Chunk(23, 1, 1, S, tokens=300)],
    entities=[Entity(1, (21,), N, tokens=7), Entity(2, (22,), NE, tokens=9), Entity(3, (23,), S)],
    relations=[Relation(11, 1, 2, 3.0, (21,), N, tokens=8)],
)


@pytest.fixture
def small(db: psycopg.Connection) -> psycopg.Connection:
    GRAPH.store(db)
    return db


def told(candidates: Sequence[Candidate], kind: str) -> list[tuple[int, str, int | None, str | None]]:
    return [(c.id, c.leg, c.rank, c.reason) for c in candidates if c.kind == kind]


def test_one_question_told_in_full(small: psycopg.Connection) -> None:
    found = explain(small, "mix", NORTH, None, None, 2, 2)
    assert told(found, "entity") == [
        (1, "local", 1, None), (2, "local", 2, None), (3, "local", 3, "threshold"),
        (1, "global", 1, "duplicate"), (2, "global", 2, "duplicate"),
    ]  # fmt: skip
    assert told(found, "relation") == [(11, "local", 1, None), (11, "global", 1, "duplicate")]
    assert told(found, "chunk") == [
        (21, "vector", 1, None), (22, "vector", 2, None), (23, "vector", 3, "threshold"),
        (21, "entity", 1, "duplicate"), (22, "entity", 2, "duplicate"), (21, "relation", None, "duplicate"),
    ]  # fmt: skip
    assert [c.kind for c in found] == ["entity"] * 5 + ["relation"] * 2 + ["chunk"] * 6


def test_the_limit_of_a_search(small: psycopg.Connection) -> None:
    found = explain(small, "local", NORTH, None, None, 1)
    assert told(found, "entity") == [(1, "local", 1, None), (2, "local", 2, "limit")]
    assert told(explain(small, "naive", NORTH, None, None, 40, 1), "chunk") == [
        (21, "vector", 1, None), (22, "vector", 2, "limit"),
    ]  # fmt: skip


def test_the_budget(small: psycopg.Connection) -> None:
    found = explain(small, "local", NORTH, None, None, 40, 20, 15)
    assert told(found, "entity")[:2] == [(1, "local", 1, None), (2, "local", 2, "budget")]
    assert [c.id for c in found if c.kind == "chunk" and c.leg == "entity"] == [21], "what is cut brings no chunks"


def test_the_filter(small: psycopg.Connection) -> None:
    asked = "SELECT kind, id, leg, reason FROM pgrag.explain_retrieve('small', 'mix', %s, filter => '{\"year\": 2024}')"
    assert small.execute(asked, (NORTH,)).fetchall() == [
        ("entity", 2, "local", None), ("entity", 1, "local", "filter"), ("entity", 3, "local", "filter"),
        ("relation", 11, "local", "filter"), ("relation", 11, "global", "filter"),
        ("chunk", 22, "vector", None), ("chunk", 21, "vector", "filter"), ("chunk", 23, "vector", "filter"),
        ("chunk", 22, "entity", "duplicate"),
    ]  # fmt: skip


def test_a_search_is_looked_at_twice_as_deep_and_no_more_than_100_deeper(db: psycopg.Connection) -> None:
    assert db.execute(
        "SELECT k, pgrag.explained_hits(k) FROM unnest(ARRAY[1, 40, 100, 1000, 2147483647]) AS k"
    ).fetchall() == [(1, 2), (40, 80), (100, 200), (1000, 1100), (2147483647, 2147483647)]


def test_an_empty_workspace_has_no_candidates(db: psycopg.Connection) -> None:
    SmallGraph(documents=[]).store(db)
    assert explain(db, "mix", NORTH) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("hybird", NORTH), "RG001"),
        (("mix", None), "RG001"),
        (("mix", "[1,2]"), "RG003"),
        (("mix", NORTH, None, None, 0), "RG001"),
    ],
)
def test_errors_are_those_of_retrieve(small: psycopg.Connection, arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(psycopg.Error) as asked:
        explain(small, *arguments)
    assert asked.value.sqlstate == code


def test_an_unknown_workspace(db: psycopg.Connection) -> None:
    with pytest.raises(psycopg.Error) as asked:
        explain(db, "mix", NORTH)
    assert asked.value.sqlstate == "RG002"
