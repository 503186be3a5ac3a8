"""Documents to rows, in the order it happens.

    enqueue → claim → chunk → extract (model) → embed (model) → publish (one transaction) → refresh what changed

A document is visible whole or not at all. One that fails says why and holds up no other; what its model calls gave is
kept, so trying again costs only what is missing. No model is asked inside a transaction.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pgrag import calls
from pgrag.chunking import Chunk, ChunkSize, chunk_by_tokens
from pgrag.cleaning import sanitize_document
from pgrag.embedding import embed_all
from pgrag.errors import DocumentBusy, PgragError
from pgrag.extract import Extracted, extract_all, said_by
from pgrag.flow import Flow, pause, together
from pgrag.progress import OnProgress, Progress
from pgrag.prompts import ExtractionOptions
from pgrag.refresh import refresh
from pgrag.rows import Job, NewText
from pgrag.setup import Setup

LEASE_SECONDS = 30.0
HEARTBEAT_SECONDS = 10.0
DOCUMENTS_AT_ONCE = 4


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
    """How documents are taken in. `wait=False` leaves the vectors of changed entities to the next run."""

    chunk_size: ChunkSize = field(default_factory=ChunkSize)
    extraction: ExtractionOptions = field(default_factory=ExtractionOptions)
    replace: bool = False
    wait: bool = True


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


def new_worker() -> str:
    """A name for a worker that no other has."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def ingest(
    documents: Sequence[NewDocument], options: IngestOptions, setup: Setup, worker: str, on_progress: OnProgress
) -> Flow[IngestReport]:
    """Take documents in: how each of them fared. Raises only what concerns all of them (DatabaseError)."""
    started = time.perf_counter()
    yield from calls.create_workspace(setup.workspace)
    reports: dict[str, DocumentReport] = {}
    for document in documents:
        reports[document.id] = yield from _enqueue(document, options, setup)
    while waiting := [key for key, report in reports.items() if report.status in ("queued", "busy")]:
        lanes = [_work(waiting, options, setup, worker, on_progress) for _ in waiting[:DOCUMENTS_AT_ONCE]]
        for lane in (yield from together(lanes, width=DOCUMENTS_AT_ONCE)):
            reports.update({report.id: report for report in lane})
        yield from _look_after_busy(documents, reports, options, setup)
    refreshed = 0
    if options.wait:
        refreshed = yield from refresh(setup, lambda count: on_progress(Progress("refresh", "", count, 0)))
    ordered = tuple(reports[key] for key in dict.fromkeys(document.id for document in documents))
    return IngestReport(ordered, refreshed, time.perf_counter() - started)


def _enqueue(document: NewDocument, options: IngestOptions, setup: Setup) -> Flow[DocumentReport]:
    size = {"chunk_tokens": options.chunk_size.tokens, "chunk_overlap": options.chunk_size.overlap}
    try:
        (row,) = yield from calls.enqueue_document(
            setup.workspace,
            document.id,
            sanitize_document(document.content),
            document.file_path,
            document.source_path,
            document.metadata,
            size,
            options.replace,
        )
    except PgragError as error:
        return DocumentReport(document.id, "failed", error=str(error))
    return DocumentReport(document.id, row.action)


def _look_after_busy(
    documents: Sequence[NewDocument], reports: dict[str, DocumentReport], options: IngestOptions, setup: Setup
) -> Flow[None]:
    """Ask again for what another worker has: it is published by then, or its lease runs out and we take it."""
    busy = [document for document in documents if reports[document.id].status in ("queued", "busy")]
    if busy:
        yield from pause(0.5)
    for document in busy:
        reports[document.id] = yield from _enqueue(document, options, setup)


def _work(
    keys: Sequence[str], options: IngestOptions, setup: Setup, worker: str, on_progress: OnProgress
) -> Flow[list[DocumentReport]]:
    """Take jobs of these documents, one after the other, until there is none left to take."""
    reports = []
    while claimed := (yield from calls.claim_job(setup.workspace, worker, keys, LEASE_SECONDS)):
        done = threading.Event()
        job = claimed[0]
        results = yield from together(
            [_attempt(job, options, setup, worker, on_progress, done), _keep_lease(job, setup, worker, done)],
            width=2,
        )
        reports.append(results[0])
    return [report for report in reports if report is not None]


