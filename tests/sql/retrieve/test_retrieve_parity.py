"""pgrag.retrieve gives the same items in the same order as a plain-Python reading of LightRAG's rules."""

from __future__ import annotations

import random

import psycopg
import pytest
from support.random_questions import arguments_of, random_options
from support.retrieval_reference import Found, Question, Reference
from support.small_graph import random_graph

SEEDS = range(10)
QUESTIONS_PER_GRAPH = 40


@pytest.mark.parametrize("seed", SEEDS)
def test_random_questions_to_random_graphs(db: psycopg.Connection, seed: int) -> None:
    rng = random.Random(seed)
    graph = random_graph(rng)
    graph.shifted(1000).store(db, "elsewhere")
    graph.store(db, "small")
    backend = "age" if seed < 2 else "sql"
    db.execute("SELECT set_config('pgrag.graph_backend', %s, true)", (backend,))
    reference = Reference(graph)
    for _ in range(QUESTIONS_PER_GRAPH):
        question = random_options(rng)
        assert ask(db, question) == reference.retrieve(question), question


def test_the_reference_is_not_empty_handed() -> None:
    """The comparison means something: over the seeds, each kind and each source turns up, and budgets bite."""
    sources: set[str] = set()
    bitten = 0
    for seed in SEEDS:
        rng = random.Random(seed)
        reference = Reference(random_graph(rng))
        for _ in range(QUESTIONS_PER_GRAPH):
            question = random_options(rng)
            found = reference.retrieve(question)
            sources |= {
                f"{kind} {source}" for kind in ("entities", "relations", "chunks") for _, source in vars(found)[kind]
            }
            bitten += question.max_relation_tokens < 100 and bool(found.relations)
    assert len(sources) == 7
    assert bitten > 10


def ask(connection: psycopg.Connection, question: Question) -> Found:
    """The answer of pgrag.retrieve, as the reference gives it."""
    rows = connection.execute(
        f"SELECT kind, ordinal, id, source FROM pgrag.retrieve('small', {', '.join(['%s'] * 13)})",
        arguments_of(question),
    ).fetchall()
    found = Found()
    lists = {"entity": found.entities, "relation": found.relations, "chunk": found.chunks}
    for kind, ordinal, item_id, source in rows:
        lists[kind].append((item_id, source))
        assert ordinal == len(lists[kind]), "ordinals count from 1 within a kind, rows come in their order"
    return found
