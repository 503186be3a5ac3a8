"""The stub itself: other tests rest on what it says when nobody tells it what to say."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support.model_replies import chunk_of, marked, question_of, records, role_of
from support.model_server import Failure, ModelServer

from pgrag.errors import ModelRefused
from pgrag.models.protocols import ChatRequest, Message
from pgrag.models.replies import EXTRACTION_SCHEMA, KEYWORDS_SCHEMA

Asking = Callable[..., Any]
TEXT = "Ada Lovelace met Charles Babbage in London. The Engine was his. It hums! nobody knows why"


def _body(*contents: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": content} for content in contents], **more}


def _schema(name: str) -> dict[str, Any]:
    return {"response_format": {"type": "json_schema", "json_schema": {"name": name, "schema": {}}}}


@pytest.mark.parametrize(
    ("body", "role"),
    [
        (_body("Hi", **_schema("pgrag_extraction")), "extract"),
        (_body("Hi", **_schema("pgrag_keywords")), "keywords"),
        (_body("Hi"), "text"),
        (_body("Do:\n<text>\nAda.\n</text>\n", response_format={"type": "json_object"}), "extract"),
        (_body("Do:\n<question>\nWho?\n</question>"), "keywords"),
        (_body("What does the tag <text> mean, and </text>?"), "text"),
    ],
)
def test_roles(body: dict[str, Any], role: str) -> None:
    assert role_of(body) == role


def test_what_the_prompt_is_about() -> None:
    assert chunk_of(_body("Example:\n<text>\nAda.\n\nBob.\n</text>\nNow.")) == "Ada.\n\nBob."
    assert chunk_of(_body("<text>\nAda.\n</text>", "What was missed?")) == "Ada."
    assert chunk_of(_body("<text>\n</text>")) == ""
    assert question_of(_body("<question>\nWho?\n</question>")) == "Who?"
    assert question_of(_body("Who?")) == "Who?"
    assert marked(_body("Who?"), "text") is None


def test_records_of_a_text() -> None:
    found = records(TEXT)
    assert [entity["name"] for entity in found["entities"]] == ["Ada Lovelace", "Charles Babbage", "London", "Engine"]
    assert found["entities"][3]["description"] == "The Engine was his."
    assert [(one["source"], one["target"]) for one in found["relations"]] == [
        ("Ada Lovelace", "Charles Babbage"),
        ("Charles Babbage", "London"),
    ]
    assert records("") == {"entities": [], "relations": []}
    assert records("Ada met Bob. Ada met Bob.") == records("Ada met Bob.")


def test_gleaning_finds_nothing_more(asking: Asking) -> None:
    history = (Message("user", f"<text>\n{TEXT}\n</text>"), Message("assistant", "{}"))
    reply = asking().chat(ChatRequest("extract", "", "What was missed?", history, EXTRACTION_SCHEMA))
    assert json.loads(reply.text) == {"entities": [], "relations": []}


def test_keywords_of_a_question(asking: Asking) -> None:
    question = "<question>\nWhich engine did Ada Lovelace program?\n</question>"
    reply = asking().chat(ChatRequest("keywords", "", question, schema=KEYWORDS_SCHEMA))
    assert json.loads(reply.text)["low_level_keywords"] == ["Ada Lovelace"]
    assert "engine" in json.loads(reply.text)["high_level_keywords"]


def test_scripts_may_fail_for_some_requests(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("extract", lambda body: Failure(400) if "Bob" in chunk_of(body) else records(chunk_of(body)))
    asker = asking()
    assert asker.chat(ChatRequest("extract", "", "<text>\nAda.\n</text>", schema=EXTRACTION_SCHEMA)).text
    with pytest.raises(ModelRefused):
        asker.chat(ChatRequest("extract", "", "<text>\nBob.\n</text>", schema=EXTRACTION_SCHEMA))


def test_orders_are_obeyed_in_order_and_by_kind(asking: Asking, model_server: ModelServer) -> None:
    model_server.fail_next(1, status=503, kind="embeddings")
    model_server.fail_next(1, status=404, kind="chat")
    asker = asking()
    with pytest.raises(ModelRefused):
        asker.chat(ChatRequest("answer", "", "Who?"))
    assert asker.chat(ChatRequest("answer", "", "Who?")).text
    asker.embed(["Ada"])
    assert (model_server.count("chat"), model_server.count("text"), model_server.count("embeddings")) == (2, 2, 2)
    model_server.forget()
    assert model_server.count() == 0


def test_a_request_to_nowhere(model_server: ModelServer) -> None:
    request = urllib.request.Request(model_server.base_url + "/nowhere", data=b"{}")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(request)


def test_it_ends_while_somebody_hangs() -> None:
    begin = time.monotonic()
    with ModelServer() as server, ThreadPoolExecutor(1) as pool:
        server.hang_next(1)
        body = json.dumps(_body("Who?")).encode()
        hanging = pool.submit(urllib.request.urlopen, f"{server.base_url}/chat/completions", body, 30)
        while not server.count():
            time.sleep(0.005)
        server.closing.set()
        assert hanging.exception() is not None, "no reply, only an end"
    assert time.monotonic() - begin < 10
