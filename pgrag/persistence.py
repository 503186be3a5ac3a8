"""Flows that outlive a restart of the database.

What cannot have happened is asked again, and so is what may happen twice with the effect of once; of the rest the flow
itself must find out whether it happened (`work` for a claim, `process` for a publication).
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Iterator
from typing import TypeVar

from pgrag.errors import DatabaseError, DatabaseUnreachable
from pgrag.flow import Call, Flow, Pause, Request, Together

T = TypeVar("T")

# Twice is once: they only read, or what they write the second time is there already.
REPEATABLE = frozenset(
    {
        "create_workspace",
        "enqueue_document",
        "renew_lease",
        "release_jobs",
        "fail_job",
        "retry_documents",
        "pending_work",
        "document_details",
        "published_hashes",
        "workspace_budget",
        "kept_extractions",
        "keep_extraction",
        "new_texts",
        "refresh_pending",
        "store_refreshed",
        "kept_summaries",
        "keep_summary",
        "store_summaries",
        "record_usage",  # not quite: a call may be written down twice, which is better than never
    }
)
# Serialization failure, deadlock, too many connections: nothing was done, whatever was asked.
_UNDONE = frozenset({"40001", "40P01", "53300"})
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 5.0

log = logging.getLogger("pgrag.database")


class Patience:
    """How long a flow waits for a database that is away; it says once for each outage that it does."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._told = -float("inf")

    def tell(self, error: DatabaseError) -> None:
        """One line in the log, whoever notices first."""
        with self._lock:
            now = time.monotonic()
            is_news, self._told = now - self._told > self.seconds, now
        if is_news:
            log.warning("%s; trying again for %.0f s", error.message, self.seconds)


def persistent(flow: Flow[T], patience: Patience) -> Flow[T]:
    """The same flow, which waits for a database that is away. Raises DatabaseUnreachable when patience ends."""
    try:
        request = next(flow)
        while True:
            try:
                reply = yield from _insist(request, patience)
            except Exception as error:
                request = flow.throw(error)
            else:
                request = flow.send(reply)
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        flow.close()


def _insist(request: Request, patience: Patience) -> Flow[object]:
    if isinstance(request, Together):
        return (yield Together(tuple(persistent(flow, patience) for flow in request.flows), request.width))
    started: float | None = None
    for wait in _waits():
        try:
            return (yield request)
        except DatabaseError as error:
            if not _may_be_repeated(request, error):
                raise
            started = started or time.monotonic()
            if time.monotonic() + wait > started + patience.seconds:
                raise
            patience.tell(error)
        yield Pause(wait)
    raise AssertionError("the waits do not end")


def _may_be_repeated(request: Request, error: DatabaseError) -> bool:
    if not isinstance(request, Call):
        return False
    return error.sqlstate in _UNDONE or (isinstance(error, DatabaseUnreachable) and request.function in REPEATABLE)


def _waits() -> Iterator[float]:
    """Doubling, with some jitter: workers that lost the same database do not come back in step."""
    wait = _FIRST_WAIT
    while True:
        yield wait * (1 + random.random() / 4)  # noqa: S311 - to come back out of step, not to keep a secret
        wait = min(2 * wait, _LONGEST_WAIT)
