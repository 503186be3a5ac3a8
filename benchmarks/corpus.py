"""A corpus made by rule, for measuring ingest: documents of five short chunks that share names, and what a model says.

Nothing but the standard library and numpy, so that a peer's own virtual environment can import it. Low numbers are
named most, as in real graphs: a few hubs are in many chunks.
"""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384

CHUNKS_PER_DOCUMENT = 5
SENTENCES_PER_CHUNK = 3
NAME = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]+ \d+")
FIRST = ("Amber", "Boris", "Clara", "Dario", "Edith", "Fiona", "Gavin", "Helga", "Ivory", "Jonas")
LAST = ("Alder", "Birch", "Cedar", "Delta", "Ember", "Fjord", "Grove", "Haven", "Inlet", "Jetty")
TYPES = ("person", "organization", "location", "event", "concept")
WORDS = (
    "harbour",
    "lantern",
    "copper",
    "meadow",
    "signal",
    "granite",
    "window",
    "thunder",
    "orchard",
    "velvet",
    "compass",
    "timber",
    "river",
    "pepper",
    "saddle",
    "marble",
    "candle",
    "feather",
    "garden",
    "anchor",
    "silver",
    "ladder",
    "canyon",
    "mirror",
    "basket",
    "winter",
    "engine",
    "pocket",
    "needle",
    "bridge",
)


@dataclass(frozen=True)
class Entity:
    """An entity as the stub model says it."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class Relation:
    """A relation as the stub model says it."""

    source: str
    target: str
    keywords: tuple[str, ...]
    description: str


def name(number: int) -> str:
    """The name of an entity of the corpus."""
    return f"{FIRST[number % 10]} {LAST[number // 10 % 10]} {number}"


def documents(count: int, names: int, seed: int = 7) -> list[list[str]]:
    """So many documents, each a list of chunks, about so many different names."""
    dice = random.Random(seed)
    return [[_chunk(dice, names) for _ in range(CHUNKS_PER_DOCUMENT)] for _ in range(count)]


def _chunk(dice: random.Random, names: int) -> str:
    return " ".join(_sentence(dice, names) for _ in range(SENTENCES_PER_CHUNK))


def _sentence(dice: random.Random, names: int) -> str:
    one, other = (name(int(dice.random() ** 2 * names)) for _ in range(2))
    words = dice.choices(WORDS, k=12)
    return f"{one} keeps the {' '.join(words[:6])} of {other} beside the {' '.join(words[6:])}."


def said(chunk: str) -> tuple[list[Entity], list[Relation]]:
    """What the stub model says of a chunk: every name is an entity, the two names of a sentence are a relation."""
    entities: dict[str, Entity] = {}
    relations: list[Relation] = []
    for sentence in chunk.split("."):
        found = NAME.findall(sentence)
        words = [word for word in sentence.split() if word in WORDS]
        for each in found:
            kind = TYPES[sum(map(ord, each)) % len(TYPES)]
            entities.setdefault(each, Entity(each, kind, f"{each} keeps {' '.join(words[:8])}."))
        if len(found) == 2 and found[0] != found[1]:
            text = f"{found[0]} keeps {' '.join(words[2:9])} for {found[1]}."
            relations.append(Relation(found[0], found[1], tuple(words[:3]), text))
    return list(entities.values()), relations


def as_json(chunk: str) -> str:
    """The reply in the form that pgrag asks for."""
    entities, relations = said(chunk)
    return json.dumps(
        {
            "entities": [{"name": e.name, "type": e.type, "description": e.description} for e in entities],
            "relations": [
                {"source": r.source, "target": r.target, "keywords": list(r.keywords), "description": r.description}
                for r in relations
            ],
        }
    )


def as_records(chunk: str) -> str:
    """The reply in the form that LightRAG 1.5.7 asks for."""
    entities, relations = said(chunk)
    mark = "<|#|>"
    lines = [mark.join(("entity", e.name, e.type, e.description)) for e in entities]
    lines += [mark.join(("relation", r.source, r.target, ", ".join(r.keywords), r.description)) for r in relations]
    return "\n".join([*lines, "<|COMPLETE|>"])


def existing(names: int, seed: int = 11) -> tuple[list[Entity], list[Relation]]:
    """A graph that is there before: every name of the corpus, and a relation for each."""
    dice = random.Random(seed)
    entities = [
        Entity(name(n), TYPES[n % len(TYPES)], f"{name(n)} {' '.join(dice.choices(WORDS, k=8))}.") for n in range(names)
    ]
    relations = [
        Relation(
            name(n), name((n + 1 + dice.randrange(names - 1)) % names), ("before",), " ".join(dice.choices(WORDS, k=8))
        )
        for n in range(names)
    ]
    pairs = {frozenset((relation.source, relation.target)): relation for relation in relations}
    return entities, list(pairs.values())


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """float32 (texts, DIMENSIONS), of length 1: the sum of a vector for each word."""
    rows = np.stack([sum((_word(word) for word in text.split()), start=_vector(text)) for text in texts])
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


@functools.lru_cache(maxsize=20_000)
def _word(word: str) -> NDArray[np.float64]:
    return _vector(word)


def _vector(text: str) -> NDArray[np.float64]:
    return np.random.default_rng(sum(ord(sign) * 31**place for place, sign in enumerate(text[:40]))).standard_normal(
        DIMENSIONS
    )
