"""Documents to rows, in the order it happens: enqueue → work until none of them waits → refresh what changed.

A document is visible whole or not at all (`process`). Any number of workers may be at it (`work`); what another one has
under way is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from pgrag import calls, jobs
from pgrag.cleaning import sanitize_document
from pgrag.documents import DocumentReport, IngestOptions, IngestReport, NewDocument
from pgrag.errors import DatabaseUnreachable, PgragError
from pgrag.flow import Flow, pause, together
from pgrag.progress import OnProgress, Progress
from pgrag.refresh import refresh
from pgrag.setup import Setup
from pgrag.work import lanes_of, work


def ingest(
    documents: Sequence[NewDocument], options: IngestOptions, setup: Setup, worker: str, on_progress: OnProgress
) -> Flow[IngestReport]:
    """Take documents in: how each of them fared. Raises only what concerns all of them (DatabaseError)."""
    started = time.perf_counter()
    yield from calls.create_workspace(setup.workspace)
    reports: dict[str, DocumentReport] = {}
    for document in documents:
        reports[document.id] = yield from _enqueue(document, options, setup)
    if not options.queue_only:
        yield from _work_off(documents, reports, options, setup, worker, on_progress)
    refreshed = 0
    if options.wait and not options.queue_only:
        refreshed = yield from refresh(setup, lambda count: on_progress(Progress("refresh", "", count, 0)))
    ordered = tuple(reports[key] for key in dict.fromkeys(document.id for document in documents))
    return IngestReport(ordered, refreshed, time.perf_counter() - started)


def _work_off(
    documents: Sequence[NewDocument],
    reports: dict[str, DocumentReport],
    options: IngestOptions,
    setup: Setup,
    worker: str,
    on_progress: OnProgress,
) -> Flow[None]:
    """Work until none of the documents waits any more, with us or with another worker."""
    while waiting := [key for key, report in reports.items() if report.status in ("queued", "busy")]:
        lanes = lanes_of(worker, min(len(waiting), setup.worker.documents_at_once))
        done = yield from together([work(waiting, setup, lane, on_progress) for lane in lanes], width=len(lanes))
        reports.update({report.id: report for lane in done for report in lane})
        yield from _look_after_busy(documents, reports, options, setup)


def _enqueue(document: NewDocument, options: IngestOptions, setup: Setup) -> Flow[DocumentReport]:
    try:
        (row,) = yield from jobs.enqueue_document(
            setup.workspace,
            document.id,
            sanitize_document(document.content),
            document.file_path,
            document.source_path,
            document.metadata,
            options.of_job(),
            options.replace,
        )
    except DatabaseUnreachable:
        raise
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
