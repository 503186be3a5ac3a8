"""Workspaces that know what ought to be in them: what state machines work on, and build anew to compare.

world = World(url)
corpus = world.corpus()
corpus.ingest("a", "Ada knows Bob.")
assert_same_rows(corpus.rows(), corpus.built_anew().rows())
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from pgrag import PgRAG, Settings, db
from pgrag.chunking import ByCharacter
from pgrag.documents import IngestOptions
from support.sentences import PARAGRAPHS, SentenceReader
from support.workspace_rows import Rows, rows_of_workspace

OPTIONS = IngestOptions(chunking=ByCharacter(PARAGRAPHS))


@dataclass(frozen=True)
class Told:
    """A document as it was last given."""

    text: str
    metadata: Mapping[str, Any]


class World:
    """One database, one model, and the workspaces of one example after the other."""

    def __init__(self, url: str) -> None:
        self.models = SentenceReader()
        self.engine = db.engine(url)
        self.connection = psycopg.connect(url, autocommit=True)
        self.settings = Settings(max_gleaning=0)
        self._names = (f"workspace {number}" for number in itertools.count())

    def corpus(self) -> Corpus:
        """A new workspace."""
        made = Corpus(self, next(self._names))
        made.rag.create_workspace()
        return made

    def deadlocks(self) -> int:
        """How often the server has had to undo one of two that waited for each other."""
        query = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        row = self.connection.execute(query).fetchone()
        assert row is not None
        return int(row[0])

    def close(self) -> None:
        """Close the connections."""
        self.connection.close()
        self.engine.dispose()


class Corpus:
    """A workspace, and the documents it was given.

    unread: those whose last version could not be read, so that an older one is there, or none.
    spoilt: those of which a hand has taken something away since.
    """

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.rag = PgRAG(engine=world.engine, workspace=name, models=world.models, settings=world.settings)
        self.documents: dict[str, Told] = {}
        self.unread: set[str] = set()
        self.spoilt: set[str] = set()

    def ingest(self, key: str, text: str, metadata: Mapping[str, Any] | None = None, *, wait: bool = True) -> str:
        """Take a document in: how it fared."""
        (report,) = self.rag.ingest([text], ids=[key], metadata=metadata, options=replace(OPTIONS, wait=wait)).documents
        told = self.documents.get(key, Told(text, {}))
        self.documents[key] = Told(text, told.metadata if metadata is None else metadata)
        if report.status == "failed":
            self.unread.add(key)
            return report.status
        self.unread.discard(key)
        if report.status == "ready":
            self.spoilt.discard(key)
        return report.status

    def delete(self, key: str, *, keep_extractions: bool = True, wait: bool = True) -> None:
        """Delete a document."""
        assert self.rag.delete_document(key, keep_extractions=keep_extractions, wait=wait) == [key]
        del self.documents[key]
        self.unread.discard(key)
        self.spoilt.discard(key)

    def retry_and_refresh(self) -> None:
        """Try again what has failed, and refresh what is stale."""
        report = self.rag.retry_documents()
        assert {each.id for each in report.documents} == self.unread
        assert report.failed == ()
        self.spoilt -= self.unread
        self.unread.clear()
        self.rag.ingest([])

    def calm(self) -> None:
        """Try again what has failed, take in again what is spoilt, and refresh what is stale."""
        self.retry_and_refresh()
        for key in sorted(self.spoilt):
            told = self.documents[key]
            self.delete(key)
            assert self.ingest(key, told.text, told.metadata) == "ready"
        self.rag.ingest([])

    def take_all(self, documents: Mapping[str, Told]) -> None:
        """Take documents in, in one run, the last first."""
        keys = sorted(documents, reverse=True)
        report = self.rag.ingest(
            [documents[key].text for key in keys],
            ids=keys,
            metadata=[documents[key].metadata for key in keys],
            options=OPTIONS,
        )
        assert report.failed == ()
        self.documents |= documents

    def built_anew(self) -> Corpus:
        """A new workspace that was given the documents of this one, and nothing else."""
        fresh = self.world.corpus()
        fresh.take_all(self.documents)
        return fresh

    def rows(self, *without: str) -> Rows:
        """Everything that is in it, but for the tables named."""
        return rows_of_workspace(self.world.connection, self.name, without=without)

    def version(self) -> int:
        """The corpus version."""
        query = "SELECT corpus_version FROM pgrag.workspace WHERE name = %s"
        row = self.world.connection.execute(query, (self.name,)).fetchone()
        assert row is not None
        return int(row[0])

    def drop(self) -> None:
        """Delete the workspace."""
        self.rag.delete_workspace()
