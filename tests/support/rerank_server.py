"""A real `/rerank` server on this machine, for tests: it scores by shared words, and fails as it is told to.

with RerankServer() as server:
    reranker = HttpReranker(server.url, "m")
    server.reply({"results": []})                    # or bytes, or a function of the body
    server.fail_next(status=503), server.hang_next(), server.drop_next(), server.drip_next()
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal

from support.http_stub import HttpStub

Body = dict[str, Any]
Reply = dict[str, Any] | list[Any] | bytes
Order = Literal["hang", "drop", "drip"] | tuple[int, dict[str, str]]


class RerankServer(HttpStub):
    """A server on 127.0.0.1; a context manager. `bodies` and `headers` are what it was asked."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.script: Reply | Callable[[Body], Reply] = by_shared_words
        self.orders: deque[Order] = deque()

    @property
    def url(self) -> str:
        """What goes into PGRAG_RERANK_URL."""
        return f"{self.origin}/v1/rerank"

    def reply(self, script: Reply | Callable[[Body], Reply]) -> None:
        """From now on say this, with status 200."""
        self.script = script

    def fail_next(self, n: int = 1, *, status: int = 503, headers: dict[str, str] | None = None) -> None:
        """Answer the next `n` requests with a status."""
        self.orders.extend([(status, headers or {})] * n)

    def hang_next(self, n: int = 1) -> None:
        """Take the next `n` requests and say nothing until the server is closed."""
        self.orders.extend(["hang"] * n)

    def drop_next(self, n: int = 1) -> None:
        """Close the connection of the next `n` requests without a word."""
        self.orders.extend(["drop"] * n)

    def drip_next(self, n: int = 1) -> None:
        """Send the next `n` replies byte by byte, without end."""
        self.orders.extend(["drip"] * n)


def by_shared_words(body: Body) -> Reply:
    """The share of the query's words that a document has; best first, `top_n` of them."""
    asked = set(_words(body["query"]))
    scores = [len(asked & set(_words(document))) / max(1, len(asked)) for document in body["documents"]]
    ranked = sorted(range(len(scores)), key=lambda index: -scores[index])[: body["top_n"]]
    return {"results": [{"index": index, "relevance_score": scores[index]} for index in ranked]}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stub: RerankServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        self.stub.bodies.append(body)
        self.stub.headers.append({name.lower(): value for name, value in self.headers.items()})
        if self.path != "/v1/rerank":
            self._send(404, b'{"message": "no such path"}', {})
            return
        order = self.stub.orders.popleft() if self.stub.orders else None
        if isinstance(order, tuple):
            self._send(order[0], b'{"message": "the stub was told to fail"}', order[1])
        elif order is not None:
            self._misbehave(order)
        else:
            reply = self.stub.script(body) if callable(self.stub.script) else self.stub.script
            self._send(200, reply if isinstance(reply, bytes) else json.dumps(reply).encode(), {})

    def _misbehave(self, order: Order) -> None:
        self.close_connection = True
        if order == "hang":
            self.stub.closing.wait()
        elif order == "drip":
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            while not self.stub.closing.wait(0.05):
                self.wfile.write(b" ")
                self.wfile.flush()

    def _send(self, status: int, payload: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(payload)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Quiet."""
