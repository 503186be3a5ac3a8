"""Questions from outside: modes, references, cache, streams, history, and what a bad question gets."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from support.model_server import ModelServer

from pgrag import PgRAG, QueryOptions
from pgrag.errors import InvalidArgument, ModelError, UnknownWorkspace
from pgrag.models.openai import OpenAIModels
from pgrag.query import NO_ROOM

TEXTS = ["Alice met Bob in Paris. Bob knows Carol.", "Carol wrote a book about Paris."]


@pytest.fixture
def filled(rag: PgRAG) -> PgRAG:
    rag.ingest(TEXTS, ids=["one", "two"], file_paths=["one.txt", "two.txt"], metadata=[{"n": 1}, {"n": 2}])
    return rag


@pytest.mark.parametrize("mode", ["local", "global", "hybrid", "mix"])
def test_every_graph_mode_answers(backend_url: str, models: OpenAIModels, mode: str) -> None:
    with PgRAG(backend_url, workspace="w", models=models) as rag:
        rag.ingest(TEXTS, ids=["one", "two"])
        answer = rag.query("Who met Bob?", mode=mode, max_distance=2.0)
        assert answer.text
        assert answer.context.entities
        assert answer.context.relations
        assert answer.references


def test_both_backends_find_the_same(fresh_database: Callable[..., str], models: OpenAIModels) -> None:
    found = []
    for age in (True, False):
        with PgRAG(fresh_database(age=age), workspace="w", models=models) as rag:
            rag.ingest(TEXTS, ids=["one", "two"])
            found.append(rag.retrieve("Who met Bob?", max_distance=2.0).text)
    assert found[0] == found[1]
    assert "Alice" in found[0]


def test_naive_mode_knows_no_graph_and_asks_for_no_keywords(filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    answer = filled.query("Who met Bob?", mode="naive", max_distance=2.0)
    assert answer.context.chunks
    assert not answer.context.entities
    assert model_server.count("keywords") == 0


def test_bypass_asks_the_model_alone(filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    answer = filled.query("Hello?", mode="bypass")
    assert answer.text
    assert not answer.context
    assert model_server.count("embeddings") == 0
    assert model_server.count("chat") == 1


def test_references_are_numbered_and_never_invented(filled: PgRAG) -> None:
    answer = filled.query("Who met Bob?", max_distance=2.0)
    assert [each.reference_id for each in answer.references] == [str(n + 1) for n in range(len(answer.references))]
    assert {each.document_id for each in answer.references} <= {"one", "two"}
    assert {chunk.reference_id for chunk in answer.context.chunks} == {each.reference_id for each in answer.references}


def test_a_kept_answer_costs_no_model_call_and_one_round_trip(filled: PgRAG, model_server: ModelServer) -> None:
    first = filled.query("Who met Bob?")
    model_server.forget()
    second = filled.query("Who met Bob?")
    assert second.is_cached
    assert (second.text, second.references, second.context) == (first.text, first.references, first.context)
    assert model_server.count() == 0


@pytest.mark.parametrize("change", ["ingest", "delete", "metadata"])
def test_an_answer_is_never_stale(filled: PgRAG, change: str) -> None:
    filled.query("Who met Bob?")
    if change == "ingest":
        filled.ingest(["Dora met Bob in Rome."], ids=["three"])
    elif change == "delete":
        filled.delete_document("one")
    else:
        filled.ingest([TEXTS[0]], ids=["one"], metadata={"n": 3})
    assert not filled.query("Who met Bob?").is_cached


@pytest.mark.parametrize(
    "other",
    [
        {"mode": "local"},
        {"top_k": 3},
        {"response_type": "One sentence"},
        {"user_prompt": "Be brief."},
        {"system_prompt": "Answer: {context_data}"},
        {"filter": {"n": 1}},
        {"low_level_keywords": ("Bob",)},
        {"max_total_tokens": 20000},
    ],
)
def test_every_option_is_part_of_the_key(filled: PgRAG, other: dict) -> None:
    filled.query("Who met Bob?")
    assert not filled.query("Who met Bob?", **other).is_cached


def test_the_cache_can_be_left_alone(filled: PgRAG) -> None:
    filled.query("Who met Bob?", use_cache=False)
    assert not filled.query("Who met Bob?").is_cached
    assert not filled.query("Who met Bob?", use_cache=False).is_cached


def test_history_goes_along_and_bypasses_the_cache(filled: PgRAG, model_server: ModelServer) -> None:
    filled.query("Who met Bob?")
    model_server.forget()
    history = [{"role": "user", "content": "I ask of Paris."}, {"role": "assistant", "content": "Go on."}]
    assert not filled.query("Who met Bob?", conversation_history=tuple(history)).is_cached
    body = model_server.bodies("chat")[-1]
    assert [turn["role"] for turn in body["messages"]] == ["system", "user", "assistant", "user"]
    assert not filled.query("Who met Bob?", conversation_history=tuple(history)).is_cached


def test_a_stream_gives_the_answer_in_pieces_and_fills_the_cache(filled: PgRAG, model_server: ModelServer) -> None:
    stream = filled.stream("Who met Bob?")
    pieces = list(stream)
    assert len(pieces) > 1
    assert stream.answer is not None
    assert "".join(pieces) == stream.answer.text
    assert stream.answer.references
    model_server.forget()
    again = filled.stream("Who met Bob?")
    assert list(again) == [stream.answer.text]
    assert model_server.count() == 0


def test_keywords_of_the_caller_cost_no_call(filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    context = filled.retrieve("anything", low_level_keywords=["Bob"], high_level_keywords=["meeting"])
    assert context.keywords.low_level == ("Bob",)
    assert model_server.count("chat") == 0
    (body,) = model_server.bodies("embeddings")
    assert body["input"] == ["anything", "Bob", "meeting"]


def test_keywords_that_cannot_be_read_leave_the_question_to_serve(filled: PgRAG, model_server: ModelServer) -> None:
    model_server.reply("keywords", "I would rather not.")
    model_server.forget()
    assert filled.query("Who met Bob?", max_distance=2.0).context.entities
    assert model_server.bodies("embeddings")[0]["input"] == ["Who met Bob?"]


def test_a_filter_keeps_to_documents(filled: PgRAG) -> None:
    context = filled.retrieve("Who met Bob?", filter={"n": 2}, max_distance=2.0)
    assert {chunk.document_id for chunk in context.chunks} == {"two"}


def test_prompt_and_context_are_shown_without_an_answer(filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    prompt = filled.prompt("Who met Bob?", mode="naive", user_prompt="Be brief.", max_distance=2.0)
    assert "Be brief." in prompt
    assert prompt.endswith("---User Query---\n\nWho met Bob?")
    assert model_server.count("chat") == 0


def test_a_short_budget_leaves_chunks_out(filled: PgRAG) -> None:
    wide = filled.retrieve("Who met Bob?", max_distance=2.0)
    narrow = filled.retrieve("Who met Bob?", max_distance=2.0, max_total_tokens=300, max_entity_tokens=60)
    assert len(narrow.entities) < len(wide.entities)
    assert len(narrow.chunks) < len(wide.chunks)


def test_a_budget_that_leaves_room_for_nothing_is_warned_of(filled: PgRAG, model_server: ModelServer) -> None:
    model_server.forget()
    answer = filled.query("Who met Bob?", mode="naive", max_distance=2.0, max_total_tokens=10)
    assert not answer.context
    assert answer.trace.warnings == (NO_ROOM,)
    assert model_server.count("chat") == 0


def test_nothing_found_is_an_answer(rag: PgRAG, model_server: ModelServer) -> None:
    rag.create_workspace()
    answer = rag.query("Who met Bob?")
    assert not answer.context
    assert answer.references == ()
    assert "Nothing" in answer.text
    assert model_server.count("text") == 0


def test_an_unknown_workspace_is_named(url: str, models: OpenAIModels) -> None:
    with PgRAG(url, workspace="nobody's", models=models) as rag, pytest.raises(UnknownWorkspace, match="nobody"):
        rag.query("Who?")


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_refused(filled: PgRAG, question: str) -> None:
    with pytest.raises(InvalidArgument, match="empty"):
        filled.query(question)


@pytest.mark.parametrize("bad", [{"mode": "psychic"}, {"top_k": 0}, {"chunk_pick_method": "luck"}, {"max_distance": 0}])
def test_options_out_of_their_domain_are_refused(bad: dict) -> None:
    with pytest.raises(InvalidArgument):
        QueryOptions(**bad)


def test_a_model_that_fails_raises_and_keeps_nothing(filled: PgRAG, url: str, model_server: ModelServer) -> None:
    model_server.fail_next(100, status=500, kind="chat")
    with pytest.raises(ModelError):
        filled.query("Who met Bob?")
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pgrag.query_cache").fetchone() == (0,)


def test_a_hostile_question_is_only_text(filled: PgRAG) -> None:
    for hostile in ("'; DROP TABLE pgrag.entity; --", "$$ {{ 7 * 7 }} %s :x", "𝔘nicode \U0001f600 \x00 end"):
        assert filled.query(hostile, max_distance=2.0).text
    assert filled.check() == []
