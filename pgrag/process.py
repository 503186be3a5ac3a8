"""One job from its text to rows: chunk → extract (model) → embed (model) → publish (one transaction).

Nothing of the document is visible until it is published whole. No model is asked inside the transaction.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pgrag import calls, upkeep
from pgrag.asking import metered, on_account
from pgrag.chunking import Chunk
from pgrag.documents import DocumentReport, IngestOptions, marks_from_job
from pgrag.embedding import embed_all
from pgrag.errors import DatabaseUnreachable, DocumentBusy
from pgrag.estimate import within_budget
from pgrag.extract import extract_all
from pgrag.flow import Flow
from pgrag.options import ExtractionOptions
from pgrag.progress import OnProgress, Progress
from pgrag.rows import Job, NewText, Published
from pgrag.setup import Setup

_PUBLICATIONS = 3


def process(
    job: Job, options: IngestOptions, setup: Setup, worker: str, on_progress: OnProgress
) -> Flow[DocumentReport]:
    """Work on a claimed job until its document is published: what was published.

    Raises DocumentBusy when the lease was lost, ModelError when a chunk cannot be had, BudgetExceeded when it may not;
    then nothing is visible. What models were asked is written down in any case.
    """
    own = metered(setup, job.document)
    try:
        return (yield from on_account(_process(job, options, own, worker, on_progress), own))
    finally:
        own.meter.budget.end(job.document)


def _process(
    job: Job, options: IngestOptions, setup: Setup, worker: str, on_progress: OnProgress
) -> Flow[DocumentReport]:
    chunks = options.chunks_of(job.content, setup.tokenizer, marks_from_job(job.options))
    asked = options.extraction or ExtractionOptions()
    yield from within_budget(chunks, asked, setup)
    count = _Counter(job.document, len(chunks), on_progress)
    said = yield from extract_all(chunks, asked, setup, count.one_more)
    embeddings = yield from embed_all([chunk.content for chunk in chunks], setup)
    new = yield from calls.new_texts(setup.workspace, said.entities, said.relations)
    vectors = yield from embed_all([text.embedded_text for text in new], setup)
    published = yield from _certainly(
        lambda: calls.publish_document(
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
        ),
        job,
        setup,
    )
    on_progress(Progress("published", job.document, len(chunks), len(chunks)))
    return DocumentReport(
        job.document,
        "ready",
        published.chunk_count,
        published.entity_count,
        published.relation_count,
        setup.meter.calls("extract"),
    )


def _certainly(publish: Callable[[], Flow[list[Published]]], job: Job, setup: Setup) -> Flow[Published]:
    """Publish, and know whether it happened: when the reply is lost, the database is asked what it has.

    A job that is gone may be gone because a publication whose reply was lost has ended it.
    """
    for _ in range(_PUBLICATIONS - 1):
        try:
            return (yield from publish())[0]
        except (DatabaseUnreachable, DocumentBusy) as error:
            (found,) = yield from upkeep.document_details(setup.workspace, job.document)
            if found.content_hash == job.content_hash:
                return Published(found.document, found.chunk_count, found.entity_count, found.relation_count)
            if isinstance(error, DocumentBusy):
                raise
    return (yield from publish())[0]


def _chunk_row(chunk: Chunk) -> Mapping[str, Any]:
    return {
        "chunk_index": chunk.index,
        "content": chunk.content,
        "token_count": chunk.token_count,
        "metadata": chunk.metadata,
    }


def _line_tokens(texts: Sequence[NewText], setup: Setup) -> list[int]:
    return setup.tokenizer.counts([text.line + "\n" for text in texts])


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
