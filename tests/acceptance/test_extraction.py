"""Extraction from outside: what the models are asked, how much at once, and what a failed chunk leaves behind."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg
import pytest
from support.model_server import ModelServer

from pgrag import AsyncPgRAG, ExtractionOptions, IngestOptions, IngestReport, PgRAG, Settings
from pgrag.chunking import ChunkSize
from pgrag.models.protocols import ChatReply, ChatRequest, Vectors
from pgrag.models.scripted import ScriptedModels

from .conftest import Cli

Take = Callable[[str, ScriptedModels, Settings, Sequence[str], IngestOptions], IngestReport]


def take_in(
    url: str, models: ScriptedModels, settings: Settings, texts: Sequence[str], options: IngestOptions
) -> IngestReport:
    with PgRAG(url, workspace="w", models=models, settings=settings) as rag:
        return rag.ingest(texts, options=options)


def take_in_awaited(
    url: str, models: ScriptedModels, settings: Settings, texts: Sequence[str], options: IngestOptions
) -> IngestReport:
    async def take() -> IngestReport:
        async with AsyncPgRAG(url, workspace="w", models=models, settings=settings) as rag:
            return await rag.ingest(texts, options=options)

    return asyncio.run(take())


@pytest.fixture(params=[take_in, take_in_awaited])
def take(request: pytest.FixtureRequest) -> Take:
    way: Take = request.param
    return way


class SlowModels(ScriptedModels):
    """Takes its time, and counts how many requests of a kind are under way."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.most = {"chat": 0, "embed": 0}
        self._seconds = seconds
        self._under_way = {"chat": 0, "embed": 0}
        self._counting = threading.Lock()

    def chat(self, request: ChatRequest) -> ChatReply:
        self._wait("chat")
        return super().chat(request)

    def embed(self, texts: Sequence[str]) -> Vectors:
        self._wait("embed")
        return super().embed(texts)

    def _wait(self, kind: str) -> None:
        with self._counting:
            self._under_way[kind] += 1
            self.most[kind] = max(self.most[kind], self._under_way[kind])
        time.sleep(self._seconds)
        with self._counting:
            self._under_way[kind] -= 1


SMALL = IngestOptions(ChunkSize(20, 0), ExtractionOptions(max_gleaning=0))


def texts(documents: int, chunks: int) -> list[str]:
    """Documents of so many chunks of 20 tokens, no two alike."""
    return [" ".join(f"{document} {number}" for number in range(10 * chunks)) for document in range(documents)]


def test_no_more_is_under_way_than_the_settings_say_over_all_documents(url: str, take: Take) -> None:
    models = SlowModels(0.02)
    settings = Settings(llm_concurrency=3, embedding_concurrency=2)
    report = take(url, models, settings, texts(6, 4), SMALL)
    assert report.failed == ()
    assert len(models.chats) >= 6 * 4
    assert models.most["chat"] == 3
    assert 1 <= models.most["embed"] <= 2


def test_places_at_the_model_are_filled(url: str, take: Take) -> None:
    """At least 90 % of the ideal is for an idle machine and slower models; here is a margin."""
    seconds, at_once, documents, chunks = 0.25, 16, 24, 6
    models = SlowModels(seconds)
    take(url, ScriptedModels(), Settings(), ["warm up"], SMALL)
    started = time.monotonic()
    take(url, models, Settings(llm_concurrency=at_once), texts(documents, chunks), SMALL)
    ideal = len(models.chats) * seconds / at_once
    assert models.most["chat"] == at_once
    assert ideal / (time.monotonic() - started) > 0.6


