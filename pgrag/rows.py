"""The values that go from stage to stage: rows of our SQL functions, and what is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

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
class Trace:
    """How an answer came about: the corpus version it is made from, seconds by stage, and warnings."""

    corpus_version: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


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


@dataclass(frozen=True)
class Enqueued:
    """A row of `enqueue_document`: `action` is unchanged, queued or busy."""

    document_id: int
    action: str


@dataclass(frozen=True)
class Job:
    """A row of `claim_job`: a version of a document to be worked on."""

    job_id: int
    document: str
    content: str
    content_hash: str
    options: Mapping[str, Any]
    attempts: int


@dataclass(frozen=True)
class KeptExtraction:
    """A row of `kept_extractions`."""

    content_hash: str
    reply: Mapping[str, Any]


@dataclass(frozen=True)
class KeptSummary:
    """A row of `kept_summaries`."""

    content_hash: str
    summary: str


@dataclass(frozen=True)
class PublishedHash:
    """A row of `published_hashes`: SHA-256, hex, of the text that is published of a document."""

    document: str
    content_hash: str


@dataclass(frozen=True)
class WorkspaceBudget:
    """A row of `workspace_budget`: the most tokens that may ever be spent (None: any number), and those spent."""

    max_tokens: int | None
    spent_tokens: int


@dataclass(frozen=True)
class NewText:
    """A row of `new_texts`: a text to embed, and the prompt line whose tokens to count."""

    text_hash: str
    embedded_text: str
    line: str


@dataclass(frozen=True)
class Published:
    """A row of `publish_document`: how much the document named."""

    document: str
    chunk_count: int
    entity_count: int
    relation_count: int


@dataclass(frozen=True)
class StaleItem:
    """A row of `refresh_pending`: an entity or relation that wants a `summary`, or else an `embedding`."""

    kind: str
    id: int
    wants: str
    name: str
    description: str
    text_hash: str
    embedded_text: str
    line: str


@dataclass(frozen=True)
class DocumentInfo:
    """A row of `list_documents`."""

    document: str
    file_path: str
    status: str
    error: str | None
    metadata: Mapping[str, Any]
    chunk_count: int
    job_state: str | None
    created_at: datetime
    ready_at: datetime | None


@dataclass(frozen=True)
class DocumentDetails:
    """A row of `document_details`. `usage` is by role: calls, cached, prompt_tokens, completion_tokens."""

    document: str
    file_path: str
    source_path: str | None
    status: str
    error: str | None
    metadata: Mapping[str, Any]
    content_hash: str | None
    characters: int | None
    chunk_count: int
    entity_count: int
    relation_count: int
    job_state: str | None
    attempts: int | None
    worker: str | None
    lease_until: datetime | None
    usage: Mapping[str, Mapping[str, int]]
    created_at: datetime
    updated_at: datetime
    ready_at: datetime | None


@dataclass(frozen=True)
class PendingWork:
    """A row of `pending_work`: a workspace with jobs to take, jobs that others hold, or vectors to make anew."""

    name: str
    takeable: int
    under_way: int
    stale: bool


@dataclass(frozen=True)
class WorkspaceInfo:
    """A row of `list_workspaces`."""

    workspace: str
    corpus_version: int
    documents: int
    ready_documents: int
    failed_documents: int
    chunks: int
    entities: int
    relations: int
    stale_items: int


@dataclass(frozen=True)
class Problem:
    """A row of `check_installation`: what is wrong, and its cure."""

    problem: str
    cure: str


@dataclass(frozen=True)
class PictureRow:
    """A row of `graph_picture`: a node (an entity) or an edge (a relation)."""

    kind: str
    id: int
    name: str | None
    type: str | None
    description: str
    degree: int | None
    source_id: int | None
    target_id: int | None
    keywords: list[str] | None
    weight: float | None
