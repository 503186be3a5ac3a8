"""What is sent, in which format, with which key, and how many at once."""

from __future__ import annotations

import asyncio
import logging
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support.model_server import Failure, ModelServer, Said

from pgrag.errors import ConfigurationError, ModelError, ModelRefused, UnreadableReply
from pgrag.models.openai import OpenAIModels
from pgrag.models.protocols import AsyncModels, ChatRequest, Models, StreamingModels
from pgrag.models.replies import EXTRACTION_SCHEMA, KEYWORDS_SCHEMA, parse_extraction, parse_keywords
from pgrag.settings import Settings

QUESTION = ChatRequest("answer", "Be brief.", "Who programs the engine?")
CHUNK = "<text>\nAda Lovelace programs the Engine.\n</text>"
EXTRACT = ChatRequest("extract", "Extract.", CHUNK, schema=EXTRACTION_SCHEMA)
KEYWORDS = ChatRequest("keywords", "", "<question>\nWho is Ada?\n</question>", schema=KEYWORDS_SCHEMA)
KEY = "sk-a-very-secret-key"
Asking = Callable[..., Any]


def _formats(server: ModelServer) -> list[str | None]:
    return [body.get("response_format", {}).get("type") for body in server.bodies("chat")]


def test_it_is_every_kind_of_provider(models_at: Asking) -> None:
    models = models_at()
    assert isinstance(models, Models)
    assert isinstance(models, StreamingModels)
    assert isinstance(models, AsyncModels)
    assert models.is_language_model


def test_the_request(asking: Asking, model_server: ModelServer) -> None:
    reply = asking(api_key=KEY).chat(QUESTION)
    [received] = model_server.received()
    assert received.body == {
        "model": "gpt-4o-mini",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Who programs the engine?"},
        ],
    }
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert reply.model == "gpt-4o-mini"
    assert (reply.prompt_tokens, reply.completion_tokens) == (6, len(reply.text.split()))


def test_each_role_has_its_model(asking: Asking, model_server: ModelServer) -> None:
    asker = asking(llm_model="base", llm_model_extract="cheap")
    assert asker.chat(EXTRACT).model == "cheap"
    assert asker.chat(KEYWORDS).model == "base"
    assert asker.models.chat_model("extract") == "cheap"
    assert [body["model"] for body in model_server.bodies()] == ["cheap", "base"]


def test_structured_replies_can_be_read(asking: Asking) -> None:
    asker = asking()
    extraction = parse_extraction(asker.chat(EXTRACT).text)
    assert [entity.name for entity in extraction.entities] == ["Ada Lovelace", "Engine"]
    assert [(one.source, one.target) for one in extraction.relations] == [("Ada Lovelace", "Engine")]
    assert parse_keywords(asker.chat(KEYWORDS).text).low_level == ("Ada",)


def test_the_schema_goes_over_the_wire(asking: Asking, model_server: ModelServer) -> None:
    asking().chat(EXTRACT)
    [body] = model_server.bodies()
    schema = {"name": "pgrag_extraction", "schema": EXTRACTION_SCHEMA.schema}
    assert body["response_format"] == {"type": "json_schema", "json_schema": schema}


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_without_json_schema_is_asked_for_json_once_and_for_all(
    asking: Asking, model_server: ModelServer, status: int
) -> None:
    model_server.refuse_formats("json_schema", status=status)
    asker = asking()
    for request in (EXTRACT, KEYWORDS, EXTRACT):
        asker.chat(request)
    assert _formats(model_server) == ["json_schema", "json_object", "json_object", "json_object"]


def test_a_server_without_any_format_is_asked_plainly(asking: Asking, model_server: ModelServer) -> None:
    model_server.refuse_formats("json_schema", "json_object")
    asker = asking()
    assert parse_extraction(asker.chat(EXTRACT).text).entities
    asker.chat(KEYWORDS)
    assert _formats(model_server) == ["json_schema", "json_object", None, None]


