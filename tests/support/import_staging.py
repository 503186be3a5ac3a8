"""An import as SQL sees it: rows put into the tables of `begin_import`, then `finish_import`."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

Row = dict[str, Any]
TABLES = (
    "documents",
    "chunks",
    "aliases",
    "entities",
    "entity_evidence",
    "relations",
    "relation_evidence",
    "sleeping",
)


class Staging:
    """One import on one connection, in its transaction. Lines number themselves; document `book` has chunks c0, c1, c2.

    The tables of an earlier import are dropped, as the end of its transaction would do.
    """

    def __init__(self, connection: psycopg.Connection, workspace: str = "w", *, prefix: str = "") -> None:
        self.connection, self.workspace, self.prefix = connection, workspace, prefix
        connection.execute("SELECT pgrag.create_workspace(%s)", (workspace,))
        for table in TABLES:
            connection.execute(
                sql.SQL("DROP TABLE IF EXISTS {}").format(sql.Identifier("pg_temp", f"pgrag_import_{table}"))
            )
        connection.execute("SELECT pgrag.begin_import()")
        self.insert("documents", line=1, id=f"{prefix}book", file_path=f"{prefix}book.txt")
        for index in range(3):
            self.insert(
                "chunks",
                line=index + 1,
                id=f"{prefix}c{index}",
                document_id=f"{prefix}book",
                chunk_index=index,
                content=f"Text {index}.",
                token_count=3,
            )
        self._lines = {"entities": 0, "relations": 0, "aliases": 0}

    def insert(self, table: str, **row: object) -> None:
        """Put a row into a staging table."""
        self.connection.execute(
            sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
                sql.Identifier(f"pgrag_import_{table}"),
                sql.SQL(", ").join(map(sql.Identifier, row)),
                sql.SQL(", ").join(sql.Placeholder() * len(row)),
            ),
            tuple(row.values()),
        )

    def entity(self, name: str, *evidence: Row, **more: object) -> None:
        """A line of entities.jsonl with its evidence; `chunk` of a piece is the number of the chunk."""
        line = self._next("entities")
        row = {"type": "person", "description": "", **more}
        self.insert("entities", line=line, name=name, has_evidence=bool(evidence), **row)
        for place, piece in enumerate(evidence):
            said = {"description": "", **piece}
            self.insert("entity_evidence", line=line, place=place, chunk_id=self._chunk(said), **said)

    def relation(self, source: str, target: str, *evidence: Row, **more: object) -> None:
        """A line of relations.jsonl with its evidence, whose weights are 1 unless they are given."""
        line = self._next("relations")
        row = {"keywords": [], "description": "", "weight": 1.0, **more}
        self.insert("relations", line=line, source=source, target=target, has_evidence=bool(evidence), **row)
        for place, piece in enumerate(evidence):
            said = {"description": "", "weight": 1.0, "keywords": [], **piece}
            self.insert("relation_evidence", line=line, place=place, chunk_id=self._chunk(said), **said)

    def alias(self, alias: str, name: str) -> None:
        """A line of aliases.jsonl."""
        self.insert("aliases", line=self._next("aliases"), alias=alias, name=name)

    def finish(self, *, strict: bool = False) -> Row:
        """Finish the import: the counts."""
        cursor = self.connection.execute("SELECT * FROM pgrag.finish_import(%s, %s)", (self.workspace, strict))
        names = [column.name for column in cursor.description or ()]
        (row,) = cursor.fetchall()
        return dict(zip(names, row, strict=True))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self.connection.execute(query).fetchall()

    def _next(self, table: str) -> int:
        self._lines[table] += 1
        return self._lines[table]

    def _chunk(self, piece: Row) -> str:
        return f"{self.prefix}c{piece.pop('chunk')}"


def import_again(connection: psycopg.Connection, prefix: str = "later-") -> Staging:
    """A second import in the same transaction, whose document and chunks have other ids, unless `prefix` is empty."""
    return Staging(connection, prefix=prefix)
