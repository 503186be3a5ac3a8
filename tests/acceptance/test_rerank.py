"""Reranking from outside: a real server over HTTP, both clients, the command line, cache, ledger and trace."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from support.databases import TestServer
from support.model_server import ModelServer
from support.rerank_server import RerankServer

from pgrag import AsyncPgRAG, PgRAG, Settings
from pgrag.models.openai import OpenAIModels
from pgrag.rows import Stage, Trace

from .conftest import Cli

TEXTS = ["Alice met Bob in Paris.", "Carol wrote a book about Paris.", "Dave sells old maps of Venice."]
IDS = ["one", "two", "three"]
QUESTION = "Who sells maps of Venice?"
NAIVE = {"mode": "naive", "max_distance": 2.0}


@pytest.fixture(scope="module")
def filled_url(server: TestServer) -> Iterator[str]:
    """A database with the three texts; each test that keeps an answer asks in words of its own."""
    name = f"test_rerank_{uuid.uuid4().hex[:8]}"
    made = server.create(name, dimensions=8, migrated=True, age=False)
    with ModelServer() as stub, PgRAG(made, workspace="w", models=models_at(stub)) as rag:
        rag.ingest(TEXTS, ids=IDS)
    yield made
    server.drop(name)


def models_at(stub: ModelServer) -> OpenAIModels:
    settings = Settings(embedding_model="scripted-embedding", embedding_dimensions=8)
    return OpenAIModels(settings, base_url=stub.base_url, api_key="k")


@pytest.fixture
def rerank_server() -> Iterator[RerankServer]:
    with RerankServer() as running:
        yield running


@pytest.fixture
def settings(rerank_server: RerankServer) -> Settings:
    return Settings(rerank_url=rerank_server.url, rerank_model="reranker-m", rerank_timeout=1.0)


@pytest.fixture
def reranking(filled_url: str, models: OpenAIModels, settings: Settings) -> Iterator[PgRAG]:
    with PgRAG(filled_url, workspace="w", models=models, settings=settings) as client:
        yield client


def stage_of(trace: Trace, name: str) -> Stage:
    (found,) = [stage for stage in trace.stages if stage.name == name]
    return found


def ranked(rag: PgRAG, **options: object) -> list[str]:
    return [chunk.document_id for chunk in rag.retrieve(QUESTION, **{**NAIVE, **options}).chunks]


def test_the_best_come_first_and_say_their_score(reranking: PgRAG, rerank_server: RerankServer) -> None:
    context = reranking.retrieve(QUESTION, **NAIVE)
    assert context.chunks[0].document_id == "three"
    scores = [chunk.rerank_score for chunk in context.chunks]
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    assert scores[0] == 0.8
    assert context.references[0].document_id
    stage = stage_of(context.trace, "rerank")
    assert (stage.taken, stage.given, stage.dropped, stage.note) == ({"chunk": 3}, {"chunk": 3}, {}, "reranker-m")
    assert "rerank" in context.trace.seconds
    assert rerank_server.bodies[0]["query"] == QUESTION


def test_the_awaiting_client_does_the_same(
    reranking: PgRAG, filled_url: str, models: OpenAIModels, settings: Settings
) -> None:
    async def ask() -> Sequence[str]:
        async with AsyncPgRAG(filled_url, workspace="w", models=models, settings=settings) as client:
            return [chunk.document_id for chunk in (await client.retrieve(QUESTION, **NAIVE)).chunks]

    assert asyncio.run(ask()) == ranked(reranking)


def test_every_merged_chunk_is_reranked_then_cut(reranking: PgRAG, rerank_server: RerankServer) -> None:
    """The limit comes after the order: what retrieval had last may come first."""
    options = {"mode": "mix", "max_distance": 2.0, "chunk_top_k": 1, "low_level_keywords": ["Paris"]}
    context = reranking.retrieve(QUESTION, **options)
    assert len(rerank_server.bodies[-1]["documents"]) == 3
    assert rerank_server.bodies[-1]["top_n"] == 1
    assert [chunk.document_id for chunk in context.chunks] == ["three"]
    assert stage_of(context.trace, "rerank").dropped == {"limit": 2}


def test_the_least_score(reranking: PgRAG) -> None:
    context = reranking.retrieve(QUESTION, min_rerank_score=0.5, **NAIVE)
    assert [chunk.document_id for chunk in context.chunks] == ["three"]
    assert stage_of(context.trace, "rerank").dropped == {"threshold": 2}


def test_it_can_be_switched_off(reranking: PgRAG, rerank_server: RerankServer) -> None:
    rerank_server.bodies.clear()
    context = reranking.retrieve(QUESTION, enable_rerank=False, **NAIVE)
    assert rerank_server.bodies == []
    assert all(chunk.rerank_score is None for chunk in context.chunks)
    assert not [stage for stage in context.trace.stages if stage.name == "rerank"]


@pytest.mark.parametrize("way", ["down", "slow", "html", "nan"])
def test_a_bad_reranker_leaves_the_order_as_it_was(
    reranking: PgRAG, rerank_server: RerankServer, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    expected = ranked(reranking, enable_rerank=False)
    if way == "down":
        rerank_server.fail_next(9, status=500)
    elif way == "slow":
        rerank_server.hang_next(9)
    else:
        rerank_server.reply(b"<html>" if way == "html" else b'{"results": [{"index": 0, "relevance_score": NaN}]}')
    with caplog.at_level(logging.WARNING, "pgrag.rerank"):
        context = reranking.retrieve(QUESTION, min_rerank_score=0.9, **NAIVE)
    assert [chunk.document_id for chunk in context.chunks] == expected
    assert len(context.trace.warnings) == 1
    assert "not reranked" in context.trace.warnings[0]
    assert stage_of(context.trace, "rerank").note.startswith("failed: ")
    assert len([record for record in caplog.records if record.name == "pgrag.rerank"]) == 1


def test_an_answer_made_without_it_is_not_kept(reranking: PgRAG, rerank_server: RerankServer) -> None:
    rerank_server.fail_next(3, status=500)
    first, second, third = (reranking.query(f"{QUESTION} Now?", **NAIVE) for _ in range(3))
    assert [each.is_cached for each in (first, second, third)] == [False, False, True]
    assert [each.trace.cache for each in (first, second, third)] == ["miss", "miss", "hit"]
    assert second.context.chunks[0].document_id == "three"


def test_the_cache_knows_the_reranker_and_its_options(
    reranking: PgRAG, filled_url: str, models: OpenAIModels, rerank_server: RerankServer, settings: Settings
) -> None:
    reranking.query(QUESTION, **NAIVE)
    assert reranking.query(QUESTION, **NAIVE).is_cached
    assert not reranking.query(QUESTION, min_rerank_score=0.1, **NAIVE).is_cached
    assert not reranking.query(QUESTION, enable_rerank=False, **NAIVE).is_cached
    for change in ({"rerank_model": "other"}, {"rerank_part_tokens": 3}, {"rerank_url": None}):
        other = settings.model_copy(update=change)
        with PgRAG(filled_url, workspace="w", models=models, settings=other) as client:
            assert not client.query(QUESTION, **NAIVE).is_cached, change


def test_what_it_cost_is_in_the_ledger(reranking: PgRAG, filled_url: str) -> None:
    def spent() -> tuple[int, int]:
        with psycopg.connect(filled_url) as connection:
            row = connection.execute(
                "SELECT coalesce(sum(calls), 0)::int, coalesce(sum(prompt_tokens), 0)::int FROM pgrag.model_usage "
                "WHERE role = 'rerank' AND model = 'reranker-m'"
            ).fetchone()
        assert row is not None
        return row

    calls, tokens = spent()
    reranking.query(f"{QUESTION} Pray tell.", **NAIVE)
    assert spent()[0] == calls + 1
    assert spent()[1] > tokens + 20


class Backwards(OpenAIModels):
    """A provider of one's own that reranks: the last come first."""

    def rerank(self, query: str, documents: Sequence[str], top_n: int) -> list[tuple[int, float]]:
        return [(index, float(index)) for index in range(len(documents))]


