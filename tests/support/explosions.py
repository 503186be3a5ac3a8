"""Something happens at a chosen point of a run: before, during or after the nth request of a kind."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import cycle, islice, product
from typing import Any, Literal

from pgrag import PgRAG
from pgrag.flow import Call, Chat, Embed, Request

When = Literal["before", "during", "after"]
_MOMENTS: tuple[When, ...] = ("before", "during", "after")
_LONGEST_FUSE = 0.01


@dataclass(frozen=True)
class Point:
    """The nth request of a kind: the name of an SQL function, `chat` or `embed`. `fuse`: seconds, for `during`."""

    request: str
    nth: int
    when: When
    fuse: float

    def __str__(self) -> str:
        return f"{self.when} {self.request} {self.nth}"


def seeded_points(seed: int, count: int, stages: Mapping[str, int]) -> list[Point]:
    """So many points, spread over all stages; `stages` says how many requests of each kind a run has at least."""
    chance = random.Random(seed)
    places = list(product(stages, _MOMENTS))
    chance.shuffle(places)
    return [
        Point(stage, chance.randint(1, stages[stage]), when, chance.uniform(0, _LONGEST_FUSE))
        for stage, when in islice(cycle(places), count)
    ]


class Explosion:
    """Calls `explode` once, at its point."""

    def __init__(self, point: Point, explode: Callable[[], None]) -> None:
        self._point, self._explode = point, explode
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._over = threading.Event()

    def wait(self) -> None:
        """Returns when it is over; it must have begun."""
        assert self._over.wait(30), f"the run did not come to {self._point}"

    def lay(self, rag: PgRAG) -> None:
        """From now on watch what this client asks for."""
        perform = rag._performer.perform

        def watched(request: Request) -> Any:
            when = self._point.when if self._is_here(request) else None
            if when == "before":
                self._go_off()
            if when == "during":
                threading.Timer(self._point.fuse, self._go_off).start()
            reply = perform(request)
            if when == "after":
                self._go_off()
            return reply

        rag._performer.perform = watched  # type: ignore[method-assign]

    def _go_off(self) -> None:
        self._explode()
        self._over.set()

    def _is_here(self, request: Request) -> bool:
        name = kind_of(request)
        with self._lock:
            self._seen[name] += 1
            return name == self._point.request and self._seen[name] == self._point.nth


def kind_of(request: Request) -> str:
    """The name by which a point calls it."""
    match request:
        case Call():
            return request.function
        case Chat():
            return "chat"
        case Embed():
            return "embed"
    return type(request).__name__
