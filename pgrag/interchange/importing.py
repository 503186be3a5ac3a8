"""Take a ready-made graph in, whole or not at all.

    read and check the folder → (chunks without vectors: check against the database, then embed) → one transaction:
    copy, store, derive → refresh what came without a fitting vector

No chunk is ever visible without its vector, and nothing is paid for an import that will be refused. No model is asked
inside a transaction.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path

from pgrag import calls
from pgrag.embedding import embed_all
from pgrag.errors import ImportRefused, InvalidArgument
from pgrag.flow import Flow, transaction
from pgrag.interchange.calls import Imported, begin_import, check_import, finish_import
from pgrag.interchange.reading import GraphFolder, read_folder
from pgrag.interchange.staging import bare_chunk_rows, chunk_rows, stage
from pgrag.models.protocols import Vectors
from pgrag.progress import OnProgress, Progress
from pgrag.refresh import refresh
from pgrag.setup import Setup


@dataclass(frozen=True)
class ImportReport:
    """What an import brought, and what it mended.

    entities: with the ends of relations that no line describes; `created_endpoints` of them are new.
    merged: lines that are one with an earlier line of the same entity or pair.
    repeated_chunk_ids: pieces of evidence that name a chunk their item has named before.
    refreshed: vectors made of entities and relations, whatever made them stale.
    """

    documents: int
    chunks: int
    entities: int
    relations: int
    merged: int
    created_endpoints: int
    skipped_self_loops: int
    repeated_chunk_ids: int
    refreshed: int
    seconds: float


def import_graph(folder: Path, *, strict: bool, setup: Setup, on_progress: OnProgress) -> Flow[ImportReport]:
    """Import an interchange folder into the workspace, which is created when it is not there.

    strict: refuse what would be mended otherwise.
    Raises ImportRefused with file, line and reason; then nothing of it stays. A ModelError while chunks are embedded
    leaves nothing either; one while entities and relations are refreshed leaves the graph, and a later refresh goes on.
    """
    started = time.perf_counter()
    (installation,) = yield from calls.installation()
    graph = read_folder(folder, installation.embedding_dimensions)
    vectors = graph.vectors.get("chunks")
    if vectors is None:
        yield from transaction(_rehearse(graph, strict, setup))
        vectors = yield from embed_all([chunk.content for _, chunk in graph.chunks()], setup)
        on_progress(Progress("chunks embedded", "", len(vectors), 0))
    imported = yield from transaction(_load(graph, vectors, strict, setup))
    refreshed = yield from refresh(setup, lambda count: on_progress(Progress("refresh", "", count, 0)))
    return ImportReport(**asdict(imported), refreshed=refreshed, seconds=time.perf_counter() - started)


def _rehearse(graph: GraphFolder, strict: bool, setup: Setup) -> Flow[None]:
    yield from begin_import()
    yield from stage(graph, bare_chunk_rows(graph), setup.tokenizer)
    try:
        yield from check_import(setup.workspace, strict)
    except InvalidArgument as error:
        raise ImportRefused(error.message, error.hint) from error


def _load(graph: GraphFolder, vectors: Vectors, strict: bool, setup: Setup) -> Flow[Imported]:
    yield from begin_import()
    yield from stage(graph, chunk_rows(graph, setup.tokenizer, vectors), setup.tokenizer)
    yield from calls.create_workspace(setup.workspace)
    try:
        (imported,) = yield from finish_import(setup.workspace, strict)
    except InvalidArgument as error:
        raise ImportRefused(error.message, error.hint) from error
    return imported
