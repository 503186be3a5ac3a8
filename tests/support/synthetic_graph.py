"""A made-up graph of any size, loaded set-based: what plan tests and timings run on.

Vectors are clustered (the neighbours of a vector are of its own cluster, as topics are) and normalised; the ends of
relations are drawn from a heavy-tailed distribution, so that there are hubs. The same `seed` gives the same graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import psycopg

Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]


@dataclass(frozen=True)
class GraphSize:
    """How much of everything. `evidence` is the mean number of chunks that speak of an entity or a relation."""

    entities: int = 530
    relations: int = 980
    chunks: int = 230
    documents: int = 3
    dimensions: int = 384
    evidence: float = 1.6
    hub_exponent: float = 0.6


@dataclass(frozen=True)
class SyntheticGraph:
    """What was loaded: the workspace, its key, and embeddings to ask with, one row each."""

    workspace: str
    workspace_id: int
    questions: Vectors


def load_synthetic_graph(
    connection: psycopg.Connection, size: GraphSize, workspace: str = "synthetic", seed: int = 1
) -> SyntheticGraph:
    """Create `workspace` and fill it; statistics are fresh afterwards. The caller commits."""
    rng = np.random.default_rng(seed)
    workspace_id = _create(connection, "INSERT INTO pgrag.workspace (name) VALUES (%s) RETURNING id", (workspace,))
    centres = _unit(rng.normal(size=(max(8, size.chunks // 40), size.dimensions)))
    _load_documents(connection, workspace_id, size)
    chunk_ids = _load_chunks(connection, workspace_id, size, rng)
    entity_ids = _load_entities(connection, workspace_id, size, rng)
    relation_ids = _load_relations(connection, workspace_id, size, entity_ids, rng)
    for table, column, ids in (
        ("entity_evidence", "entity_id", entity_ids),
        ("relation_evidence", "relation_id", relation_ids),
    ):
        _load_evidence(connection, table, column, workspace_id, ids, chunk_ids, size.evidence, rng)
    for kind, ids in (("chunk", chunk_ids), ("entity", entity_ids), ("relation", relation_ids)):
        _load_vectors(connection, kind, workspace_id, ids, _near(centres, len(ids), rng))
    _analyze(connection)
    return SyntheticGraph(workspace, workspace_id, _near(centres, 50, rng))


def literal(vector: np.ndarray) -> str:
    """A vector as PostgreSQL reads it."""
    return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"


def _create(connection: psycopg.Connection, statement: str, arguments: tuple[object, ...]) -> int:
    row = connection.execute(statement, arguments).fetchone()
    assert row is not None
    return int(row[0])


def _unit(vectors: np.ndarray) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def _near(centres: Vectors, count: int, rng: np.random.Generator) -> Vectors:
    noise = rng.normal(size=(count, centres.shape[1])) / np.sqrt(centres.shape[1])
    return _unit(centres[rng.integers(len(centres), size=count)] + 0.9 * noise)


def _load_documents(connection: psycopg.Connection, workspace_id: int, size: GraphSize) -> None:
    connection.execute(
        "INSERT INTO pgrag.document (workspace_id, document_key, file_path, metadata, status)"
        " SELECT %(w)s, 'document ' || n, 'folder/' || n || '.txt',"
        " jsonb_build_object('serial', n, 'year', 2000 + n %% 20), 'ready' FROM generate_series(1, %(documents)s) n",
        {"w": workspace_id, "documents": size.documents},
    )


def _load_chunks(
    connection: psycopg.Connection, workspace_id: int, size: GraphSize, rng: np.random.Generator
) -> list[int]:
    rows = connection.execute(
        "INSERT INTO pgrag.chunk (workspace_id, document_id, chunk_index, content, token_count)"
        " SELECT %(w)s, d.id, n / %(documents)s, repeat('word' || n || ' of the story. ', 15), 700"
        " FROM generate_series(0, %(chunks)s - 1) n JOIN"
        " (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM pgrag.document WHERE workspace_id = %(w)s) d"
        " ON d.place = n %% %(documents)s ORDER BY n RETURNING id",
        {"w": workspace_id, "documents": size.documents, "chunks": size.chunks},
    ).fetchall()
    return [row[0] for row in rows]


def _load_entities(
    connection: psycopg.Connection, workspace_id: int, size: GraphSize, rng: np.random.Generator
) -> list[int]:
    rows = connection.execute(
        "INSERT INTO pgrag.entity (workspace_id, name, name_key, type, description, token_count, stale)"
        " SELECT %(w)s, 'Entity ' || n, 'entity ' || n, 'concept',"
        " repeat('It matters for reason ' || n || '. ', 8), t, false"
        " FROM unnest(%(tokens)s::int[]) WITH ORDINALITY AS x (t, n) ORDER BY n RETURNING id",
        {"w": workspace_id, "tokens": rng.integers(40, 140, size=size.entities).tolist()},
    ).fetchall()
    return [row[0] for row in rows]


def _load_relations(
    connection: psycopg.Connection, workspace_id: int, size: GraphSize, entity_ids: list[int], rng: np.random.Generator
) -> list[int]:
    pull = 1 / np.arange(1, size.entities + 1) ** size.hub_exponent
    drawn = rng.choice(size.entities, size=(size.relations * 4, 2), p=pull / pull.sum())
    pairs = list(dict.fromkeys(tuple(sorted(pair)) for pair in drawn.tolist() if pair[0] != pair[1]))
    ends = np.array(entity_ids)[np.array(pairs[: size.relations])]
    rows = connection.execute(
        "INSERT INTO pgrag.relation (workspace_id, source_id, target_id, keywords, description, weight, token_count,"
        " stale) SELECT %(w)s, s, t, ARRAY['theme ' || n %% 50, 'topic'],"
        " repeat('They meet in scene ' || n || '. ', 6), weight, tokens, false"
        " FROM unnest(%(s)s::bigint[], %(t)s::bigint[], %(weights)s::float8[], %(tokens)s::int[])"
        " WITH ORDINALITY AS x (s, t, weight, tokens, n) ORDER BY n RETURNING id",
        {
            "w": workspace_id,
            "s": ends[:, 0].tolist(),
            "t": ends[:, 1].tolist(),
            "weights": rng.integers(1, 6, size=len(ends)).astype(float).tolist(),
            "tokens": rng.integers(40, 100, size=len(ends)).tolist(),
        },
    ).fetchall()
    return [row[0] for row in rows]


def _load_evidence(
    connection: psycopg.Connection,
    table: str,
    column: str,
    workspace_id: int,
    item_ids: list[int],
    chunk_ids: list[int],
    mean: float,
    rng: np.random.Generator,
) -> None:
    counts = 1 + rng.poisson(mean - 1, size=len(item_ids))
    items = np.repeat(np.array(item_ids), counts)
    chunks = rng.choice(np.array(chunk_ids), size=len(items))
    said = "name, name_key" if table == "entity_evidence" else "source, target, source_key, target_key"
    values = "'x', 'x' || i" if table == "entity_evidence" else "'x', 'y', 'x' || i, 'y' || i"
    connection.execute(
        f"INSERT INTO pgrag.{table} (workspace_id, {column}, chunk_id, ordinal, {said})"
        f" SELECT %s, i, c, min(n), {values} FROM unnest(%s::bigint[], %s::bigint[])"
        " WITH ORDINALITY AS x (i, c, n) GROUP BY i, c ORDER BY min(n)",
        (workspace_id, items.tolist(), chunks.tolist()),
    )


def _load_vectors(
    connection: psycopg.Connection, kind: str, workspace_id: int, ids: list[int], vectors: Vectors
) -> None:
    index = connection.execute("SELECT pg_get_indexdef(%s::regclass)", (f"pgrag.{kind}_embedding_hnsw",)).fetchone()
    assert index is not None
    is_rebuilt = len(ids) > 1000  # one build is many times as fast as as many single inserts
    if is_rebuilt:
        connection.execute(f"DROP INDEX pgrag.{kind}_embedding_hnsw")
    columns = f"workspace_id, {kind}_id, embedding" + ("" if kind == "chunk" else ", text_hash")
    with connection.cursor().copy(f"COPY pgrag.{kind}_embedding ({columns}) FROM STDIN") as copy:
        for item_id, vector in zip(ids, vectors, strict=True):
            row = [workspace_id, item_id, literal(vector)]
            copy.write_row(row if kind == "chunk" else [*row, ""])
    if is_rebuilt:
        connection.execute(index[0])


def _analyze(connection: psycopg.Connection) -> None:
    for table in ("document", "chunk", "entity", "relation", "entity_evidence", "relation_evidence"):
        connection.execute(f"ANALYZE pgrag.{table}")
    for kind in ("chunk", "entity", "relation"):
        connection.execute(f"ANALYZE pgrag.{kind}_embedding")
