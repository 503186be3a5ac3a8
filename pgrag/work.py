"""A worker: claim a job, hold its lease by a heartbeat, work on it, and go on with the next.

A document that fails says why and holds up no other; what its model calls gave is kept, so trying again costs only what
is missing.
"""

from __future__ import annotations

import os
import socket
import threading
import uuid
from collections.abc import Sequence

from pgrag import calls
from pgrag.documents import DocumentReport, IngestOptions
from pgrag.errors import BudgetExceeded, DocumentBusy, PgragError
from pgrag.flow import Flow, pause, together
from pgrag.process import process
from pgrag.progress import OnProgress
from pgrag.rows import Job
from pgrag.setup import Setup

LEASE_SECONDS = 30.0
HEARTBEAT_SECONDS = 10.0


def new_worker() -> str:
    """A name for a worker that no other has."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def work(keys: Sequence[str], setup: Setup, worker: str, on_progress: OnProgress) -> Flow[list[DocumentReport]]:
    """Take jobs of these documents, one after the other, until there is none left to take, or nothing left to spend."""
    reports = []
    while not setup.meter.budget.is_exceeded:
        claimed = yield from calls.claim_job(setup.workspace, worker, keys, LEASE_SECONDS)
        if not claimed:
            break
        done = threading.Event()
        job = claimed[0]
        results = yield from together(
            [_attempt(job, setup, worker, on_progress, done), _keep_lease(job, setup, worker, done)],
            width=2,
        )
        reports.append(results[0])
    return [report for report in reports if report is not None]


def _attempt(
    job: Job,
    setup: Setup,
    worker: str,
    on_progress: OnProgress,
    done: threading.Event,
) -> Flow[DocumentReport | None]:
    try:
        return (yield from process(job, IngestOptions.from_job(job.options), setup, worker, on_progress))
    except DocumentBusy:
        # The lease ran out, or a newer version was queued: whoever has it now will report on it.
        return DocumentReport(job.document, "busy")
    except BudgetExceeded:
        # Nothing is wrong with it: whoever ends the run gives its job back to the queue.
        return DocumentReport(job.document, "queued")
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
