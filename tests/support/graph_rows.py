"""A workspace as rows that two workspaces can be compared by: names in the place of ids, no times."""

from __future__ import annotations

import json
from typing import Any

import psycopg

_QUERIES = {
    "entities": """
        SELECT e.name_key, e.name, e.type, e.description, e.description_source, e.degree, e.by_hand, e.stated_type,
               e.stated_description, e.edited_name, e.edited_type, e.edited_description, e.summary_of, e.unsummarized
          FROM pgrag.entity e WHERE e.workspace_id = %(w)s""",
    "relations": """
        SELECT a.name_key, b.name_key, r.keywords, r.description, r.description_source, r.weight, r.by_hand,
               r.stated_keywords, r.stated_description, r.stated_weight, r.edited_keywords, r.edited_description,
               r.edited_weight
          FROM pgrag.relation r JOIN pgrag.entity a ON a.id = r.source_id JOIN pgrag.entity b ON b.id = r.target_id
         WHERE r.workspace_id = %(w)s""",
    "entity_evidence": """
        SELECT d.document_key, c.chunk_index, v.name_key, e.name_key, v.ordinal, v.name, v.type, v.description, v.kind
          FROM pgrag.entity_evidence v JOIN pgrag.entity e ON e.id = v.entity_id
          JOIN pgrag.chunk c ON c.id = v.chunk_id JOIN pgrag.document d ON d.id = c.document_id
         WHERE v.workspace_id = %(w)s""",
    "relation_evidence": """
        SELECT d.document_key, c.chunk_index, v.source_key, v.target_key, a.name_key, b.name_key, v.ordinal, v.source,
               v.target, v.keywords, v.weight, v.description
          FROM pgrag.relation_evidence v LEFT JOIN pgrag.relation r ON r.id = v.relation_id
          LEFT JOIN pgrag.entity a ON a.id = r.source_id LEFT JOIN pgrag.entity b ON b.id = r.target_id
          JOIN pgrag.chunk c ON c.id = v.chunk_id JOIN pgrag.document d ON d.id = c.document_id
         WHERE v.workspace_id = %(w)s""",
    "aliases": """
        SELECT m.alias_key, m.alias, m.canonical_key, m.canonical, m.kept
          FROM pgrag.entity_alias m WHERE m.workspace_id = %(w)s""",
}


def graph_rows(db: psycopg.Connection, workspace: str = "w") -> dict[str, list[Any]]:
    """Entities, relations, evidence and aliases of a workspace, each sorted."""
    (key,) = db.execute("SELECT id FROM pgrag.workspace WHERE name = %s", (workspace,)).fetchone() or (0,)
    return {
        what: sorted((list(row) for row in db.execute(query, {"w": key})), key=lambda row: json.dumps(row))
        for what, query in _QUERIES.items()
    }


def assert_sound(db: psycopg.Connection) -> None:
    """Nothing is wrong with the installation, the graph of AGE included."""
    assert db.execute("SELECT * FROM pgrag.check_installation()").fetchall() == []
