"""Reads a stream to its end at the server's pace, however slowly its pieces are taken.

A request under way holds one of the few places that PGRAG_LLM_CONCURRENCY allows. If the reader's pace decided how
long, one slow browser could keep everybody waiting, and a caller who asks a second question inside the loop over the
first answer could wait for himself. So a thread (or task) of its own reads ahead; a reader who walks away ends it at
the next piece.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, closing
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class _End:
    """No more pieces; or the error that ended them."""

    error: BaseException | None = None


def read_ahead(pieces: Generator[T, None, None]) -> Generator[T, None, None]:
    """The same pieces, and the same error after them; `pieces` is run in a thread from the first `next` on."""
    queue: SimpleQueue[T | _End] = SimpleQueue()
    left = threading.Event()

    def read() -> None:
        try:
            with closing(pieces):
                for piece in pieces:
                    if left.is_set():
                        return
                    queue.put(piece)
        except BaseException as error:  # whatever it is, the reader's thread raises it
            queue.put(_End(error))
        else:
            queue.put(_End())

    threading.Thread(target=read, name="pgrag-stream", daemon=True).start()
    try:
        while not isinstance(item := queue.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        left.set()


async def read_ahead_async(pieces: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
    """The same pieces, and the same error after them; `pieces` is run in a task from the first `anext` on."""
    queue: asyncio.Queue[T | _End] = asyncio.Queue()

    async def read() -> None:
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    queue.put_nowait(piece)
        finally:
            queue.put_nowait(_End())

    task = asyncio.create_task(read())
    try:
        while not isinstance(item := await queue.get(), _End):
            yield item
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
