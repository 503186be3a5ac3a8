"""The values of taking documents in: what is given, how it is to be done, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pgrag.chunking import ChunkSize
from pgrag.prompts import ExtractionOptions


@dataclass(frozen=True)
class NewDocument:
    """A document as the caller gives it. `source_path` is the absolute path of the file it was read from."""

    id: str
    content: str
    file_path: str | None = None
    source_path: str | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class IngestOptions:
    """How documents are taken in.

    `wait=False` leaves the vectors of changed entities to the next run, `queue_only` all of the work to workers.
    """

    chunk_size: ChunkSize = field(default_factory=ChunkSize)
    extraction: ExtractionOptions = field(default_factory=ExtractionOptions)
    replace: bool = False
    wait: bool = True
    queue_only: bool = False

    def of_job(self) -> Mapping[str, Any]:
        """What a worker on another machine must know, as JSON: how to chunk, what to look for."""
        return {"chunk_size": asdict(self.chunk_size), "extraction": asdict(self.extraction)}

    @classmethod
    def from_job(cls, options: Mapping[str, Any]) -> IngestOptions:
        """The options that a job was queued with."""
        return cls(ChunkSize(**options.get("chunk_size", {})), ExtractionOptions.of(**options.get("extraction", {})))


@dataclass(frozen=True)
class DocumentReport:
    """What became of one document: status is ready, unchanged or failed; queued, where workers are to take it."""

    id: str
    status: str
    chunks: int = 0
    entities: int = 0
    relations: int = 0
    calls: int = 0
    error: str | None = None


@dataclass(frozen=True)
class IngestReport:
    """What became of all of them, in the order given. `skipped`: files below the folders named, of no kind we read."""

    documents: tuple[DocumentReport, ...]
    refreshed: int
    seconds: float
    skipped: tuple[str, ...] = ()

    def including(self, others: tuple[DocumentReport, ...], skipped: Sequence[Path]) -> IngestReport:
        """This report with others at its end, and with what was passed over."""
        return replace(self, documents=self.documents + others, skipped=tuple(map(str, skipped)))

    @property
    def failed(self) -> tuple[DocumentReport, ...]:
        """Those that failed."""
        return tuple(document for document in self.documents if document.status == "failed")


@dataclass(frozen=True)
class WorkReport:
    """What a worker has done: documents ready and failed, vectors made anew, seconds from start to stop."""

    ready: int
    failed: int
    refreshed: int
    seconds: float
