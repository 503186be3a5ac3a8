"""Weighted mode from outside: Python, asyncio and the command line; and the walk-through of its specification."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.model_server import ModelServer

from pgrag import AsyncPgRAG, PgRAG, QueryOptions
from pgrag.errors import InvalidArgument
from pgrag.models.offline import OfflineModels
from pgrag.models.openai import OpenAIModels

from .conftest import Cli

TEXTS = ["Alice met Bob in Paris. Bob knows Carol.", "Carol wrote a book about Paris."]
FAR = {"mode": "weighted", "max_distance": 2.0}  # the stub's vectors are of no great use

QUESTION = "MLOps就是支撐這一框架穩定運行的技術底座是什麼？"
FACTS = [
    "MLOps（Machine Learning Operations）是機器學習運維的實踐，它結合了機器學習和 DevOps 的原則，"
    "旨在自動化和標準化機器學習模型的開發、部署和監控流程。",
    "MLOps 的核心技術底座包括：持續集成/持續部署（CI/CD）、模型版本管理、模型監控、自動化測試、容器化部署等。",
    "技術底座通常包括：容器化技術（Docker）、編排工具（Kubernetes）、CI/CD 流水線（Jenkins/GitLab CI）、"
    "模型註冊表（MLflow）、監控系統（Prometheus/Grafana）等。",
]
KNOWN = [
    ("MLOps", "包含", "CI/CD 流水線"), ("MLOps", "包含", "容器化技術"), ("MLOps", "包含", "模型監控"),
    ("技術底座", "組成", "Docker"), ("技術底座", "組成", "Kubernetes"),
]  # fmt: skip


@pytest.fixture
def filled(rag: PgRAG) -> PgRAG:
    rag.ingest(TEXTS, ids=["one", "two"], file_paths=["one.txt", "two.txt"], metadata=[{"n": 1}, {"n": 2}])
    return rag


@pytest.fixture
def specified(offline_url: str, tmp_path: Path) -> Iterator[PgRAG]:
    """The passages and the relations of the specification; no passage is evidence of a relation."""
    places = range(len(FACTS))
    names = dict.fromkeys(name for source, _, target in KNOWN for name in (source, target))
    files: dict[str, list[dict]] = {
        "documents": [{"id": f"d{n}", "file_path": f"d{n}.txt"} for n in places],
        "chunks": [{"id": f"c{n}", "document_id": f"d{n}", "chunk_index": 0, "content": FACTS[n]} for n in places],
        "entities": [{"name": name, "type": "concept", "description": name, "evidence": []} for name in names],
        "relations": [
            {"source": source, "target": target, "keywords": [keyword], "description": "", "weight": 3, "evidence": []}
            for source, keyword, target in KNOWN
        ],
    }
    for name, lines in files.items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    with PgRAG(offline_url, workspace="w", models=OfflineModels()) as rag:
        rag.import_graph(tmp_path)
        yield rag


def test_the_question_of_the_specification_finds_its_names(specified: PgRAG) -> None:
    found = specified.retrieve(QUESTION, mode="weighted", max_distance=2.0)
    assert {"MLOps", "技術底座"} <= set(found.keywords.low_level), "the offline model names them"
    assert {relation.source for relation in found.relations} == {"MLOps", "技術底座"}
    assert {(each.source, each.keywords[0], each.target) for each in found.relations} == set(KNOWN)
    assert [each.score for each in found.relations] == pytest.approx([0.4 * 0.75] * 5)
    assert len(found.chunks) == 3
    assert '{"triple": "MLOps - 包含 - CI/CD 流水線"' in found.text


def test_the_words_of_the_question_are_a_source(specified: PgRAG) -> None:
    found = specified.retrieve(QUESTION, mode="weighted", vector_weight=0, graph_weight=0, text_weight=1)
    assert found.chunks[0].document_id == "d1", "the passage that holds MLOps and 技術底座 both"
    assert {chunk.source for chunk in found.chunks} == {"text"}
    assert not found.relations


def test_chunks_and_triples_come_with_scores_and_references(filled: PgRAG) -> None:
    found = filled.retrieve(
        "Who met Bob?", low_level_keywords=["Bob"], graph_weight=0.4, max_distance=1e-9, mode="weighted"
    )
    assert found.relations
    assert not found.entities
    assert not found.chunks, "nothing is so near"
    assert all(0 < (relation.score or 0) <= 0.4 and relation.leg == "graph" for relation in found.relations)
    assert '{"triple": "' in found.text
    near = filled.retrieve("Who met Bob?", low_level_keywords=["Bob"], **FAR)
    assert near.chunks
    scores = [chunk.score for chunk in near.chunks]
    assert scores == sorted(scores, reverse=True)
    assert {reference.document_id for reference in near.references} == {"one", "two"}
    assert "Reference Document List" in near.text
    assert filled.retrieve("Who?", mode="mix", max_distance=2.0).chunks[0].score is None


def test_it_embeds_the_question_alone_and_asks_once(filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    answer = filled.query("Who met Bob?", low_level_keywords=["Bob"], **FAR)
    assert answer.text
    assert answer.references
    (body,) = model_server.bodies("embeddings")
    assert body["input"] == ["Who met Bob?"]
    assert model_server.count("chat") == 1


@pytest.mark.parametrize(
    "other",
    [
        {"vector_weight": 0.5},
        {"graph_weight": 0.5},
        {"text_weight": 0.5},
        {"fusion": "rrf"},
        {"max_depth": 2},
        {"relation_keywords": ("meeting",)},
    ],
)
def test_every_option_is_part_of_the_key(filled: PgRAG, other: dict) -> None:
    filled.query("Who met Bob?", **FAR)
    assert filled.query("Who met Bob?", **FAR).is_cached
    assert not filled.query("Who met Bob?", **FAR, **other).is_cached


def test_without_names_the_question_serves(filled: PgRAG, model_server: ModelServer) -> None:
    """Nothing found is an answer, also of a graph alone that the question names nothing of."""
    model_server.reply("keywords", "I would rather not.")
    assert filled.retrieve("Bob", mode="weighted", vector_weight=0).relations
    assert not filled.query("Who on earth?", mode="weighted", vector_weight=0).context


def test_a_short_budget_keeps_the_best(filled: PgRAG) -> None:
    everything = filled.retrieve("Who met Bob?", low_level_keywords=["Bob"], **FAR)
    some = filled.retrieve("Who met Bob?", low_level_keywords=["Bob"], max_total_tokens=600, **FAR)
    kept = len(some.chunks) + len(some.relations)
    assert kept <= len(everything.chunks) + len(everything.relations)
    nothing = filled.retrieve("Who met Bob?", low_level_keywords=["Bob"], max_total_tokens=1, **FAR)
    assert not nothing


def test_a_stream_and_the_other_client(filled: PgRAG, url: str, models: OpenAIModels) -> None:
    import asyncio

    stream = filled.stream("Who met Bob?", low_level_keywords=["Bob"], use_cache=False, **FAR)
    text = "".join(stream)

    async def ask() -> tuple[str, object]:
        async with AsyncPgRAG(url, workspace="w", models=models) as rag:
            context = await rag.retrieve("Who met Bob?", low_level_keywords=["Bob"], **FAR)
            answer = await rag.query("Who met Bob?", low_level_keywords=["Bob"], use_cache=False, **FAR)
            return answer.text, context.text

    assert asyncio.run(ask()) == (text, filled.retrieve("Who met Bob?", low_level_keywords=["Bob"], **FAR).text)


def test_from_the_command_line(cli: Cli, filled: PgRAG, here: Path) -> None:
    asked = ("query", "Who met Bob?", "--mode", "weighted", "--low-level-keyword", "Bob", "--context-only", "--json")
    found = json.loads(cli(*asked, "--max-distance", "2", "--text-weight", "0.2").out)
    assert found["chunks"][0]["score"] > 0
    ranked = json.loads(cli(*asked, "--max-distance", "2", "--fusion", "rrf").out)
    assert 0 < ranked["chunks"][0]["score"] < 0.05
    graph = json.loads(cli(*asked, "--vector-weight", "0", "--top-k", "1", "--max-depth", "2").out)
    assert (len(graph["relations"]), graph["chunks"]) == (1, [])
    assert json.loads(cli(*asked, "--vector-weight", "0", "--relation-keyword", "nothing").out)["relations"] == []
    assert cli("query", "x", "--mode", "weighted", "--fusion", "best").code == 2
    assert cli("query", "x", "--mode", "weighted", "--vector-weight", "0", "--graph-weight", "0").code == 2


def test_a_filter(filled: PgRAG) -> None:
    found = filled.retrieve("Who met Bob?", low_level_keywords=["Bob", "Carol"], filter={"n": 2}, **FAR)
    assert {chunk.document_id for chunk in found.chunks} == {"two"}


@pytest.mark.parametrize(
    "bad",
    [
        {"fusion": "best"},
        {"text_weight": -1},
        {"text_weight": float("nan")},
        {"vector_weight": 0, "graph_weight": 0},
    ],
)
def test_options_out_of_their_domain_are_refused(bad: dict) -> None:
    with pytest.raises(InvalidArgument):
        QueryOptions(mode="weighted", **bad)


def test_words_are_searched_without_a_model(cli: Cli, filled: PgRAG, here: Path, model_server: ModelServer) -> None:
    model_server.forget()
    found = filled.search_chunks_by_text("carol's BOOK", top_k=1)
    assert [(each.document_id, each.score) for each in found] == [("two", 1.0)]
    assert [each.document_id for each in filled.search_chunks_by_text("Paris", filter={"n": 1})] == ["one"]
    assert json.loads(cli("search", "book", "--json").out)[0]["file_path"] == "two.txt"
    assert cli("search", "book").out.splitlines()[1].split() == ["1.00", "two.txt", "0", *TEXTS[1].split()]
    assert cli("search", "nothing").out == "none\n"
    assert (cli("search", " ").code, cli("search", "x", "--filter", "[1]").code) == (1, 2)
    assert model_server.count() == 0
    with pytest.raises(InvalidArgument):
        filled.search_chunks_by_text("x", top_k=0)
