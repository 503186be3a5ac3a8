"""What the model said, as records: the replies of the extract and keywords roles.

Models wrap their JSON in thoughts, code fences and remarks, break it off, rename its keys. `parse_extraction` and
`parse_keywords` take all that; a record without its required fields is dropped, and a reply that holds nothing like the
asked-for object raises UnreadableReply. Names are returned as said (only trimmed): cleaning them is another's business.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pgrag.errors import UnreadableReply
from pgrag.models.lenient_json import JsonObject, find_objects, fold_keys
from pgrag.models.protocols import ReplySchema
from pgrag.models.thinking import without_thinking

EXCERPT = 80
_ENTITIES = ("entities",)
_RELATIONS = ("relations", "relationships")
_HIGH_LEVEL = ("high_level_keywords", "high_level")
_LOW_LEVEL = ("low_level_keywords", "low_level")
_SEPARATORS = re.compile("[,;\uff0c\uff1b\n]+")
"""Comma and semicolon, also the full-width ones of Chinese text."""


@dataclass(frozen=True)
class EntityRecord:
    """One entity as a reply states it."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class RelationRecord:
    """One relation as a reply states it; `weight` is finite and not negative."""

    source: str
    target: str
    keywords: tuple[str, ...]
    description: str
    weight: float = 1.0


@dataclass(frozen=True)
class ExtractionReply:
    """What one chunk says, in the order of the reply."""

    entities: tuple[EntityRecord, ...]
    relations: tuple[RelationRecord, ...]


@dataclass(frozen=True)
class KeywordsReply:
    """What a question is about: themes, and the things it names."""

    high_level: tuple[str, ...]
    low_level: tuple[str, ...]


def parse_extraction(text: str) -> ExtractionReply:
    """The records of an extraction reply, in its order. Raises UnreadableReply.

    Of several objects (an example, then the real one) the one with the most records is taken.
    """
    found = find_objects(without_thinking(text), (*_ENTITIES, *_RELATIONS), _has_records)
    if not found:
        raise _unreadable("an object of entities and relations", text)
    replies = [_extraction(value) for value in found]
    return max(replies, key=lambda reply: len(reply.entities) + len(reply.relations))


def parse_keywords(text: str) -> KeywordsReply:
    """The keywords of a keywords reply, in its order, repetitions kept. Raises UnreadableReply."""
    found = find_objects(without_thinking(text), (*_HIGH_LEVEL, *_LOW_LEVEL), _has_keywords)
    if not found:
        raise _unreadable("an object of high_level_keywords and low_level_keywords", text)
    replies = [KeywordsReply(_words(_first(value, _HIGH_LEVEL)), _words(_first(value, _LOW_LEVEL))) for value in found]
    return max(replies, key=lambda reply: len(reply.high_level) + len(reply.low_level))


def _has_records(value: JsonObject) -> bool:
    asked = [value[key] for key in (*_ENTITIES, *_RELATIONS) if key in value]
    return bool(asked) and all(item is None or isinstance(item, list) for item in asked)


def _has_keywords(value: JsonObject) -> bool:
    asked = [value[key] for key in (*_HIGH_LEVEL, *_LOW_LEVEL) if key in value]
    return bool(asked) and all(item is None or isinstance(item, list | str) for item in asked)


def _extraction(value: JsonObject) -> ExtractionReply:
    entities = map(_entity, _records(_first(value, _ENTITIES)))
    relations = map(_relation, _records(_first(value, _RELATIONS)))
    return ExtractionReply(tuple(filter(None, entities)), tuple(filter(None, relations)))


def _records(items: Any) -> Iterator[JsonObject]:
    return (fold_keys(item) for item in items or () if isinstance(item, dict))


def _entity(record: JsonObject) -> EntityRecord | None:
    name = _text(record, ("name", "entity_name", "entity"))
    kind = _text(record, ("type", "entity_type"))
    description = _text(record, ("description", "entity_description"))
    return EntityRecord(name, kind, description) if name and kind and description else None


def _relation(record: JsonObject) -> RelationRecord | None:
    source = _text(record, ("source", "src_id", "source_entity", "source_id", "src"))
    target = _text(record, ("target", "tgt_id", "target_entity", "target_id", "tgt"))
    description = _text(record, ("description", "relation_description", "relationship_description"))
    if not (source and target and description):
        return None
    keywords = _words(_first(record, ("keywords", "relation_keywords", "relationship_keywords")))
    weight = _weight(_first(record, ("weight", "strength", "relationship_strength")))
    return RelationRecord(source, target, keywords, description, weight)


def _first(record: JsonObject, keys: Iterable[str]) -> Any:
    """The value of the first of these keys that has one."""
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _text(record: JsonObject, keys: Iterable[str]) -> str:
    """The field as text, trimmed; "" when there is none. A number is text too: years are names."""
    value = _first(record, keys)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _words(value: Any) -> tuple[str, ...]:
    """Keywords from a list or from one separated string, trimmed, empty ones dropped."""
    words = _SEPARATORS.split(value) if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(word.strip() for word in words if isinstance(word, str) and word.strip())


def _weight(value: Any) -> float:
    """The stated weight, or 1 where none is stated that can be summed."""
    try:
        weight = 1.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return 1.0
    return weight if math.isfinite(weight) and weight >= 0 else 1.0


def _unreadable(asked: str, text: str) -> UnreadableReply:
    plain = " ".join(text.split())
    excerpt = plain if len(plain) <= EXCERPT else plain[: EXCERPT - 1] + "…"
    return UnreadableReply(f"the model's reply is not {asked}: {excerpt!r}")


def _object(**properties: Any) -> dict[str, Any]:
    """A JSON schema of an object with exactly these properties; servers' strict modes want all of them required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_STRING = {"type": "string"}
_ENTITY = _object(name=_STRING, type=_STRING, description=_STRING)
_RELATION = _object(
    source=_STRING, target=_STRING, keywords=_array(_STRING), description=_STRING, weight={"type": "number"}
)

EXTRACTION_SCHEMA = ReplySchema("pgrag_extraction", _object(entities=_array(_ENTITY), relations=_array(_RELATION)))
KEYWORDS_SCHEMA = ReplySchema(
    "pgrag_keywords", _object(high_level_keywords=_array(_STRING), low_level_keywords=_array(_STRING))
)
