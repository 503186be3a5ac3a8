"""A stream is read at the server's pace, ended when nobody listens, and its error comes after its pieces."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing

import pytest

from pgrag.models.read_ahead import read_ahead, read_ahead_async


class Source:
    """Ten pieces, or an error after some; knows when it was read to its end and when it was closed."""

    def __init__(self, fail_after: int | None = None, waits: bool = False) -> None:
        self.fail_after = fail_after
        self.go_on = threading.Event()
        self.ended = threading.Event()
        self.closed = threading.Event()
        if not waits:
            self.go_on.set()

    def pieces(self) -> Generator[int, None, None]:
        try:
            for number in range(10):
                if number == self.fail_after:
                    raise ValueError("broke off")
                yield number
                self.go_on.wait(5)
            self.ended.set()
        finally:
            self.closed.set()

    async def apieces(self) -> AsyncGenerator[int, None]:
        try:
            for number in range(10):
                if number == self.fail_after:
                    raise ValueError("broke off")
                yield number
                while not self.go_on.is_set():
                    await asyncio.sleep(0.001)
            self.ended.set()
        finally:
            self.closed.set()


def test_all_pieces_in_order() -> None:
    assert list(read_ahead(Source().pieces())) == list(range(10))


def test_the_error_comes_after_the_pieces() -> None:
    pieces = read_ahead(Source(fail_after=3).pieces())
    assert [next(pieces) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="broke off"):
        next(pieces)


def test_a_slow_reader_does_not_hold_the_source() -> None:
    source = Source()
    pieces = read_ahead(source.pieces())
    assert next(pieces) == 0
    assert source.ended.wait(5), "read to its end though only one piece was taken"
    assert list(pieces) == list(range(1, 10))


def test_a_reader_who_leaves_ends_the_source() -> None:
    source = Source(waits=True)
    for _ in read_ahead(source.pieces()):
        break
    source.go_on.set()
    assert source.closed.wait(5)
    assert not source.ended.is_set()


def test_nothing_is_asked_before_the_first_piece_is() -> None:
    source = Source()
    read_ahead(source.pieces())
    assert not source.closed.wait(0.05)


def test_awaited_all_pieces_in_order() -> None:
    async def collect() -> list[int]:
        return [piece async for piece in read_ahead_async(Source().apieces())]

    assert asyncio.run(collect()) == list(range(10))


def test_awaited_error_comes_after_the_pieces() -> None:
    read: list[int] = []

    async def collect() -> None:
        async for piece in read_ahead_async(Source(fail_after=3).apieces()):
            read.append(piece)

    with pytest.raises(ValueError, match="broke off"):
        asyncio.run(collect())
    assert read == [0, 1, 2]


def test_awaited_slow_reader_does_not_hold_the_source() -> None:
    async def take_one() -> bool:
        source = Source()
        async with aclosing(read_ahead_async(source.apieces())) as pieces:
            assert await anext(pieces) == 0
            await asyncio.sleep(0)
            return source.ended.is_set()

    assert asyncio.run(take_one())


def test_awaited_reader_who_leaves_ends_the_source() -> None:
    async def leave() -> tuple[bool, bool]:
        source = Source(waits=True)
        async with aclosing(read_ahead_async(source.apieces())) as pieces:
            await anext(pieces)
        return source.closed.is_set(), source.ended.is_set()

    assert asyncio.run(leave()) == (True, False)


def test_cancelling_the_reader_ends_the_source() -> None:
    async def cancel() -> bool:
        source = Source(waits=True)

        async def read() -> None:
            async for _ in read_ahead_async(source.apieces()):
                pass

        task = asyncio.create_task(read())
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return source.closed.is_set()

    assert asyncio.run(cancel())
