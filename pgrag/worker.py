"""A worker that goes on until it is stopped: whatever is queued, and what `refresh` has to do once nothing is.

Its lanes take one job each, from the workspace that has waited longest. The first lane also makes vectors anew, when
no job of the workspace waits: while jobs come in, they would change again. A workspace whose budget is spent is
left alone until the worker is started again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pgrag import jobs
from pgrag.budget import Budget, Meter
from pgrag.documents import DocumentReport, IngestOptions, WorkReport
from pgrag.errors import BudgetExceeded, DatabaseError, PgragError
from pgrag.flow import Flow, pause, together
from pgrag.progress import OnProgress, Progress
from pgrag.refresh import refresh
from pgrag.rows import PendingWork
from pgrag.setup import Setup
from pgrag.spending import budget_of
from pgrag.work import lanes_of, work_on_next

log = logging.getLogger("pgrag.worker")

OnReport = Callable[[DocumentReport], None]


@dataclass(frozen=True)
class Assignment:
    """What a worker is to do: where (None: in every workspace), until when, and whom it tells.

    drain: it ends when there is nothing left to do, also nothing that another worker still holds.
    stop: once this is set, it ends after the jobs it has.
    """

    workspace: str | None
    drain: bool
    stop: threading.Event
    on_report: OnReport
    on_progress: OnProgress


def work_until_stopped(assignment: Assignment, setup: Setup, worker: str) -> Flow[WorkReport]:
    """Take jobs until told to stop: what was done.

    Raises DatabaseUnreachable when the database stays away; ModelError, with `drain`, when vectors cannot be made.
    """
    started = time.perf_counter()
    tally = _Tally(assignment.on_report)
    names = lanes_of(worker, setup.documents_at_once)
    lanes = [_lane(name, assignment, setup, tally, refreshes=name == names[0]) for name in names]
    yield from together(lanes, width=len(lanes))
    return WorkReport(tally.ready, tally.failed, tally.refreshed, time.perf_counter() - started)


def _lane(name: str, assignment: Assignment, setup: Setup, tally: _Tally, *, refreshes: bool) -> Flow[None]:
    while not assignment.stop.is_set():
        everywhere = yield from jobs.pending_work(assignment.workspace)
        pending = [place for place in everywhere if not tally.is_spent(place.name)]
        if assignment.drain and not any(_concerns(place, refreshes) for place in pending):
            return
        has_worked = yield from _take_one(pending, name, assignment, setup, tally)
        if not has_worked and refreshes:
            has_worked = yield from _refresh_one(pending, assignment, setup, tally)
        if not has_worked:
            yield from pause(setup.worker.poll_seconds, unless=assignment.stop)


def _concerns(place: PendingWork, refreshes: bool) -> bool:
    return bool(place.takeable or place.under_way or (place.stale and refreshes))


def _take_one(pending: list[PendingWork], lane: str, assignment: Assignment, setup: Setup, tally: _Tally) -> Flow[bool]:
    """Whether there was a job to take, in any of these places; it is done then."""
    for place in pending:
        if place.takeable:
            there = yield from _with_budget(place.name, setup, tally)
            report = yield from work_on_next(None, there, lane, assignment.on_progress)
            if tally.is_spent(place.name):
                yield from jobs.release_jobs(place.name, lane)
            if report is not None:
                tally.add(report)
                return True
    return False


def _with_budget(workspace: str, setup: Setup, tally: _Tally) -> Flow[Setup]:
    """The set-up for a workspace: its budget is one for all lanes."""
    there = replace(setup, workspace=workspace)
    if workspace not in tally.budgets:
        budget = yield from budget_of(IngestOptions(), there)
        tally.budgets.setdefault(workspace, budget)
    return replace(there, meter=Meter(tally.budgets[workspace]))


def _refresh_one(pending: list[PendingWork], assignment: Assignment, setup: Setup, tally: _Tally) -> Flow[bool]:
    """Whether vectors were made anew somewhere. A model that cannot be had now may be there at the next look."""
    for place in pending:
        if place.stale and not place.takeable:
            there = yield from _with_budget(place.name, setup, tally)
            try:
                count = yield from refresh(
                    there,
                    lambda done: assignment.on_progress(Progress("refresh", "", done, 0)),
                )
            except DatabaseError:
                raise
            except BudgetExceeded:
                continue
            except PgragError as error:
                if assignment.drain:
                    raise
                tally.tell_once(error)
                continue
            tally.add_refreshed(count)
            if count:
                return True
    return False


@dataclass
class _Tally:
    """What the lanes of a worker have done so far, added up from several threads."""

    on_report: OnReport
    ready: int = 0
    failed: int = 0
    refreshed: int = 0
    budgets: dict[str, Budget] = field(default_factory=dict)
    _told: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, report: DocumentReport) -> None:
        """One document more."""
        with self._lock:
            self.ready += report.status == "ready"
            self.failed += report.status == "failed"
        self.on_report(report)

    def is_spent(self, workspace: str) -> bool:
        """Whether the budget of a workspace has ended the work there."""
        budget = self.budgets.get(workspace)
        return budget is not None and budget.is_exceeded

    def add_refreshed(self, count: int) -> None:
        """So many vectors more."""
        self.refreshed += count
        self._told = ""

    def tell_once(self, error: PgragError) -> None:
        """A failure of refreshing, when it is not the one told before."""
        if str(error) != self._told:
            self._told = str(error)
            log.warning("vectors cannot be made anew now: %s", error)
