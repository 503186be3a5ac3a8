"""One request to a model's server, patiently and in its turn: once waiting, once awaited.

From the inside out: the openai package sends (and does not retry), `Patience` retries, a semaphore lets only so many
requests be under way at once, retries and their waits included: who is asked to come back later does not send others
ahead.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator, Mapping
from dataclasses import dataclass
from typing import Any

import openai

from pgrag.models.failures import reading
from pgrag.models.retrying import Patience
from pgrag.models.thinking import ThinkingFilter
from pgrag.models.wire import Ask, Kind, read_delta

LONGEST_CONNECT = 10.0
"""Seconds to connect in: a model may think for minutes, but its server answers the door."""


@dataclass(frozen=True)
class Bounds:
    """How many requests of a kind at once, and for how many seconds one may be silent."""

    at_once: int
    timeout: float

    @property
    def as_timeout(self) -> openai.Timeout:
        return openai.Timeout(self.timeout, connect=min(self.timeout, LONGEST_CONNECT))


class Connection:
    """Requests that wait; used by any number of threads."""

    def __init__(self, client: openai.OpenAI, bounds: Mapping[Kind, Bounds], patience: Patience) -> None:
        self._client = client
        self._bounds = bounds
        self._patience = patience
        self._places = {kind: threading.BoundedSemaphore(bound.at_once) for kind, bound in bounds.items()}

    def send(self, ask: Ask) -> Any:
        """The server's answer. Raises the openai package's errors, UnreadableReply."""
        with self.place(ask.kind):
            return self._patience.retrying(ask.what)(self._send, ask)

    def open(self, ask: Ask) -> Opened:
        """The answer as a stream, begun. The caller holds a place."""
        return self._patience.retrying(ask.what)(self._open, ask)

    def place(self, kind: Kind) -> threading.Semaphore:
        """To be held while a request is under way."""
        return self._places[kind]

    def close(self) -> None:
        self._client.close()

    def _send(self, ask: Ask) -> Any:
        timeout = self._bounds[ask.kind].as_timeout
        resource: Any = self._client.embeddings if ask.kind == "embeddings" else self._client.chat.completions
        with reading(None):
            return resource.create(**ask.body, timeout=timeout)

    def _open(self, ask: Ask) -> Opened:
        pieces = _shown(self._send(ask))
        try:
            return Opened(next(pieces, ""), pieces)
        except BaseException:
            pieces.close()
            raise


class AsyncConnection:
    """The same, awaited; belongs to the event loop it was made in."""

    def __init__(self, client: openai.AsyncOpenAI, bounds: Mapping[Kind, Bounds], patience: Patience) -> None:
        self._client = client
        self._bounds = bounds
        self._patience = patience
        self._places = {kind: asyncio.Semaphore(bound.at_once) for kind, bound in bounds.items()}

    async def send(self, ask: Ask) -> Any:
        """The server's answer. Raises the openai package's errors, UnreadableReply."""
        async with self.place(ask.kind):
            return await self._patience.retrying_async(ask.what)(self._send, ask)

    async def open(self, ask: Ask) -> AsyncOpened:
        """The answer as a stream, begun. The caller holds a place."""
        return await self._patience.retrying_async(ask.what)(self._open, ask)

    def place(self, kind: Kind) -> asyncio.Semaphore:
        """To be held while a request is under way."""
        return self._places[kind]

    async def close_with_loop(self) -> None:
        """Arrange to be closed when the loop ends.

        `asyncio.run` closes asynchronous generators that are under way while it still can await them: the one moment at
        which connections nobody has closed can be, without a warning.
        """
        self._end = self._until_closed()
        await anext(self._end)

    async def close(self) -> None:
        await self._client.close()
        await self._end.aclose()

    async def _until_closed(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            await self._client.close()

    async def _send(self, ask: Ask) -> Any:
        timeout = self._bounds[ask.kind].as_timeout
        resource: Any = self._client.embeddings if ask.kind == "embeddings" else self._client.chat.completions
        with reading(None):
            return await resource.create(**ask.body, timeout=timeout)

    async def _open(self, ask: Ask) -> AsyncOpened:
        pieces = _shown_async(await self._send(ask))
        try:
            return AsyncOpened(await anext(pieces, ""), pieces)
        except BaseException:
            await pieces.aclose()
            raise


@dataclass(frozen=True)
class Opened:
    """A stream whose first piece is there ("": it ended without one)."""

    first: str
    rest: Generator[str, None, None]


@dataclass(frozen=True)
class AsyncOpened:
    """A stream whose first piece is there ("": it ended without one)."""

    first: str
    rest: AsyncGenerator[str, None]


def _shown(stream: Any) -> Generator[str, None, None]:
    """The pieces of a stream that are meant for the reader; closes the stream at its end."""
    thoughts = ThinkingFilter()
    chunks = iter(stream)
    try:
        while True:
            with reading(stream.response):
                chunk = next(chunks, None)
            if chunk is None:
                break
            if text := thoughts.feed(read_delta(chunk)):
                yield text
        if text := thoughts.end():
            yield text
    finally:
        stream.close()


async def _shown_async(stream: Any) -> AsyncGenerator[str, None]:
    thoughts = ThinkingFilter()
    chunks = aiter(stream)
    try:
        while True:
            with reading(stream.response):
                chunk = await anext(chunks, None)
            if chunk is None:
                break
            if text := thoughts.feed(read_delta(chunk)):
                yield text
        if text := thoughts.end():
            yield text
    finally:
        await stream.close()
