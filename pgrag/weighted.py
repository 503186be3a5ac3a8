"""Weighted mode, HybridRAG's: chunks and triples of the graph as one list, by weighted scores, told best first.

`top_k` and `max_total_tokens` are what limits it; the limits of chunks, entities and relations belong to other modes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pgrag import calls
from pgrag.flow import Flow, call
from pgrag.options import QueryOptions
from pgrag.rows import ContextChunk, ContextRelation


@dataclass(frozen=True)
class WeightedHit:
    """A row of `retrieve_weighted`: a chunk (`source` vector or text) or a triple (graph), with its fused score."""

    ordinal: int
    source: str
    id: int
    content: str
    score: float
    item: Mapping[str, Any]


def retrieve_weighted(
    workspace: str,
    query_text: str,
    query_embedding: Sequence[float] | None,
    entity_names: Sequence[str],
    options: QueryOptions,
) -> Flow[list[WeightedHit]]:
    return call(
        WeightedHit,
        "retrieve_weighted",
        workspace=workspace,
        query_embedding=calls.as_vector(query_embedding),
        entity_names=list(entity_names),
        vector_weight=options.vector_weight,
        graph_weight=options.graph_weight,
        top_k=options.top_k,
        max_depth=options.max_depth,
        relation_keywords=list(options.relation_keywords),
        fusion=options.fusion,
        max_distance=options.max_distance,
        filter=None if options.filter is None else calls.as_json(options.filter),
        query_text=query_text,
        text_weight=options.text_weight,
    )


def item_of(hit: WeightedHit) -> ContextChunk | ContextRelation:
    """The hit as the context holds it."""
    return _relation(hit) if hit.source == "graph" else _chunk(hit)


def _chunk(hit: WeightedHit) -> ContextChunk:
    item = hit.item
    return ContextChunk(
        hit.id,
        hit.content,
        item["document_id"],
        item["file_path"],
        item["chunk_index"],
        item["token_count"],
        hit.source,
        item.get("distance"),
        metadata=item.get("metadata", {}),
        score=hit.score,
    )


def _relation(hit: WeightedHit) -> ContextRelation:
    item = hit.item
    return ContextRelation(
        hit.id,
        item["source"],
        item["target"],
        tuple(item["keywords"]),
        item["description"],
        float(item["weight"]),
        item["rank"],
        item["token_count"],
        hit.source,
        None,
        score=hit.score,
    )
