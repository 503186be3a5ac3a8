"""What a question leads to: what retrieval found, the context made of it, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pgrag.citing import describe


@dataclass(frozen=True)
class Retrieved:
    """A row of `retrieve`: one item of the context; `distance` is cosine (0..2), None where no vector was asked."""

    kind: str
    ordinal: int
    id: int
    item: Mapping[str, Any]
    token_count: int
    source: str
    distance: float | None


@dataclass(frozen=True)
class Explained:
    """A row of `explain_retrieve`: a candidate, kept with its `ordinal`, or with the one reason why not."""

    kind: str
    id: int
    leg: str
    rank: int | None
    distance: float | None
    token_count: int
    kept: bool
    reason: str | None
    ordinal: int | None


@dataclass(frozen=True)
class ItemLabel:
    """A row of `item_labels`: what people call an item."""

    kind: str
    id: int
    label: str


@dataclass(frozen=True)
class ContextEntity:
    """An entity of the context. `source` is the leg that found it: local or global."""

    id: int
    name: str
    type: str
    description: str
    degree: int
    token_count: int
    source: str
    distance: float | None


@dataclass(frozen=True)
class ContextRelation:
    """A relation of the context; `rank` is the sum of its ends' degrees, `score` of weighted mode alone."""

    id: int
    source: str
    target: str
    keywords: tuple[str, ...]
    description: str
    weight: float
    rank: int
    token_count: int
    leg: str
    distance: float | None
    score: float | None = None


@dataclass(frozen=True)
class ContextChunk:
    """A chunk of the context. `reference_id` is its document's number in the references.

    metadata: where it stands, `{"page": 3, "last_page": 4, "section": "Chapter 1 > Rooms"}`; empty where nobody knows.
    rerank_score: the reranker's; None where none was asked, or none answered.
    score: of weighted mode alone.
    """

    id: int
    content: str
    document_id: str
    file_path: str
    chunk_index: int
    token_count: int
    source: str
    distance: float | None
    reference_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    rerank_score: float | None = None
    score: float | None = None


@dataclass(frozen=True)
class Reference:
    """A document that chunks of the context come from: its number, path and id.

    places: the metadata of those chunks, each once, in the document's order; without those that have none.
    """

    reference_id: str
    file_path: str
    document_id: str
    places: tuple[Mapping[str, Any], ...] = ()

    @property
    def label(self) -> str:
        """The document, and where in it: `report.pdf, p. 3-4`."""
        where = describe(self.places)
        return f"{self.file_path}, {where}" if where else self.file_path


@dataclass(frozen=True)
class Keywords:
    """The keywords of a question: themes (high level), and names and terms (low level)."""

    high_level: tuple[str, ...] = ()
    low_level: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stage:
    """What a stage of a question took and gave: how many items of each kind, in retrieve also by leg (`entity local`).

    dropped: how many fell, by reason: limit, threshold, budget.
    note: which reranker was asked, or why the order is as it was.
    """

    name: str
    taken: Mapping[str, int] = field(default_factory=dict)
    given: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Trace:
    """How an answer came about: the corpus version it is made from, seconds by stage, warnings, and the stages.

    cache: hit (the answer was kept; all else is of when it was made), miss, or off (not asked).
    """

    corpus_version: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()
    cache: Literal["hit", "miss", "off"] = "off"


@dataclass(frozen=True)
class Context:
    """What retrieval found, as the model reads it (`text`) and as values; all in final order, cut to the budgets."""

    entities: tuple[ContextEntity, ...] = ()
    relations: tuple[ContextRelation, ...] = ()
    chunks: tuple[ContextChunk, ...] = ()
    references: tuple[Reference, ...] = ()
    text: str = ""
    token_count: int = 0
    keywords: Keywords = field(default_factory=Keywords)
    trace: Trace = field(default_factory=Trace)

    def __bool__(self) -> bool:
        return bool(self.entities or self.relations or self.chunks)


@dataclass(frozen=True)
class Answer:
    """The answer to a question, and everything it rests on. Without any find, `context` is empty and `text` says so."""

    text: str
    references: tuple[Reference, ...] = ()
    context: Context = field(default_factory=Context)
    keywords: Keywords = field(default_factory=Keywords)
    trace: Trace = field(default_factory=Trace)
    is_cached: bool = False


@dataclass(frozen=True)
class CachedReply:
    """A row of `cached_reply`: the corpus version now, and the reply if one is kept."""

    corpus_version: int
    value: Any
