"""How long a large ready-made graph takes to import, embeddings and indexes included, and what it takes of the client.

The folder is made up: vectors lie in clusters, as topics do, and few entities have many relations. It is imported into
an empty database by a process of its own, whose memory is what is reported. With `--export` it is exported again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from pgrag import PgRAG, Settings, embedded
from pgrag.models.scripted import ScriptedModels

DIMENSIONS = 384
ROWS_AT_ONCE = 5_000
SENTENCE = "What is told here of matter {number} is long enough to be a passage, and of no other consequence. "
STAGES = """
    SELECT funcname, total_time / 1000 FROM pg_stat_user_functions
     WHERE schemaname = 'pgrag' AND funcname IN ('finish_import', 'resolve_import', 'require_importable',
           'oddities_of_import', 'import_documents', 'import_entities', 'import_entity_evidence', 'import_relations',
           'import_relation_evidence', 'settle', 'derive_entities', 'derive_relations', 'import_vectors',
           'build_vector_indexes') ORDER BY total_time DESC
"""


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    entities: int
    relations: int
    chunks: int
    chunks_of_document: int = 50


def main() -> None:
    """Print what an import took, stage by stage, as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=50_000)
    parser.add_argument("--relations", type=int, default=150_000)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--url", help="a database to fill, migrated; none: one of the embedded server's, made anew")
    parser.add_argument("--export", action="store_true", help="export it again")
    given = parser.parse_args()
    url = given.url or new_database()
    with tempfile.TemporaryDirectory() as folder:
        write_folder(Path(folder), Size(given.entities, given.relations, given.chunks))
        print("| what | seconds | MB at the client |\n|---|---|---|")
        print(in_a_process(imported, url, Path(folder)))
        for stage, seconds in stages(url):
            print(f"| … {stage} | {seconds:.1f} | |")
        if given.export:
            print(in_a_process(exported, url, Path(folder) / "again"))


def new_database() -> str:
    """An empty database of the embedded server that counts the time of functions."""
    server = embedded.start(Settings().data_dir)
    url = embedded.ensure_database(server, f"pgrag_bench_import_{int(time.time())}")
    client(url).migrate()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            psycopg.sql.SQL("ALTER DATABASE {} SET track_functions = 'pl'").format(
                psycopg.sql.Identifier(connection.info.dbname)
            )
        )
    return url


def client(url: str) -> PgRAG:
    """A client whose models are never asked: everything comes with its embedding."""
    return PgRAG(url, workspace="bench", models=ScriptedModels(dimensions=DIMENSIONS))


