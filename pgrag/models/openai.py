"""Models behind any OpenAI-compatible server: OpenAI, Ollama, vLLM, llama.cpp, LiteLLM.

What to ask, and what to make of the answers, is written once, as generators that yield `Ask`s; `connections` performs
them, waiting or awaited, and `failures` tells what went wrong in pgrag's own errors.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import AbstractContextManager, aclosing, closing
from typing import Any

import numpy as np
import openai

from pgrag.models import wire
from pgrag.models.access import access_to
from pgrag.models.connections import AsyncConnection, Bounds, Connection
from pgrag.models.failures import Server, is_about_format, without_credentials
from pgrag.models.protocols import ChatReply, ChatRequest, Role, Vectors
from pgrag.models.read_ahead import read_ahead, read_ahead_async
from pgrag.models.retrying import Patience
from pgrag.models.talk import Talk, drive, drive_async
from pgrag.models.wire import Ask, Kind
from pgrag.settings import Settings

DEFAULT_DIMENSIONS = 1536


class OpenAIModels:
    """Chat and embedding models of one server; safe for any number of threads and event loops.

    base_url, api_key: by default what the openai package takes from the environment. A server with an address of its
        own needs no key.
    tries, backoff: how often a request is tried, and the seconds before the second try; they double from try to try.

    Raises ConfigurationError without a key for OpenAI itself, or for an address that is none.
    """

    is_language_model = True

    def __init__(
        self,
        settings: Settings,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        tries: int = 8,
        backoff: float = 0.5,
    ) -> None:
        self.embedding_model = settings.embedding_model
        self.embedding_dimensions = settings.embedding_dimensions or DEFAULT_DIMENSIONS
        self._settings = settings
        self._patience = Patience(tries, backoff)
        self._bounds: dict[Kind, Bounds] = {
            "chat": Bounds(settings.llm_concurrency, settings.llm_timeout),
            "embeddings": Bounds(settings.embedding_concurrency, settings.embedding_timeout),
        }
        self._access = access_to(base_url, api_key)
        self._server = Server(without_credentials(self._access.url), tries, self._access.secrets)
        self._connection: Connection | None = None
        self._connections: dict[asyncio.AbstractEventLoop, AsyncConnection] = {}
        self._lock = threading.Lock()
        self._formats = wire.FORMATS

    def chat_model(self, role: Role) -> str:
        """The name of the model that plays this role."""
        return self._settings.chat_model(role)

    def chat(self, request: ChatRequest) -> ChatReply:
        """The whole reply, without the model's thoughts. Raises ModelError."""
        with self._chat_failures(request.role):
            return drive(self._chat(request), self._waiting.send)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 (texts, dimensions), row i for text i, of length 1. Raises ModelError, EmbeddingMismatch."""
        with self._embedding_failures():
            return drive(self._embed(texts), self._waiting.send)

    def stream(self, request: ChatRequest) -> Generator[str, None, None]:
        """The reply in pieces as they arrive. Raises ModelError, after the first piece too."""
        return read_ahead(self._pieces(request))

    async def achat(self, request: ChatRequest) -> ChatReply:
        """`chat`, awaited."""
        with self._chat_failures(request.role):
            return await drive_async(self._chat(request), (await self._here()).send)

    async def aembed(self, texts: Sequence[str]) -> Vectors:
        """`embed`, awaited."""
        with self._embedding_failures():
            return await drive_async(self._embed(texts), (await self._here()).send)

    def astream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """`stream`, awaited."""
        return read_ahead_async(self._apieces(request))

    def close(self) -> None:
        """Close the connections of the waiting methods."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        with self._lock:
            connection = self._connections.pop(asyncio.get_running_loop(), None)
        if connection is not None:
            await connection.close()

    def _chat(self, request: ChatRequest) -> Talk[ChatReply]:
        model = self.chat_model(request.role)
        completion = yield from self._ask_chat(request, {})
        return wire.read_chat(completion, request, model)

    def _ask_chat(self, request: ChatRequest, more: dict[str, Any]) -> Talk[Any]:
        """What the server answers in the best format it takes.

        A format is given up for good once the server has refused it and taken the next: a refusal alone may be about
        something else in the request, and is then raised as it first came.
        """
        formats = self._formats if request.schema is not None else wire.FORMATS[-1:]
        refusal: openai.APIStatusError | None = None
        for index, reply_format in enumerate(formats):
            body = wire.chat_body(request, self.chat_model(request.role), reply_format) | more
            try:
                answer = yield Ask("chat", body)
            except openai.APIStatusError as error:
                refusal = refusal or error
                if not is_about_format(error):
                    break
            else:
                if index:
                    self._formats = min(self._formats, formats[index:], key=len)
                return answer
        assert refusal is not None
        raise refusal

    def _embed(self, texts: Sequence[str]) -> Talk[Vectors]:
        vectors = np.zeros((len(texts), self.embedding_dimensions), dtype=np.float32)
        done = 0
        for batch in wire.embedding_batches(texts):
            body = wire.embedding_body(batch, self.embedding_model, self._settings.embedding_dimensions)
            reply = yield Ask("embeddings", body)
            rows = wire.read_embeddings(reply, len(batch), self.embedding_model, self.embedding_dimensions)
            vectors[done : done + len(batch)] = rows
            done += len(batch)
        return vectors

    def _pieces(self, request: ChatRequest) -> Generator[str, None, None]:
        model = self.chat_model(request.role)
        with self._chat_failures(request.role), self._waiting.place("chat"):
            opened = drive(self._ask_chat(request, {"stream": True}), self._waiting.open)
            with closing(opened.rest), self._server.interruptions_of(model):
                yield wire.checked_text(opened.first, model)
                yield from opened.rest

    async def _apieces(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        connection, model = await self._here(), self.chat_model(request.role)
        with self._chat_failures(request.role):
            async with connection.place("chat"):
                opened = await drive_async(self._ask_chat(request, {"stream": True}), connection.open)
                with self._server.interruptions_of(model):
                    async with aclosing(opened.rest):
                        yield wire.checked_text(opened.first, model)
                        async for piece in opened.rest:
                            yield piece

    @property
    def _waiting(self) -> Connection:
        """The one connection of all threads; made when first wanted, which a provider only awaited never does."""
        with self._lock:
            if self._connection is None:
                client = openai.OpenAI(api_key=self._access.key, base_url=self._access.url, max_retries=0)
                self._connection = Connection(client, self._bounds, self._patience)
            return self._connection

    async def _here(self) -> AsyncConnection:
        """The connection of the running loop; those of closed loops are forgotten."""
        loop = asyncio.get_running_loop()
        with self._lock:
            self._connections = {known: at for known, at in self._connections.items() if not known.is_closed()}
            if (connection := self._connections.get(loop)) is not None:
                return connection
            client = openai.AsyncOpenAI(api_key=self._access.key, base_url=self._access.url, max_retries=0)
            connection = self._connections[loop] = AsyncConnection(client, self._bounds, self._patience)
        await connection.close_with_loop()
        return connection

    def _chat_failures(self, role: Role) -> AbstractContextManager[None]:
        timeout = self._bounds["chat"].timeout
        return self._server.failures_of(self.chat_model(role), timeout, "PGRAG_LLM_TIMEOUT")

    def _embedding_failures(self) -> AbstractContextManager[None]:
        timeout = self._bounds["embeddings"].timeout
        return self._server.failures_of(self.embedding_model, timeout, "PGRAG_EMBEDDING_TIMEOUT")
