"""Finding the JSON object a model was asked for in whatever it wrote around it, whole or damaged.

First every whole object in the text is read strictly; objects of other keys (examples, quoted braces) are passed over.
Only when none is the one asked for, the damaged one is repaired. The repairing library makes something of any prose, so
it is given only text in which an asked-for key stands as a key, and what it returns is checked for that key again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

import json_repair

JsonObject = dict[str, Any]
IsAsked = Callable[[JsonObject], bool]

_DECODER = json.JSONDecoder(strict=False)
_QUOTE = "[\"'`\u2018\u2019\u201c\u201d]"
_COLON = "[:\uff1a]"
_TRIES = 20
"""Braces that open nothing readable before the strict search gives up: a hostile reply must not cost a minute."""


def find_objects(text: str, keys: Collection[str], is_asked: IsAsked) -> list[JsonObject]:
    """The objects in `text` for which `is_asked`, in order; keys are folded (`High-Level Keywords` → lower snake case).

    `keys` are the folded names of keys of which the object has one. Empty when there is no such object.
    """
    whole = [found for value in _whole_objects(text) for found in _unwrapped(value) if is_asked(found)]
    if whole:
        return whole
    for candidate in _damaged_objects(text, keys):
        mended = [found for value in _repaired(candidate) for found in _unwrapped(value) if is_asked(found)]
        if mended:
            return mended
    return []


def fold_keys(value: JsonObject) -> JsonObject:
    """The object with its keys in lower snake case; of keys that become one, the first stays."""
    folded: JsonObject = {}
    for key, item in value.items():
        folded.setdefault(re.sub(r"[\s\-]+", "_", str(key).strip().lower()), item)
    return folded


def _whole_objects(text: str) -> Iterator[JsonObject]:
    at, failures = text.find("{"), 0
    while at >= 0 and failures < _TRIES:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            failures, end = failures + 1, at + 1
        else:
            yield value
        at = text.find("{", end)


def _unwrapped(value: JsonObject) -> Iterator[JsonObject]:
    """The object, and the objects it wraps: `{"result": {…}}` is common."""
    yield fold_keys(value)
    yield from (fold_keys(inner) for inner in value.values() if isinstance(inner, dict))


def _damaged_objects(text: str, keys: Collection[str]) -> Iterator[str]:
    """From where the asked-for object may begin: the brace nearest before its key, the first brace, no brace at all."""
    key = _key_pattern(keys).search(text)
    if key is None:
        return
    at = key.start("key")
    for brace in dict.fromkeys((text.rfind("{", 0, at), text.find("{", 0, at))):
        if brace >= 0:
            yield text[brace:]
    yield "{" + text[at:]


def _key_pattern(keys: Collection[str]) -> re.Pattern[str]:
    """A key in quotes of any kind, or bare after a brace, and the beginning of a list or string: no mere word."""
    names = "|".join(re.escape(key).replace("_", r"[\s_\-]?") for key in keys)
    quoted = rf"{_QUOTE}\s*(?:{names})\s*{_QUOTE}"
    return re.compile(rf"(?P<key>{quoted}|(?<=\{{)\s*(?:{names}))\s*{_COLON}\s*(?:\[|{_QUOTE})", re.IGNORECASE)


def _repaired(text: str) -> Iterator[JsonObject]:
    try:
        value = json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError):
        return
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield item
