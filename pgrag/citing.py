"""Places in a document, in words: what the metadata of its chunks says of pages, sheets and sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pgrag.chunking import LAST

# The kinds of places that are named, in this order, and the word before them.
WORDS = {"page": "p. ", "slide": "slide ", "sheet": "sheet ", "row": "row ", "chapter": "", "section": ""}
MOST = 5


def describe(places: Sequence[Mapping[str, Any]]) -> str:
    """Where in a document these places are, in one line: `p. 3-5, 9; Chapter 1 > Rooms`; "" for nowhere.

    Of each kind the first MOST are named; numbers that follow each other are one range. Metadata may be anybody's:
    what is neither number nor text is passed over.
    """
    found = ((word, _ends(key, places)) for key, word in WORDS.items())
    named = ((word, [*_numbers(ends), *_texts(ends)]) for word, ends in found)
    return "; ".join(word + _listed(names) for word, names in named if names)


def _ends(key: str, places: Sequence[Mapping[str, Any]]) -> list[tuple[Any, Any]]:
    """The first and the last of each place that has the key."""
    return [(place[key], place.get(LAST + key, place[key])) for place in places if key in place]


def _numbers(ends: Iterable[tuple[Any, Any]]) -> list[str]:
    """Ranges of numbers, in order; those that touch are one."""
    united: list[tuple[int, int]] = []
    for first, last in sorted(pair for pair in ends if all(isinstance(end, int) for end in pair)):
        if united and first <= united[-1][1] + 1:
            united[-1] = (united[-1][0], max(last, united[-1][1]))
        else:
            united.append((first, last))
    return [str(first) if first == last else f"{first}-{last}" for first, last in united]


def _texts(ends: Iterable[tuple[Any, Any]]) -> list[str]:
    """Texts on one line, in order, each once."""
    pairs = (pair for pair in ends if all(isinstance(end, str) for end in pair))
    names = (" to ".join(" ".join(end.split()) for end in dict.fromkeys(pair)) for pair in pairs)
    return list(dict.fromkeys(name for name in names if name))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST]) + (", …" if len(names) > MOST else "")
