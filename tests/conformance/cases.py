"""What the graphs are asked: which options, in which modes, with which questions. Known to both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from conformance.graphs import Graph

PickMethod = Literal["vector", "weight"]
METHODS: tuple[PickMethod, ...] = ("vector", "weight")
MODES = ("local", "global", "hybrid", "mix", "naive")
QUESTIONS_OF_OPTIONS = 2


@dataclass(frozen=True)
class Options:
    """What of the options is not the default. cosine: similarity above which a hit counts."""

    name: str = "default"
    top_k: int = 40
    chunk_top_k: int = 20
    max_entity_tokens: int = 6000
    max_relation_tokens: int = 8000
    max_total_tokens: int = 30000
    related_chunk_number: int = 5
    cosine: float = 0.2


DEFAULT = Options()
ALL_OPTIONS = (
    DEFAULT,
    Options("few hits", top_k=7),
    Options("one hit", top_k=1),
    Options("few chunks", chunk_top_k=3),
    Options("many chunks", chunk_top_k=60),
    Options("short entities", max_entity_tokens=700),
    Options("short relations", max_relation_tokens=900),
    Options("no graph", max_entity_tokens=0, max_relation_tokens=0),
    Options("short prompt", max_total_tokens=7000, max_entity_tokens=1200, max_relation_tokens=1200),
    Options("tiny prompt", max_total_tokens=3600, max_entity_tokens=500, max_relation_tokens=500),
    Options("few related chunks", related_chunk_number=1, chunk_top_k=60),
    Options("many related chunks", related_chunk_number=11, chunk_top_k=60),
    Options("near hits", cosine=0.45),
)


@dataclass(frozen=True)
class Case:
    """One question (its number) in one mode with one set of options."""

    question: int
    mode: str
    options: Options


def cases(graph: Graph) -> Iterator[Case]:
    """Every question with the defaults, QUESTIONS_OF_OPTIONS of them with each other set of options, in turn.

    Local and global are not asked without keywords of their own level: there the two systems differ on purpose.
    """
    for place, options in enumerate(ALL_OPTIONS):
        count = len(graph.questions) if options is DEFAULT else QUESTIONS_OF_OPTIONS
        for number in sorted((place + i) % len(graph.questions) for i in range(count)):
            question = graph.questions[number]
            for mode in MODES:
                if (mode != "local" or question.low_level) and (mode != "global" or question.high_level):
                    yield Case(number, mode, options)
