"""Ways of chunking from outside: what is stored, what the context and the references show, what is refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from support.book_files import pdf
from support.model_server import ModelServer

from pgrag import AsyncPgRAG, IngestOptions, PgRAG, Settings
from pgrag.chunking import ByFunction, ByMarkdown, ChunkSize, Recursive
from pgrag.flows import Flows
from pgrag.loaders import LoadedFile, Part, load
from pgrag.models.openai import OpenAIModels
from pgrag.models.scripted import ScriptedModels

from .conftest import Cli

Write = Callable[[str, str], Path]
GUIDE = "# Chapter 1\n\n## Rooms\n\nAlice met Bob in Paris.\n\n## Doors\n\nBob knows Carol.\n"
FAR = ("--max-distance", "2")


def chunks(url: str) -> list[tuple[str, dict[str, Any]]]:
    """Content and metadata of all chunks, by document and place."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT c.content, c.metadata FROM pgrag.chunk c JOIN pgrag.document d ON d.id = c.document_id "
            "ORDER BY d.document_key, c.chunk_index"
        ).fetchall()


@pytest.fixture
def paged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of kind .pages are read: one page a line, and escaped, as some formats are."""

    def load_pages(path: Path, content: bytes) -> LoadedFile:
        lines = content.decode().split("\n")
        return LoadedFile(tuple(Part(f" {line} ", {"page": page}) for page, line in enumerate(lines, start=1)))

    monkeypatch.setitem(load.LOADERS, ".pages", load_pages)


# What is stored


def test_markdown_sections_go_with_their_chunks(cli: Cli, write: Write, url: str) -> None:
    write("guide.md", GUIDE)
    assert cli("ingest", "guide.md", "--chunk-by", "markdown").out.startswith("guide.md: 2 chunks")
    assert chunks(url) == [
        ("# Chapter 1\n\n## Rooms\n\nAlice met Bob in Paris.", {"section": "Chapter 1 > Rooms"}),
        ("## Doors\n\nBob knows Carol.", {"section": "Chapter 1 > Doors"}),
    ]


def test_tokens_are_the_default_for_markdown_too(cli: Cli, write: Write, url: str) -> None:
    write("guide.md", GUIDE)
    cli("ingest", "guide.md")
    assert chunks(url) == [(GUIDE.strip(), {})]


@pytest.mark.parametrize(
    ("options", "contents"),
    [
        (["--chunk-by", "character", "--split-by", r"\n\n"], ["Alice met Bob.", "Carol knows Dora. Ed is here."]),
        (["--chunk-by", "recursive", "--chunk-size", "6"], ["Alice met Bob.", "Carol knows Dora.", "Ed is here."]),
        (["--chunk-size", "6", "--chunk-overlap", "0"], ["Alice met Bob.\n\nCarol knows", "Dora. Ed is here", "."]),
    ],
)
def test_each_way_from_the_command_line(
    cli: Cli, write: Write, url: str, options: list[str], contents: list[str]
) -> None:
    write("a.txt", "Alice met Bob.\n\nCarol knows Dora. Ed is here.")
    assert cli("ingest", "a.txt", *options).code == 0
    assert [content for content, _ in chunks(url)] == contents


def test_a_file_with_a_piece_over_the_size_fails_alone(cli: Cli, write: Write, url: str) -> None:
    write("docs/long.txt", "Alice met Bob.\n---\nCarol knows Dora and Ed and Finn.")
    write("docs/short.txt", "Alice met Bob.\n---\nCarol knows Dora.")
    split = ("--chunk-by", "character", "--split-by", "---", "--split-only", "--chunk-size", "6")
    result = cli("ingest", "docs", *split)
    assert result.code == 1
    assert "piece 2 of the text has " in result.err
    assert "'Carol knows Dora and Ed and Finn.'" in result.err
    assert [content for content, _ in chunks(url)] == ["Alice met Bob.", "Carol knows Dora."]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--chunk-by", "character"], "needs --split-by"),
        (["--chunk-by", "character", "--split-by", ""], "needs --split-by"),
        (["--split-by", "x"], "go with --chunk-by character"),
        (["--chunk-by", "markdown", "--split-only"], "go with --chunk-by character"),
        (["--chunk-overlap", "5"], "needs --chunk-size"),
        (["--chunk-size", "0"], "must be positive, got 0"),
        (["--chunk-size", "5", "--chunk-overlap", "5"], "from 0 to 4 tokens, got 5"),
        (["--chunk-size", "5", "--chunk-overlap", "-1"], "from 0 to 4 tokens, got -1"),
        (["--chunk-by", "magic"], "magic"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(cli: Cli, write: Write, options: list[str], reason: str) -> None:
    write("a.txt", "Alice met Bob.")
    result = cli("ingest", "a.txt", *options)
    assert result.code == 2
    assert reason in " ".join(result.err.replace("│", " ").split())


# A caller's own way


def test_a_callers_function_cuts_the_text_as_it_is_stored(rag: PgRAG, url: str) -> None:
    seen: list[str] = []

    def lines(text: str) -> list[str]:
        seen.append(text)
        return text.split("\n")

    options = IngestOptions(chunking=ByFunction(lines))
    report = rag.ingest(["  Alice &amp; Bob.\nCarol knows Dora.\x00 "], ids=["t"], options=options)
    assert report.documents[0].chunks == 2
    assert seen == ["Alice & Bob.\nCarol knows Dora."]
    assert [content for content, _ in chunks(url)] == ["Alice & Bob.", "Carol knows Dora."]


def test_its_pieces_wait_in_the_queue_for_any_worker(rag: PgRAG, url: str, model_server: ModelServer) -> None:
    model_server.fail_next(100, status=400)
    options = IngestOptions(chunking=ByFunction(str.splitlines))
    assert rag.ingest(["Alice met Bob.\nCarol."], ids=["t"], options=options).failed
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT options -> 'chunking' FROM pgrag.job").fetchall() == [
            ({"by": "ranges", "ranges": [[0, 14], [15, 21]]},)
        ]


def test_a_function_that_fails_fails_its_document_alone(rag: PgRAG, url: str) -> None:
    def broken(text: str) -> list[str]:
        return text.split("|") if "|" in text else ["not in the text"]

    report = rag.ingest(["Alice.|Bob.", "Carol."], ids=["a", "b"], options=IngestOptions(chunking=ByFunction(broken)))
    assert [document.status for document in report.documents] == ["ready", "failed"]
    assert "'not in the text'" in (report.failed[0].error or "")
    assert [content for content, _ in chunks(url)] == ["Alice.", "Bob."]


def test_the_async_client_does_the_same(url: str, models: OpenAIModels, tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text(GUIDE, encoding="utf-8")

    async def take() -> None:
        async with AsyncPgRAG(url, workspace="w", models=models) as rag:
            await rag.ingest_files(tmp_path, options=IngestOptions(chunking=ByMarkdown()))

    asyncio.run(take())
    assert [metadata for _, metadata in chunks(url)] == [
        {"section": "Chapter 1 > Rooms"},
        {"section": "Chapter 1 > Doors"},
    ]


def test_without_a_size_it_is_the_providers_own() -> None:
    class Careful(ScriptedModels):
        preferred_chunk_tokens = 70
        preferred_chunk_overlap = 7

    flows = Flows(Settings(), "w", Careful())
    assert flows.ingest_options(None).chunk_size == ChunkSize(70, 7)
    assert flows.ingest_options(IngestOptions(chunking=Recursive())).chunk_size == ChunkSize(70, 7)
    assert flows.ingest_options(IngestOptions(ChunkSize(5, 0))).chunk_size == ChunkSize(5, 0)
    assert Flows(Settings(), "w", ScriptedModels()).ingest_options(None).chunk_size is None


# Pages and sections, where they are shown


def test_pages_go_from_the_file_to_the_references(cli: Cli, write: Write, url: str, paged: None) -> None:
    write("book.pages", "Alice &amp; Bob met in the old town hall.\n\nCarol knows Dora.\nEd is here.")
    cli("ingest", "book.pages", "--chunk-by", "recursive", "--chunk-size", "12")
    assert chunks(url) == [
        ("Alice & Bob met in the old town hall.", {"page": 1}),
        ("Carol knows Dora.\n\nEd is here.", {"page": 3, "last_page": 4}),
    ]
    answer = cli("query", "Who met Bob?", *FAR)
    assert "[1] book.pages, p. 1, 3-4\n" in answer.out
    assert "[1] book.pages, p. 1, 3-4\n" in cli("query", "Who met Bob?", "--context-only", *FAR).out


def test_pages_of_a_pdf_are_in_its_references(cli: Cli, here: Path, url: str) -> None:
    (here / "report.pdf").write_bytes(pdf("Alice met Bob.", "", "Carol knows Dora."))
    cli("ingest", "report.pdf")
    assert [metadata for _, metadata in chunks(url)] == [{"page": 1, "last_page": 3}]
    assert "[1] report.pdf, p. 1-3\n" in cli("query", "Who met Bob?", *FAR).out


def test_headings_are_shown_in_the_context_and_in_the_references(cli: Cli, write: Write) -> None:
    write("guide.md", GUIDE)
    cli("ingest", "guide.md", "--chunk-by", "markdown")
    context = cli("query", "Who met Bob?", "--context-only", *FAR).out
    assert '{"reference_id": "1", "section": "Chapter 1 > Rooms", "content": ' in context
    answer = json.loads(cli("query", "Who met Bob?", "--json", *FAR).out)
    (reference,) = answer["references"]
    assert reference["places"] == [{"section": "Chapter 1 > Rooms"}, {"section": "Chapter 1 > Doors"}]
    kept = cli("query", "Who met Bob?", *FAR)
    assert "kept answer" in kept.err
    assert "[1] guide.md, Chapter 1 > Rooms, Chapter 1 > Doors\n" in kept.out
