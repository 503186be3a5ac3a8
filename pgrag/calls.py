"""One constructor for each SQL function that Python calls; a test holds them against pg_proc.

Vectors, arrays of vectors and JSON travel as text: the server knows the types of its arguments, wherever the DBA put
the extension.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pgrag.errors import InvalidArgument
from pgrag.flow import Flow, call
from pgrag.installation import Installation
from pgrag.models.protocols import Vectors
from pgrag.options import QueryOptions
from pgrag.rows import (
    CachedReply,
    DocumentInfo,
    Explained,
    ItemLabel,
    NewText,
    PictureRow,
    Problem,
    Published,
    PublishedHash,
    Retrieved,
    StaleItem,
    WorkspaceInfo,
)

Nothing = type(None)


def installation() -> Flow[list[Installation]]:
    return call(Installation, "installation")


def create_workspace(workspace: str) -> Flow[list[int]]:
    return call(int, "create_workspace", workspace=workspace)


def delete_workspace(workspace: str) -> Flow[list[int]]:
    return call(int, "delete_workspace", workspace=workspace)


def list_workspaces() -> Flow[list[WorkspaceInfo]]:
    return call(WorkspaceInfo, "list_workspaces")


def list_documents(workspace: str, with_status: str | None = None) -> Flow[list[DocumentInfo]]:
    return call(DocumentInfo, "list_documents", workspace=workspace, with_status=with_status)


def delete_document(workspace: str, document: str, keep_extractions: bool) -> Flow[list[str]]:
    return call(str, "delete_document", workspace=workspace, document=document, keep_extractions=keep_extractions)


def graph_picture(workspace: str, max_nodes: int) -> Flow[list[PictureRow]]:
    return call(PictureRow, "graph_picture", workspace=workspace, max_nodes=max_nodes)


def check_installation() -> Flow[list[Problem]]:
    return call(Problem, "check_installation")


def repair_installation() -> Flow[list[str]]:
    return call(str, "repair_installation")


def clear_cache(workspace: str) -> Flow[list[int]]:
    return call(int, "clear_cache", workspace=workspace)


def published_hashes(workspace: str, documents: Sequence[str]) -> Flow[list[PublishedHash]]:
    return call(PublishedHash, "published_hashes", workspace=workspace, documents=list(documents))


def new_texts(workspace: str, entities: Records, relations: Records) -> Flow[list[NewText]]:
    return call(NewText, "new_texts", workspace=workspace, entities=as_json(entities), relations=as_json(relations))


def publish_document(
    workspace: str,
    job_id: int,
    worker: str,
    chunks: Records,
    embeddings: Vectors,
    entities: Records,
    relations: Records,
    text_hashes: Sequence[str],
    text_embeddings: Vectors,
    token_counts: Sequence[int],
) -> Flow[list[Published]]:
    return call(
        Published,
        "publish_document",
        workspace=workspace,
        job_id=job_id,
        worker=worker,
        chunks=as_json(chunks),
        embeddings=as_vectors(embeddings),
        entities=as_json(entities),
        relations=as_json(relations),
        text_hashes=list(text_hashes),
        text_embeddings=as_vectors(text_embeddings),
        token_counts=list(token_counts),
    )


def refresh_pending(workspace: str, batch: int) -> Flow[list[StaleItem]]:
    return call(StaleItem, "refresh_pending", workspace=workspace, batch=batch)


def store_refreshed(
    workspace: str,
    entity_ids: Sequence[int],
    relation_ids: Sequence[int],
    text_hashes: Sequence[str],
    embeddings: Vectors,
    token_counts: Sequence[int],
) -> Flow[list[int]]:
    return call(
        int,
        "store_refreshed",
        workspace=workspace,
        entity_ids=list(entity_ids),
        relation_ids=list(relation_ids),
        text_hashes=list(text_hashes),
        embeddings=as_vectors(embeddings),
        token_counts=list(token_counts),
    )


def store_summaries(
    workspace: str,
    kinds: Sequence[str],
    ids: Sequence[int],
    text_hashes: Sequence[str],
    summaries: Sequence[str | None],
) -> Flow[list[int]]:
    return call(
        int,
        "store_summaries",
        workspace=workspace,
        kinds=list(kinds),
        ids=list(ids),
        text_hashes=list(text_hashes),
        summaries=list(summaries),
    )


def retrieve(
    workspace: str,
    query_embedding: Sequence[float] | None,
    low_level_embedding: Sequence[float] | None,
    high_level_embedding: Sequence[float] | None,
    options: QueryOptions,
    max_chunks: int | None = None,
) -> Flow[list[Retrieved]]:
    embeddings = (query_embedding, low_level_embedding, high_level_embedding)
    return call(Retrieved, "retrieve", **_asked(workspace, embeddings, options, max_chunks))


def explain_retrieve(
    workspace: str,
    query_embedding: Sequence[float] | None,
    low_level_embedding: Sequence[float] | None,
    high_level_embedding: Sequence[float] | None,
    options: QueryOptions,
    max_chunks: int | None = None,
) -> Flow[list[Explained]]:
    embeddings = (query_embedding, low_level_embedding, high_level_embedding)
    return call(Explained, "explain_retrieve", **_asked(workspace, embeddings, options, max_chunks))


def _asked(
    workspace: str,
    embeddings: tuple[Sequence[float] | None, Sequence[float] | None, Sequence[float] | None],
    options: QueryOptions,
    max_chunks: int | None,
) -> dict[str, object]:
    """The arguments that retrieve and explain_retrieve share."""
    query, low_level, high_level = map(as_vector, embeddings)
    return {
        "workspace": workspace,
        "mode": options.mode,
        "query_embedding": query,
        "low_level_embedding": low_level,
        "high_level_embedding": high_level,
        "top_k": options.top_k,
        "chunk_top_k": options.chunk_top_k,
        "max_entity_tokens": options.max_entity_tokens,
        "max_relation_tokens": options.max_relation_tokens,
        "max_distance": options.max_distance,
        "related_chunk_number": options.related_chunk_number,
        "chunk_pick_method": options.chunk_pick_method,
        "max_chunks": max_chunks,
        "filter": None if options.filter is None else as_json(options.filter),
    }


def item_labels(workspace: str, kinds: Sequence[str], ids: Sequence[int]) -> Flow[list[ItemLabel]]:
    return call(ItemLabel, "item_labels", workspace=workspace, kinds=list(kinds), ids=list(ids))


def cached_reply(workspace: str, kind: str, key: str) -> Flow[list[CachedReply]]:
    return call(CachedReply, "cached_reply", workspace=workspace, kind=kind, key=key)


def keep_reply(workspace: str, kind: str, key: str, value: Any, corpus_version: int | None) -> Flow[list[bool]]:
    return call(
        bool,
        "keep_reply",
        workspace=workspace,
        kind=kind,
        key=key,
        value=as_json(value),
        corpus_version=corpus_version,
    )


Records = Sequence[Mapping[str, Any]]


def as_json(value: object) -> str:
    """JSON as the server reads it. Raises InvalidArgument for what JSON cannot say."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"not a value of JSON: {error}") from error


def as_vector(vector: Iterable[float] | None) -> str | None:
    """A vector in pgvector's text form, with the seven digits that float32 holds."""
    return None if vector is None else "[" + ",".join(f"{float(x):.7g}" for x in vector) + "]"


def as_vectors(vectors: Vectors) -> str:
    """An array of vectors, in the server's text form."""
    # One format for a whole row: formatting each number by itself takes twice as long, and there are very many.
    row_format = '"[' + ",".join(["%.7g"] * vectors.shape[1]) + ']"'
    return "{" + ",".join(row_format % tuple(row) for row in vectors.tolist()) + "}"
