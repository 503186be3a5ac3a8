"""A reader beside the writers: whatever it sees of a document must be one of its versions, whole."""

from __future__ import annotations

import threading
from typing import Self

import psycopg

# One statement is one snapshot.
_LOOK = """
    SELECT d.document_key, d.content_hash,
           (SELECT array_agg(c.content ORDER BY c.chunk_index) FROM pgrag.chunk c
             WHERE c.workspace_id = d.workspace_id AND c.document_id = d.id),
           (SELECT count(*) FROM pgrag.chunk c JOIN pgrag.chunk_embedding v
                ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
             WHERE c.workspace_id = d.workspace_id AND c.document_id = d.id),
           (SELECT array_agg(c.chunk_index || ' ' || v.name || ' ' || v.description
                             ORDER BY c.chunk_index, v.ordinal, v.name COLLATE "C")
              FROM pgrag.chunk c JOIN pgrag.entity_evidence v
                ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
             WHERE c.workspace_id = d.workspace_id AND c.document_id = d.id),
           (SELECT array_agg(c.chunk_index || ' ' || v.source || ' ' || v.target || ' ' || v.description
                             ORDER BY c.chunk_index, v.ordinal, v.source COLLATE "C", v.target COLLATE "C")
              FROM pgrag.chunk c JOIN pgrag.relation_evidence v
                ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
             WHERE c.workspace_id = d.workspace_id AND c.document_id = d.id),
           (SELECT count(*) FROM pgrag.entity) - (SELECT count(*) FROM pgrag_graph."Entity"),
           (SELECT count(*) FROM pgrag.relation) - (SELECT count(*) FROM pgrag_graph."RELATES")
      FROM pgrag.document d
"""


def pictures(url: str) -> set[str]:
    """What there is to be seen of each document now."""
    with psycopg.connect(url) as connection:
        return {repr(row) for row in connection.execute(_LOOK)}


class Reader:
    """Looks again and again, in a thread of its own, also while the server is away; a context manager.

    allowed: what may be seen. A document of which nothing is published yet is always allowed.
    """

    def __init__(self, url: str, allowed: set[str]) -> None:
        self._url, self._allowed = url, allowed
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.looks = 0
        self.seen_halves: list[str] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._done.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    while not self._done.wait(0.005):
                        self._look(connection)
            except psycopg.OperationalError:
                self._done.wait(0.02)

    def _look(self, connection: psycopg.Connection) -> None:
        for row in connection.execute(_LOOK):
            nothing = row[1:] == (None, None, 0, None, None, 0, 0)
            if not nothing and repr(row) not in self._allowed:
                self.seen_halves.append(repr(row))
        self.looks += 1
