"""How long to wait, and for what: the rules without a server."""

from __future__ import annotations

import email.utils

import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenacity import Future, RetryCallState, Retrying

from pgrag.models.retrying import Patience, in_short, may_pass, parse_retry_after

NOW = 1_700_000_000.0
DATE = email.utils.formatdate(NOW + 90, usegmt=True)


def _state(attempt: int, error: Exception) -> RetryCallState:
    state = RetryCallState(Retrying(), None, (), {})
    state.attempt_number = attempt
    state.outcome = Future.construct(attempt, error, True)
    return state


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0.0),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "inf"}, 0.0),
        ({"retry-after": DATE}, 90.0),
        ({"retry-after": email.utils.formatdate(NOW - 90, usegmt=True)}, 0.0),
        ({"retry-after": "Wed, 99 Foo 2099 00:00:00 GMT"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "", "retry-after": "9"}, 9.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float) -> None:
    assert parse_retry_after(headers, NOW) == pytest.approx(seconds)


@given(st.text())
def test_no_header_breaks_the_wait(text: str) -> None:
    assert parse_retry_after({"retry-after": text}, NOW) >= 0


@given(st.integers(1, 2000))
def test_waits_double_up_to_the_longest(attempt: int) -> None:
    nominal = min(0.5 * 2.0 ** (attempt - 1), 20.0) if attempt < 30 else 20.0
    assert nominal <= Patience().wait(_state(attempt, ValueError())) <= min(nominal * 1.25, 20.0)


def test_each_wait_is_longer_than_the_one_before() -> None:
    waits = [Patience().wait(_state(attempt, ValueError())) for attempt in range(1, 7)]
    assert waits == sorted(waits)
    assert waits[0] < waits[-1] / 10


def test_waits_differ_between_clients() -> None:
    assert len({Patience().wait(_state(3, ValueError())) for _ in range(20)}) > 1


def test_what_is_no_failure_of_the_server_does_not_pass() -> None:
    assert not may_pass(ValueError("a bug"))
    assert not may_pass(openai.OpenAIError("no key"))


def test_unknown_failures_have_a_name_in_the_log() -> None:
    assert in_short(None) == "failure in the stream"
