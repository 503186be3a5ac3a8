"""Replies in pieces: as they arrive, without thoughts, retried before the first piece and honest after it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import pytest
from support.model_server import ModelServer

from pgrag.errors import ModelError, ModelRefused, ModelTimeout, ModelUnreachable, UnreadableReply
from pgrag.models.protocols import ChatRequest
from pgrag.models.replies import KEYWORDS_SCHEMA

QUESTION = ChatRequest("answer", "Be brief.", "Who programs the engine?")
Asking = Callable[..., Any]


def test_pieces_make_the_reply(asking: Asking, model_server: ModelServer) -> None:
    asker = asking()
    pieces = asker.stream(QUESTION)
    assert len(pieces) > 3
    assert "".join(pieces) == asker.chat(QUESTION).text
    assert model_server.bodies()[0]["stream"] is True


def test_pieces_come_as_they_arrive(models_at: Asking, model_server: ModelServer) -> None:
    model_server.reply("text", "one two three four five six")
    model_server.piece_delay = 0.1
    begin = time.perf_counter()
    times = [time.perf_counter() - begin for _ in models_at().stream(QUESTION)]
    assert times[0] < times[-1] - 0.2


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 100])
def test_thoughts_split_over_pieces(asking: Asking, model_server: ModelServer, size: int) -> None:
    model_server.reply("text", "<think>Is it Grace? <b>no</b></think>\n\nAda < all, > none.")
    model_server.piece = size
    pieces = asking().stream(QUESTION)
    assert "".join(pieces) == "Ada < all, > none."
    assert all(pieces), "no empty pieces"


def test_failures_before_the_first_piece_are_outlasted(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("text", "Ada.")
    model_server.fail_next(2, status=503)
    model_server.drop_next(1)
    model_server.cut_next(1, pieces=0)
    assert "".join(asking().stream(QUESTION)) == "Ada."
    assert model_server.count() == 5


def test_a_stream_that_breaks_in_the_thoughts_is_begun_again(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("text", "<think>long, long thoughts</think>Ada.")
    model_server.cut_next(1, pieces=2)
    assert "".join(asking().stream(QUESTION)) == "Ada."
    assert model_server.count() == 2


def test_an_error_within_the_stream_is_outlasted_too(asking: Asking, model_server: ModelServer) -> None:
    error = b'data: {"error": {"message": "overloaded"}}\n\n'
    model_server.rubbish_next(2, payload=error, content_type="text/event-stream")
    assert asking().stream(QUESTION)
    assert model_server.count() == 3
    model_server.rubbish_next(2, payload=error, content_type="text/event-stream")
    with pytest.raises(ModelError, match="overloaded"):
        asking(tries=2).stream(QUESTION)


def test_after_the_first_piece_the_failure_is_told(models_at: Asking, model_server: ModelServer) -> None:
    model_server.cut_next(1, pieces=2)
    pieces = models_at().stream(QUESTION)
    assert next(pieces)
    assert next(pieces)
    with pytest.raises(ModelError, match="broke off") as caught:
        next(pieces)
    assert not isinstance(caught.value, ModelUnreachable)
    assert model_server.count() == 1


def test_after_the_first_piece_the_failure_is_told_to_the_awaiting(asking: Asking, model_server: ModelServer) -> None:
    model_server.cut_next(1, pieces=2)
    with pytest.raises(ModelError, match="broke off"):
        asking().stream(QUESTION)
    assert model_server.count() == 1


def test_silence_within_the_stream(asking: Asking, model_server: ModelServer) -> None:
    model_server.piece_delay = 5
    with pytest.raises(ModelTimeout, match="broke off"):
        asking(llm_timeout=0.15).stream(QUESTION)


def test_after_all_tries_the_failure_is_told(asking: Asking, model_server: ModelServer) -> None:
    model_server.drop_next(20)
    with pytest.raises(ModelUnreachable, match="tried 8 times"):
        asking().stream(QUESTION)
    assert model_server.count() == 8


def test_a_refusal_is_told_at_once(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(1, status=404)
    with pytest.raises(ModelRefused, match="404"):
        asking().stream(QUESTION)
    assert model_server.count() == 1


@pytest.mark.parametrize("said", ["", "  \n", "<think>never done"])
def test_a_stream_without_text_is_unreadable(asking: Asking, model_server: ModelServer, said: str) -> None:
    model_server.reply("text", said)
    with pytest.raises(UnreadableReply):
        asking().stream(QUESTION)


@pytest.mark.parametrize("content_type", ["text/html", "text/event-stream", "application/json"])
def test_rubbish_instead_of_a_stream(asking: Asking, model_server: ModelServer, content_type: str) -> None:
    model_server.rubbish_next(1, payload=b"data: {oops\n\n", content_type=content_type)
    with pytest.raises(UnreadableReply):
        asking().stream(QUESTION)


def test_structured_streams_find_their_format(asking: Asking, model_server: ModelServer) -> None:
    model_server.refuse_formats("json_schema")
    request = ChatRequest("keywords", "", "<question>\nWho is Ada?\n</question>", schema=KEYWORDS_SCHEMA)
    assert "Ada" in "".join(asking().stream(request))
    assert [body["response_format"]["type"] for body in model_server.bodies()] == ["json_schema", "json_object"]


def test_nothing_is_asked_before_the_first_piece_is_wanted(models_at: Asking, model_server: ModelServer) -> None:
    models_at().stream(QUESTION)
    time.sleep(0.05)
    assert model_server.count() == 0


def test_a_second_question_inside_the_first_answer(models_at: Asking) -> None:
    """With one place only, the reader must not hold the place he waits for."""
    models = models_at(llm_concurrency=1)
    answers: list[str] = []

    def read() -> None:
        for _ in models.stream(QUESTION):
            answers.append(models.chat(QUESTION).text)
            break

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(5)
    assert answers


def test_streams_are_counted_among_the_requests_under_way(models_at: Asking, model_server: ModelServer) -> None:
    models = models_at(llm_concurrency=2)
    model_server.piece_delay = 0.01

    async def read_many() -> None:
        async def read() -> None:
            async for _ in models.astream(QUESTION):
                pass

        await asyncio.gather(*(read() for _ in range(6)))

    asyncio.run(read_many())
    assert model_server.max_concurrent["chat"] == 2


@pytest.mark.filterwarnings("error")
def test_an_awaiting_reader_may_leave(models_at: Asking, model_server: ModelServer) -> None:
    models = models_at(llm_concurrency=1)

    async def leave_then_ask() -> str:
        async with aclosing(models.astream(QUESTION)) as pieces:
            assert await anext(pieces)
        return str((await models.achat(QUESTION)).text)

    assert asyncio.run(leave_then_ask())