def test_a_provider_may_rerank_by_itself(reranking: PgRAG, filled_url: str, model_server: ModelServer) -> None:
    plain = ranked(reranking, enable_rerank=False)
    made = Settings(embedding_model="scripted-embedding", embedding_dimensions=8)
    own = Backwards(made, base_url=model_server.base_url, api_key="k")
    with PgRAG(filled_url, workspace="w", models=own) as client:
        context = client.retrieve(QUESTION, **NAIVE)
    assert [chunk.document_id for chunk in context.chunks] == plain[::-1]
    assert stage_of(context.trace, "rerank").note == "Backwards"


def test_on_the_command_line(
    cli: Cli, here: Path, rerank_server: RerankServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGRAG_RERANK_URL", rerank_server.url)
    for name, text in zip(IDS, TEXTS, strict=True):
        (here / f"{name}.txt").write_text(text)
    assert cli("ingest", *(f"{name}.txt" for name in IDS)).code == 0
    asked = ("query", QUESTION, "--mode", "naive", "--max-distance", "2", "--context-only")
    found = json.loads(cli(*asked, "--json").out)
    assert found["chunks"][0]["document_id"] == "three.txt"
    assert found["chunks"][0]["rerank_score"] == 0.8
    calls = len(rerank_server.bodies)
    assert json.loads(cli(*asked, "--json", "--no-rerank").out)["chunks"][0]["rerank_score"] is None
    assert len(rerank_server.bodies) == calls
    rerank_server.reply(b"<html>")
    failed = cli(*asked)
    assert failed.code == 0
    assert failed.err.count("not reranked") == 1
    assert "not reranked" not in failed.out
    monkeypatch.setenv("PGRAG_RERANK_URL", "localhost:8000")
    refused = cli(*asked)
    assert refused.code == 1
    assert "PGRAG_RERANK_URL" in refused.err
