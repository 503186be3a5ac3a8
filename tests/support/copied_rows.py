"""All rows of a workspace by their natural keys, ids and times aside: what two workspaces must share to be the same."""

from __future__ import annotations

from typing import Any

import psycopg

Rows = dict[str, list[tuple[Any, ...]]]

_CHUNK = "(SELECT d.document_key || '#' || c.chunk_index FROM pgrag.chunk c JOIN pgrag.document d"
_OF_CHUNK = f"{_CHUNK} ON d.workspace_id = c.workspace_id AND d.id = c.document_id WHERE c.id = v.chunk_id)"
_ENTITY = "(SELECT e.name_key FROM pgrag.entity e WHERE e.id = {})"
_ENDS = "ARRAY[" + _ENTITY.format("r.source_id") + ", " + _ENTITY.format("r.target_id") + "]"
_OF_RELATION = f"(SELECT {_ENDS} FROM pgrag.relation r WHERE r.id = v.relation_id)"
_QUERIES = {
    "document": "SELECT v.document_key, v.file_path, v.source_path, v.content, v.content_hash, v.metadata::text,"
    " v.status FROM pgrag.document v",
    "chunk": f"SELECT {_OF_CHUNK.replace('v.chunk_id', 'v.id')}, v.chunk_key, v.content, v.token_count,"
    " v.metadata::text, v.fts::text FROM pgrag.chunk v",
    "entity": "SELECT v.name_key, v.name, v.type, v.description, v.description_source, v.stated_type,"
    " v.stated_description, v.by_hand, v.degree, v.token_count, v.stale, v.edited_name, v.edited_type,"
    " v.edited_description, v.summary_of, v.unsummarized FROM pgrag.entity v",
    "entity_alias": "SELECT v.alias_key, v.alias, v.canonical_key, v.canonical, v.kept::text FROM pgrag.entity_alias v",
    "relation": f"SELECT {_ENDS.replace('r.', 'v.')}, v.keywords, v.description, v.description_source,"
    " v.stated_keywords, v.stated_description, v.stated_weight, v.by_hand, v.weight, v.token_count, v.stale,"
    " v.edited_keywords, v.edited_description, v.edited_weight, v.summary_of, v.unsummarized FROM pgrag.relation v",
    "entity_evidence": f"SELECT {_ENTITY.format('v.entity_id')}, {_OF_CHUNK}, v.ordinal, v.name, v.name_key, v.type,"
    " v.description, v.kind, v.stated_order FROM pgrag.entity_evidence v",
    "relation_evidence": f"SELECT {_OF_RELATION}, {_OF_CHUNK}, v.ordinal, v.source, v.target, v.source_key,"
    " v.target_key, v.keywords, v.weight, v.description, v.stated_order FROM pgrag.relation_evidence v",
    "chunk_embedding": f"SELECT {_OF_CHUNK}, v.embedding::text FROM pgrag.chunk_embedding v",
    "entity_embedding": f"SELECT {_ENTITY.format('v.entity_id')}, v.text_hash, v.embedding::text"
    " FROM pgrag.entity_embedding v",
    "relation_embedding": f"SELECT {_OF_RELATION}, v.text_hash, v.embedding::text FROM pgrag.relation_embedding v",
}


def workspace_rows(connection: psycopg.Connection, workspace: str) -> Rows:
    """The rows of each table, sorted."""
    condition = " WHERE v.workspace_id = (SELECT id FROM pgrag.workspace WHERE name = %s)"
    return {
        table: sorted(connection.execute(query + condition, (workspace,)).fetchall(), key=repr)
        for table, query in _QUERIES.items()
    }
