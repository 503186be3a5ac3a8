"""One job from its text to rows: chunk → extract (model) → embed (model) → publish (one transaction).

Nothing of the document is visible until it is published whole. No model is asked inside the transaction.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from pgrag import calls
from pgrag.chunking import Chunk
from pgrag.documents import DocumentReport, IngestOptions, marks_from_job
from pgrag.embedding import embed_all
from pgrag.extract import Extracted, extract_all, said_by
from pgrag.flow import Flow
from pgrag.progress import OnProgress, Progress
from pgrag.rows import Job, NewText
from pgrag.setup import Setup


def process(
    job: Job, options: IngestOptions, setup: Setup, worker: str, on_progress: OnProgress
) -> Flow[DocumentReport]:
    """Work on a claimed job until its document is published: what was published.

    Raises DocumentBusy when the lease was lost, ModelError when a chunk cannot be had; then nothing is visible.
    """
    chunks = options.chunks_of(job.content, setup.tokenizer, marks_from_job(job.options))
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
    return {
        "chunk_index": chunk.index,
        "content": chunk.content,
        "token_count": chunk.token_count,
        "metadata": chunk.metadata,
    }


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
