"""Write a workspace as a folder in the interchange format, as it was at one moment, line by line.

Everything is written into a folder beside, which takes its name when it is whole: an export that was interrupted leaves
nothing that could be taken for one. Lines and embeddings come through a cursor and go to the disk as they come.
"""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pgrag import calls
from pgrag.errors import InvalidArgument
from pgrag.flow import Call, Flow, stream, transaction
from pgrag.installation import Installation
from pgrag.interchange.calls import (
    ExportedLine,
    export_aliases,
    export_chunks,
    export_documents,
    export_entities,
    export_relations,
    export_sleeping,
)
from pgrag.interchange.vectors import VectorFile
from pgrag.progress import OnProgress, Progress

_DOCUMENTS_AT_ONCE = 8
_LINES_AT_ONCE = 1000


@dataclass(frozen=True)
class ExportReport:
    """How many lines an export wrote.

    sleeping: pieces of evidence of relations whose names have come to mean one entity.
    """

    documents: int
    chunks: int
    entities: int
    relations: int
    aliases: int
    sleeping: int
    seconds: float


def export_graph(folder: Path, workspace: str, on_progress: OnProgress) -> Flow[ExportReport]:
    """Export a workspace into a new or empty folder.

    Raises InvalidArgument for any other folder, UnknownWorkspace, and OSError where it cannot be written.
    """
    started = time.perf_counter()
    folder = folder.absolute()
    _require_room(folder)
    (installation,) = yield from calls.installation()
    with _whole_or_nothing(folder) as unfinished:
        written = yield from transaction(_write(unfinished, workspace, installation, on_progress), snapshot=True)
    return ExportReport(**written, seconds=time.perf_counter() - started)


def _require_room(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = "is not empty" if folder.is_dir() else "is not a folder"
        raise InvalidArgument(f"{folder} {what}", "export into a new or an empty folder")


@contextmanager
def _whole_or_nothing(folder: Path) -> Iterator[Path]:
    """A folder to write into; in the end it takes the place of the other, or is gone."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}")
    unfinished.mkdir()
    try:
        yield unfinished
        unfinished.replace(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _write(folder: Path, workspace: str, installation: Installation, on_progress: OnProgress) -> Flow[dict[str, int]]:
    """The files: how many lines each has."""
    origin = {"tokenizer": installation.tokenizer, "embedding_model": installation.embedding_model}
    (folder / "origin.json").write_text(json.dumps(origin) + "\n", encoding="utf-8")
    counts = {}
    for call, batch, dimensions in (
        (export_documents(workspace), _DOCUMENTS_AT_ONCE, None),
        (export_chunks(workspace), _LINES_AT_ONCE, installation.embedding_dimensions),
        (export_entities(workspace), _LINES_AT_ONCE, installation.embedding_dimensions),
        (export_relations(workspace), _LINES_AT_ONCE, installation.embedding_dimensions),
        (export_aliases(workspace), _LINES_AT_ONCE, None),
        (export_sleeping(workspace), _LINES_AT_ONCE, None),
    ):
        name = call.function.removeprefix("export_")
        counts[name] = yield from _write_file(folder / name, call, batch, dimensions, on_progress)
    for name in ("aliases", "sleeping"):
        if not counts[name]:
            (folder / f"{name}.jsonl").unlink()
    return counts


def _write_file(path: Path, call: Call, batch: int, dimensions: int | None, on_progress: OnProgress) -> Flow[int]:
    """A file of lines, and beside it their embeddings, unless there are none: how many lines."""
    beside = path.with_suffix(".npy")
    with ExitStack() as files:
        lines = files.enter_context(path.with_suffix(".jsonl").open("wb"))
        vectors = VectorFile(files.enter_context(beside.open("w+b")), dimensions) if dimensions else None

        def take(rows: Sequence[ExportedLine]) -> None:
            for row in rows:
                lines.write(row.line.encode() + b"\n")
                if vectors is not None:
                    vectors.append(row.embedding)
            on_progress(Progress(f"{path.name} written", "", len(rows), 0))

        count = yield from stream(call, take, batch)
        if vectors is not None:
            vectors.finish()
    if vectors is not None and vectors.is_empty:
        beside.unlink()
    return count
