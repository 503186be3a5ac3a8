"""Where in its file a stretch of a document's text stands: pages, sheets, slides, as the file's loader names them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LAST = "last_"


@dataclass(frozen=True)
class Mark:
    """From character `start` of a text on, until the next mark, it stands at `place`: {"page": 3} (JSON values)."""

    start: int
    place: Mapping[str, object]


def place_of(start: int, end: int, marks: Sequence[Mark]) -> Mapping[str, object]:
    """Where the characters [start, end) stand, by marks in the order of the text.

    Each key has the place where they begin. Where they end at another, that is there as well, as `last_` and the key:
    `{"page": 3}`, `{"page": 3, "last_page": 4}`.
    """
    since = max(0, bisect_right(marks, start, key=_start) - 1)
    until = bisect_left(marks, end, key=_start)
    place: dict[str, object] = {}
    for mark in marks[since:until]:
        for key, value in mark.place.items():
            if place.setdefault(key, value) != value:
                place[LAST + key] = value
    return place


def _start(mark: Mark) -> int:
    return mark.start
