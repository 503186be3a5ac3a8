"""The gate: nothing begins once it is shut, and what is under way has ended when shutting it returns."""

from __future__ import annotations

import threading
import time

import pytest

from pgrag.flow import Call, Pause, Request, Stopped
from pgrag.gate import Gate

CALL = Call("claim_job", {}, str)


def test_it_lets_everything_through_while_it_is_open() -> None:
    gate = Gate(lambda request: request)
    assert gate.perform(CALL) == CALL


def test_no_call_begins_once_it_is_shut() -> None:
    asked: list[Request] = []
    gate = Gate(asked.append)
    gate.shut(1)
    with pytest.raises(Stopped):
        gate.perform(CALL)
    gate.perform(Pause(0))
    assert asked == [Pause(0)]


def test_shutting_waits_for_the_call_under_way() -> None:
    begun, ended = threading.Event(), threading.Event()

    def perform(request: Request) -> None:
        begun.set()
        time.sleep(0.1)
        ended.set()

    gate = Gate(perform)
    threading.Thread(target=gate.perform, args=(CALL,)).start()
    begun.wait()
    gate.shut(10)
    assert ended.is_set()


def test_shutting_does_not_wait_for_ever() -> None:
    begun, end = threading.Event(), threading.Event()

    def perform(request: Request) -> None:
        begun.set()
        end.wait()

    gate = Gate(perform)
    threading.Thread(target=gate.perform, args=(CALL,), daemon=True).start()
    begun.wait()
    gate.shut(0.05)
    end.set()


def test_a_call_that_failed_is_over() -> None:
    def perform(request: Request) -> None:
        raise ValueError

    gate = Gate(perform)
    with pytest.raises(ValueError):
        gate.perform(CALL)
    started = time.monotonic()
    gate.shut(10)
    assert time.monotonic() - started < 5