def test_a_plain_question_does_not_cost_the_format(asking: Asking, model_server: ModelServer) -> None:
    asker = asking()
    asker.chat(QUESTION)
    asker.chat(EXTRACT)
    assert _formats(model_server) == [None, "json_schema"]


def test_another_refusal_does_not_cost_the_format(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(3, status=400, message="no such parameter")
    asker = asking()
    with pytest.raises(ModelRefused, match="no such parameter"):
        asker.chat(EXTRACT)
    model_server.forget()
    asker.chat(EXTRACT)
    assert _formats(model_server) == ["json_schema"]


def test_a_prompt_that_is_too_long_is_refused_once(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(1, status=400, code="context_length_exceeded", message="too long")
    with pytest.raises(ModelRefused, match="too long"):
        asking().chat(EXTRACT)
    assert model_server.count() == 1


def test_the_format_is_looked_for_with_patience(asking: Asking, model_server: ModelServer) -> None:
    model_server.refuse_formats("json_schema")
    model_server.fail_next(2, status=503)
    assert asking().chat(EXTRACT).text
    assert _formats(model_server) == ["json_schema"] * 3 + ["json_object"]


def test_thoughts_are_not_part_of_any_reply(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("text", "<think>Grace?</think>\nAda.")
    model_server.reply("extract", '<think>{"entities": 1}</think>{"entities": [], "relations": []}')
    assert asking().chat(QUESTION).text == "Ada."
    assert asking().chat(EXTRACT).text == '{"entities": [], "relations": []}'


def test_a_cut_extraction_is_unreadable(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("extract", Said('{"entities": [', finish_reason="length"))
    with pytest.raises(UnreadableReply, match="cut off"):
        asking().chat(EXTRACT)


@pytest.mark.parametrize(
    ("said", "failure"),
    [(Said(None), UnreadableReply), (Said(""), UnreadableReply), (Said(None, refusal="I will not."), ModelRefused)],
)
def test_no_reply(asking: Asking, model_server: ModelServer, said: Said, failure: type[ModelError]) -> None:
    model_server.reply("text", said)
    with pytest.raises(failure):
        asking().chat(QUESTION)


def test_no_more_threads_at_once_than_allowed(models_at: Asking, model_server: ModelServer) -> None:
    model_server.latency = 0.03
    models = models_at(llm_concurrency=3, embedding_concurrency=2)
    with ThreadPoolExecutor(12) as pool:
        chats = [pool.submit(models.chat, QUESTION) for _ in range(12)]
        embeddings = [pool.submit(models.embed, ["Ada"]) for _ in range(8)]
        assert len([future.result() for future in (*chats, *embeddings)]) == 20
    assert model_server.max_concurrent == {"chat": 3, "embeddings": 2}


def test_no_more_tasks_at_once_than_allowed(models_at: Asking, model_server: ModelServer) -> None:
    model_server.latency = 0.03
    models = models_at(llm_concurrency=3, embedding_concurrency=2)

    async def ask_many() -> None:
        chats = [models.achat(QUESTION) for _ in range(12)]
        await asyncio.gather(*chats, *(models.aembed(["Ada"]) for _ in range(8)))

    asyncio.run(ask_many())
    assert model_server.max_concurrent == {"chat": 3, "embeddings": 2}


def test_one_provider_serves_loops_in_several_threads(models_at: Asking, model_server: ModelServer) -> None:
    models = models_at(llm_concurrency=2)

    async def ask_many() -> int:
        return len(await asyncio.gather(*(models.achat(QUESTION) for _ in range(6))))

    with ThreadPoolExecutor(3) as pool:
        assert [future.result() for future in [pool.submit(asyncio.run, ask_many()) for _ in range(3)]] == [6, 6, 6]
    assert model_server.count("chat") == 18


@pytest.mark.filterwarnings("error")
def test_connections_end_with_their_loop(models_at: Asking, caplog: pytest.LogCaptureFixture) -> None:
    models = models_at()
    for _ in range(3):
        asyncio.run(models.achat(QUESTION))
    assert not caplog.records, "an event loop complained"


def test_closing(models_at: Asking) -> None:
    models = models_at()

    async def ask_close_ask() -> None:
        await models.achat(QUESTION)
        await models.aclose()
        await models.aclose()
        await models.achat(QUESTION)

    asyncio.run(ask_close_ask())
    models.chat(QUESTION)
    models.close()
    models.close()
    assert models.chat(QUESTION).text


def test_a_cancelled_task_gives_its_place_back(models_at: Asking, model_server: ModelServer) -> None:
    models = models_at(llm_concurrency=1)

    async def cancel_then_ask() -> str:
        await models.achat(QUESTION)
        model_server.hang_next(1)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(models.achat(QUESTION), 0.1)
        return str((await models.achat(QUESTION)).text)

    assert asyncio.run(cancel_then_ask())


def test_a_failure_gives_its_place_back(models_at: Asking, model_server: ModelServer) -> None:
    models = models_at(llm_concurrency=1)
    model_server.reply("text", Failure(404))
    done = threading.Event()

    def ask_twice() -> None:
        for _ in range(2):
            with pytest.raises(ModelRefused):
                models.chat(QUESTION)
        done.set()

    threading.Thread(target=ask_twice, daemon=True).start()
    assert done.wait(5)


def test_a_wrong_key(asking: Asking, model_server: ModelServer, caplog: pytest.LogCaptureFixture) -> None:
    """The stub, like some real servers, quotes the key it was sent."""
    model_server.api_key = "another"
    caplog.set_level(logging.DEBUG)
    with pytest.raises(ModelRefused, match="status 401") as caught:
        asking(api_key=KEY).chat(QUESTION)
    assert model_server.count() == 1
    told = str(caught.value) + caplog.text + "".join(traceback.format_exception(caught.value))
    assert "Incorrect API key provided: ***" in told
    assert KEY not in told


def test_no_key_in_any_log_or_error(
    asking: Asking, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asker = asking(api_key=KEY, tries=3, llm_timeout=0.2)
    told = repr(asker.models) + repr(vars(asker.models)["_access"]) + repr(vars(asker.models)["_server"])
    for status in (400, 403, 429, 500):
        model_server.fail_next(3, status=status, message=f"you sent {KEY}")
        with pytest.raises(ModelError) as caught:
            asker.chat(QUESTION)
        told += "".join(traceback.format_exception(caught.value))
    model_server.drop_next(3)
    with pytest.raises(ModelError) as caught:
        asker.chat(QUESTION)
    told += "".join(traceback.format_exception(caught.value)) + caplog.text
    assert "you sent ***" in told
    assert KEY not in told


def test_environment(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    OpenAIModels(Settings()).chat(QUESTION)
    assert model_server.received()[0].headers["authorization"] == "Bearer from-the-environment"


def test_a_server_of_ones_own_needs_no_key(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "")
    OpenAIModels(Settings()).chat(QUESTION)
    assert model_server.received()[0].headers["authorization"] == "Bearer none"


def test_an_empty_address_in_the_environment_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    models = OpenAIModels(Settings(), api_key=KEY)
    assert vars(models)["_server"].base_url == "https://api.openai.com/v1"


def test_no_key_for_openai_itself() -> None:
    with pytest.raises(ConfigurationError, match="PGRAG_MODELS=offline"):
        OpenAIModels(Settings())


@pytest.mark.parametrize("url", ["localhost:11434/v1", "ada:hunter2@localhost/v1", "ftp://localhost"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ConfigurationError, match="http://") as caught:
        OpenAIModels(Settings(), base_url=url, api_key=KEY)
    assert "hunter2" not in str(caught.value)
