"""Entities and relations put into the tables by plain SQL, and the AGE graph read back by Cypher."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import psycopg

Row = tuple[Any, ...]


def add_workspace(connection: psycopg.Connection, name: str = "w") -> int:
    """A new workspace: its id."""
    return int(one(connection, "INSERT INTO pgrag.workspace (name) VALUES (%s) RETURNING id", name))


def add_entities(
    connection: psycopg.Connection, workspace_id: int, names: Iterable[str], kind: str = "thing"
) -> list[int]:
    """New entities, in one statement: their ids, in the order of the names."""
    rows = connection.execute(
        "INSERT INTO pgrag.entity (workspace_id, name, name_key, type)"
        " SELECT %s, n.name, pgrag.name_key(n.name), %s FROM unnest(%s::text[]) WITH ORDINALITY n(name, place)"
        " ORDER BY n.place RETURNING id",
        (workspace_id, kind, list(names)),
    ).fetchall()
    return [int(row[0]) for row in rows]


def add_relations(
    connection: psycopg.Connection,
    workspace_id: int,
    pairs: Sequence[tuple[int, int]],
    keywords: Sequence[str] = ("knows",),
    weight: float = 1.0,
) -> list[int]:
    """New relations, in one statement: their ids, in the order of the pairs."""
    rows = connection.execute(
        "INSERT INTO pgrag.relation (workspace_id, source_id, target_id, keywords, weight)"
        " SELECT %s, p.source_id, p.target_id, %s, %s"
        " FROM unnest(%s::bigint[], %s::bigint[]) WITH ORDINALITY p(source_id, target_id, place)"
        " ORDER BY p.place RETURNING id",
        (workspace_id, list(keywords), weight, [a for a, _ in pairs], [b for _, b in pairs]),
    ).fetchall()
    return [int(row[0]) for row in rows]


def one(connection: psycopg.Connection, query: str, *arguments: object) -> Any:
    """The one value of the one row."""
    row = connection.execute(query, arguments or None).fetchone()
    assert row is not None
    return row[0]


def cypher(connection: psycopg.Connection, query: str, columns: str) -> list[Row]:
    """The rows of a Cypher query, each value read as JSON."""
    connection.execute("SELECT ag_catalog.agtype_build_list()")
    path = one(connection, "SELECT current_setting('search_path')")
    connection.execute("SET search_path = ag_catalog, pg_catalog")
    typed = ", ".join(f"{name} agtype" for name in columns.split())
    rows = connection.execute(f"SELECT * FROM cypher('pgrag_graph', $cypher$ {query} $cypher$) AS ({typed})").fetchall()
    connection.execute("SELECT set_config('search_path', %s, false)", (path,))
    return [tuple(map(json.loads, row)) for row in rows]


def vertices(connection: psycopg.Connection) -> dict[int, Any]:
    """Entity id → properties, as the graph has them."""
    return {row[0]: row[1] for row in cypher(connection, "MATCH (n:Entity) RETURN n.id, properties(n)", "id item")}


def edges(connection: psycopg.Connection) -> dict[int, Any]:
    """Relation id → (source id, target id, properties), as the graph has them."""
    query = "MATCH (a:Entity)-[r:RELATES]->(b:Entity) RETURN r.id, a.id, b.id, properties(r)"
    return {row[0]: row[1:] for row in cypher(connection, query, "id source target item")}


def assert_graph_is_the_tables(connection: psycopg.Connection) -> None:
    """Cypher shows the entities and relations of the tables and nothing else, degrees are right, check_graph agrees."""
    entities = connection.execute("SELECT id, workspace_id, name, type FROM pgrag.entity").fetchall()
    assert vertices(connection) == {
        r[0]: dict(zip(("id", "workspace", "name", "type"), r, strict=True)) for r in entities
    }
    relations = connection.execute(
        "SELECT id, source_id, target_id, workspace_id, keywords, weight FROM pgrag.relation"
    ).fetchall()
    assert edges(connection) == {
        relation: (source, target, {"id": relation, "workspace": workspace, "keywords": keywords, "weight": weight})
        for relation, source, target, workspace, keywords, weight in relations
    }
    assert_degrees_are_right(connection)
    assert connection.execute("SELECT * FROM pgrag.check_graph()").fetchall() == []


def assert_degrees_are_right(connection: psycopg.Connection) -> None:
    """entity.degree is the number of relations at the entity."""
    ends: dict[int, int] = {}
    for pair in connection.execute("SELECT source_id, target_id FROM pgrag.relation"):
        for end in pair:
            ends[end] = ends.get(end, 0) + 1
    degrees = connection.execute("SELECT id, degree FROM pgrag.entity").fetchall()
    assert {entity: degree for entity, degree in degrees if degree} == ends
