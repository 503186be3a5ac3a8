"""Random arguments of pgrag.retrieve, and the same arguments as SQL takes them."""

from __future__ import annotations

import random
from typing import Any

from psycopg.types.json import Jsonb

from support.retrieval_reference import Question
from support.small_graph import Vector, random_question

MODES = ("local", "global", "hybrid", "mix", "naive")


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


def arguments_of(question: Question) -> tuple[Any, ...]:
    """Everything after the workspace, in the order of pgrag.retrieve."""
    return (
        question.mode,
        *(None if vector is None else str(list(vector)) for vector in (question.query, question.low, question.high)),
        question.top_k,
        question.chunk_top_k,
        question.max_entity_tokens,
        question.max_relation_tokens,
        question.max_distance,
        question.related_chunk_number,
        question.chunk_pick_method,
        question.max_chunks,
        None if question.filter is None else Jsonb(dict(question.filter)),
    )
