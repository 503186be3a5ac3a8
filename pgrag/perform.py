"""The two performers of requests: one waits, one awaits. What they are asked, flows decide.

Each bounds what is under way at the models over everything its client does: chunks of all documents together, not of
each. A question takes no place: it is not to queue behind an ingest (the provider's own bound holds for it as well).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Literal, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from pgrag import db
from pgrag.errors import InvalidArgument, PgragError
from pgrag.flow import Call, Chat, Copy, Embed, Flow, Pause, Request, Rerank, Stream, Transaction, run, run_async
from pgrag.gate import Gate
from pgrag.models.protocols import (
    AsyncModels,
    AsyncRerankingModels,
    ChatRequest,
    Models,
    RerankingModels,
    StreamingModels,
)
from pgrag.places import AsyncPlaces, Places

T = TypeVar("T")
Kind = Literal["chat", "embed"]
Reranker = Callable[[], RerankingModels | None]
_POLL_SECONDS = 0.05
_LONGEST_CALL_SECONDS = 30.0


class Performer:
    """Performs requests on an engine (each call a transaction of its own) or on the caller's connection, waiting."""

    def __init__(
        self,
        source: sa.Engine | sa.Connection,
        models: Callable[[], Models],
        *,
        reranker: Reranker = lambda: None,
        chats: int = 4,
        embeddings: int = 8,
    ) -> None:
        self._source = source
        self._models = models
        self._reranker = reranker
        self._places = Places({"chat": chats, "embed": embeddings}, _kind)

    def run(self, flow: Flow[T]) -> T:
        """Drive a flow to its end."""
        return run(flow, self.perform, self._places)

    def run_or_undo(self, flow: Flow[T], undo: Flow[Any]) -> T:
        """Drive a flow to its end; when it is interrupted or fails, end what it has under way, then run the other."""
        gate = Gate(self.perform)
        try:
            return run(flow, gate.perform, self._places)
        except BaseException:
            gate.shut(_LONGEST_CALL_SECONDS)
            with suppress(PgragError):
                self.run(undo)
            raise

    def perform(self, request: Request) -> Any:
        """The reply to one request."""
        match request:
            case Call():
                return self._call(request)
            case Chat(question):
                return self._models().chat(question)
            case Embed(texts):
                return self._models().embed(texts)
            case Rerank(query, documents, top_n):
                return _known(self._reranker()).rerank(query, documents, top_n)
            case Pause(seconds, unless):
                return unless.wait(seconds) if unless else time.sleep(seconds)
            case Transaction(flow, snapshot):
                with db.transaction(_own_engine(self._source), snapshot=snapshot) as connection:
                    return run(flow, lambda inner: _within(connection, inner))
        raise AssertionError(f"not a request: {request!r}")

    def _call(self, request: Call) -> Any:
        if isinstance(self._source, sa.Connection):
            return db.perform(self._source, request)
        with db.connected(self._source) as connection:
            return db.perform(connection, request)

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The pieces of a reply; a provider that cannot stream gives it whole."""
        models = self._models()
        return models.stream(request) if isinstance(models, StreamingModels) else iter([models.chat(request).text])


class AsyncPerformer:
    """The same on an async engine or connection, awaiting; models that only wait get a thread."""

    def __init__(
        self,
        source: AsyncEngine | AsyncConnection,
        models: Callable[[], Models],
        *,
        reranker: Reranker = lambda: None,
        chats: int = 4,
        embeddings: int = 8,
    ) -> None:
        self._source = source
        self._models = models
        self._reranker = reranker
        self._places = AsyncPlaces({"chat": chats, "embed": embeddings}, _kind)
        # The loop's own pool has but a few threads more than the machine has cores.
        self._threads = ThreadPoolExecutor(max_workers=chats + embeddings, thread_name_prefix="pgrag-models")

    async def run(self, flow: Flow[T]) -> T:
        """Drive a flow to its end."""
        return await run_async(flow, self.perform, self._places)

    async def run_or_undo(self, flow: Flow[T], undo: Flow[Any]) -> T:
        """Drive a flow to its end; when it is cancelled or fails, what it had under way has ended: run the other."""
        try:
            return await self.run(flow)
        except BaseException:
            with suppress(PgragError):
                await self.run(undo)
            raise

    async def perform(self, request: Request) -> Any:
        """The reply to one request."""
        match request:
            case Call():
                return await self._call(request)
            case Chat(question):
                models = self._models()
                if isinstance(models, AsyncModels):
                    return await models.achat(question)
                return await self._in_thread(models.chat, question)
            case Embed(texts):
                models = self._models()
                if isinstance(models, AsyncModels):
                    return await models.aembed(texts)
                return await self._in_thread(models.embed, texts)
            case Rerank(query, documents, top_n):
                reranker = _known(self._reranker())
                if isinstance(reranker, AsyncRerankingModels):
                    return await reranker.arerank(query, documents, top_n)
                return await self._in_thread(reranker.rerank, query, documents, top_n)
            case Pause():
                return await _sleep(request)
            case Transaction(flow, snapshot):
                async with db.transaction_async(_own_async_engine(self._source), snapshot=snapshot) as connection:
                    return await run_async(flow, lambda inner: _within_async(connection, inner))
        raise AssertionError(f"not a request: {request!r}")

    async def _in_thread(self, ask: Callable[..., Any], *what: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, ask, *what)

    async def _call(self, request: Call) -> Any:
        if isinstance(self._source, AsyncConnection):
            return await db.perform_async(self._source, request)
        async with db.connected_async(self._source) as connection:
            return await db.perform_async(connection, request)

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The pieces of a reply; a provider that cannot stream gives it whole."""
        models = self._models()
        if isinstance(models, AsyncModels):
            async for piece in models.astream(request):
                yield piece
        elif isinstance(models, StreamingModels):
            pieces = models.stream(request)
            while (part := await asyncio.to_thread(lambda: next(pieces, None))) is not None:
                yield part
        else:
            yield (await asyncio.to_thread(models.chat, request)).text


