"""The lines of the interchange format: what each file's lines must hold, and of what type.

What the format does not name is ignored. Numbers and strings are never taken for each other.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

LONGEST_NAME = 2000
"""Bytes of a name or an id: PostgreSQL's indexes hold no longer ones."""


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("holds a NUL character, which PostgreSQL does not store")
    return text


def _name(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    if len(text.encode()) > LONGEST_NAME:
        raise ValueError(f"is longer than {LONGEST_NAME} bytes")
    return text


def _storable_json(metadata: dict[str, Any]) -> dict[str, Any]:
    try:
        text = json.dumps(metadata, allow_nan=False)
    except ValueError:
        raise ValueError("holds a number that is none, or is endless") from None
    if "\\u0000" in text.replace("\\\\", ""):
        raise ValueError("holds a NUL character, which PostgreSQL does not store")
    return metadata


Text = Annotated[str, AfterValidator(_storable)]
Name = Annotated[Text, AfterValidator(_name)]
Metadata = Annotated[dict[str, Any], AfterValidator(_storable_json)]
Place = Annotated[int, Field(ge=0, le=2**31 - 1)]
Source = Literal["joined", "summarized", "manual", "imported"]


class _Line(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False)


class DocumentLine(_Line):
    """A line of documents.jsonl."""

    id: Name
    file_path: Text
    content: Text | None = None
    metadata: Metadata | None = None
    source_path: Text | None = None


class ChunkLine(_Line):
    """A line of chunks.jsonl."""

    id: Name
    document_id: Text
    chunk_index: Place
    content: Text
    metadata: Metadata | None = None
    token_count: Place | None = None
    local_id: bool = False


class EntityPiece(_Line):
    """What one chunk says of an entity."""

    chunk_id: Text
    name: Name | None = None
    type: Text | None = None
    description: Text | None = None
    kind: Literal["described", "endpoint"] | None = None
    ordinal: Place | None = None
    stated_order: Place | None = None
    key: Name | None = None


class _Stored(_Line):
    """What an export writes of a row beside what its evidence tells; none of it need be there."""

    token_count: Place | None = None
    stale: bool = False
    unsummarized: bool = False
    by_hand: bool = False
    stated_description: Text | None = None
    edited_description: Text | None = None
    summary_of: Text | None = None
    text_hash: Text | None = None


class StoredEntity(_Stored):
    """Columns of an entity."""

    key: Name | None = None
    stated_type: Text | None = None
    edited_name: Name | None = None
    edited_type: Text | None = None


class EntityLine(_Line):
    """A line of entities.jsonl."""

    name: Name
    type: Text
    description: Text
    description_source: Source | None = None
    evidence: tuple[EntityPiece, ...]
    stored: StoredEntity | None = None


class RelationPiece(_Line):
    """What one chunk says of a relation."""

    chunk_id: Text
    source: Name | None = None
    target: Name | None = None
    keywords: tuple[Text, ...] | None = None
    weight: float | None = None
    description: Text | None = None
    ordinal: Place | None = None
    stated_order: Place | None = None
    source_key: Name | None = None
    target_key: Name | None = None


class StoredRelation(_Stored):
    """Columns of a relation."""

    source_key: Name | None = None
    target_key: Name | None = None
    stated_keywords: tuple[Text, ...] | None = None
    stated_weight: float | None = None
    edited_keywords: tuple[Text, ...] | None = None
    edited_weight: float | None = None


class RelationLine(_Line):
    """A line of relations.jsonl."""

    source: Name
    target: Name
    keywords: tuple[Text, ...]
    description: Text
    weight: float
    description_source: Source | None = None
    evidence: tuple[RelationPiece, ...]
    stored: StoredRelation | None = None


class AliasLine(_Line):
    """A line of aliases.jsonl."""

    alias: Name
    name: Name
    name_is_key: bool | None = None
    alias_key: Name | None = None
    key: Name | None = None
    kept: Metadata | None = None


class SleepingLine(_Line):
    """A line of sleeping.jsonl: evidence of a relation whose names have come to mean one entity."""

    chunk_id: Text
    source: Name
    target: Name
    source_key: Name
    target_key: Name
    keywords: tuple[Text, ...]
    weight: float
    description: Text
    ordinal: Place
    stated_order: Place | None = None


class Origin(_Line):
    """origin.json: what made the token counts and embeddings of a folder."""

    tokenizer: Text
    embedding_model: Text