def in_a_process(work: Any, *arguments: Any) -> str:
    """A row of the table, worked out in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        row: str = pool.apply(measured, (work, *arguments))
    return row


def measured(work: Any, *arguments: Any) -> str:
    """What the work says of itself, how long it took, and the most memory that the process ever had."""
    begun = time.perf_counter()
    told = work(*arguments)
    seconds = time.perf_counter() - begun
    return f"| {told} | {seconds:.1f} | {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} |"


def imported(url: str, folder: Path) -> str:
    """Import the folder."""
    with client(url) as rag:
        report = rag.import_graph(folder)
    assert report.refreshed == 0, report
    return f"import of {report.chunks} chunks, {report.entities} entities, {report.relations} relations"


def exported(url: str, folder: Path) -> str:
    """Export the workspace."""
    with client(url) as rag:
        report = rag.export_graph(folder)
    return f"export of {report.chunks} chunks, {report.entities} entities, {report.relations} relations"


def stages(url: str) -> list[tuple[str, float]]:
    """What the server spent in each function of the import, the callees of each included."""
    time.sleep(1)  # a session tells its statistics when it ends
    with psycopg.connect(url) as connection:
        return connection.execute(STAGES).fetchall()


def write_folder(folder: Path, size: Size, topics: np.ndarray | None = None) -> None:
    """A graph in the interchange format, the same for the same size; vectors lie near the topics, one a row."""
    dice = np.random.default_rng(1)
    write_lines(folder / "documents.jsonl", documents(size))
    write_lines(folder / "chunks.jsonl", chunks(size))
    write_lines(folder / "entities.jsonl", entities(size, dice))
    write_lines(folder / "relations.jsonl", relations(size, dice))
    centres = unit(dice.normal(size=(1_000, DIMENSIONS))) if topics is None else topics
    for name in ("chunks", "entities", "relations"):
        write_vectors(folder / f"{name}.npy", getattr(size, name), centres, dice)


def documents(size: Size) -> Iterator[dict[str, Any]]:
    """Lines of documents.jsonl."""
    for number in range(-(-size.chunks // size.chunks_of_document)):
        yield {"id": f"document {number}", "file_path": f"folder/{number}.txt"}


def chunks(size: Size) -> Iterator[dict[str, Any]]:
    """Lines of chunks.jsonl, of about 300 tokens each."""
    for number in range(size.chunks):
        document, place = divmod(number, size.chunks_of_document)
        content = SENTENCE.format(number=number) * 15
        yield {"id": f"c{number}", "document_id": f"document {document}", "chunk_index": place, "content": content}


def entities(size: Size, dice: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Lines of entities.jsonl; one to five chunks tell of each."""
    for number in range(size.entities):
        said = f"Entity {number} is one of those that matter, for reason {number % 997}."
        pieces = [
            {"chunk_id": f"c{chunk}", "type": "concept", "description": said} for chunk in some_chunks(size, dice)
        ]
        yield {
            "name": f"Entity {number}",
            "type": "concept",
            "description": said,
            "description_source": "joined",
            "evidence": pieces,
        }


def relations(size: Size, dice: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Lines of relations.jsonl between the entities; low numbers have most."""
    pull = 1 / np.arange(1, size.entities + 1) ** 0.6
    drawn = dice.choice(size.entities, size=(size.relations * 3, 2), p=pull / pull.sum())
    pairs = dict.fromkeys(tuple(sorted(pair)) for pair in drawn.tolist() if pair[0] != pair[1])
    for (source, target), _ in zip(pairs, range(size.relations), strict=False):
        said = f"Entity {source} and entity {target} met, and spoke of this and that."
        keywords = sorted({f"theme {source % 50}", "meeting"})
        pieces = [
            {"chunk_id": f"c{chunk}", "keywords": keywords, "description": said, "weight": 1.0}
            for chunk in some_chunks(size, dice)
        ]
        yield {
            "source": f"Entity {source}",
            "target": f"Entity {target}",
            "keywords": keywords,
            "description": said,
            "description_source": "joined",
            "weight": float(len(pieces)),
            "evidence": pieces,
        }


def some_chunks(size: Size, dice: np.random.Generator) -> list[int]:
    """One to five chunks, 1.6 on average."""
    return np.unique(dice.integers(size.chunks, size=1 + min(4, dice.poisson(0.6)))).tolist()


def write_lines(path: Path, lines: Iterator[dict[str, Any]]) -> None:
    """Write a JSONL file."""
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(line) + "\n" for line in lines)


def write_vectors(path: Path, count: int, centres: np.ndarray, dice: np.random.Generator) -> None:
    """Write float32 (count, dimensions): each near a centre."""
    made = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(count, DIMENSIONS))
    for start in range(0, count, ROWS_AT_ONCE):
        rows = min(ROWS_AT_ONCE, count - start)
        made[start : start + rows] = near(centres[dice.integers(len(centres), size=rows)], dice)
    made.flush()


def near(vectors: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """A vector of length 1 near each, float32."""
    return unit(vectors + dice.normal(size=vectors.shape) * 0.9 / DIMENSIONS**0.5)


def unit(vectors: np.ndarray) -> np.ndarray:
    """The vectors at length 1, float32."""
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


if __name__ == "__main__":
    main()
