"""`query` from the command line: what it prints where, and what its options do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.model_server import ModelServer

from pgrag import PgRAG

from .conftest import Cli

TEXTS = ["Alice met Bob in Paris. Bob knows Carol.", "Carol wrote a book about Paris."]
FAR = ("--max-distance", "2")  # the stub's vectors are of no great use


@pytest.fixture
def filled(rag: PgRAG, here: Path) -> PgRAG:
    rag.ingest(TEXTS, ids=["one", "two"], file_paths=["one.txt", "two.txt"], metadata=[{"n": 1}, {"n": 2}])
    return rag


def test_answer_and_references_on_stdout_timings_on_stderr(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.reply("text", "Alice did [1]. [bold]:smile:[/bold]")
    result = cli("query", "Who met Bob?", *FAR)
    assert result.code == 0
    assert result.out.splitlines()[:4] == ["Alice did [1]. [bold]:smile:[/bold]", "", "References", "[1] one.txt"]
    for stage in ("keywords", "embed", "retrieve", "context", "answer"):
        assert f"{stage} " in result.err


def test_json_has_all_of_the_answer(cli: Cli, filled: PgRAG) -> None:
    result = cli("query", "Who met Bob?", "--json", *FAR)
    answer = json.loads(result.out)
    assert result.err == ""
    assert set(answer) == {"text", "references", "context", "keywords", "trace", "is_cached"}
    assert {each["file_path"] for each in answer["references"]} == {"one.txt", "two.txt"}
    assert answer["context"]["entities"]
    assert json.loads(cli("query", "Who met Bob?", "--json", *FAR).out)["is_cached"] is True


def test_a_kept_answer_is_said_to_be_one(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    first = cli("query", "Who met Bob?", *FAR)
    model_server.forget()
    second = cli("query", "Who met Bob?", *FAR)
    assert second.out == first.out
    assert second.err.startswith("kept answer")
    assert model_server.count() == 0
    assert "kept" not in cli("query", "Who met Bob?", "--no-cache", *FAR).err
    assert model_server.count("text") == 1


def test_a_stream_prints_the_same(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    whole = cli("query", "Who met Bob?", "--no-cache", *FAR)
    model_server.forget()
    streamed = cli("query", "Who met Bob?", "--stream", "--no-cache", *FAR)
    assert (streamed.code, streamed.out) == (0, whole.out)
    assert model_server.bodies("text")[0]["stream"] is True
    cli("query", "Who met Bob?", *FAR)
    assert cli("query", "Who met Bob?", "--stream", *FAR).out == whole.out  # a kept one


def test_a_stream_that_breaks_off_fails(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.cut_next(1, pieces=1)
    result = cli("query", "Who met Bob?", "--stream", "--low-level-keyword", "Bob", *FAR)
    assert result.code == 1
    assert result.err.startswith("error: ")
    assert "References" not in result.out
    again = cli("query", "Who met Bob?", "--low-level-keyword", "Bob", *FAR)
    assert "kept" not in again.err  # half an answer is not


def test_the_context_alone(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    result = cli("query", "Who met Bob?", "--context-only", *FAR)
    assert (result.code, result.err) == (0, "")
    assert "Alice" in result.out
    assert model_server.count("text") == 0
    found = json.loads(cli("query", "Who met Bob?", "--context-only", "--json", *FAR).out)
    assert found["text"].strip() == result.out.strip()
    assert {each["name"] for each in found["entities"]} >= {"Alice", "Bob"}


def test_the_prompt_alone(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    result = cli("query", "Who met Bob?", "--prompt-only", "--user-prompt", "In one word.", *FAR)
    assert result.code == 0
    assert "Who met Bob?" in result.out
    assert "In one word." in result.out
    assert "Alice" in result.out
    assert model_server.count("text") == 0
    as_json = json.loads(
        cli("query", "Who met Bob?", "--prompt-only", "--user-prompt", "In one word.", "--json", *FAR).out
    )
    assert as_json["prompt"].strip() == result.out.strip()


def test_nothing_found_is_an_answer(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    result = cli("query", "Who met Bob?", "--filter", '{"n": 3}', *FAR)
    assert result.code == 0
    assert result.out == "Nothing in this workspace answers the question.\n"
    assert model_server.count("text") == 0


def test_a_filter_keeps_to_its_documents(cli: Cli, filled: PgRAG) -> None:
    result = cli("query", "Who met Bob?", "--filter", '{"n": 2}', *FAR)
    assert "two.txt" in result.out
    assert "one.txt" not in result.out


@pytest.mark.parametrize("mode", ["local", "global", "hybrid", "mix", "naive", "bypass"])
def test_every_mode_answers(cli: Cli, filled: PgRAG, mode: str) -> None:
    assert cli("query", "Who met Bob?", "-m", mode, *FAR).code == 0


def test_given_keywords_are_searched_and_none_asked_for(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    words = ("--low-level-keyword", "Carol", "--low-level-keyword", "Bob", "--high-level-keyword", "books")
    answer = json.loads(cli("query", "Who?", *words, "--json", *FAR).out)
    assert answer["keywords"] == {"high_level": ["books"], "low_level": ["Carol", "Bob"]}
    assert model_server.count("keywords") == 0
    assert model_server.bodies("embeddings")[0]["input"] == ["Who?", "Carol, Bob", "books"]


def test_limits_are_kept(cli: Cli, filled: PgRAG) -> None:
    found = json.loads(
        cli(
            *("query", "Who?", "--context-only", "--json", *FAR),
            *("--top-k", 1, "--chunk-top-k", 1, "--max-relation-tokens", 0, "--mode", "local"),
        ).out
    )
    assert len(found["entities"]) == 1
    assert found["relations"] == []
    assert len(found["chunks"]) == 1


def test_history_goes_to_the_model(cli: Cli, filled: PgRAG, here: Path, model_server: ModelServer) -> None:
    turns = [{"role": "user", "content": "I ask of Paris."}, {"role": "assistant", "content": "Go on."}]
    (here / "turns.json").write_text(json.dumps(turns))
    model_server.forget()
    assert cli("query", "Who met Bob?", "--history", "turns.json", *FAR).code == 0
    assert [each for each in model_server.bodies("text")[0]["messages"] if each in turns] == turns


@pytest.mark.parametrize(
    "content",
    ["", "{", '{"role": "user"}', '["x"]', '[{"role": "user"}]', '[{"role": "judge", "content": "x"}]', b"\xff"],
)
def test_a_history_that_is_none(cli: Cli, filled: PgRAG, here: Path, content: str | bytes) -> None:
    (here / "turns.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    result = cli("query", "Who met Bob?", "--history", "turns.json")
    assert (result.code, result.out) == (2, "")
    assert "Traceback" not in result.err


def test_prompts_of_ones_own(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    system = "Answer as a pirate. {context_data}"
    cli("query", "Who?", "--system-prompt", system, "--response-type", "One line", *FAR)
    (sent,) = model_server.bodies("text")
    assert sent["messages"][0]["content"].startswith("Answer as a pirate. ")
    assert "Alice" in sent["messages"][0]["content"]


def test_offline_answers_say_what_they_are(
    cli: Cli, offline_url: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "PGRAG_EMBEDDING_MODEL", "PGRAG_EMBEDDING_DIMENSIONS"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PGRAG_DATABASE_URL", offline_url)
    (here / "a.txt").write_text("Scrooge was the partner of Marley.")
    assert cli("ingest", "a.txt").code == 0
    result = cli("query", "Who was the partner of Marley?")
    assert result.code == 0
    assert "No language model" in result.out
    assert "[1] a.txt" in result.out
