"""What is told of entities and relations one by one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EntityInfo:
    """A row of `entity_details`: `edited` names what a hand has changed, `documents` are the ids that speak of it."""

    id: int
    name: str
    type: str
    description: str
    description_source: str
    degree: int
    by_hand: bool
    edited: list[str]
    aliases: list[str]
    documents: list[str]
    chunk_count: int
    stale: bool


@dataclass(frozen=True)
class RelationInfo:
    """A row of `relation_details`: `edited` names what a hand has changed, `documents` are the ids that speak of it."""

    id: int
    source: str
    target: str
    keywords: list[str]
    description: str
    description_source: str
    weight: float
    by_hand: bool
    edited: list[str]
    documents: list[str]
    chunk_count: int
    stale: bool


@dataclass(frozen=True)
class EntityListed:
    """A row of `list_entities`."""

    id: int
    name: str
    type: str
    description: str
    degree: int


@dataclass(frozen=True)
class EntityMatched:
    """A row of `match_entities`: `match` is exact, prefix, contains or similar, `score` is 0..1."""

    id: int
    name: str
    type: str
    match: str
    score: float


@dataclass(frozen=True)
class DuplicateInfo:
    """A row of `duplicate_candidates`: two that may be one; `why` is name, meaning or both, `score` 0..1."""

    entity_id: int
    entity: str
    other_id: int
    other: str
    similarity: float
    distance: float | None
    score: float
    why: str
