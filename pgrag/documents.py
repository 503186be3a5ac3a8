"""The values of taking documents in: what is given, how it is to be done, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
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
from pgrag.errors import InvalidArgument
from pgrag.options import ExtractionOptions, whole_number
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
    extraction: what the model is asked of a chunk; none: what the settings say.
    wait: False leaves the vectors of changed entities to the next run.
    chunking: where texts are cut.
    max_tokens: what models may be asked in this run, sent and received, chat and embeddings together; the run stops
        before it would be more (BudgetExceeded). None: as much as is wanted.
    queue_only: leave all of the work to workers.

    Raises InvalidArgument for a value out of its domain.
    """

    chunk_size: ChunkSize | None = None
    extraction: ExtractionOptions | None = None
    replace: bool = False
    wait: bool = True
    chunking: Strategy = field(default_factory=ByTokens)
    max_tokens: int | None = None
    queue_only: bool = False

    def __post_init__(self) -> None:
        if self.max_tokens is not None and whole_number("max_tokens", self.max_tokens) < 1:
            raise InvalidArgument(f"max_tokens must be positive, got {self.max_tokens}")

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
            "extraction": asdict(self.extraction or ExtractionOptions()),
        }

    @classmethod
    def from_job(cls, options: Mapping[str, Any]) -> IngestOptions:
        """The options that a job was queued with. Raises InvalidArgument for an unknown way of chunking."""
        return cls(
            ChunkSize(**options.get("chunk_size", {})),
            ExtractionOptions(**options.get("extraction", {})),
            chunking=strategy_from_job(options.get("chunking", {"by": "tokens"})),
        )


def marks_from_job(options: Mapping[str, Any]) -> tuple[Mark, ...]:
    """Where in its file a document's text stands, as its job was told."""
    return tuple(Mark(start, place) for start, place in options.get("marks", ()))


@dataclass(frozen=True)
class DocumentReport:
    """What became of one document: status is ready, unchanged or failed; queued, where a budget ended the run first,
    or workers are to take it."""

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


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What taking something in would ask of models, as far as can be told before.

    calls: requests to the chat model, gleaning included; embedding_calls: requests to the embedding model.
    prompt_tokens, completion_tokens: of the chat model; completions are guessed from the length of the text.
    embedding_tokens: of chunks, and a guess of the names that they bring.
    tokens: all of them together, what a budget is held against.
    """

    chunks: int = 0
    kept_chunks: int = 0
    calls: int = 0
    embedding_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    embedding_tokens: int = 0
    tokens: int = 0

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(Estimate)}
        )


@dataclass(frozen=True, kw_only=True)
class DocumentEstimate(Estimate):
    """What taking one document in would ask of models: status is new, changed, unchanged or failed."""

    id: str
    status: str
    error: str | None = None


@dataclass(frozen=True)
class IngestEstimate:
    """What taking documents in would ask of models, one by one in the order given, and in total."""

    documents: tuple[DocumentEstimate, ...]
    total: Estimate
    skipped: tuple[str, ...] = ()

    def including(self, failed: tuple[DocumentReport, ...], skipped: Sequence[Path]) -> IngestEstimate:
        """This estimate with those that cannot be read at its end, and with what was passed over."""
        others = tuple(DocumentEstimate(id=each.id, status="failed", error=each.error) for each in failed)
        return replace(self, documents=self.documents + others, skipped=tuple(map(str, skipped)))

    @property
    def failed(self) -> tuple[DocumentEstimate, ...]:
        """Those that cannot be read."""
        return tuple(document for document in self.documents if document.status == "failed")
