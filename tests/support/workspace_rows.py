"""Everything a workspace holds, by natural keys: what two workspaces that should be the same are compared by.

    assert_same_rows(workspace_rows(one), workspace_rows(another))

Ids and times are left out, and the documents' bookkeeping that depends on who worked when; everything else is there:
texts, evidence, derived columns with the direction of relations, aliases, vectors, and the graph as Cypher shows it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, LiteralString

import psycopg

from support.graph_store import edges, vertices

Rows = dict[str, list[tuple[Any, ...]]]

_QUERIES: dict[str, LiteralString] = {
    "documents": """
        SELECT d.document_key, d.file_path, d.source_path, d.content, d.content_hash, d.metadata::text, d.status,
               d.error
          FROM pgrag.document d WHERE d.workspace_id = %(id)s""",
    "jobs": """
        SELECT d.document_key, j.content_hash, j.state
          FROM pgrag.job j JOIN pgrag.document d USING (workspace_id) WHERE j.workspace_id = %(id)s
           AND d.id = j.document_id""",
    "chunks": """
        SELECT d.document_key, c.chunk_index, c.chunk_key, c.content, c.token_count, c.metadata::text, v.embedding::text
          FROM pgrag.chunk c
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
          LEFT JOIN pgrag.chunk_embedding v ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
         WHERE c.workspace_id = %(id)s""",
    "entities": """
        SELECT e.name_key, e.name, e.type, e.description, e.description_source, e.stated_type, e.stated_description,
               e.edited_name, e.edited_type, e.edited_description, e.summary_of, e.unsummarized,
               e.by_hand, e.degree, e.token_count, e.stale, v.text_hash, v.embedding::text
          FROM pgrag.entity e
          LEFT JOIN pgrag.entity_embedding v ON v.workspace_id = e.workspace_id AND v.entity_id = e.id
         WHERE e.workspace_id = %(id)s""",
    "aliases": """
        SELECT a.alias_key, a.alias, a.canonical_key, a.canonical, a.kept::text
          FROM pgrag.entity_alias a WHERE a.workspace_id = %(id)s""",
    "relations": """
        SELECT a.name_key, b.name_key, r.keywords, r.description, r.description_source, r.stated_keywords,
               r.stated_description, r.stated_weight, r.edited_keywords, r.edited_description, r.edited_weight,
               r.summary_of, r.unsummarized, r.by_hand, r.weight, r.token_count, r.stale, v.text_hash,
               v.embedding::text
          FROM pgrag.relation r
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
          LEFT JOIN pgrag.relation_embedding v ON v.workspace_id = r.workspace_id AND v.relation_id = r.id
         WHERE r.workspace_id = %(id)s""",
    "entity evidence": """
        SELECT v.name_key, e.name_key, d.document_key, c.chunk_index, v.ordinal, v.name, v.type, v.description, v.kind,
               v.stated_order
          FROM pgrag.entity_evidence v
          JOIN pgrag.entity e ON e.workspace_id = v.workspace_id AND e.id = v.entity_id
          JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE v.workspace_id = %(id)s""",
    "relation evidence": """
        SELECT v.source_key, v.target_key, a.name_key, b.name_key, d.document_key, c.chunk_index, v.ordinal, v.source,
               v.target, v.keywords, v.weight, v.description, v.stated_order
          FROM pgrag.relation_evidence v
          LEFT JOIN pgrag.relation r ON r.workspace_id = v.workspace_id AND r.id = v.relation_id
          LEFT JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          LEFT JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
          JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE v.workspace_id = %(id)s""",
}


def workspace_rows(url: str, workspace: str = "w", *, without: tuple[str, ...] = ()) -> Rows:
    """The rows of a workspace, table by table, each sorted. `without` names tables that do not matter."""
    with psycopg.connect(url) as connection:
        return rows_of_workspace(connection, workspace, without=without)


def rows_of_workspace(connection: psycopg.Connection, workspace: str, *, without: tuple[str, ...] = ()) -> Rows:
    """The same on a connection that is there already."""
    found = connection.execute("SELECT id FROM pgrag.workspace WHERE name = %s", (workspace,)).fetchone()
    assert found is not None, f"there is no workspace {workspace!r}"
    rows = {
        name: sorted(connection.execute(query, {"id": found[0]}).fetchall(), key=repr)
        for name, query in _QUERIES.items()
        if name not in without
    }
    return rows if "graph" in without else rows | _graph(connection, found[0])


def assert_same_rows(found: Rows, expected: Rows) -> None:
    """The two hold the same; if not, the first rows that differ are named."""
    assert found.keys() == expected.keys()
    for table in expected:
        wanted, got = Counter(map(repr, expected[table])), Counter(map(repr, found[table]))
        missing, surplus = list((wanted - got).elements()), list((got - wanted).elements())
        assert missing + surplus == [], f"{table}: missing {missing[:3]}, surplus {surplus[:3]}"


def _graph(connection: psycopg.Connection, workspace_id: int) -> Rows:
    """Vertices and edges, with names in the place of ids; no rows where the database has no graph."""
    installed = connection.execute("SELECT pgrag.graph_installed()").fetchone()
    if installed != (True,):
        return {"vertices": [], "edges": []}
    nodes = {key: node for key, node in vertices(connection).items() if node["workspace"] == workspace_id}
    kept = [edge for edge in edges(connection).values() if edge[2]["workspace"] == workspace_id]
    return {
        "vertices": sorted((node["name"], node["type"]) for node in nodes.values()),
        "edges": sorted(
            (nodes[source]["name"], nodes[target]["name"], tuple(item["keywords"]), item["weight"])
            for source, target, item in kept
        ),
    }
