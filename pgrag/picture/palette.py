"""Which colour a type of entity gets: the same in every picture, as far as twelve colours allow.

A colour is a slot, 0 to 11; `picture.css` says what a slot looks like by day and by night. Types that extraction
prompts commonly use own a slot each. Any other type has a home slot, drawn from its name, and moves on to the next
free one only when a more frequent type of the same picture lives there. When the twelve slots are taken, the rest
share one grey, and so do entities whose type is not known.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

SLOTS = 12
GREY = -1

_OWNERS: dict[str, int] = {
    "person": 0, "people": 0, "human": 0,
    "organization": 1, "organisation": 1, "company": 1, "institution": 1,
    "location": 2, "geo": 2, "place": 2, "city": 2, "country": 2,
    "event": 3,
    "concept": 4, "category": 4, "theory": 4,
    "creature": 5, "animal": 5,
    "artifact": 6, "product": 6, "object": 6, "equipment": 6,
    "content": 7, "document": 7, "work": 7,
    "data": 8, "technology": 8, "date": 8, "time": 8,
    "method": 9, "process": 9,
    "natural object": 10, "naturalobject": 10, "nature": 10,
}  # fmt: skip
_UNKNOWN = frozenset({"", "unknown", "none", "null", "other"})


@dataclass(frozen=True)
class TypeColour:
    """One type of entity in a picture: how it is written, its colour slot (GREY is -1), and how many there are."""

    key: str
    label: str
    slot: int
    count: int


def type_key(type_name: str) -> str:
    """The name under which spellings of one type meet: case-folded, blanks for underscores."""
    return " ".join(type_name.replace("_", " ").split()).casefold()


def type_label(type_name: str) -> str:
    """The type as it is shown: `NATURAL_OBJECT` reads as `Natural object`, a name in mixed case stays as it is."""
    words = " ".join(type_name.replace("_", " ").split())
    if not words:
        return "Unknown"
    is_one_case = words == words.upper() or words == words.lower()
    return words[:1].upper() + words[1:].lower() if is_one_case else words


def colour_types(type_names: Iterable[str]) -> tuple[TypeColour, ...]:
    """The types among these names, most frequent first, ties by key; each slot is given once, GREY any number of times.

    The label of a type is its most frequent spelling.
    """
    spellings: dict[str, Counter[str]] = {}
    for name in type_names:
        spellings.setdefault(type_key(name), Counter())[name] += 1
    ranked = sorted(spellings, key=lambda key: (-spellings[key].total(), key))
    slots = _slots(ranked)
    return tuple(
        TypeColour(key, type_label(_usual(spellings[key])), slots[key], spellings[key].total()) for key in ranked
    )


def _usual(spellings: Counter[str]) -> str:
    return min(spellings, key=lambda name: (-spellings[name], name))


def _slots(ranked: list[str]) -> dict[str, int]:
    """A slot for each key. Owners are served first, so that a person is never moved by a chance neighbour."""
    taken: dict[int, str] = {}
    for key in ranked:
        if key in _OWNERS:
            taken.setdefault(_OWNERS[key], key)
    slots = {key: slot for slot, key in taken.items()}
    for key in ranked:
        if key not in slots:
            slots[key] = GREY if key in _UNKNOWN else _first_free(_home(key), taken)
            taken.setdefault(slots[key], key)
    return slots


def _home(key: str) -> int:
    if key in _OWNERS:
        return _OWNERS[key]
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()[0] % SLOTS


def _first_free(home: int, taken: dict[int, str]) -> int:
    return next((slot for step in range(SLOTS) if (slot := (home + step) % SLOTS) not in taken), GREY)
