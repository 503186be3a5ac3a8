"""What a further reply adds to what is known of a chunk, and how much of one reply is taken. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from pgrag.cleaning import CleanEntity, CleanExtraction, CleanRelation
from pgrag.options import ExtractionOptions

R = TypeVar("R", CleanEntity, CleanRelation)


def capped(records: CleanExtraction, options: ExtractionOptions) -> CleanExtraction:
    """The first `max_entities` entities, and with them the first relations, `max_records` records together."""
    entities = records.entities[: min(options.max_entities, options.max_records)]
    return CleanExtraction(entities, records.relations[: options.max_records - len(entities)])


def merge(known: CleanExtraction, gleaned: CleanExtraction) -> CleanExtraction:
    """What is known, and what the gleaned reply adds; equal to `known` when it adds nothing.

    A new name or pair is added at the end. One that is known is replaced, where it stands, only if the gleaned
    description is longer (of several, the first counts). Names are compared without case, pairs without direction.
    """
    return CleanExtraction(
        _merged(known.entities, gleaned.entities, _entity_key), _merged(known.relations, gleaned.relations, _pair_key)
    )


def extraction_of(reply: Mapping[str, Any]) -> CleanExtraction:
    """The records of a kept reply."""
    return CleanExtraction(
        tuple(CleanEntity(**entity) for entity in reply["entities"]),
        tuple(
            CleanRelation(**{**relation, "keywords": tuple(relation["keywords"])}) for relation in reply["relations"]
        ),
    )


def _merged(known: Sequence[R], gleaned: Sequence[R], key_of: Callable[[R], Hashable]) -> tuple[R, ...]:
    before, after = _by_key(known, key_of), _by_key(gleaned, key_of)
    taken = {
        key: found
        for key, found in after.items()
        if key not in before or len(found[0].description) > len(before[key][0].description)
    }
    if not taken:
        return tuple(known)
    return tuple(record for group in (before | taken).values() for record in group)


def _by_key(records: Sequence[R], key_of: Callable[[R], Hashable]) -> dict[Hashable, list[R]]:
    groups: dict[Hashable, list[R]] = {}
    for record in records:
        groups.setdefault(key_of(record), []).append(record)
    return groups


def _entity_key(entity: CleanEntity) -> Hashable:
    return _folded(entity.name)


def _pair_key(relation: CleanRelation) -> Hashable:
    return frozenset((_folded(relation.source), _folded(relation.target)))


def _folded(name: str) -> str:
    """As the database's `name_key`, near enough to tell records of one reply apart."""
    return unicodedata.normalize("NFKC", name).lower()
