"""A real HTTP server on 127.0.0.1 whose replies a test decides."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class HttpStub:
    """Serves while its context lasts. A handler finds it as `self.stub`; `closing` is set when it is left."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self.closing = threading.Event()
        self._handler = handler

    def __enter__(self) -> Self:
        self._http = _HTTPServer(("127.0.0.1", 0), type("Handler", (self._handler,), {"stub": self}))
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def origin(self) -> str:
        """The URL without a path."""
        return f"http://127.0.0.1:{self._http.server_port}"


class _HTTPServer(ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are part of the play."""
