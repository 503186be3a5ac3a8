"""The values of taking documents in: what is given, how it is to be done, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pgrag.chunking import (
    ByTokens,
    Chunk,
    ChunkSize,
    Mark,
    Strategy,
    chunk_text,
    strategy_from_job,
    strategy_of_job,
)
from pgrag.prompts import ExtractionOptions
from pgrag.tokens import Tokenizer


@dataclass(frozen=True)
class NewDocument:
    """A document as it is to be stored.

    content: sanitized (`sanitize_document`); `marks` count its characters: from which on which page it stands.
    source_path: the absolute path of the file it was read from.
    """

    id: str
    content: str
    file_path: str | None = None
    source_path: str | None = None
    metadata: Mapping[str, Any] | None = None
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class IngestOptions:
    """How documents are taken in.

    chunk_size: none: the provider's own, where it states one, else that of `ChunkSize()`.
    wait: False leaves the vectors of changed entities to the next run.
    chunking: where texts are cut.
    """

    chunk_size: ChunkSize | None = None
    extraction: ExtractionOptions = field(default_factory=ExtractionOptions)
    replace: bool = False
    wait: bool = True
    chunking: Strategy = field(default_factory=ByTokens)

    def chunks_of(self, text: str, tokenizer: Tokenizer, marks: Sequence[Mark] = ()) -> list[Chunk]:
        """The chunks of a sanitized text, as these options cut it. Raises InvalidArgument as `chunk_text`."""
        return chunk_text(text, tokenizer, self.chunking, self.chunk_size or ChunkSize(), marks)

    def of_job(self, document: NewDocument) -> Mapping[str, Any]:
        """What a worker on another machine must know of the document, as JSON: how to chunk, what to look for.

        Raises InvalidArgument when the caller's own way of chunking fails on it.
        """
        return {
            "chunk_size": asdict(self.chunk_size or ChunkSize()),
            "chunking": strategy_of_job(self.chunking, document.content),
            "marks": [[mark.start, mark.place] for mark in document.marks],
            "extraction": asdict(self.extraction),
        }

    @classmethod
    def from_job(cls, options: Mapping[str, Any]) -> IngestOptions:
        """The options that a job was queued with. Raises InvalidArgument for an unknown way of chunking."""
        return cls(
            ChunkSize(**options.get("chunk_size", {})),
            ExtractionOptions.of(**options.get("extraction", {})),
            chunking=strategy_from_job(options.get("chunking", {"by": "tokens"})),
        )


def marks_from_job(options: Mapping[str, Any]) -> tuple[Mark, ...]:
    """Where in its file a document's text stands, as its job was told."""
    return tuple(Mark(start, place) for start, place in options.get("marks", ()))


@dataclass(frozen=True)
class DocumentReport:
    """What became of one document: status is ready, unchanged or failed."""

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
