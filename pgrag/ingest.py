"""Documents to rows, in the order it happens: enqueue → work until none of them waits → refresh what changed.

A document is visible whole or not at all (`process`). Any number of workers may be at it (`work`); what another one has
under way is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from pgrag import calls
from pgrag.budget import Meter
from pgrag.documents import DocumentReport, IngestOptions, IngestReport, NewDocument
from pgrag.errors import BudgetExceeded, PgragError
from pgrag.flow import Flow, pause, together
from pgrag.progress import OnProgress, Progress
from pgrag.refresh import refresh
from pgrag.setup import Setup
from pgrag.spending import budget_of, what_is_left
from pgrag.work import work


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
    while waiting := [key for key, report in reports.items() if report.status in ("queued", "busy")]:
        at_once = setup.documents_at_once
        lanes = [work(waiting, setup, worker, on_progress) for _ in waiting[:at_once]]
        for lane in (yield from together(lanes, width=at_once)):
            reports.update({report.id: report for report in lane})
        if setup.meter.budget.is_exceeded:
            break
        yield from _look_after_busy(documents, reports, options, setup)
    refreshed = yield from _refresh_within_budget(options, setup, on_progress)
    ordered = tuple(reports[key] for key in dict.fromkeys(document.id for document in documents))
    report = IngestReport(ordered, refreshed, time.perf_counter() - started)
    if setup.meter.budget.is_exceeded:
        raise (yield from what_is_left(documents, report, options, setup))
    return report


def _refresh_within_budget(options: IngestOptions, setup: Setup, on_progress: OnProgress) -> Flow[int]:
    """Vectors of what has changed; a spent budget leaves the rest to the next run, where their old ones serve."""
    if not options.wait or setup.meter.budget.is_exceeded:
        return 0
    try:
        return (yield from refresh(setup, lambda count: on_progress(Progress("refresh", "", count, 0))))
    except BudgetExceeded:
        return 0


def _enqueue(document: NewDocument, options: IngestOptions, setup: Setup) -> Flow[DocumentReport]:
    try:
        (row,) = yield from calls.enqueue_document(
            setup.workspace,
            document.id,
            document.content,
            document.file_path,
            document.source_path,
            document.metadata,
            options.of_job(document),
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
