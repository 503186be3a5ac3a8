"""What a question may ask for (`QueryOptions`), and what the model is asked of a chunk (`ExtractionOptions`): frozen
values, checked once, from the client's door to the last stage."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, Literal, get_args

from pgrag.errors import InvalidArgument
from pgrag.models.protocols import Message

Mode = Literal["local", "global", "hybrid", "mix", "naive", "bypass", "weighted"]
ChunkPickMethod = Literal["vector", "weight"]
Fusion = Literal["weighted", "rrf"]
WEIGHTED_TOP_K = 10
DEFAULT_ENTITY_TYPES = (
    "person",
    "creature",
    "organization",
    "location",
    "event",
    "concept",
    "method",
    "content",
    "data",
    "artifact",
    "natural object",
)


@dataclass(frozen=True, kw_only=True)
class QueryOptions:
    """How to retrieve and how to answer. Limits are tokens of the database's tokenizer; distances are cosine (0..2).

    mode: which legs are searched. local: entities near the low-level keywords and their relations; global: relations
        near the high-level keywords and their ends; hybrid: both; mix: both, and chunks near the question; naive:
        chunks alone; bypass: no retrieval, the model answers by itself; weighted: chunks near the question, and
        triples near the entities that the low-level keywords name, as one list by weighted scores.
    top_k: hits of each entity and relation search; in weighted mode of everything (10, unless given).
    chunk_top_k: chunks of the vector leg, and the most that the context holds.
    max_distance: strict; a hit is nearer than this.
    filter: document metadata that must be contained (jsonb `@>`).
    vector_weight, graph_weight, text_weight: of weighted mode's sources: chunks near the question, triples, and chunks
        that hold its words; 0: the source is left out.
    fusion: of weighted mode: weighted scores, or rrf, weighted reciprocal ranks.
    max_depth, relation_keywords: of weighted mode: how many hops are walked, along which relations (none: all).

    Raises InvalidArgument for a value out of its domain.
    """

    mode: Mode = "mix"
    top_k: int = None  # type: ignore[assignment]  # set below: its default depends on the mode
    chunk_top_k: int = 20
    max_entity_tokens: int = 6000
    max_relation_tokens: int = 8000
    max_total_tokens: int = 30000
    max_distance: float = 0.8
    related_chunk_number: int = 5
    chunk_pick_method: ChunkPickMethod = "vector"
    enable_rerank: bool = True
    min_rerank_score: float = 0.0
    low_level_keywords: tuple[str, ...] = ()
    high_level_keywords: tuple[str, ...] = ()
    response_type: str = "Multiple Paragraphs"
    user_prompt: str | None = None
    system_prompt: str | None = None
    conversation_history: tuple[Message, ...] = ()
    filter: Mapping[str, Any] | None = None
    vector_weight: float = 0.6
    graph_weight: float = 0.4
    text_weight: float = 0.0
    fusion: Fusion = "weighted"
    max_depth: int = 1
    relation_keywords: tuple[str, ...] = ()
    use_cache: bool = field(default=True)

    def __post_init__(self) -> None:
        if self.top_k is None:
            object.__setattr__(self, "top_k", WEIGHTED_TOP_K if self.mode == "weighted" else 40)
        for name in ("low_level_keywords", "high_level_keywords", "relation_keywords"):
            object.__setattr__(self, name, _words(name, getattr(self, name)))
        object.__setattr__(self, "conversation_history", tuple(map(_message, self.conversation_history)))
        self._check()

    def _check(self) -> None:
        if self.mode not in get_args(Mode):
            raise InvalidArgument(f"unknown mode {self.mode!r}", f"one of {', '.join(get_args(Mode))}")
        if self.chunk_pick_method not in get_args(ChunkPickMethod):
            raise InvalidArgument(f"unknown chunk_pick_method {self.chunk_pick_method!r}", "one of vector, weight")
        for name in ("top_k", "chunk_top_k", "max_total_tokens", "max_depth"):
            if whole_number(name, getattr(self, name)) < 1:
                raise InvalidArgument(f"{name} must be positive, got {getattr(self, name)}")
        for name in ("max_entity_tokens", "max_relation_tokens", "related_chunk_number"):
            if whole_number(name, getattr(self, name)) < 0:
                raise InvalidArgument(f"{name} must not be negative, got {getattr(self, name)}")
        if self.fusion not in get_args(Fusion):
            raise InvalidArgument(f"unknown fusion {self.fusion!r}", "one of weighted, rrf")
        weights = ("vector_weight", "graph_weight", "text_weight")
        for name in weights:
            if not 0 <= _number(name, getattr(self, name)) < math.inf:
                raise InvalidArgument(f"{name} must not be negative, got {getattr(self, name)}")
        if not any(getattr(self, name) for name in weights):
            raise InvalidArgument("one of vector_weight, graph_weight and text_weight must be above 0")
        if not 0 < _number("max_distance", self.max_distance) <= 2:
            raise InvalidArgument(f"max_distance must be above 0 and at most 2, got {self.max_distance}")
        _number("min_rerank_score", self.min_rerank_score)
        for name in ("response_type", "user_prompt", "system_prompt"):
            if (text := getattr(self, name)) is not None:
                require_text(name, text)
        if self.filter is not None:
            _require_metadata(self.filter)


@dataclass(frozen=True, kw_only=True)
class ExtractionOptions:
    """What the model is asked to look for in a chunk, and how often. All of it is part of the key of a kept reply.

    entity_types: the types to choose from; what fits none is `other`.
    language: of names and descriptions; proper nouns stay as they are.
    examples: shown to the model as they stand, for its format and its choice; none: "".
    max_entities, max_records: the most that is taken of one reply, entities, and entities and relations together; a
        reply names the most significant first.
    max_gleaning: how often the model is asked for what it has missed; a round that brings nothing new is the last.
    max_extract_input_tokens: a round that would send more than this is left out; 0: none is.

    Raises InvalidArgument for a value out of its domain.
    """

    entity_types: tuple[str, ...] = DEFAULT_ENTITY_TYPES
    language: str = "English"
    examples: str = ""
    max_entities: int = 40
    max_records: int = 100
    max_gleaning: int = 1
    max_extract_input_tokens: int = 20480

    def __post_init__(self) -> None:
        object.__setattr__(self, "entity_types", _words("entity_types", self.entity_types))
        if not self.entity_types:
            raise InvalidArgument("entity_types names no type")
        for name in ("language", "examples"):
            object.__setattr__(self, name, require_text(name, getattr(self, name)).strip())
        if not self.language:
            raise InvalidArgument("language is blank")
        for name in ("max_entities", "max_records"):
            if whole_number(name, getattr(self, name)) < 1:
                raise InvalidArgument(f"{name} must be positive, got {getattr(self, name)}")
        for name in ("max_gleaning", "max_extract_input_tokens"):
            if whole_number(name, getattr(self, name)) < 0:
                raise InvalidArgument(f"{name} must not be negative, got {getattr(self, name)}")


def require_text(name: str, value: object) -> str:
    """The value, when it is a string that can be stored and sent. Raises InvalidArgument."""
    if not isinstance(value, str):
        raise InvalidArgument(f"{name} must be a string, got {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        # Lone surrogates: bytes of the command line, or of a file, that are no UTF-8.
        raise InvalidArgument(f"{name} is no text: {value[:60]!a}, at character {error.start}") from error
    return value


def whole_number(name: str, value: object) -> int:
    """The value, when it is a whole number. Raises InvalidArgument."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InvalidArgument(f"{name} must be a whole number, got {value!r}")
    return int(value)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidArgument(f"{name} must be a number, got {value!r}")
    return float(value)


def _require_metadata(filter: object) -> None:
    if not isinstance(filter, Mapping):
        raise InvalidArgument(f"filter must be a mapping of document metadata, got {filter!r}")
    try:
        text = require_text("filter", json.dumps(dict(filter), ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"filter must be metadata as JSON has it: {error}") from error
    if "\\u0000" in text.replace(r"\\", ""):
        raise InvalidArgument("filter holds a NUL character, which no metadata can")


def _words(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, tuple | list) or not all(isinstance(word, str) for word in value):
        raise InvalidArgument(f"{name} must be a list of strings, got {value!r}")
    return tuple(require_text(name, word.strip()) for word in value if word.strip())


def _message(turn: Message | Mapping[str, str]) -> Message:
    if isinstance(turn, Message):
        return turn
    try:
        role, content = turn["role"], turn["content"]
    except (KeyError, TypeError) as error:
        raise InvalidArgument(f"a turn of the history needs role and content, got {turn!r}") from error
    if role not in ("user", "assistant", "system"):
        raise InvalidArgument(f"unknown role {role!r} in the history", "one of user, assistant, system")
    return Message(role, require_text("a turn of the history", content))  # type: ignore[arg-type]  # just checked