def _attempt(
    job: Job,
    options: IngestOptions,
    setup: Setup,
    worker: str,
    on_progress: OnProgress,
    done: threading.Event,
) -> Flow[DocumentReport | None]:
    try:
        return (yield from _process(job, options, setup, worker, on_progress))
    except DocumentBusy:
        # The lease ran out, or a newer version was queued: whoever has it now will report on it.
        return DocumentReport(job.document, "busy")
    except PgragError as error:
        yield from calls.fail_job(setup.workspace, job.job_id, worker, str(error))
        return DocumentReport(job.document, "failed", error=str(error))
    finally:
        done.set()


def _keep_lease(job: Job, setup: Setup, worker: str, done: threading.Event) -> Flow[None]:
    """The heartbeat: renew the lease until the work is done."""
    while True:
        yield from pause(HEARTBEAT_SECONDS, unless=done)
        if done.is_set():
            return
        yield from calls.renew_lease(setup.workspace, job.job_id, worker, LEASE_SECONDS)


def _process(
    job: Job, options: IngestOptions, setup: Setup, worker: str, on_progress: OnProgress
) -> Flow[DocumentReport]:
    size = ChunkSize(job.options.get("chunk_tokens", 1200), job.options.get("chunk_overlap", 100))
    chunks = chunk_by_tokens(job.content, setup.tokenizer, size)
    count = _Counter(job.document, len(chunks), on_progress)
    extracted = yield from extract_all(chunks, options.extraction, setup, count.one_more)
    said = said_by(chunks, extracted)
    embeddings = yield from embed_all([chunk.content for chunk in chunks], setup)
    new = yield from calls.new_texts(setup.workspace, said.entities, said.relations)
    vectors = yield from embed_all([text.embedded_text for text in new], setup)
    (published,) = yield from calls.publish_document(
        setup.workspace,
        job.job_id,
        worker,
        [_chunk_row(chunk) for chunk in chunks],
        embeddings,
        said.entities,
        said.relations,
        [text.text_hash for text in new],
        vectors,
        _line_tokens(new, setup),
    )
    yield from _write_down_cost(job.document, extracted, setup)
    on_progress(Progress("published", job.document, len(chunks), len(chunks)))
    return DocumentReport(
        job.document,
        "ready",
        published.chunk_count,
        published.entity_count,
        published.relation_count,
        sum(found.calls for found in extracted),
    )


def _chunk_row(chunk: Chunk) -> Mapping[str, Any]:
    return {"chunk_index": chunk.index, "content": chunk.content, "token_count": chunk.token_count}


def _line_tokens(texts: Sequence[NewText], setup: Setup) -> list[int]:
    return setup.tokenizer.counts([text.line + "\n" for text in texts])


def _write_down_cost(document: str, extracted: Sequence[Extracted], setup: Setup) -> Flow[None]:
    if not setup.models.is_language_model:
        return
    yield from calls.record_usage(
        setup.workspace,
        "extract",
        setup.models.extract,
        calls=sum(found.calls for found in extracted),
        cached=sum(found.calls == 0 for found in extracted),
        prompt_tokens=sum(found.prompt_tokens for found in extracted),
        completion_tokens=sum(found.completion_tokens for found in extracted),
        document=document,
    )


class _Counter:
    """Counts chunks of one document that are read, from several threads."""

    def __init__(self, document: str, total: int, on_progress: OnProgress) -> None:
        self._document, self._total, self._on_progress = document, total, on_progress
        self._done = 0
        self._lock = threading.Lock()

    def one_more(self) -> None:
        with self._lock:
            self._done += 1
            done = self._done
        self._on_progress(Progress("extract", self._document, done, self._total))
