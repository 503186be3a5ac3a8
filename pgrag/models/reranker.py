"""A reranker behind any Cohere/Jina/vLLM-shaped `/rerank` server.

A question waits for it, so it has a deadline: the timeout bounds all tries together, waits and slow bodies included.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx

from pgrag.errors import ModelError, ModelRefused, ModelTimeout, ModelUnreachable, RateLimited, UnreadableReply
from pgrag.models.access import NO_KEY, Access
from pgrag.models.connections import LONGEST_CONNECT
from pgrag.models.failures import Server, without_credentials
from pgrag.models.rerank_wire import Scores, checked_scores, read_scores, rerank_body, rerank_endpoint
from pgrag.models.retrying import Patience

TRIES = 3
MOST_BYTES = 20_000_000
"""A reply holds a number for each document, and with some servers the document again."""


class HttpReranker:
    """Orders documents by their use for a query; safe for any number of threads.

    url: of the endpoint; `/rerank` is added where it is missing.
    model: None: the server has but one.
    timeout: seconds, for all tries together.

    Raises ConfigurationError for an address that is none.
    """

    def __init__(
        self, url: str, model: str | None = None, api_key: str | None = None, *, timeout: float = 30.0
    ) -> None:
        self._url = rerank_endpoint(url)
        self._model = model
        self._timeout = timeout
        self._patience = Patience(TRIES, first_wait=0.25, longest_wait=2.0, in_all=timeout)
        self._client = httpx.Client(headers={"Authorization": f"Bearer {api_key}"} if api_key else {})
        secrets = Access(self._url, api_key or NO_KEY).secrets
        self._server = Server(without_credentials(self._url), TRIES, secrets)

    @property
    def rerank_model(self) -> str:
        """What the ledger and every cache key call it: the model, or the address of a server that has but one."""
        return self._model or self._server.base_url

    def rerank(self, query: str, documents: Sequence[str], top_n: int) -> Scores:
        """(index, score) of the best `top_n` documents, best first. Raises ModelError."""
        body = rerank_body(query, documents, top_n, self._model)
        deadline = time.monotonic() + self._timeout
        with self._failures():
            content = self._patience.retrying(f"rerank {self.rerank_model}")(self._send, body, deadline)
        return checked_scores(read_scores(_parsed(content)), len(documents), top_n)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send(self, body: dict[str, Any], deadline: float) -> bytes:
        left = max(0.001, deadline - time.monotonic())
        timeout = httpx.Timeout(left, connect=min(left, LONGEST_CONNECT))
        content = bytearray()
        with self._client.stream("POST", self._url, json=body, timeout=timeout) as response:
            for piece in response.iter_bytes():
                content += piece
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("the reply came too slowly")
                if len(content) > MOST_BYTES:
                    raise UnreadableReply(f"the reranker's reply is longer than {MOST_BYTES} bytes")
        if not response.is_success:
            said = content.decode(errors="replace")
            raise httpx.HTTPStatusError(said, request=response.request, response=response)
        return bytes(content)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raises pgrag's ModelError for whatever httpx raises inside."""
        try:
            yield
        except httpx.TimeoutException:
            failure: ModelError = ModelTimeout(
                f"reranker {self.rerank_model} did not reply within {self._timeout:g} s", "raise PGRAG_RERANK_TIMEOUT"
            )
        except httpx.HTTPStatusError as error:
            failure = self._refused(error.response.status_code, self._server.quote(str(error)))
        except httpx.TransportError as error:
            reason = self._server.quote(str(error))
            failure = ModelUnreachable(
                f"no reranker answers at {self._server.base_url}: {reason}", "check PGRAG_RERANK_URL"
            )
        except httpx.HTTPError as error:
            failure = ModelError(f"reranker {self.rerank_model} failed: {self._server.quote(str(error))}")
        else:
            return
        raise failure from None

    def _refused(self, status: int, said: str) -> ModelError:
        kind = RateLimited if status == 429 else ModelError if status >= 500 else ModelRefused
        hint = "check PGRAG_RERANK_URL, PGRAG_RERANK_MODEL and PGRAG_RERANK_API_KEY" if kind is ModelRefused else None
        return kind(f"reranker {self.rerank_model} answered with status {status}: {said}", hint)


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableReply("the reranker's reply is not JSON") from None
