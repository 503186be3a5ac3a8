"""Documents on their way into the graph: jobs, kept replies, and what is to be embedded or made anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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
class PendingWork:
    """A row of `pending_work`: a workspace with jobs to take, jobs that others hold, or vectors to make anew."""

    name: str
    takeable: int
    under_way: int
    stale: bool
