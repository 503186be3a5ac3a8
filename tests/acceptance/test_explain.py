"""Why something is, or is not, in the context: `PgRAG.explain`, `pgrag query --explain`, and the trace."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.databases import TestServer
from support.model_server import ModelServer
from support.rerank_server import RerankServer

from pgrag import AsyncPgRAG, PgRAG, Settings
from pgrag.errors import InvalidArgument, UnknownWorkspace
from pgrag.models.openai import OpenAIModels

from .conftest import Cli

TEXTS = ["Alice met Bob in Paris. Bob knows Carol.", "Carol wrote a book about Paris."]
FAR = {"max_distance": 2.0}


@pytest.fixture(scope="module")
def filled_url(server: TestServer) -> Iterator[str]:
    """A database with the two texts, that every test asks and none changes."""
    name = f"test_explain_{uuid.uuid4().hex[:8]}"
    made = server.create(name, dimensions=8, migrated=True, age=False)
    settings = Settings(embedding_model="scripted-embedding", embedding_dimensions=8)
    with ModelServer() as stub:
        models = OpenAIModels(settings, base_url=stub.base_url, api_key="k")
        with PgRAG(made, workspace="w", models=models) as rag:
            rag.ingest(TEXTS, ids=["one", "two"], file_paths=["one.txt", "two.txt"], metadata=[{"n": 1}, {"n": 2}])
    yield made
    server.drop(name)


@pytest.fixture
def url(filled_url: str) -> str:
    """In the place of a database of the test's own: for the fixtures of this folder."""
    return filled_url


@pytest.fixture
def filled(rag: PgRAG) -> PgRAG:
    return rag


@pytest.mark.parametrize("mode", ["local", "global", "hybrid", "mix", "naive"])
def test_the_kept_are_the_context(filled: PgRAG, mode: str) -> None:
    explanation = filled.explain("Who met Bob?", mode=mode, **FAR)
    context = filled.retrieve("Who met Bob?", mode=mode, **FAR)
    kept = [(each.kind, each.id, each.ordinal) for each in explanation.candidates if each.kept]
    assert kept == [
        *(("entity", item.id, place) for place, item in enumerate(context.entities, start=1)),
        *(("relation", item.id, place) for place, item in enumerate(context.relations, start=1)),
        *(("chunk", item.id, place) for place, item in enumerate(context.chunks, start=1)),
    ]
    assert explanation.context.text == context.text
    assert all((each.reason is None) == each.kept for each in explanation.candidates)
    assert all(each.label for each in explanation.candidates)


def test_labels(filled: PgRAG) -> None:
    labels = {each.kind: each.label for each in filled.explain("Who met Bob?", **FAR).candidates}
    assert labels["chunk"] in ("one.txt #0", "two.txt #0")
    assert " - " in labels["relation"]


def test_a_budget_of_the_prompt_is_a_reason_too(filled: PgRAG) -> None:
    """What the database gave, and the prompt has no room for."""
    prompt_alone = filled.explain("Who met Bob?", mode="naive", max_total_tokens=1, **FAR)
    assert {(each.kind, each.kept, each.reason) for each in prompt_alone.candidates} == {("chunk", False, "budget")}
    assert [each.ordinal for each in prompt_alone.candidates] == [None, None]


def test_limit_threshold_and_filter(filled: PgRAG) -> None:
    def reasons(**options: object) -> list[str | None]:
        return [each.reason for each in filled.explain("Who met Bob?", mode="naive", **options).candidates]

    assert reasons(chunk_top_k=1, **FAR) == [None, "limit"]
    assert reasons(max_distance=0.0001) == ["threshold", "threshold"]
    assert reasons(filter={"n": 2}, **FAR) == [None, "filter"]
    assert reasons(filter={"n": 3}, **FAR) == ["filter", "filter"]


