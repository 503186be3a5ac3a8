"""Failures that pass are outlasted, others are told at once: against a real server that fails as it is told to."""

from __future__ import annotations

import email.utils
import logging
import socket
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from support.model_server import ModelServer

from pgrag.errors import ModelError, ModelRefused, ModelTimeout, ModelUnreachable, RateLimited, UnreadableReply
from pgrag.models.openai import OpenAIModels
from pgrag.models.protocols import ChatRequest
from pgrag.settings import Settings

QUESTION = ChatRequest("answer", "Be brief.", "Who programs the engine?")
Asking = Callable[..., Any]


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_status_that_passes_is_outlasted(asking: Asking, model_server: ModelServer, status: int) -> None:
    model_server.reply("text", "Ada.")
    model_server.fail_next(7, status=status)
    assert asking().chat(QUESTION).text == "Ada."
    assert model_server.count("chat") == 8


def test_a_dropped_connection_is_outlasted(asking: Asking, model_server: ModelServer) -> None:
    model_server.drop_next(3)
    assert asking().chat(QUESTION).text.endswith("[1]")
    assert model_server.count("chat") == 4


def test_a_hanging_server_is_outlasted(asking: Asking, model_server: ModelServer) -> None:
    model_server.hang_next(2)
    assert asking(llm_timeout=0.15).chat(QUESTION).text.endswith("[1]")
    assert model_server.count("chat") == 3


def test_embeddings_are_tried_again_too(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(2, status=503, kind="embeddings")
    model_server.drop_next(1, kind="embeddings")
    model_server.hang_next(1, kind="embeddings")
    assert asking(embedding_timeout=0.15).embed(["Ada"]).shape == (1, 1536)
    assert model_server.count("embeddings") == 5


@pytest.mark.parametrize(
    ("status", "failure", "said"),
    [(429, RateLimited, "still says 429 after 8 tries"), (500, ModelError, "status 500 8 times")],
)
def test_after_eight_tries_it_is_told(
    asking: Asking, model_server: ModelServer, status: int, failure: type[ModelError], said: str
) -> None:
    model_server.fail_next(20, status=status, message="come back tomorrow")
    with pytest.raises(failure, match=said) as caught:
        asking().chat(QUESTION)
    assert "come back tomorrow" in str(caught.value)
    assert "gpt-4o-mini" in str(caught.value)
    assert model_server.count("chat") == 8


def test_a_server_that_always_hangs(asking: Asking, model_server: ModelServer) -> None:
    model_server.hang_next(20)
    with pytest.raises(ModelTimeout, match=r"within 0\.1 s, tried 3 times") as caught:
        asking(llm_timeout=0.1, tries=3).chat(QUESTION)
    assert "PGRAG_LLM_TIMEOUT" in str(caught.value)
    assert model_server.count("chat") == 3


def test_a_server_that_always_hangs_at_embeddings(asking: Asking, model_server: ModelServer) -> None:
    model_server.hang_next(20)
    with pytest.raises(ModelTimeout, match="text-embedding-3-small") as caught:
        asking(embedding_timeout=0.1, tries=2).embed(["Ada"])
    assert "PGRAG_EMBEDDING_TIMEOUT" in str(caught.value)


def test_no_server_at_all(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        models = OpenAIModels(Settings(), base_url=f"http://ada:hunter2@127.0.0.1:{port}/v1?x=hunter2", backoff=0.001)
        with pytest.raises(ModelUnreachable, match=f"http://127.0.0.1:{port}/v1, tried 8 times.*refused") as caught:
            models.chat(QUESTION)
    assert "OPENAI_BASE_URL" in str(caught.value)
    assert "hunter2" not in str(caught.value) + caplog.text
    assert len([line for line in caplog.records if line.name == "pgrag.models"]) == 7


@pytest.mark.parametrize(
    ("status", "hint"),
    [(400, ""), (401, "OPENAI_API_KEY"), (403, "OPENAI_API_KEY"), (404, "OPENAI_BASE_URL"), (422, "")],
)
def test_a_refusal_is_told_at_once(asking: Asking, model_server: ModelServer, status: int, hint: str) -> None:
    model_server.fail_next(1, status=status, message="because I say so")
    with pytest.raises(ModelRefused, match=f"status {status}: because I say so") as caught:
        asking().chat(QUESTION)
    assert hint in (caught.value.hint or "")
    assert model_server.count() == 1


def test_an_account_without_credit_is_told_so(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(2, status=429, code="insufficient_quota")
    with pytest.raises(RateLimited, match="no credit"):
        asking(tries=2).chat(QUESTION)


def test_retry_after_in_seconds_is_honoured(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(1, status=429, headers={"Retry-After": "0.4"})
    asking().chat(QUESTION)
    first, second = model_server.received("chat")
    assert 0.4 <= second.at - first.at < 2.0


def test_retry_after_as_a_date_is_honoured(asking: Asking, model_server: ModelServer) -> None:
    when = int(time.time()) + 1
    model_server.fail_next(1, status=503, headers={"Retry-After": email.utils.formatdate(when, usegmt=True)})
    asking().chat(QUESTION)
    assert time.time() >= when - 0.05
    assert model_server.count("chat") == 2


def test_retry_after_longer_than_patience_is_told_at_once(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(1, status=429, headers={"Retry-After": "86400"})
    with pytest.raises(RateLimited, match="asks to wait 86400 s"):
        asking().chat(QUESTION)
    assert model_server.count("chat") == 1


def test_the_wait_grows_from_try_to_try(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(4, status=500)
    asking(backoff=0.04).chat(QUESTION)
    times = [received.at for received in model_server.received("chat")]
    waits = [after - before for before, after in pairwise(times)]
    assert all(wait >= 0.04 * 2**index for index, wait in enumerate(waits))
    assert waits[0] < waits[3]


def test_each_try_is_one_line_in_the_log(
    asking: Asking, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    model_server.fail_next(1, status=429)
    model_server.drop_next(1)
    asking().chat(QUESTION)
    lines = [record for record in caplog.records if record.name == "pgrag.models"]
    assert [line.levelno for line in lines] == [logging.WARNING] * 2
    assert [line.getMessage() for line in lines] == [
        "chat gpt-4o-mini: HTTP 429 at try 1 of 8, next in 0.0 s",
        "chat gpt-4o-mini: no connection at try 2 of 8, next in 0.0 s",
    ]


@pytest.mark.parametrize(
    ("payload", "content_type"),
    [
        (b"<html>gateway</html>", "text/html"),
        (b"<html>gateway</html>", "application/json"),
        (b"", "application/json"),
        (b"[1, 2]", "application/json"),
        (b'{"choices": "none"}', "application/json"),
        (b'{"choices": [{"message": 7}]}', "application/json"),
        (b'{"data": [{"embedding": "x"}]}', "application/json"),
        (b"\xff\xfe\x00", "application/json"),
    ],
)
def test_rubbish_is_an_unreadable_reply(
    asking: Asking, model_server: ModelServer, payload: bytes, content_type: str
) -> None:
    model_server.rubbish_next(1, payload=payload, content_type=content_type)
    with pytest.raises(UnreadableReply):
        asking().chat(QUESTION)
    assert model_server.count() == 1


def test_rubbish_instead_of_vectors(asking: Asking, model_server: ModelServer) -> None:
    model_server.rubbish_next(1)
    with pytest.raises(UnreadableReply):
        asking().embed(["Ada"])
