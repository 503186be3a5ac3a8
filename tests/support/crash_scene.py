"""A workspace to crash in: some documents are there in an old version, and new versions of all are to be taken in."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass

import psycopg

from support.databases import TestServer
from support.half_documents import pictures
from support.hub_documents import HubDocument, hub_documents
from support.model_replies import chunk_of
from support.model_server import ModelServer
from support.worker_processes import DIMENSIONS, hub_client, ingest_new, ingest_old
from support.workspace_rows import Rows, workspace_rows


@dataclass(frozen=True)
class Scene:
    """Where a run starts (`database`), what may be seen on the way (`allowed`), and where it must end (`rows`).

    chunks: by the text that the model gets, the hash under which its reply is kept.
    stages: how many requests of each kind an undisturbed run has, at least.
    """

    server: TestServer
    documents: tuple[HubDocument, ...]
    database: str
    allowed: frozenset[str]
    rows: Rows
    chunks: dict[str, str]
    stages: dict[str, int]

    def begin(self, name: str) -> str:
        """A database of that name, as it is before the run: its URL."""
        return self.server.clone(name, self.database)


def make_scene(server: TestServer, model_server: ModelServer, count: int = 6) -> Scene:
    """Makes the database that runs start from, and lets one run go undisturbed."""
    documents = tuple(hub_documents(count, sentences=6))
    before, after = (f"scene_{part}_{uuid.uuid4().hex[:8]}" for part in ("before", "after"))
    before_url = server.create(before, dimensions=DIMENSIONS, migrated=True, age=True)
    with hub_client(before_url, model_server.base_url) as rag:
        rag.create_workspace()
        ingest_old(rag, documents)
    old = pictures(before_url)
    after_url = server.clone(after, before)
    model_server.forget()
    with hub_client(after_url, model_server.base_url) as rag:
        assert ingest_new(rag, documents) == ["ready"] * count
    asked = len({chunk_of(body) for body in model_server.bodies("extract")})
    scene = Scene(
        server,
        documents,
        before,
        frozenset(old | pictures(after_url)),
        workspace_rows(after_url),
        _chunks(after_url),
        _stages(count, asked),
    )
    server.drop(after)
    return scene


def kept_chunks(url: str) -> set[str]:
    """The hashes of the chunks whose reply is kept."""
    with psycopg.connect(url) as connection:
        return {row[0] for row in connection.execute("SELECT content_hash FROM pgrag.extraction")}


def kept_summaries(url: str) -> int:
    """How many summaries are kept."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM pgrag.summary").fetchone()
    assert row is not None
    return int(row[0])


def asked_summaries(model_server: ModelServer) -> Counter[str]:
    """What the model was asked to summarise, and how often."""
    return Counter(repr(body["messages"]) for body in model_server.bodies("text"))


def asked_chunks(scene: Scene, model_server: ModelServer) -> Counter[str]:
    """The hashes of the chunks that the model was asked for, and how often."""
    return Counter(scene.chunks[chunk_of(body).strip()] for body in model_server.bodies("extract"))


def _chunks(url: str) -> dict[str, str]:
    query = "SELECT content, encode(sha256(convert_to(content, 'UTF8')), 'hex') FROM pgrag.chunk"
    with psycopg.connect(url) as connection:
        return {content.strip(): digest for content, digest in connection.execute(query)}


def _stages(documents: int, asked: int) -> dict[str, int]:
    each = dict.fromkeys(
        (
            "enqueue_document",
            "claim_job",
            "kept_extractions",
            "new_texts",
            "publish_document",
            "record_usage",
            "embed",
        ),
        documents,
    )
    return each | {"chat": asked, "keep_extraction": asked, "refresh_pending": 1, "store_refreshed": 1}
