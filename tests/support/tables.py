"""How many rows every table has, those of the graph too: what a test compares before and after."""

from __future__ import annotations

import psycopg
from psycopg import sql

_TABLES = """
    SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('pgrag', 'pgrag_graph') AND c.relkind IN ('r', 'p') ORDER BY 1, 2
"""


def row_counts(url: str, *, without: tuple[str, ...] = ()) -> dict[str, int]:
    """Rows of each table of pgrag, by name; a parent of the graph's label tables is not counted with its children."""
    with psycopg.connect(url) as connection:
        return {
            table: _count(connection, schema, table)
            for schema, table in connection.execute(_TABLES).fetchall()
            if table not in without
        }


def _count(connection: psycopg.Connection, schema: str, table: str) -> int:
    row = connection.execute(sql.SQL("SELECT count(*) FROM ONLY {}").format(sql.Identifier(schema, table))).fetchone()
    assert row is not None
    return int(row[0])
