"""Which failures of a model's server pass, how long to wait for that, and the line in the log that says so.

429, 408, 5xx, broken connections and timeouts are tried again, with waits that double from `first_wait` up to
`longest_wait` and a little jitter, so that many clients do not come back in step. Where the server says when to come
back (`Retry-After`, in seconds or as a date), that is when we do; if it asks for more than `LONGEST_ASKED_WAIT`, the
failure is reported now rather than slept upon.

Failures are those of the openai package and of httpx.
"""

from __future__ import annotations

import email.utils
import logging
import math
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import openai
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
)

LONGEST_ASKED_WAIT = 300.0
"""Seconds: a server that asks for more has no room for us today."""

_JITTER = 0.25
_PASSING_STATUS = frozenset({408, 429})
_STATUS_ERRORS = (openai.APIStatusError, httpx.HTTPStatusError)

log = logging.getLogger("pgrag.models")


@dataclass(frozen=True)
class Patience:
    """How often to try, how long to wait in between, and how long all of it may take (seconds).

    in_all: no wait begins that would end later; a try that is under way is not cut short.
    """

    tries: int = 8
    first_wait: float = 0.5
    longest_wait: float = 20.0
    in_all: float = math.inf

    def retrying(self, what: str) -> Retrying:
        """Tries a callable again while its failure may pass, then raises the last failure. `what` goes into the log."""
        return Retrying(**self._rules(what))

    def retrying_async(self, what: str) -> AsyncRetrying:
        """The same for a coroutine function."""
        return AsyncRetrying(**self._rules(what))

    def wait(self, state: RetryCallState) -> float:
        """Seconds until the next try."""
        asked = asked_wait(_failure(state))
        doubled = self.first_wait * 2.0 ** min(state.attempt_number - 1, 30)
        wait = (asked or min(doubled, self.longest_wait)) * _spread()
        return wait if asked else min(wait, self.longest_wait)

    def _rules(self, what: str) -> dict[str, Any]:
        def tell(state: RetryCallState) -> None:
            wait = state.next_action.sleep if state.next_action else 0.0
            reason = in_short(_failure(state))
            log.warning("%s: %s at try %d of %d, next in %.1f s", what, reason, state.attempt_number, self.tries, wait)

        return {
            "stop": stop_after_attempt(self.tries) | stop_before_delay(self.in_all),
            "wait": self.wait,
            "retry": retry_if_exception(may_pass),
            "before_sleep": tell,
            "reraise": True,
        }


def _spread() -> float:
    return 1.0 + _JITTER * random.random()  # noqa: S311 - to come back out of step, not to keep a secret


def may_pass(error: BaseException) -> bool:
    """Whether the same request may succeed a little later."""
    if asked_wait(error) > LONGEST_ASKED_WAIT:
        return False
    if isinstance(error, _STATUS_ERRORS):
        return error.response.status_code >= 500 or error.response.status_code in _PASSING_STATUS
    # A bare APIError is a failure that the server reports inside a stream.
    return isinstance(error, openai.APIConnectionError | httpx.TransportError) or type(error) is openai.APIError


def asked_wait(error: BaseException | None) -> float:
    """Seconds that the server asks to wait; 0 when it does not ask."""
    if not isinstance(error, _STATUS_ERRORS):
        return 0.0
    return parse_retry_after(error.response.headers, time.time())


def parse_retry_after(headers: Mapping[str, str], now: float) -> float:
    """Seconds from `now` (Unix time) that `Retry-After` asks for; 0 when it is missing, past or unreadable."""
    milliseconds = _seconds(headers.get("retry-after-ms", "")) / 1000
    stated = headers.get("retry-after", "")
    return milliseconds or _seconds(stated) or _seconds_until(stated, now)


def in_short(error: BaseException | None) -> str:
    """The failure in two words, for the log: nothing of what was sent or said."""
    if isinstance(error, _STATUS_ERRORS):
        return f"HTTP {error.response.status_code}"
    if isinstance(error, openai.APITimeoutError | httpx.TimeoutException):
        return "timeout"
    if isinstance(error, openai.APIConnectionError | httpx.TransportError):
        return "no connection"
    return "failure in the stream"


def _failure(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


def _seconds_until(date: str, now: float) -> float:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - now)
    except (TypeError, ValueError, OverflowError):
        return 0.0
