"""The scripted provider: says what it is told, remembers what it was asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pgrag.errors import ModelTimeout, RateLimited
from pgrag.models.protocols import ChatRequest, Models, Role, StreamingModels
from pgrag.models.replies import ExtractionReply, KeywordsReply, parse_extraction, parse_keywords
from pgrag.models.scripted import ScriptedModels


def _ask(role: Role = "answer", user: str = "Who?") -> ChatRequest:
    return ChatRequest(role, "Be brief.", user)


def test_it_is_a_provider() -> None:
    models = ScriptedModels()
    assert isinstance(models, Models)
    assert isinstance(models, StreamingModels)
    assert models.is_language_model


def test_default_replies_can_be_read() -> None:
    models = ScriptedModels()
    assert parse_extraction(models.chat(_ask("extract")).text) == ExtractionReply((), ())
    assert parse_keywords(models.chat(_ask("keywords")).text) == KeywordsReply((), ())
    assert models.chat(_ask("summary")).text
    assert "[1]" in models.chat(_ask("answer")).text


def test_scripts() -> None:
    models = ScriptedModels({"answer": "Ada.", "summary": lambda request: request.user.upper()})
    assert models.chat(_ask()).text == "Ada."
    assert models.chat(_ask("summary", "short")).text == "SHORT"
    models.replies["answer"] = "Grace."
    assert models.chat(_ask()).text == "Grace."


def test_what_was_asked_is_remembered() -> None:
    models = ScriptedModels()
    models.chat(_ask(user="one"))
    list(models.stream(_ask(user="two")))
    models.embed(["a", "b"])
    assert [request.user for request in models.chats] == ["one", "two"]
    assert models.embeddings == [("a", "b")]


def test_scripted_errors() -> None:
    models = ScriptedModels({"extract": ModelTimeout("too slow")})
    with pytest.raises(ModelTimeout):
        models.chat(_ask("extract"))
    models.fail_chats(RateLimited("wait"), RateLimited("wait"))
    for _ in range(2):
        with pytest.raises(RateLimited):
            models.chat(_ask())
    assert models.chat(_ask()).text
    models.fail_embeddings(ModelTimeout("too slow"))
    with pytest.raises(ModelTimeout):
        models.embed(["a"])
    assert models.embed(["a"]).shape == (1, 8)
    assert len(models.chats) == 4
    assert len(models.embeddings) == 2


def test_streams_are_pieces_of_the_reply() -> None:
    models = ScriptedModels({"answer": "Ada Lovelace programs it."})
    pieces = list(models.stream(_ask()))
    assert len(pieces) > 1
    assert "".join(pieces) == "Ada Lovelace programs it."


def test_names_and_cost() -> None:
    models = ScriptedModels({"answer": "Ada Lovelace."})
    reply = models.chat(_ask(user="Who is it?"))
    assert reply.model == models.chat_model("answer") == "scripted-answer"
    assert (reply.prompt_tokens, reply.completion_tokens) == (5, 2)


def test_embeddings() -> None:
    models = ScriptedModels(dimensions=16)
    vectors = models.embed(["Ada", "Engine", "Ada"])
    assert vectors.shape == (3, models.embedding_dimensions)
    np.testing.assert_array_equal(vectors[0], vectors[2])
    assert not np.array_equal(vectors[0], vectors[1])


def test_threads_lose_nothing() -> None:
    models = ScriptedModels()
    models.fail_chats(*[RateLimited("wait")] * 10)
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(models.chat, _ask(user=str(number))) for number in range(50)]
    assert sum(future.exception() is not None for future in futures) == 10
    assert sorted(int(request.user) for request in models.chats) == list(range(50))
