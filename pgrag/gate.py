"""The way out of work that is interrupted: first no call of the database begins any more, then those under way end.

Without it, a job that is claimed in the moment of Ctrl-C would stay with a worker that is no more until its lease
runs out.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from pgrag.flow import Call, Perform, Request, Stopped, Transaction


class Gate:
    """Performs requests until it is shut; for any number of threads."""

    def __init__(self, perform: Perform) -> None:
        self._perform = perform
        self._changed = threading.Condition()
        self._is_open = True
        self._under_way = 0

    def perform(self, request: Request) -> Any:
        """The reply to one request. Raises Stopped once the gate is shut."""
        if not isinstance(request, Call | Transaction):
            return self._perform(request)
        with self._changed:
            if not self._is_open:
                raise Stopped
            self._under_way += 1
        try:
            return self._perform(request)
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def shut(self, seconds: float) -> None:
        """Let no call through any more, and return when none is under way, or after that many seconds."""
        deadline = time.monotonic() + seconds
        with self._changed:
            self._is_open = False
            while self._under_way and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(left)
