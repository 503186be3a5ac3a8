"""What a database holds: workspaces and their budgets, documents, problems, and the picture of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


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
class WorkspaceBudget:
    """A row of `workspace_budget`: the most tokens that may ever be spent (None: any number), and those spent."""

    max_tokens: int | None
    spent_tokens: int


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
class Problem:
    """A row of `check_installation`: what is wrong, and its cure."""

    problem: str
    cure: str


@dataclass(frozen=True)
class CountedLine:
    """A row of `sample_of_lines`: a line of the prompt, without its newline, and the token count stored for it."""

    workspace: str
    kind: str
    id: int
    line: str
    token_count: int


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
