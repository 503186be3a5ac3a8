"""pgrag.retrieve gives the same items in the same order as a plain-Python reading of LightRAG's rules."""

from __future__ import annotations

import random

import psycopg
import pytest
from psycopg.types.json import Jsonb
from support.retrieval_reference import Found, Question, Reference
from support.small_graph import Vector, random_graph, random_question

MODES = ("local", "global", "hybrid", "mix", "naive")
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


def random_options(rng: random.Random) -> Question:
    """Arguments of a call: every mode, both ways of picking, budgets that bite and budgets that do not."""
    mode = rng.choice(MODES)
    query: Vector | None = random_question(rng)
    low = random_question(rng) if rng.random() < 0.6 else None
    high = random_question(rng) if rng.random() < 0.6 else None
    own_level = {"local": low, "global": high, "hybrid": low or high}.get(mode)
    if own_level is not None and rng.random() < 0.3:
        query = None
    return Question(
        mode=mode,
        query=query,
        low=low,
        high=high,
        top_k=rng.choice([1, 3, 40]),
        chunk_top_k=rng.choice([1, 4, 20]),
        max_entity_tokens=rng.choice([0, 25, 60, 6000, 6000]),
        max_relation_tokens=rng.choice([0, 25, 60, 8000, 8000]),
        max_distance=rng.choice([0.3, 0.8, 1.0, 2.0]),
        related_chunk_number=rng.choice([0, 1, 2, 5, 5]),
        chunk_pick_method=rng.choice(["vector", "weight"]),
        max_chunks=rng.choice([None, 0, 0, 3]),
        filter=rng.choice([None, None, None, {"year": 2020}, {"year": 1999}]),
    )


def ask(connection: psycopg.Connection, question: Question) -> Found:
    """The answer of pgrag.retrieve, as the reference gives it."""
    rows = connection.execute(
        f"SELECT kind, ordinal, id, source FROM pgrag.retrieve('small', {', '.join(['%s'] * 13)})",
        (
            question.mode,
            *(
                None if vector is None else str(list(vector))
                for vector in (question.query, question.low, question.high)
            ),
            question.top_k,
            question.chunk_top_k,
            question.max_entity_tokens,
            question.max_relation_tokens,
            question.max_distance,
            question.related_chunk_number,
            question.chunk_pick_method,
            question.max_chunks,
            None if question.filter is None else Jsonb(dict(question.filter)),
        ),
    ).fetchall()
    found = Found()
    lists = {"entity": found.entities, "relation": found.relations, "chunk": found.chunks}
    for kind, ordinal, item_id, source in rows:
        lists[kind].append((item_id, source))
        assert ordinal == len(lists[kind]), "ordinals count from 1 within a kind, rows come in their order"
    return found
