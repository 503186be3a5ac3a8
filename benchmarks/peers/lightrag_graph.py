"""A folder of the interchange format, as LightRAG 1.5.7 keeps a graph: by its storages' upserts, or by COPY.

COPY is for large graphs in PostgreSQL: LightRAG makes its own tables, the vector indexes are dropped and built again by
LightRAG's own definition, and the graph of AGE is filled through its label tables (upserts of edges do some 240/s).
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from lightrag_ingest import digest

SEPARATOR = "<SEP>"
LOADED_AT = datetime.datetime(2026, 1, 1)
Row = dict[str, Any]


class Graph:
    """The lines of the folder, read once; `vectors(kind)` are theirs, row for line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chunks = [self._chunk(line) for line in self._lines("chunks")]
        self.entities = [self._entity(line) for line in self._lines("entities")]
        self.relations = [self._relation(line) for line in self._lines("relations")]

    def vectors(self, kind: str) -> np.ndarray:
        """float32 (lines, dimensions)."""
        return np.load(self.folder / f"{kind}.npy", mmap_mode="r")

    def texts(self) -> Iterator[tuple[str, np.ndarray]]:
        """Each text that is embedded, with its embedding."""
        for kind, rows in (("chunks", self.chunks), ("entities", self.entities), ("relations", self.relations)):
            yield from zip((row["content"] for row in rows), self.vectors(kind), strict=True)

    def _lines(self, kind: str) -> Iterator[Row]:
        with (self.folder / f"{kind}.jsonl").open(encoding="utf-8") as stream:
            yield from map(json.loads, stream)

    def _chunk(self, line: Row) -> Row:
        about = {"full_doc_id": line["document_id"], "file_path": line["document_id"], "llm_cache_list": []}
        tokens = len(line["content"].split())
        return {**about, "id": line["id"], "content": line["content"], "tokens": tokens,
                "chunk_order_index": line["chunk_index"]}  # fmt: skip

    def _entity(self, line: Row) -> Row:
        name, description = line["name"], line["description"]
        return {"id": digest(name, "ent-"), "content": f"{name}\n{description}", "entity_name": name,
                "entity_type": line["type"], "description": description, **_sources(line)}  # fmt: skip

    def _relation(self, line: Row) -> Row:
        source, target = sorted((line["source"], line["target"]))
        keywords = ", ".join(line["keywords"])
        content = f"{keywords}\t{source}\n{target}\n{line['description']}"
        return {"id": digest(source + target, "rel-"), "content": content, "src_id": source, "tgt_id": target,
                "keywords": keywords, "description": line["description"], "weight": line["weight"],
                **_sources(line)}  # fmt: skip


def _sources(line: Row) -> Row:
    return {"source_id": SEPARATOR.join(piece["chunk_id"] for piece in line["evidence"]), "file_path": "folder"}


def _chunk_ids(row: Row) -> list[str]:
    return str(row["source_id"]).split(SEPARATOR)


def _node(row: Row) -> Row:
    kept = {name: row[name] for name in ("entity_type", "description", "source_id", "file_path")}
    return {"entity_id": row["entity_name"], **kept, "created_at": 1760000000, "truncate": ""}


def _edge(row: Row) -> Row:
    kept = {name: row[name] for name in ("weight", "description", "keywords", "source_id", "file_path")}
    return {**kept, "created_at": 1760000000, "truncate": ""}


async def load_by_upserts(rag: Any, graph: Graph) -> None:
    """By the storages' own upserts."""
    chunks = {row["id"]: {name: row[name] for name in row if name != "id"} for row in graph.chunks}
    for storage, rows in (
        (rag.text_chunks, chunks),
        (rag.chunks_vdb, chunks),
        (rag.entities_vdb, {row["id"]: row for row in graph.entities}),
        (rag.relationships_vdb, {row["id"]: row for row in graph.relations}),
    ):
        await storage.upsert(rows)
        await storage.index_done_callback()
    nodes = rag.chunk_entity_relation_graph
    await nodes.upsert_nodes_batch([(row["entity_name"], _node(row)) for row in graph.entities])
    await nodes.upsert_edges_batch([(row["src_id"], row["tgt_id"], _edge(row)) for row in graph.relations])
    await nodes.index_done_callback()