def test_the_awaiting_client_explains_the_same(filled: PgRAG, url: str, models: OpenAIModels) -> None:
    async def ask() -> object:
        async with AsyncPgRAG(url, workspace="w", models=models) as client:
            return (await client.explain("Who met Bob?", **FAR)).candidates

    assert asyncio.run(ask()) == filled.explain("Who met Bob?", **FAR).candidates


@pytest.fixture
def reranker() -> Iterator[RerankServer]:
    with RerankServer() as running:
        yield running


def test_what_the_reranker_let_fall(filled: PgRAG, url: str, models: OpenAIModels, reranker: RerankServer) -> None:
    with PgRAG(url, workspace="w", models=models, settings=Settings(rerank_url=reranker.url)) as client:
        asked = {"mode": "naive", **FAR}
        cut = client.explain("Who wrote a book?", chunk_top_k=1, **asked).candidates
        assert [(each.label, each.reason, each.rerank_score) for each in cut] == [
            ("two.txt #0", None, 0.75), ("one.txt #0", "limit", None),
        ]  # fmt: skip
        low = client.explain("Who wrote a book?", min_rerank_score=0.7, **asked).candidates
        assert [(each.label, each.reason) for each in low] == [("two.txt #0", None), ("one.txt #0", "threshold")]


def test_errors(filled: PgRAG, url: str, models: OpenAIModels) -> None:
    for mode in ("bypass", "weighted"):
        with pytest.raises(InvalidArgument, match="cannot be explained"):
            filled.explain("Who?", mode=mode)
    with pytest.raises(InvalidArgument, match="empty"):
        filled.explain("  ")
    with PgRAG(url, workspace="nowhere", models=models) as client, pytest.raises(UnknownWorkspace):
        client.explain("Who?")


def test_the_trace_tells_what_each_stage_took_and_gave(filled: PgRAG) -> None:
    answer = filled.query(
        "Who met Bob?", chunk_top_k=1, low_level_keywords=["Bob"], high_level_keywords=["Paris"], **FAR
    )
    stages = {stage.name: stage for stage in answer.trace.stages}
    assert list(stages) == ["keywords", "retrieve", "context"]
    assert stages["keywords"].given == {"high_level": 1, "low_level": 1}
    found = answer.context
    assert sum(stages["retrieve"].given.values()) == len(found.entities) + len(found.relations) + 1
    assert stages["retrieve"].given["chunk vector"] == 1
    assert stages["context"].taken == stages["context"].given
    assert set(answer.trace.seconds) == {"keywords", "embed", "retrieve", "context", "answer"}
    assert (answer.trace.cache, filled.query("Who met Bob?", use_cache=False).trace.cache) == ("miss", "off")


def test_the_command_prints_a_table(cli: Cli, here: Path, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    result = cli("query", "Who met Bob?", "--explain", "--mode", "naive", "--max-distance", "2", "--chunk-top-k", "1")
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[0] == ["kind", "item", "leg", "rank", "distance", "score", "tokens", "place", "reason"]
    assert [(line[0], line[1], line[3], line[4], line[-1]) for line in lines[1:]] == [
        ("chunk", "one.txt", "vector", "1", "#1"), ("chunk", "two.txt", "vector", "2", "limit"),
    ]  # fmt: skip
    assert "retrieve: gave 1 chunk vector" in result.err
    assert model_server.count("text") == 0


def test_the_command_prints_json(cli: Cli, here: Path, filled: PgRAG) -> None:
    result = cli("query", "Who met Bob?", "--explain", "--json", "--max-distance", "2")
    explanation = json.loads(result.out)
    assert result.err == ""
    assert set(explanation) == {"candidates", "context"}
    assert set(explanation["candidates"][0]) == {
        "kind", "id", "leg", "rank", "distance", "token_count", "kept", "reason", "ordinal", "label", "rerank_score",
    }  # fmt: skip


def test_it_explains_one_thing_at_a_time(cli: Cli, here: Path, filled: PgRAG) -> None:
    assert cli("query", "Who?", "--explain", "--context-only").code == 2
    assert cli("query", "Who?", "--explain", "--mode", "bypass").code == 1
