"""Places at the models: a bound over everything that is under way, whatever flows it comes from."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from pgrag import flow
from pgrag.flow import Embed, Flow, Perform, Request, run, run_async, together
from pgrag.places import AsyncPlaces, Places

Driver = Callable[[Flow[Any], Perform, int], Any]


def only_embeddings(request: object) -> str | None:
    return "embed" if isinstance(request, Embed) else None


def waiting(started: Flow[Any], perform: Perform, places: int) -> Any:
    return run(started, perform, Places({"embed": places}, only_embeddings))


def awaiting(started: Flow[Any], perform: Perform, places: int) -> Any:
    async def in_thread(request: Request) -> Any:
        return await asyncio.to_thread(perform, request)

    return asyncio.run(run_async(started, in_thread, AsyncPlaces({"embed": places}, only_embeddings)))


@pytest.fixture(params=[waiting, awaiting])
def drive(request: pytest.FixtureRequest) -> Driver:
    driver: Driver = request.param
    return driver


class Gauge:
    """Counts what is under way, and what was asked."""

    def __init__(self, seconds: float = 0.02) -> None:
        self.asked = self.most = self._under_way = 0
        self._seconds = seconds
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Any:
        with self._lock:
            self.asked += 1
            self._under_way += 1
            self.most = max(self.most, self._under_way)
        time.sleep(self._seconds)
        with self._lock:
            self._under_way -= 1
        return None


def documents(count: int, chunks: int) -> Flow[Any]:
    """As an ingest does it: documents at once, and chunks of each at once."""
    return together([together([flow.embed(["a"]) for _ in range(chunks)]) for _ in range(count)], width=count)


@pytest.mark.parametrize("places", [1, 3])
def test_the_bound_holds_over_all_flows_and_is_used(drive: Driver, places: int) -> None:
    gauge = Gauge()
    drive(documents(4, 3), gauge, places)
    assert (gauge.asked, gauge.most) == (12, places)


def test_requests_of_other_kinds_need_no_place(drive: Driver) -> None:
    gauge = Gauge(0.2)
    drive(together([flow.call(int, "f") for _ in range(4)], width=4), gauge, 1)
    assert gauge.most == 4


def test_a_place_is_free_again_after_an_error(drive: Driver) -> None:
    def refuse(request: Request) -> Any:
        raise LookupError

    def mending() -> Flow[int]:
        for _ in range(3):
            try:
                yield from flow.embed(["a"])
            except LookupError:
                continue
        return 3

    assert drive(mending(), refuse, 1) == 3


def test_what_waits_for_a_place_when_another_fails_asks_nothing(drive: Driver) -> None:
    asked: list[str] = []

    def perform(request: Request) -> Any:
        assert isinstance(request, Embed)
        asked.append(request.texts[0])
        time.sleep(0.05)
        raise LookupError

    with pytest.raises(LookupError):
        drive(together([flow.embed([str(number)]) for number in range(8)], width=8), perform, 1)
    assert len(asked) <= 2, "one may have begun in the moment of the error"


def test_every_event_loop_has_places_of_its_own() -> None:
    places = AsyncPlaces({"embed": 1}, only_embeddings)

    async def perform(request: Request) -> None:
        await asyncio.sleep(0.001)

    for _ in range(2):
        asyncio.run(run_async(documents(2, 2), perform, places))
