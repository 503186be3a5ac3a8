"""Publish documents through the SQL functions alone, as a program without Python would."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import psycopg

DIMENSIONS = 8


def entity(chunk_index: int, name: str, type: str, description: str) -> dict[str, Any]:
    return {"chunk_index": chunk_index, "name": name, "type": type, "description": description}


def relation(
    chunk_index: int, source: str, target: str, keywords: list[str], description: str, weight: float = 1.0
) -> dict[str, Any]:
    return {
        "chunk_index": chunk_index,
        "source": source,
        "target": target,
        "keywords": keywords,
        "description": description,
        "weight": weight,
    }


def vector_of(text: str) -> str:
    """Some vector that depends on the text alone."""
    digest = hashlib.sha256(text.encode()).digest()
    return "[" + ",".join(str(byte / 255 + 0.01) for byte in digest[:DIMENSIONS]) + "]"


def array_of(vectors: Sequence[str]) -> str:
    return "{" + ",".join(f'"{vector}"' for vector in vectors) + "}"


class Publisher:
    """Takes documents through enqueue, claim and publish on one connection, in workspace `w`."""

    def __init__(self, db: psycopg.Connection, workspace: str = "w") -> None:
        self.db, self.workspace = db, workspace
        db.execute("SELECT pgrag.create_workspace(%s)", (workspace,))

    def __call__(
        self,
        document: str,
        chunks: Sequence[str],
        entities: Sequence[dict[str, Any]],
        relations: Sequence[dict[str, Any]],
        *,
        with_vectors: bool = False,
    ) -> None:
        job = self.claim(document, "\n".join(chunks))
        self.publish(job, chunks, entities, relations, with_vectors=with_vectors)

    def enqueue(self, document: str, content: str, **more: Any) -> str:
        named = "".join(f", {name} => %({name})s" for name in more)
        row = self.db.execute(
            f"SELECT action FROM pgrag.enqueue_document(%(w)s, %(d)s, %(c)s{named})",
            {"w": self.workspace, "d": document, "c": content, **more},
        ).fetchone()
        assert row is not None
        return str(row[0])

    def claim(self, document: str, content: str, worker: str = "me") -> int:
        assert self.enqueue(document, content) == "queued"
        row = self.db.execute(
            "SELECT job_id FROM pgrag.claim_job(%s, %s, ARRAY[%s])", (self.workspace, worker, document)
        ).fetchone()
        assert row is not None
        return int(row[0])

    def publish(
        self,
        job: int,
        chunks: Sequence[str],
        entities: Sequence[dict[str, Any]],
        relations: Sequence[dict[str, Any]],
        *,
        worker: str = "me",
        with_vectors: bool = False,
    ) -> None:
        said = (json.dumps(entities), json.dumps(relations))
        new = self.db.execute("SELECT * FROM pgrag.new_texts(%s, %s, %s)", (self.workspace, *said)).fetchall()
        if not with_vectors:
            new = []
        self.db.execute(
            "SELECT * FROM pgrag.publish_document(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                self.workspace,
                job,
                worker,
                json.dumps([{"chunk_index": i, "content": c, "token_count": len(c)} for i, c in enumerate(chunks)]),
                array_of([vector_of(chunk) for chunk in chunks]),
                *said,
                [row[0] for row in new],
                array_of([vector_of(row[1]) for row in new]),
                [len(row[2]) for row in new],
            ),
        )
