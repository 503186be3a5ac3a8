"""Flows that wait for a database that is away: what is asked again, what is not, and for how long."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from pgrag import calls, jobs, ledger, upkeep
from pgrag.errors import DatabaseError, DatabaseUnreachable, ModelError, PgragError
from pgrag.flow import Call, Flow, Pause, Request, call, chat, run, together
from pgrag.models.protocols import ChatRequest
from pgrag.persistence import REPEATABLE, Patience, persistent


def lost() -> DatabaseUnreachable:
    return DatabaseUnreachable("the database cannot be reached: it is restarting")


def undone(state: str) -> DatabaseError:
    error = DatabaseError("deadlock detected")
    error.sqlstate = state
    return error


def ask(function: str = "new_texts") -> Flow[Any]:
    return (yield from call(str, function))


class Database:
    """Fails as often as it is told to, then answers with the names of what it was asked; pauses take no time."""

    def __init__(self, *failures: PgragError) -> None:
        self._failures: Iterator[PgragError] = iter(failures)
        self.asked: list[str] = []
        self.waits: list[float] = []

    def perform(self, request: Request) -> Any:
        if isinstance(request, Pause):
            self.waits.append(request.seconds)
            return None
        self.asked.append(request.function if isinstance(request, Call) else type(request).__name__)
        failure = next(self._failures, None)
        if failure is not None:
            raise failure
        return self.asked[-1]


def test_a_lost_call_that_may_be_repeated_is_repeated() -> None:
    database = Database(lost(), lost())
    assert run(persistent(ask(), Patience(60)), database.perform) == "new_texts"
    assert database.asked == ["new_texts"] * 3
    assert 0.1 <= database.waits[0] <= 0.125 < 0.2 <= database.waits[1] <= 0.25


@pytest.mark.parametrize("function", ["claim_job", "publish_document", "delete_document"])
def test_one_that_may_have_happened_is_not(function: str) -> None:
    database = Database(lost())
    with pytest.raises(DatabaseUnreachable):
        run(persistent(ask(function), Patience(60)), database.perform)
    assert database.asked == [function]


@pytest.mark.parametrize("state", ["40001", "40P01", "53300"])
def test_what_was_undone_for_certain_is_always_repeated(state: str) -> None:
    database = Database(undone(state))
    assert run(persistent(ask("publish_document"), Patience(60)), database.perform) == "publish_document"


@pytest.mark.parametrize("error", [DatabaseError("no"), undone("22012"), ModelError("no")])
def test_other_failures_go_to_the_flow(error: PgragError) -> None:
    database = Database(error)

    def mending() -> Flow[str]:
        try:
            return (yield from ask())
        except PgragError as caught:
            return f"mended {caught}"

    assert run(persistent(mending(), Patience(60)), database.perform) == f"mended {error}"
    assert database.waits == []


def test_patience_ends_and_the_flow_hears_the_last_failure() -> None:
    database = Database(*(lost() for _ in range(10)))
    with pytest.raises(DatabaseUnreachable, match="restarting"):
        run(persistent(ask(), Patience(0)), database.perform)
    assert database.waits == []


def test_waits_grow_to_five_seconds_and_stay() -> None:
    database = Database(*(lost() for _ in range(12)))
    run(persistent(ask(), Patience(10_000)), database.perform)
    assert all(5 <= wait <= 6.25 for wait in database.waits[6:])


def test_flows_that_run_together_are_persistent_too() -> None:
    database = Database(lost())
    flow = together([ask("new_texts"), ask("renew_lease")])
    assert run(persistent(flow, Patience(60)), database.perform) == ["new_texts", "renew_lease"]


def test_a_model_is_not_asked_again() -> None:
    database = Database(lost())
    with pytest.raises(DatabaseUnreachable):
        run(persistent(chat(ChatRequest("extract", "s", "u")), Patience(60)), database.perform)
    assert database.asked == ["Chat"]


def test_an_outage_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    database = Database(lost(), lost(), lost())
    with caplog.at_level(logging.WARNING):
        run(persistent(together([ask(), ask()], width=1), Patience(60)), database.perform)
    (line,) = caplog.messages
    assert line == "the database cannot be reached: it is restarting; trying again for 60 s"


def test_the_inner_flow_is_closed_with_the_outer() -> None:
    closed = []

    def inner() -> Flow[None]:
        try:
            yield from ask()
        finally:
            closed.append(True)

    flow = persistent(inner(), Patience(60))
    next(flow)
    flow.close()
    assert closed == [True]


def test_every_repeatable_function_is_one_that_we_call() -> None:
    known = {name for module in (calls, jobs, ledger, upkeep) for name in dir(module)}
    assert known >= REPEATABLE
