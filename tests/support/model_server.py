"""A real OpenAI-compatible server on this machine, for tests: it answers, and it fails as it is told to.

    with ModelServer() as server:
        models = OpenAIModels(Settings(), base_url=server.base_url, api_key="any")
        server.reply("text", "Ada.")    # or "extract", "keywords", "embeddings"; or a function of the body
        server.fail_next(2, status=429, headers={"Retry-After": "1"})
        models.chat(request)
        assert server.count("chat") == 3

Without orders, extraction finds capitalised names (see `model_replies`), embeddings hash words to coordinates, and
every other question gets a text that ends in "[1]".
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal

from pgrag.models.hashing import hashed_embeddings
from support import model_replies
from support.http_stub import HttpStub
from support.model_replies import Body

Kind = Literal["chat", "embeddings"]
_KINDS: dict[str, Kind] = {"/v1/chat/completions": "chat", "/v1/embeddings": "embeddings"}


@dataclass(frozen=True)
class Said:
    """A chat reply with its trimmings; a reply that is only text may be just that text."""

    content: str | None
    finish_reason: str = "stop"
    refusal: str | None = None


@dataclass(frozen=True)
class Failure:
    """An HTTP status instead of a reply; functions given to `reply` may return it too."""

    status: int = 500
    message: str = "the stub was told to fail"
    headers: dict[str, str] = field(default_factory=dict)
    code: str | None = None


@dataclass(frozen=True)
class Misbehaviour:
    """What no proper server does: `hang`, `drop` the connection, send `rubbish`, `cut` a stream after some pieces."""

    way: Literal["hang", "drop", "rubbish", "cut"]
    payload: bytes = b""
    content_type: str = ""
    pieces: int = 0


@dataclass(frozen=True)
class Received:
    """One request, as it came: `role` is extract, keywords or text (chat), embeddings; `at` is monotonic seconds."""

    kind: Kind
    role: str
    body: Body
    headers: dict[str, str]
    at: float


Reply = Said | Failure | str | dict[str, Any] | list[Any]
Script = Reply | Callable[[Body], Reply]


class ModelServer(HttpStub):
    """An OpenAI-compatible server on 127.0.0.1; a context manager.

    api_key: the only one that is let in (None: any, or none).
    latency: seconds each reply takes; piece_delay: seconds between the pieces of a stream.
    dimensions: of the embeddings, when the request does not say.
    """

    def __init__(
        self, *, api_key: str | None = None, latency: float = 0.0, piece_delay: float = 0.0, dimensions: int = 1536
    ) -> None:
        super().__init__(_Handler)
        self.api_key = api_key
        self.latency = latency
        self.piece_delay = piece_delay
        self.dimensions = dimensions
        self.piece = 7
        self.requests: list[Received] = []
        self.max_concurrent: dict[Kind, int] = {"chat": 0, "embeddings": 0}
        self._under_way: dict[Kind, int] = {"chat": 0, "embeddings": 0}
        self._scripts: dict[str, Script] = {
            "extract": model_replies.extraction,
            "keywords": model_replies.keywords,
            "text": model_replies.answer,
        }
        self._programme: deque[tuple[Kind | None, Failure | Misbehaviour]] = deque()
        self._refused_formats: dict[str, int] = {}
        self._lock = threading.Lock()

    @property
    def base_url(self) -> str:
        """What goes into OPENAI_BASE_URL."""
        return f"{self.origin}/v1"

    # What it says

    def reply(self, role: str, script: Script) -> None:
        """From now on say this to `extract`, `keywords`, `text` or `embeddings` requests.

        A dict or list is sent as JSON text; to embeddings a list is the vectors, a dict the whole answer.
        """
        self._scripts[role] = script

    def refuse_formats(self, *formats: str, status: int = 400) -> None:
        """Refuse these `response_format` types from now on."""
        self._refused_formats.update(dict.fromkeys(formats, status))

    # How it fails; orders are obeyed one request each, in the order given

    def fail_next(
        self,
        n: int = 1,
        *,
        status: int = 500,
        headers: dict[str, str] | None = None,
        message: str = "the stub was told to fail",
        code: str | None = None,
        kind: Kind | None = None,
    ) -> None:
        """Answer the next `n` requests (of that kind) with a status."""
        self._order(n, kind, Failure(status, message, headers or {}, code))

    def hang_next(self, n: int = 1, *, kind: Kind | None = None) -> None:
        """Take the next `n` requests and say nothing until the server is closed."""
        self._order(n, kind, Misbehaviour("hang"))

    def drop_next(self, n: int = 1, *, kind: Kind | None = None) -> None:
        """Close the connection of the next `n` requests without a word."""
        self._order(n, kind, Misbehaviour("drop"))

    def rubbish_next(
        self, n: int = 1, *, payload: bytes = b"<html>gateway</html>", content_type: str = "text/html"
    ) -> None:
        """Answer the next `n` requests with status 200 and these bytes."""
        self._order(n, None, Misbehaviour("rubbish", payload, content_type))

    def cut_next(self, n: int = 1, *, pieces: int = 1) -> None:
        """Break off the next `n` streams after so many pieces."""
        self._order(n, "chat", Misbehaviour("cut", pieces=pieces))

    def _order(self, n: int, kind: Kind | None, what: Failure | Misbehaviour) -> None:
        with self._lock:
            self._programme.extend([(kind, what)] * n)

    # What it saw

    def received(self, which: str | None = None) -> list[Received]:
        """Every request so far in order of arrival, or those of one kind or role."""
        with self._lock:
            return [one for one in self.requests if which in (None, one.kind, one.role)]

    def bodies(self, which: str | None = None) -> list[Body]:
        """Their bodies."""
        return [one.body for one in self.received(which)]

    def count(self, which: str | None = None) -> int:
        """How many."""
        return len(self.received(which))

    def forget(self) -> None:
        """Start counting anew; scripts and orders stay."""
        with self._lock:
            self.requests.clear()
            self.max_concurrent = {"chat": 0, "embeddings": 0}

    # How the handler asks

    def arrive(self, received: Received) -> Failure | Misbehaviour | None:
        """Note a request; the order that is for it, if any."""
        with self._lock:
            self.requests.append(received)
            self._under_way[received.kind] += 1
            most = max(self.max_concurrent[received.kind], self._under_way[received.kind])
            self.max_concurrent[received.kind] = most
            for index, (kind, what) in enumerate(self._programme):
                if kind in (None, received.kind):
                    del self._programme[index]
                    return what
        return None

    def leave(self, kind: Kind) -> None:
        """The request is answered."""
        with self._lock:
            self._under_way[kind] -= 1

    def answer(self, received: Received) -> Failure | Said | dict[str, Any]:
        """The chat reply, or the whole embeddings answer."""
        refusal = self._refusal(received)
        if refusal is not None:
            return refusal
        script = self._scripts.get(received.role, _hashed(self.dimensions))
        reply = script(received.body) if callable(script) else script
        if isinstance(reply, Failure):
            return reply
        if received.kind == "chat":
            return reply if isinstance(reply, Said) else Said(_as_text(reply))
        assert isinstance(reply, dict | list), "embeddings are a list of vectors or a whole answer"
        return reply if isinstance(reply, dict) else _embeddings_answer(reply, received.body["model"])

    def _refusal(self, received: Received) -> Failure | None:
        sent = received.headers.get("authorization", "").removeprefix("Bearer ")
        if self.api_key is not None and sent != self.api_key:
            return Failure(401, f"Incorrect API key provided: {sent}", code="invalid_api_key")
        wanted = received.body.get("response_format", {}).get("type")
        if wanted in self._refused_formats:
            return Failure(self._refused_formats[wanted], f"response_format {wanted} is not supported")
        if received.kind == "embeddings" and "" in received.body["input"]:
            return Failure(400, "input cannot be an empty string")
        return None


def _as_text(reply: str | dict[str, Any] | list[Any]) -> str:
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)


def _hashed(dimensions: int) -> Callable[[Body], list[Any]]:
    def embed(body: Body) -> list[Any]:
        vectors: list[Any] = hashed_embeddings(body["input"], body.get("dimensions", dimensions)).tolist()
        return vectors

    return embed


def _embeddings_answer(vectors: list[Any], model: str) -> dict[str, Any]:
    data = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    usage = {"prompt_tokens": len(vectors), "total_tokens": len(vectors)}
    return {"object": "list", "data": data, "model": model, "usage": usage}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    stub: ModelServer

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind = _KINDS.get(self.path)
        if kind is None:
            self._fail(Failure(404, f"Invalid URL ({self.path})"))
            return
        body = json.loads(raw)
        role = "embeddings" if kind == "embeddings" else model_replies.role_of(body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(kind, role, body, headers, time.monotonic())
        order = self.stub.arrive(received)
        try:
            self._obey(order, received)
        finally:
            self.stub.leave(kind)

    def _obey(self, order: Failure | Misbehaviour | None, received: Received) -> None:
        if self.stub.latency:
            self.stub.closing.wait(self.stub.latency)
        if isinstance(order, Failure):
            self._fail(order)
        elif order is not None and order.way != "cut":
            self._misbehave(order)
        else:
            self._answer(received, order.pieces if order is not None else None)

    def _misbehave(self, order: Misbehaviour) -> None:
        if order.way == "rubbish":
            self._send(200, order.payload, {"Content-Type": order.content_type})
            return
        if order.way == "hang":
            self.stub.closing.wait()
        self.close_connection = True

    def _answer(self, received: Received, cut_after: int | None) -> None:
        answer = self.stub.answer(received)
        if isinstance(answer, Failure):
            self._fail(answer)
        elif isinstance(answer, dict):
            self._send_json(200, answer)
        elif received.body.get("stream"):
            self._stream(answer, received.body["model"], cut_after)
        else:
            self._send_json(200, _completion(answer, received.body))

    def _stream(self, said: Said, model: str, cut_after: int | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(_events(said, model, self.stub.piece)):
            # The first event names the role and holds no piece.
            if cut_after is not None and number > cut_after:
                self.close_connection = True
                return
            self._chunk(f"data: {event}\n\n".encode())
            if number and self.stub.piece_delay:
                self.stub.closing.wait(self.stub.piece_delay)
        self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _fail(self, failure: Failure) -> None:
        error = {"message": failure.message, "type": "stub_error", "param": None, "code": failure.code}
        self._send_json(failure.status, {"error": error}, failure.headers)

    def _send_json(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        payload = json.dumps(value, ensure_ascii=False).encode()
        self._send(status, payload, {"Content-Type": "application/json", **(headers or {})})

    def _send(self, status: int, payload: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:
        """Tests read `requests`, not stderr."""


def _completion(said: Said, body: Body) -> dict[str, Any]:
    prompt = sum(len(str(message["content"]).split()) for message in body["messages"])
    written = len((said.content or "").split())
    message = {"role": "assistant", "content": said.content, "refusal": said.refusal}
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": said.finish_reason}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written},
    }


def _events(said: Said, model: str, size: int) -> Iterator[str]:
    """The role, the pieces, the end."""
    content = said.content or ""
    pieces: Iterable[dict[str, str]] = ({"content": content[at : at + size]} for at in range(0, len(content), size))
    yield _event({"role": "assistant", "content": ""}, None, model)
    for piece in pieces:
        yield _event(piece, None, model)
    yield _event({}, said.finish_reason, model)
    yield "[DONE]"


def _event(delta: dict[str, str], finish_reason: str | None, model: str) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return json.dumps({"id": "chatcmpl-stub", "object": "chat.completion.chunk", "model": model, "choices": [choice]})
