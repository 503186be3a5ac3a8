"""Failed documents once more: back into the queue, and worked on until none of them waits."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from pgrag import jobs, upkeep
from pgrag.budget import Meter
from pgrag.documents import DocumentReport, IngestOptions, IngestReport
from pgrag.errors import BudgetExceeded, UnknownDocument
from pgrag.flow import Flow, pause, together
from pgrag.progress import OnProgress, Progress
from pgrag.refresh import refresh
from pgrag.rows import DocumentDetails
from pgrag.setup import Setup
from pgrag.spending import budget_of
from pgrag.work import lanes_of, work


def retry(documents: Sequence[str] | None, setup: Setup, worker: str, on_progress: OnProgress) -> Flow[IngestReport]:
    """Try failed documents again (None: all that failed): how each fared. Raises UnknownDocument.

    The text is the one that was queued; what models replied before is kept, and not paid for again.
    """
    started = time.perf_counter()
    setup = replace(setup, meter=Meter((yield from budget_of(IngestOptions(), setup))))
    keys = sorted((yield from jobs.retry_documents(setup.workspace, documents)))
    reports: dict[str, DocumentReport] = {}
    while (waiting := [key for key in keys if key not in reports]) and not setup.meter.budget.is_exceeded:
        lanes = lanes_of(worker, min(len(waiting), setup.documents_at_once))
        done = yield from together([work(waiting, setup, lane, on_progress) for lane in lanes], width=len(lanes))
        reports.update({report.id: report for lane in done for report in lane if report.status != "busy"})
        for key in waiting:
            if key not in reports and (ended := (yield from _ended_elsewhere(key, setup))):
                reports[key] = ended
        if any(key not in reports for key in waiting):
            yield from pause(setup.worker.poll_seconds)
    if setup.meter.budget.is_exceeded:
        left = [key for key in keys if key not in reports or reports[key].status == "queued"]
        message = f"the budget of the workspace is spent: {len(left)} documents are left"
        raise BudgetExceeded(message, "pgrag workspace budget allows more", documents_left=len(left))
    refreshed = yield from refresh(setup, lambda count: on_progress(Progress("refresh", "", count, 0)))
    return IngestReport(tuple(reports[key] for key in keys), refreshed, time.perf_counter() - started)


def _ended_elsewhere(key: str, setup: Setup) -> Flow[DocumentReport | None]:
    """What became of a document that another worker took; None while it is at it."""
    try:
        (found,) = yield from upkeep.document_details(setup.workspace, key)
    except UnknownDocument as error:
        return DocumentReport(key, "failed", error=str(error))
    return None if found.job_state in ("queued", "working") else _report_of(found)


def _report_of(found: DocumentDetails) -> DocumentReport:
    if found.job_state == "failed":
        return DocumentReport(found.document, "failed", error=found.error)
    return DocumentReport(found.document, found.status, found.chunk_count, found.entity_count, found.relation_count)
