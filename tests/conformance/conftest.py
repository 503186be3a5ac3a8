"""The conformance graphs in pgrag: imported once, asked through its public doors."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from support.databases import TestServer

from conformance.embedding import DIMENSIONS, Vectors, embed
from conformance.graphs import GRAPHS
from pgrag import PgRAG, Settings
from pgrag.models.scripted import ScriptedModels
from pgrag.settings import GraphBackend

Asker = Callable[[str, GraphBackend], PgRAG]


class ConformanceModels(ScriptedModels):
    """The embedding of the conformance graphs."""

    def __init__(self) -> None:
        super().__init__(dimensions=DIMENSIONS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Whole numbers."""
        return embed(texts)


@pytest.fixture(scope="session")
def conformance_url(server: TestServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with a workspace for each graph, imported strictly: nothing had to be mended.

    It has no vector indexes, so that every search is exact, as LightRAG's is: what an index misses is no rule.
    """
    name = f"test_conformance_{uuid.uuid4().hex[:8]}"
    url = server.create(name, dimensions=DIMENSIONS, migrated=True, age=True)
    with psycopg.connect(url) as connection:
        for kind in ("chunk", "entity", "relation"):
            connection.execute(f"DROP INDEX pgrag.{kind}_embedding_hnsw")
    for graph_name, graph in GRAPHS.items():
        folder: Path = graph().write(tmp_path_factory.mktemp(graph_name))
        with PgRAG(url, workspace=graph_name, models=ConformanceModels()) as rag:
            rag.import_graph(folder, strict=True)
    yield url
    server.drop(name)


@pytest.fixture
def asker(conformance_url: str) -> Iterator[Asker]:
    """`asker(graph, backend)`: a client in the workspace of a graph, whose hop goes by Cypher or by join."""
    opened: list[PgRAG] = []

    def connect(graph: str, backend: GraphBackend) -> PgRAG:
        settings = Settings(graph_backend=backend)
        opened.append(PgRAG(conformance_url, workspace=graph, settings=settings, models=ConformanceModels()))
        return opened[-1]

    yield connect
    for rag in opened:
        rag.close()
