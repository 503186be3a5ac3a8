"""Documents to rows, in the order it happens: enqueue → work until none of them waits → refresh what changed.

A document is visible whole or not at all (`process`). Any number of workers may be at it (`work`); what another one has
under way is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pgrag import calls, jobs
from pgrag.budget import Meter
from pgrag.documents import DocumentReport, IngestOptions, IngestReport, NewDocument
from pgrag.errors import BudgetExceeded, DatabaseUnreachable, PgragError
from pgrag.flow import Flow, pause, together
from pgrag.progress import OnProgress, Progress
from pgrag.refresh import refresh
from pgrag.setup import Setup
from pgrag.spending import budget_of, what_is_left
from pgrag.work import lanes_of, work


def ingest(
    documents: Sequence[NewDocument], options: IngestOptions, setup: Setup, worker: str, on_progress: OnProgress
) -> Flow[IngestReport]:
    """Take documents in: how each of them fared.

    Raises only what concerns all of them: DatabaseError, and BudgetExceeded, with what is left.
    """
    started = time.perf_counter()
    yield from calls.create_workspace(setup.workspace)
    setup = replace(setup, meter=Meter((yield from budget_of(options, setup))))
    reports: dict[str, DocumentReport] = {}
    for document in documents:
        reports[document.id] = yield from _enqueue(document, options, setup)
    if options.queue_only:
        return _report(documents, reports, 0, started)
    yield from _work_off(documents, reports, options, setup, worker, on_progress)
    refreshed = yield from _refresh_within_budget(options, setup, on_progress)
    report = _report(documents, reports, refreshed, started)
    if setup.meter.budget.is_exceeded:
        raise (yield from what_is_left(documents, report, options, setup))
    return report


def _report(
    documents: Sequence[NewDocument], reports: Mapping[str, DocumentReport], refreshed: int, started: float
) -> IngestReport:
    ordered = tuple(reports[key] for key in dict.fromkeys(document.id for document in documents))
    return IngestReport(ordered, refreshed, time.perf_counter() - started)


def _refresh_within_budget(options: IngestOptions, setup: Setup, on_progress: OnProgress) -> Flow[int]:
    """Vectors of what has changed; a spent budget leaves the rest to the next run, where their old ones serve."""
    if not options.wait or setup.meter.budget.is_exceeded:
        return 0
    try:
        return (yield from refresh(setup, lambda count: on_progress(Progress("refresh", "", count, 0))))
    except BudgetExceeded:
        return 0


def _work_off(
    documents: Sequence[NewDocument],
    reports: dict[str, DocumentReport],
    options: IngestOptions,
    setup: Setup,
    worker: str,
    on_progress: OnProgress,
) -> Flow[None]:
    """Work until none of the documents waits any more, with us or with another worker, or nothing is left to spend."""
    while waiting := [key for key, report in reports.items() if report.status in ("queued", "busy")]:
        lanes = lanes_of(worker, min(len(waiting), setup.documents_at_once))
        done = yield from together([work(waiting, setup, lane, on_progress) for lane in lanes], width=len(lanes))
        reports.update({report.id: report for lane in done for report in lane})
        if setup.meter.budget.is_exceeded:
            return
        yield from _look_after_busy(documents, reports, options, setup)


def _enqueue(document: NewDocument, options: IngestOptions, setup: Setup) -> Flow[DocumentReport]:
    try:
        (row,) = yield from jobs.enqueue_document(
            setup.workspace,
            document.id,
            document.content,
            document.file_path,
            document.source_path,
            document.metadata,
            options.of_job(document),
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
