"""A worker: claim a job, hold its lease by a heartbeat, work on it, and go on with the next.

A document that fails says why and holds up no other; what its model calls gave is kept, so trying again costs only what
is missing. A worker has lanes, each with a name of its own: a lane holds one job at most.
"""

from __future__ import annotations

import os
import socket
import threading
import uuid
from collections.abc import Sequence

from pgrag import jobs
from pgrag.documents import DocumentReport, IngestOptions
from pgrag.errors import BudgetExceeded, DatabaseUnreachable, DocumentBusy, PgragError
from pgrag.flow import Flow, pause, together
from pgrag.process import process
from pgrag.progress import OnProgress
from pgrag.rows import Job
from pgrag.setup import Setup

_CLAIMS = 3


def new_worker() -> str:
    """A name for a worker that no other has."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def lanes_of(worker: str, count: int) -> list[str]:
    """The names of a worker's lanes; `release_jobs` knows whose they are."""
    return [f"{worker}/{number}" for number in range(1, count + 1)]


def work(keys: Sequence[str], setup: Setup, lane: str, on_progress: OnProgress) -> Flow[list[DocumentReport]]:
    """Take jobs of these documents, one after the other, until there is none left to take, or nothing left to spend."""
    reports = []
    while not setup.meter.budget.is_exceeded and (report := (yield from work_on_next(keys, setup, lane, on_progress))):
        reports.append(report)
    return reports


def work_on_next(
    keys: Sequence[str] | None, setup: Setup, lane: str, on_progress: OnProgress
) -> Flow[DocumentReport | None]:
    """Take one job (of these documents; None: of any) and work on it: what became of it; None: there is none to take.

    Raises DatabaseUnreachable; whatever else goes wrong fails the document alone.
    """
    claimed = yield from _claim(keys, setup, lane)
    if not claimed:
        return None
    done = threading.Event()
    report, _ = yield from together(
        _attempt(claimed[0], setup, lane, on_progress, done), _keep_lease(claimed[0], setup, lane, done)
    )
    return report


def _claim(keys: Sequence[str] | None, setup: Setup, lane: str) -> Flow[list[Job]]:
    """A claim whose reply was lost may have been granted: the lane gives back what it holds, and asks again."""
    for _ in range(_CLAIMS - 1):
        try:
            return (yield from jobs.claim_job(setup.workspace, lane, keys, setup.worker.lease_seconds))
        except DatabaseUnreachable:
            yield from jobs.release_jobs(setup.workspace, lane)
    return (yield from jobs.claim_job(setup.workspace, lane, keys, setup.worker.lease_seconds))


def _attempt(job: Job, setup: Setup, lane: str, on_progress: OnProgress, done: threading.Event) -> Flow[DocumentReport]:
    try:
        if job.attempts > setup.worker.max_attempts:
            return (yield from _fail(job, setup, lane, _given_up(job)))
        return (yield from process(job, IngestOptions.from_job(job.options), setup, lane, on_progress))
    except DocumentBusy:
        # The lease ran out, or a newer version was queued: whoever has it now will report on it.
        return DocumentReport(job.document, "busy")
    except BudgetExceeded:
        # Nothing is wrong with it: whoever ends the run gives its job back to the queue.
        return DocumentReport(job.document, "queued")
    except DatabaseUnreachable:
        raise
    except PgragError as error:
        return (yield from _fail(job, setup, lane, str(error)))
    finally:
        done.set()


def _fail(job: Job, setup: Setup, lane: str, error: str) -> Flow[DocumentReport]:
    yield from jobs.fail_job(setup.workspace, job.job_id, lane, error)
    return DocumentReport(job.document, "failed", error=error)


def _given_up(job: Job) -> str:
    return f"given up after {job.attempts - 1} attempts: each worker that took it died before it was done"


def _keep_lease(job: Job, setup: Setup, lane: str, done: threading.Event) -> Flow[None]:
    """The heartbeat: renew the lease until the work is done, or another has the job."""
    holds = True
    while holds:
        yield from pause(setup.worker.heartbeat_seconds, unless=done)
        if done.is_set():
            return
        (holds,) = yield from jobs.renew_lease(setup.workspace, job.job_id, lane, setup.worker.lease_seconds)
