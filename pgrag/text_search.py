"""Chunks by their words: what needs no model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pgrag import calls
from pgrag.flow import Flow, call


@dataclass(frozen=True)
class ChunkByText:
    """A row of `search_chunks_by_text`: `score` is the share (0..1) of the words that it holds."""

    id: int
    document_id: str
    file_path: str
    chunk_index: int
    content: str
    token_count: int
    score: float


def search_chunks_by_text(
    workspace: str, query: str, top_k: int, filter: Mapping[str, Any] | None
) -> Flow[list[ChunkByText]]:
    return call(
        ChunkByText,
        "search_chunks_by_text",
        workspace=workspace,
        query=query,
        top_k=top_k,
        filter=None if filter is None else calls.as_json(filter),
    )