def _known(reranker: RerankingModels | None) -> RerankingModels:
    assert reranker is not None, "nothing is reranked where there is no reranker"
    return reranker


def _kind(request: Request) -> Kind | None:
    match request:
        case Chat(question) if question.role in ("extract", "summary"):
            return "chat"
        case Embed():
            return "embed"
    return None


def _within(connection: sa.Connection, request: Request) -> Any:
    match request:
        case Call():
            return db.perform(connection, request)
        case Copy():
            return db.copy(connection, request)
        case Stream():
            return db.stream(connection, request)
    raise AssertionError(f"no model is asked and nobody waits within a transaction: {request!r}")


async def _within_async(connection: AsyncConnection, request: Request) -> Any:
    match request:
        case Call():
            return await db.perform_async(connection, request)
        case Copy():
            return await db.copy_async(connection, request)
        case Stream():
            return await db.stream_async(connection, request)
    raise AssertionError(f"no model is asked and nobody waits within a transaction: {request!r}")


async def _sleep(request: Pause) -> None:
    deadline = time.monotonic() + request.seconds
    while (left := deadline - time.monotonic()) > 0 and not (request.unless and request.unless.is_set()):
        await asyncio.sleep(min(left, _POLL_SECONDS) if request.unless else left)


def _own_engine(source: sa.Engine | sa.Connection) -> sa.Engine:
    if isinstance(source, sa.Connection):
        raise InvalidArgument("this needs transactions of its own", "give PgRAG a URL or an engine, not a connection")
    return source


def _own_async_engine(source: AsyncEngine | AsyncConnection) -> AsyncEngine:
    if isinstance(source, AsyncConnection):
        raise InvalidArgument("this needs transactions of its own", "give PgRAG a URL or an engine, not a connection")
    return source