def test_what_other_chunks_said_is_kept_when_one_fails(url: str, take: Take) -> None:
    class OneBadChunk(ScriptedModels):
        def chat(self, request: ChatRequest) -> ChatReply:
            is_bad = request.text.startswith("0 0 0 1 ")
            time.sleep(0.1 if is_bad else 0.4)  # the others are still under way when the bad one fails
            reply = super().chat(request)
            return ChatReply("rubbish", reply.model) if is_bad else reply

    with psycopg.connect(url) as connection:
        bad = OneBadChunk()
        (document,) = take(url, bad, Settings(llm_concurrency=8), texts(1, 4), SMALL).documents
        assert document.status == "failed"
        good_chunks = len({request.text for request in bad.chats}) - 1
        assert good_chunks >= 3
        assert connection.execute("SELECT count(*) FROM pgrag.extraction").fetchone() == (good_chunks,)
        good = ScriptedModels()
        (document,) = take(url, good, Settings(), texts(1, 4), SMALL).documents
        assert (document.status, len(good.chats), document.calls) == ("ready", 1, 1)


def test_chunks_of_the_same_text_are_asked_once(url: str) -> None:
    models = ScriptedModels()
    (document,) = take_in(
        url, models, Settings(), ["a b c d e f g h i j " * 20], IngestOptions(ChunkSize(10, 0))
    ).documents
    assert document.chunks > 2
    assert len({request.text for request in models.chats}) * 2 == len(models.chats), "each, and its gleaning"


def test_more_rounds_are_asked_later_without_paying_for_the_first(url: str) -> None:
    def extract(request: ChatRequest) -> str:
        found = sum(len(json.loads(turn.content)["entities"]) for turn in request.history if turn.role == "assistant")
        entities = [{"name": f"Name {found}", "type": "thing", "description": "It."}]
        return json.dumps({"entities": entities, "relations": []})

    counts = []
    for rounds in (0, 1, 3, 2):
        models = ScriptedModels({"extract": extract})
        with PgRAG(url, workspace="w", models=models) as rag:
            options = IngestOptions(extraction=ExtractionOptions(max_gleaning=rounds))
            (document,) = rag.ingest(["One text."], ids=["t"], options=options).documents
            assert document.entities == rounds + 1
            rag.delete_document("t")
        counts.append(len(models.chats))
    assert counts == [1, 1, 2, 0]


def test_settings_and_options_of_the_command_line_reach_the_model(
    cli: Cli, write: Callable[[str, str], Path], model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGRAG_ENTITY_TYPES", "spell, potion")
    monkeypatch.setenv("PGRAG_LANGUAGE", "Français")
    write("a.txt", "Alice met Bob.")
    write("examples.md", "An example of ours.")
    assert cli("ingest", "a.txt").code == 0
    assert (
        cli(
            "ingest", "a.txt", "-w", "x", "--language", "Deutsch", "--examples", "examples.md", "--max-gleaning", 0
        ).code
        == 0
    )
    by_settings, gleaned, by_options = (body["messages"] for body in model_server.bodies("extract"))
    assert "spell, potion" in by_settings[0]["content"]
    assert "Français" in by_settings[0]["content"]
    assert len(gleaned) == 4
    assert "Deutsch" in by_options[0]["content"]
    assert "An example of ours." in by_options[0]["content"]


@pytest.mark.parametrize(
    ("variable", "value"), [("PGRAG_MAX_GLEANING", "-1"), ("PGRAG_ENTITY_TYPES", " , "), ("PGRAG_MAX_RECORDS", "many")]
)
def test_a_setting_that_makes_no_sense_is_named(
    cli: Cli, write: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    write("a.txt", "Alice met Bob.")
    result = cli("ingest", "a.txt")
    assert result.code == 1
    assert result.err.startswith(f"error: {variable} is ")


def test_examples_that_cannot_be_read_are_named(cli: Cli, write: Callable[[str, str], Path]) -> None:
    write("a.txt", "Alice met Bob.")
    write("examples.md", "").write_bytes(b"\xff")
    result = cli("ingest", "a.txt", "--examples", "examples.md")
    assert result.code == 1
    assert result.err.startswith("error: the examples in examples.md cannot be read: ")
