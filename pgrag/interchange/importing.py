"""Take a ready-made graph in, whole or not at all.

    read and check the folder → (chunks without vectors: check against the database, then embed) → one transaction:
    copy, store, derive → refresh what came without a fitting vector

The memory that it takes does not grow with the folder, but for the ids of chunks and documents.

No chunk is ever visible without its vector, and nothing is paid for an import that will be refused. No model is asked
inside a transaction.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

from pgrag import calls
from pgrag.embedding import embed_all
from pgrag.errors import ImportRefused, InvalidArgument
from pgrag.flow import Flow, transaction
from pgrag.interchange.calls import Imported, begin_import, check_import, finish_import
from pgrag.interchange.reading import GraphFolder, read_folder
from pgrag.interchange.staging import Row, bare_chunk_rows, chunk_rows, stage
from pgrag.interchange.vectors import missing_rows
from pgrag.models.protocols import Vectors
from pgrag.progress import OnProgress, Progress
from pgrag.refresh import refresh
from pgrag.setup import Setup

_TEXTS_AT_ONCE = 1024
_ROWS_A_STEP = 1000


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
    graph = read_folder(folder, installation.embedding_dimensions, installation.embedding_model)
    with tempfile.TemporaryFile() as scratch:
        vectors = graph.vectors.get("chunks")
        if vectors is None or missing_rows(vectors):
            yield from transaction(_rehearse(graph, strict, setup))
            vectors = yield from _embed_chunks(graph, scratch, installation.embedding_dimensions, setup, on_progress)
        imported = yield from transaction(_load(graph, vectors, strict, setup, on_progress))
    refreshed = yield from refresh(setup, lambda count: on_progress(Progress("refresh", "", count, 0)))
    return ImportReport(**asdict(imported), refreshed=refreshed, seconds=time.perf_counter() - started)


def _rehearse(graph: GraphFolder, strict: bool, setup: Setup) -> Flow[None]:
    yield from begin_import()
    yield from stage(graph, bare_chunk_rows(graph), setup.tokenizer)
    try:
        yield from check_import(setup.workspace, strict)
    except InvalidArgument as error:
        raise ImportRefused(error.message, error.hint) from error


def _embed_chunks(
    graph: GraphFolder, scratch: BinaryIO, dimensions: int, setup: Setup, on_progress: OnProgress
) -> Flow[Vectors]:
    """The vectors of all chunks, in a file: those that the folder has, and for the others new ones."""
    given = graph.vectors.get("chunks")
    missing = None if given is None else set(missing_rows(given))
    count = sum(1 for _ in graph.chunks())
    if not count:
        return np.empty((0, dimensions), dtype=np.float32)
    made: Vectors = np.memmap(scratch, dtype=np.float32, mode="w+", shape=(count, dimensions))
    if given is not None:
        made[:] = given
    wanted = ((number - 1, line.content) for number, line in graph.chunks() if missing is None or number - 1 in missing)
    while batch := list(islice(wanted, _TEXTS_AT_ONCE)):
        made[[row for row, _ in batch]] = yield from embed_all([text for _, text in batch], setup)
        on_progress(Progress("chunks embedded", "", len(batch), 0))
    return made


def _load(graph: GraphFolder, vectors: Vectors, strict: bool, setup: Setup, on_progress: OnProgress) -> Flow[Imported]:
    def told(rows: Iterator[Row]) -> Iterator[Row]:
        for number, row in enumerate(rows, start=1):
            if number % _ROWS_A_STEP == 0:
                on_progress(Progress("rows copied", "", _ROWS_A_STEP, 0))
            yield row

    yield from begin_import()
    yield from stage(graph, chunk_rows(graph, setup.tokenizer, vectors), setup.tokenizer, told)
    yield from calls.create_workspace(setup.workspace)
    try:
        (imported,) = yield from finish_import(setup.workspace, strict)
    except InvalidArgument as error:
        raise ImportRefused(error.message, error.hint) from error
    return imported