async def load_by_copy(rag: Any, graph: Graph, store: str, server: dict[str, str]) -> None:
    """By COPY; both stores of one database share chunks and vectors, which the first of them loads."""
    import asyncpg
    from pgvector.asyncpg import register_vector

    connection = await asyncpg.connect(user="postgres", **server)
    await register_vector(connection)
    await connection.execute("SET maintenance_work_mem = '1GB'")  # beyond it, building an index takes ten times as long
    if not await connection.fetchval("SELECT EXISTS (SELECT FROM lightrag_doc_chunks)"):
        await _copy_vectors(connection, rag, graph)
    if store == "age":
        await _copy_age(connection, rag.chunk_entity_relation_graph.graph_name, graph)
    else:
        await _copy_table(connection, rag.chunk_entity_relation_graph, graph)
    await connection.close()


async def _copy_vectors(connection: Any, rag: Any, graph: Graph) -> None:
    workspace, times = rag.chunks_vdb.workspace, {"create_time": LOADED_AT, "update_time": LOADED_AT}
    common = {"workspace": workspace, **times}
    chunks = [{name: row[name] for name in row if name != "llm_cache_list"} | common for row in graph.chunks]
    await _copy(connection, "lightrag_doc_chunks", chunks)
    entities = (
        {name: row[name] for name in ("id", "entity_name", "content", "file_path")}
        | {"chunk_ids": _chunk_ids(row), **common}
        for row in graph.entities
    )
    relations = (
        {name: row[name] for name in ("id", "content", "file_path")}
        | {"source_id": row["src_id"], "target_id": row["tgt_id"], "chunk_ids": _chunk_ids(row), **common}
        for row in graph.relations
    )
    for storage, kind, rows in (
        (rag.chunks_vdb, "chunks", chunks),
        (rag.entities_vdb, "entities", entities),
        (rag.relationships_vdb, "relations", relations),
    ):
        table = storage.table_name.lower()
        vectors = graph.vectors(kind)
        indexes = await connection.fetch(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = $1 AND indexdef LIKE '%USING hnsw%'", table
        )
        for index in indexes:
            await connection.execute(f'DROP INDEX "{index["indexname"]}"')
        await _copy(
            connection, table, [row | {"content_vector": vector} for row, vector in zip(rows, vectors, strict=True)]
        )
        for index in indexes:
            await connection.execute(index["indexdef"])


async def _copy(connection: Any, table: str, rows: list[Row]) -> None:
    await connection.copy_records_to_table(table, columns=list(rows[0]), records=[tuple(row.values()) for row in rows])


async def _copy_age(connection: Any, name: str, graph: Graph) -> None:
    numbers = {row["entity_name"]: number for number, row in enumerate(graph.entities, 1)}
    await connection.execute('SET search_path = ag_catalog, "$user", public')
    labels = await connection.fetch(
        "SELECT l.name::text, l.id, l.seq_name::text FROM ag_label l JOIN ag_graph g ON g.graphid = l.graph"
        " WHERE g.name = $1 AND l.name IN ('base', 'DIRECTED')",
        name,
    )
    label = {row["name"]: row for row in labels}
    await connection.execute(
        "CREATE TEMP TABLE node (number bigint, properties text);"
        "CREATE TEMP TABLE edge (number bigint, source bigint, target bigint, properties text)"
    )
    await connection.copy_records_to_table(
        "node", records=[(numbers[row["entity_name"]], json.dumps(_node(row))) for row in graph.entities]
    )
    await connection.copy_records_to_table(
        "edge",
        records=[
            (number, numbers[row["src_id"]], numbers[row["tgt_id"]], json.dumps(_edge(row)))
            for number, row in enumerate(graph.relations, 1)
        ],
    )
    node, edge = label["base"]["id"], label["DIRECTED"]["id"]
    await connection.execute(
        f"INSERT INTO {name}.base (id, properties) SELECT _graphid({node}, number), properties::agtype FROM node;"
        f'INSERT INTO {name}."DIRECTED" (id, start_id, end_id, properties) SELECT _graphid({edge}, number),'
        f" _graphid({node}, source), _graphid({node}, target), properties::agtype FROM edge"
    )
    for kind, rows in (("base", graph.entities), ("DIRECTED", graph.relations)):
        sequence = f'{name}."{label[kind]["seq_name"]}"'
        await connection.execute("SELECT setval($1::text::regclass, $2)", sequence, len(rows))


async def _copy_table(connection: Any, storage: Any, graph: Graph) -> None:
    common = {"workspace": storage.workspace, "namespace": storage.namespace}
    nodes = [{**common, "id": row["entity_name"], "properties": json.dumps(_node(row))} for row in graph.entities]
    edges = [
        {**common, "src_id": row["src_id"], "tgt_id": row["tgt_id"], "properties": json.dumps(_edge(row))}
        for row in graph.relations
    ]
    await _copy(connection, "lightrag_graph_nodes", nodes)
    await _copy(connection, "lightrag_graph_edges", edges)
