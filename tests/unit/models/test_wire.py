"""Bodies of requests, batches, and what is believed of an answer: the rules without a server."""

from __future__ import annotations

from types import SimpleNamespace as Answer
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.errors import EmbeddingMismatch, ModelRefused, UnreadableReply
from pgrag.models import wire
from pgrag.models.protocols import ChatRequest, Message
from pgrag.models.replies import KEYWORDS_SCHEMA

PLAIN = ChatRequest("answer", "Be brief.", "Who?")
STRUCTURED = ChatRequest("keywords", "", "Who?", schema=KEYWORDS_SCHEMA)


def test_a_plain_request() -> None:
    assert wire.chat_body(PLAIN, "m", "json_schema") == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}],
    }


def test_history_stands_between_system_and_user() -> None:
    history = (Message("user", "Hi"), Message("assistant", "Hello"))
    body = wire.chat_body(ChatRequest("answer", "S", "U", history), "m", "none")
    assert [(turn["role"], turn["content"]) for turn in body["messages"]] == [
        ("system", "S"),
        ("user", "Hi"),
        ("assistant", "Hello"),
        ("user", "U"),
    ]


def test_formats() -> None:
    schema = {"name": "pgrag_keywords", "schema": KEYWORDS_SCHEMA.schema}
    best = wire.chat_body(STRUCTURED, "m", "json_schema")
    assert best["response_format"] == {"type": "json_schema", "json_schema": schema}
    assert wire.chat_body(STRUCTURED, "m", "json_object")["response_format"] == {"type": "json_object"}
    assert "response_format" not in wire.chat_body(STRUCTURED, "m", "none")
    assert [turn["role"] for turn in best["messages"]] == ["user"], "no empty system message"


def _completion(content: Any, finish: str = "stop", refusal: Any = None, usage: Any = None) -> Any:
    message = Answer(content=content, refusal=refusal)
    return Answer(choices=[Answer(message=message, finish_reason=finish)], usage=usage)


def test_a_reply_and_its_cost() -> None:
    reply = wire.read_chat(_completion("Ada.", usage=Answer(prompt_tokens=7, completion_tokens=2)), PLAIN, "m")
    assert (reply.text, reply.model, reply.prompt_tokens, reply.completion_tokens) == ("Ada.", "m", 7, 2)


@pytest.mark.parametrize("usage", [None, Answer(), Answer(prompt_tokens=None, completion_tokens="many")])
def test_a_server_that_does_not_tell_the_cost(usage: Any) -> None:
    reply = wire.read_chat(_completion("Ada.", usage=usage), PLAIN, "m")
    assert (reply.prompt_tokens, reply.completion_tokens) == (0, 0)


@pytest.mark.parametrize(
    "answer",
    [
        "<html>",
        None,
        Answer(choices=None),
        Answer(choices=[]),
        Answer(choices=[Answer()]),
        _completion(None),
        _completion(""),
        _completion(" \n"),
        _completion(7),
        _completion("<think>all the tokens went here"),
    ],
)
def test_what_is_no_reply(answer: Any) -> None:
    with pytest.raises(UnreadableReply, match="model m "):
        wire.read_chat(answer, PLAIN, "m")


def test_a_model_that_declines() -> None:
    with pytest.raises(ModelRefused, match="I will not"):
        wire.read_chat(_completion(None, refusal="I will not."), STRUCTURED, "m")


def test_a_cut_reply_is_unreadable_only_where_json_was_asked_for() -> None:
    assert wire.read_chat(_completion("half a sen", "length"), PLAIN, "m").text == "half a sen"
    with pytest.raises(UnreadableReply, match="cut off"):
        wire.read_chat(_completion("{", "length"), STRUCTURED, "m")


@pytest.mark.parametrize(
    "chunk",
    [None, Answer(choices=[]), Answer(choices=[Answer()]), Answer(choices=[Answer(delta=Answer(content=None))])],
)
def test_chunks_without_text(chunk: Any) -> None:
    assert wire.read_delta(chunk) == ""


@given(st.lists(st.sampled_from([0, 1, 1000, wire.MOST_CHARACTERS // 2, 3 * wire.MOST_CHARACTERS // 2]), max_size=20))
def test_batches_keep_order_and_limits(sizes: list[int]) -> None:
    texts = ["x" * size for size in sizes]
    batches = list(wire.embedding_batches(texts))
    assert [text for batch in batches for text in batch] == [text or " " for text in texts]
    assert all(1 <= len(batch) <= wire.MOST_TEXTS for batch in batches)
    assert all(len(batch) == 1 or sum(map(len, batch)) <= wire.MOST_CHARACTERS + len(batch) for batch in batches)


def test_batches_are_full() -> None:
    assert [len(batch) for batch in wire.embedding_batches(["a"] * 300)] == [128, 128, 44]


def _vectors(*rows: Any, indexes: Any = None) -> Any:
    numbers = range(len(rows)) if indexes is None else indexes
    return Answer(data=[Answer(embedding=row, index=index) for row, index in zip(rows, numbers, strict=True)])


def test_vectors_are_normalised_and_in_order() -> None:
    vectors = wire.read_embeddings(_vectors([0, 2], [3, 4], indexes=[1, 0]), 2, "e", 2)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, np.array([[0.6, 0.8], [0.0, 1.0]], dtype=np.float32))


def test_unnumbered_vectors_are_taken_as_they_come() -> None:
    vectors = wire.read_embeddings(_vectors([0, 1], [1, 0], indexes=[None, None]), 2, "e", 2)
    np.testing.assert_allclose(vectors, [[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (_vectors([1, 0]), "1 vectors for 2 texts"),
        (_vectors([1, 0], [1, 0], [1, 0]), "3 vectors for 2 texts"),
        (_vectors([1, 0, 0], [1, 0, 0]), "3 dimensions, not 2"),
        (_vectors([1, 0], [1, 0, 0]), "3 dimensions, not 2"),
        (_vectors([1, 0], []), "0 dimensions, not 2"),
        (_vectors([1, 0], None), "0 dimensions, not 2"),
        (_vectors([1, 0], [0, 1], indexes=[0, 0]), "numbered"),
        (_vectors([1, 0], [0, 1], indexes=[1, 2]), "numbered"),
    ],
)
def test_other_numbers_and_sizes(answer: Any, said: str) -> None:
    with pytest.raises(EmbeddingMismatch, match=said):
        wire.read_embeddings(answer, 2, "e", 2)


@pytest.mark.parametrize(
    "answer",
    [
        "<html>",
        Answer(data=None),
        _vectors([1, 0], [0, 0]),
        _vectors([1, 0], [float("nan"), 1]),
        _vectors([1, 0], [float("inf"), 1]),
        _vectors([1, 0], [None, 1]),
        _vectors([1, 0], ["a", 1]),
        _vectors([1, 0], [[1], 1]),
    ],
)
def test_what_is_no_vector(answer: Any) -> None:
    with pytest.raises(UnreadableReply, match="embedding model e "):
        wire.read_embeddings(answer, 2, "e", 2)


def test_the_cure_for_another_size() -> None:
    with pytest.raises(EmbeddingMismatch) as caught:
        wire.read_embeddings(_vectors([1, 0, 0]), 1, "e", 2)
    assert "PGRAG_EMBEDDING_DIMENSIONS=3" in str(caught.value)
