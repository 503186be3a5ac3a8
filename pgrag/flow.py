"""A pipeline is a generator of requests. Who performs them, and whether it waits or awaits, is not its business.

A flow says the order in which things happen: every question to the database (`Call`) or to a model (`Chat`, `Embed`,
`Rerank`) is one `yield`. `run` drives a flow on the caller's thread, `run_async` in an event loop; both send results
in and throw errors in, so a flow may catch what it knows how to mend. `Together` runs several flows at once, no more
than `width` under way; the first error ends all of them. Where requests are bounded over everything that is under way,
a driver takes a place (`pgrag.places`) before it performs one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from pgrag.models.protocols import ChatReply, ChatRequest, Vectors
from pgrag.places import ANYWHERE, ANYWHERE_ASYNC, AsyncPlaces, Places

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class Call:
    """One SQL function of schema pgrag, called by named arguments; each row becomes a `row`."""

    function: str
    args: Mapping[str, object]
    row: type[Any]


@dataclass(frozen=True)
class Chat:
    """One question to the chat model."""

    request: ChatRequest


@dataclass(frozen=True)
class Embed:
    """One batch of texts for the embedding model; the reply is float32 of shape (texts, dimensions)."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Rerank:
    """Documents to be scored for a query; the reply is (index, score) of the best `top_n`, best first."""

    query: str
    documents: tuple[str, ...]
    top_n: int


@dataclass(frozen=True)
class Pause:
    """Wait, because somebody else is at work on what we want; no longer than until `unless` is set."""

    seconds: float
    unless: threading.Event | None = None


@dataclass(frozen=True)
class Together:
    """Several flows at once; their results in the order given."""

    flows: tuple[Flow[Any], ...]
    width: int


@dataclass(frozen=True)
class Copy:
    """COPY rows into a (temporary) table, in binary; only within a `Transaction`. The reply is how many.

    columns: name → type. A value of `bytes` is the binary form of whatever type the column has.
    """

    table: str
    columns: Mapping[str, str]
    rows: Iterable[Sequence[object]]


@dataclass(frozen=True)
class Stream:
    """A call whose rows are handed to `take` as they come, `batch` at a time; only within a `Transaction`.

    The reply is how many there were; the rows are never held.
    """

    call: Call
    take: Callable[[Sequence[Any]], None]
    batch: int


@dataclass(frozen=True)
class Transaction:
    """A flow whose calls all happen on one connection, in one transaction; no model may be asked within.

    snapshot: all of them see the database as it was at the first, and none may write.
    """

    flow: Flow[Any]
    snapshot: bool = False


Request = Call | Chat | Embed | Rerank | Pause | Together | Copy | Stream | Transaction
Flow = Generator[Request, Any, T]
Perform = Callable[[Request], Any]
PerformAsync = Callable[[Request], Awaitable[Any]]


def call(row: type[T], function: str, /, **args: object) -> Flow[list[T]]:
    """Call `pgrag.function(**args)`: its rows, in order."""
    rows: list[T] = yield Call(function, args, row)
    return rows


def chat(request: ChatRequest) -> Flow[ChatReply]:
    """Ask the chat model."""
    reply: ChatReply = yield Chat(request)
    return reply


def embed(texts: Sequence[str]) -> Flow[Vectors]:
    """Embed texts in one request: float32 (texts, dimensions), row i for text i."""
    vectors: Vectors = yield Embed(tuple(texts))
    return vectors


def rerank(query: str, documents: Sequence[str], top_n: int) -> Flow[list[tuple[int, float]]]:
    """Score documents for a query in one request: (index, score) of the best `top_n`, best first."""
    scores: list[tuple[int, float]] = yield Rerank(query, tuple(documents), top_n)
    return scores


def copy(table: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> Flow[int]:
    """COPY rows into a table, within a transaction: how many."""
    count: int = yield Copy(table, columns, rows)
    return count


def stream(call: Call, take: Callable[[Sequence[Any]], None], batch: int) -> Flow[int]:
    """Hand over the rows of a call as they come, within a transaction: how many."""
    count: int = yield Stream(call, take, batch)
    return count


def transaction(flow: Flow[T], *, snapshot: bool = False) -> Flow[T]:
    """Run a flow in one transaction; an error rolls all of it back."""
    result: T = yield Transaction(flow, snapshot)
    return result


def pause(seconds: float, *, unless: threading.Event | None = None) -> Flow[None]:
    """Wait that long, or until the event is set."""
    yield Pause(seconds, unless)


@overload
def together(a: Flow[A], b: Flow[B], /) -> Flow[tuple[A, B]]: ...
@overload
def together(flows: Iterable[Flow[T]], /, *, width: int = 8) -> Flow[list[T]]: ...
def together(*flows: Any, width: int = 8) -> Flow[Any]:
    """Run flows at once, at most `width` of them; an error of one ends all."""
    if len(flows) == 1:
        results = yield Together(tuple(flows[0]), width)
        return list(results)
    results = yield Together(flows, width)
    return tuple(results)


def run(flow: Flow[T], perform: Perform, places: Places = ANYWHERE) -> T:
    """Drive a flow to its end, waiting for each request, and for its place."""
    try:
        request = next(flow)
        while True:
            try:
                reply = _reply(request, perform, places)
            except Exception as error:
                request = flow.throw(error)
            else:
                request = flow.send(reply)
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        flow.close()


def _reply(request: Request, perform: Perform, places: Places) -> Any:
    if isinstance(request, Together):
        return _run_together(request, perform, places)
    with places.of(request):
        return perform(request)


class Stopped(BaseException):
    """Ends a flow because another one failed; no Exception, so that no flow takes it for its own."""


def _run_together(request: Together, perform: Perform, places: Places) -> Any:
    failed = threading.Event()

    def perform_until_failed(inner: Request) -> Any:
        if failed.is_set():
            raise Stopped
        return perform(inner)

    pool = ThreadPoolExecutor(max_workers=max(1, min(request.width, len(request.flows))))
    try:
        futures = [pool.submit(run, flow, perform_until_failed, places) for flow in request.flows]
        done = wait(futures, return_when=FIRST_EXCEPTION).done
        for future in futures:
            if future in done:
                future.result()
        return [future.result() for future in futures]
    except BaseException as error:
        failed.set()
        # Ctrl-C does not wait for a model that may take minutes; its reply will find that nobody asks any more.
        pool.shutdown(wait=not isinstance(error, KeyboardInterrupt), cancel_futures=True)
        raise
    finally:
        pool.shutdown(wait=False)


async def run_async(flow: Flow[T], perform: PerformAsync, places: AsyncPlaces = ANYWHERE_ASYNC) -> T:
    """Drive a flow to its end, awaiting each request, and its place."""
    try:
        request = next(flow)
        while True:
            try:
                reply = await _reply_async(request, perform, places)
            except Exception as error:
                request = flow.throw(error)
            else:
                request = flow.send(reply)
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        flow.close()


async def _reply_async(request: Request, perform: PerformAsync, places: AsyncPlaces) -> Any:
    if isinstance(request, Together):
        return await _run_together_async(request, perform, places)
    async with places.of(request):
        return await perform(request)


async def _run_together_async(request: Together, perform: PerformAsync, places: AsyncPlaces) -> Any:
    room = asyncio.Semaphore(max(1, request.width))

    async def one(flow: Flow[Any]) -> Any:
        async with room:
            return await run_async(flow, perform, places)

    tasks = [asyncio.ensure_future(one(flow)) for flow in request.flows]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
