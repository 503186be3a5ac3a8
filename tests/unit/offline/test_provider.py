"""The provider as the flows see it: the protocols, the roles, and what it says of itself."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import get_args

import numpy as np
import pytest

from pgrag.models.offline import NO_ENTITIES, OfflineModels
from pgrag.models.offline.words import FUNCTION, common_words
from pgrag.models.protocols import ChatRequest, Message, Models, Passage, Role, StreamingModels

TEXT = "Bob Cratchit was the clerk of Scrooge. Marley was dead."


@pytest.fixture(scope="module")
def models() -> OfflineModels:
    return OfflineModels()


def request(role: Role, text: str = TEXT, **more: object) -> ChatRequest:
    return ChatRequest(
        role=role, system="you are a helpful assistant", user="the prompt is not read", text=text, **more
    )


def test_it_is_a_provider_and_no_language_model(models: OfflineModels) -> None:
    assert isinstance(models, Models)
    assert isinstance(models, StreamingModels)
    assert models.is_language_model is False
    assert (models.embedding_model, models.embedding_dimensions) == ("all-MiniLM-L6-v2", 384)
    assert (models.preferred_chunk_tokens, models.preferred_chunk_overlap) == (200, 20)


@pytest.mark.parametrize("role", get_args(Role))
def test_every_role_has_a_reply_that_costs_nothing(models: OfflineModels, role: Role) -> None:
    reply = models.chat(request(role))
    assert reply.model == models.chat_model(role) == "offline-linguistics-1"
    assert (reply.prompt_tokens, reply.completion_tokens) == (0, 0)
    assert reply.text
    assert "helpful assistant" not in reply.text
    assert "prompt" not in reply.text


def test_extraction(models: OfflineModels) -> None:
    reply = json.loads(models.chat(request("extract")).text)
    assert [entity["name"] for entity in reply["entities"]] == ["Bob Cratchit", "Scrooge", "Marley"]
    assert [(relation["source"], relation["target"]) for relation in reply["relations"]] == [
        ("Bob Cratchit", "Scrooge")
    ]


def test_asking_again_for_what_was_missed_adds_nothing(models: OfflineModels) -> None:
    history = (Message("user", "extract"), Message("assistant", "{}"))
    assert models.chat(request("extract", history=history)).text == NO_ENTITIES
    assert json.loads(NO_ENTITIES) == {"entities": [], "relations": []}


def test_a_conversation_does_not_silence_the_answer(models: OfflineModels) -> None:
    asked = request("answer", "Who was Marley?", history=(Message("user", "hi"),), passages=(Passage(TEXT, "4"),))
    assert "Marley was dead. [4]" in models.chat(asked).text


@pytest.mark.parametrize(
    "passages", [(), (Passage(TEXT, "1"), Passage("Scrooge was as solitary as an oyster, always.", "2"))]
)
def test_the_stream_is_the_reply_in_pieces(models: OfflineModels, passages: tuple[Passage, ...]) -> None:
    asked = request("answer", "Who was Scrooge?", passages=passages)
    pieces = list(models.stream(asked))
    assert "".join(pieces) == models.chat(asked).text
    assert all(pieces)
    assert (len(pieces) > 1) is bool(passages)


def test_embeddings(models: OfflineModels) -> None:
    vectors = models.embed([TEXT, "x"])
    assert vectors.shape == (2, 384)
    assert vectors.dtype == np.float32
    assert models.embed([]).shape == (0, 384)


def test_replies_are_the_same_in_every_thread(models: OfflineModels) -> None:
    asked = request("extract")
    with ThreadPoolExecutor(4) as pool:
        assert len({reply.text for reply in pool.map(models.chat, [asked] * 20)}) == 1


def test_the_word_lists_are_clean() -> None:
    for words in (FUNCTION, common_words()):
        assert words
        assert all(word == word.lower().strip() and word for word in words)
    assert not common_words() & {"scrooge", "marley", "fezziwig", "alice", "dorothy", "london", "wolfgang"}
    assert len(pickle.dumps(common_words())) < 200_000
