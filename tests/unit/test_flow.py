"""Flows and their two drivers: the same requests, the same results, the same errors, waiting or awaiting."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pgrag import flow
from pgrag.flow import Call, Chat, Embed, Flow, Pause, Perform, Request, run, run_async, together
from pgrag.models.protocols import ChatReply, ChatRequest

T = TypeVar("T")
# A driver takes a flow and a performer that waits; for the awaiting one, the performer runs in a thread.
Driver = Callable[[Flow[Any], Perform], Any]


def waiting(flow: Flow[T], perform: Perform) -> T:
    return run(flow, perform)


def awaiting(flow: Flow[T], perform: Perform) -> T:
    async def in_thread(request: Request) -> Any:
        return await asyncio.to_thread(perform, request)

    return asyncio.run(run_async(flow, in_thread))


@pytest.fixture(params=[waiting, awaiting])
def drive(request: pytest.FixtureRequest) -> Driver:
    driver: Driver = request.param
    return driver


class Refused(Exception):
    """What the performers of these tests raise."""


def echo(request: Request) -> Any:
    """Embeddings are the lengths of the texts; a text "refuse" is refused."""
    assert isinstance(request, Embed)
    if "refuse" in request.texts:
        raise Refused(*request.texts)
    return [len(text) for text in request.texts]


def ask(*texts: str) -> Flow[Any]:
    return flow.embed(texts)


class Gauge:
    """A performer that counts: what was asked, how much was under way at once at most."""

    def __init__(self, seconds: float = 0.02) -> None:
        self.asked: list[str] = []
        self.most = 0
        self._under_way = 0
        self._seconds = seconds
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Any:
        assert isinstance(request, Embed)
        with self._lock:
            self.asked.append(request.texts[0])
            self._under_way += 1
            self.most = max(self.most, self._under_way)
        try:
            time.sleep(self._seconds)
            return echo(request)
        finally:
            with self._lock:
                self._under_way -= 1


class TestOneFlow:
    def test_replies_come_back_in_order(self, drive: Driver) -> None:
        def steps() -> Flow[list[Any]]:
            first = yield from ask("a", "bb")
            second = yield from ask("c" * sum(first))
            return [first, second]

        assert drive(steps(), echo) == [[1, 2], [3]]

    def test_a_flow_without_requests(self, drive: Driver) -> None:
        def nothing() -> Flow[str]:
            return "done"
            yield

        assert drive(nothing(), echo) == "done"

    def test_an_error_reaches_the_caller_as_it_was(self, drive: Driver) -> None:
        with pytest.raises(Refused, match="refuse"):
            drive(ask("refuse"), echo)

    def test_a_flow_can_mend_what_it_knows(self, drive: Driver) -> None:
        def mending() -> Flow[Any]:
            try:
                return (yield from ask("refuse"))
            except Refused:
                return (yield from ask("try this instead"))

        assert drive(mending(), echo) == [16]

    def test_a_flow_may_end_on_an_error(self, drive: Driver) -> None:
        def giving_up() -> Flow[str]:
            with contextlib.suppress(Refused):
                yield from ask("refuse")
            return "given up"

        assert drive(giving_up(), echo) == "given up"

    def test_an_error_of_the_flow_itself_has_the_first_as_context(self, drive: Driver) -> None:
        def worse() -> Flow[None]:
            try:
                yield from ask("refuse")
            except Refused as error:
                raise LookupError("worse") from error

        with pytest.raises(LookupError) as caught:
            drive(worse(), echo)
        assert isinstance(caught.value.__cause__, Refused)

    @pytest.mark.parametrize("text", ["fine", "refuse"])
    def test_it_is_closed_whatever_happens(self, drive: Driver, text: str) -> None:
        ends: list[str] = []

        def tidy() -> Flow[None]:
            try:
                yield from ask(text)
            finally:
                ends.append("tidied up")

        try:
            drive(tidy(), echo)
        except Refused:
            assert text == "refuse"
        assert ends == ["tidied up"]

    def test_ctrl_c_ends_the_flow_and_is_not_the_flows_to_catch(self, drive: Driver) -> None:
        seen: list[str] = []

        def stubborn() -> Flow[None]:
            try:
                yield from ask("a")
            except Exception:
                seen.append("caught")
            finally:
                seen.append("closed")

        def interrupt(request: Request) -> Any:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            drive(stubborn(), interrupt)
        assert seen == ["closed"]


class TestRequests:
    def requests(self, started: Flow[Any]) -> Request:
        return next(started)

    def test_what_each_builder_asks(self) -> None:
        question = ChatRequest("answer", "system", "user")
        event = threading.Event()
        assert self.requests(flow.call(int, "neighbors", workspace="w")) == Call("neighbors", {"workspace": "w"}, int)
        assert self.requests(flow.chat(question)) == Chat(question)
        assert self.requests(flow.embed(["a", "b"])) == Embed(("a", "b"))
        assert self.requests(flow.pause(0.5, unless=event)) == Pause(0.5, event)

    def test_an_sql_argument_may_be_called_function_or_row(self) -> None:
        request = self.requests(flow.call(int, "f", function="x", row="y"))
        assert isinstance(request, Call)
        assert request.args == {"function": "x", "row": "y"}

    def test_replies_are_handed_on(self, drive: Driver) -> None:
        reply = ChatReply("text", "model")
        assert drive(flow.chat(ChatRequest("answer", "", "")), lambda _: reply) is reply
        assert drive(flow.call(int, "f"), lambda _: [1, 2]) == [1, 2]
        vectors = np.zeros((1, 3), np.float32)
        assert drive(flow.embed(["a"]), lambda _: vectors) is vectors


class TestTogether:
    def test_results_in_the_order_given(self, drive: Driver) -> None:
        def slow_first(request: Request) -> Any:
            assert isinstance(request, Embed)
            time.sleep(0.05 if request.texts == ("a",) else 0)
            return request.texts[0]

        assert drive(together([ask("a"), ask("b"), ask("c")]), slow_first) == ["a", "b", "c"]

    def test_two_flows_give_a_pair(self, drive: Driver) -> None:
        assert drive(together(ask("a"), ask("bb")), echo) == ([1], [2])

    def test_none_and_one(self, drive: Driver) -> None:
        assert drive(together([]), echo) == []
        assert drive(together([ask("abc")]), echo) == [[3]]
        assert drive(together(ask("abc") for _ in range(2)), echo) == [[3], [3]]

    @pytest.mark.parametrize("width", [1, 3])
    def test_no_more_than_width_and_no_less(self, drive: Driver, width: int) -> None:
        gauge = Gauge()
        drive(together([ask("a") for _ in range(9)], width=width), gauge)
        assert len(gauge.asked) == 9
        assert gauge.most == width

    @pytest.mark.parametrize("width", [0, -1])
    def test_a_width_below_one_is_one(self, drive: Driver, width: int) -> None:
        gauge = Gauge()

        def bounded() -> Any:
            return drive(together([ask("a"), ask("b")], width=width), gauge)

        result: list[Any] = []
        driving = threading.Thread(target=lambda: result.append(bounded()), daemon=True)
        driving.start()
        driving.join(5)
        assert result == [[[1], [1]]]
        assert gauge.most == 1

    def test_within_one_another(self, drive: Driver) -> None:
        def sums(*texts: str) -> Flow[int]:
            lengths = yield from together([ask(text) for text in texts])
            return sum(length for (length,) in lengths)

        assert drive(together(sums("a", "bb"), sums("ccc")), echo) == (3, 3)

    def test_an_error_is_raised_and_can_be_mended(self, drive: Driver) -> None:
        def mending() -> Flow[Any]:
            try:
                return (yield from together([ask("a"), ask("refuse"), ask("c")]))
            except Refused:
                return (yield from ask("instead"))

        with pytest.raises(Refused):
            drive(together([ask("a"), ask("refuse"), ask("c")]), echo)
        assert drive(mending(), echo) == [7]

    def test_a_flow_that_mends_itself_does_not_end_the_others(self, drive: Driver) -> None:
        def mending() -> Flow[Any]:
            try:
                return (yield from ask("refuse"))
            except Refused:
                return "mended"

        assert drive(together([ask("a"), mending()]), echo) == [[1], "mended"]


class TestTheFirstErrorEndsAll:
    def test_what_has_not_begun_never_does(self, drive: Driver) -> None:
        """The slow flow comes first, so that whoever waits for results in order notices the error late."""
        late: list[str] = []

        def perform(request: Request) -> Any:
            assert isinstance(request, Embed)
            if request.texts == ("late",):
                late.append("late")
            time.sleep(0.2 if request.texts == ("slow",) else 0.01)
            return echo(request)

        with pytest.raises(Refused):
            drive(together([ask("slow"), ask("refuse"), *(ask("late") for _ in range(10))], width=2), perform)
        assert len(late) <= 1, "one may have begun in the moment of the error"

    def test_what_has_begun_asks_nothing_more(self, drive: Driver) -> None:
        asked: list[str] = []
        failed = threading.Event()

        def perform(request: Request) -> Any:
            assert isinstance(request, Embed)
            asked.extend(request.texts)
            if request.texts == ("refuse",):
                failed.set()
                raise Refused
            failed.wait(5)
            time.sleep(0.05)
            return echo(request)

        def chatty() -> Flow[None]:
            for number in range(20):
                yield from ask(f"question {number}")

        with pytest.raises(Refused):
            drive(together([chatty(), ask("refuse")]), perform)
        assert sorted(asked) in (["question 0", "refuse"], ["question 0", "question 1", "refuse"])

    def test_all_are_closed_before_the_error_goes_on(self, drive: Driver) -> None:
        closed: list[int] = []

        def tidy(number: int) -> Flow[None]:
            try:
                yield from ask("slow" if number else "refuse")
                yield from ask("more")
            finally:
                closed.append(number)

        with pytest.raises(Refused):
            drive(together([tidy(number) for number in range(3)], width=3), Gauge(0.05))
        assert sorted(closed) == [0, 1, 2]

    def test_an_error_deep_inside_ends_the_others_too(self, drive: Driver) -> None:
        asked: list[str] = []

        def perform(request: Request) -> Any:
            assert isinstance(request, Embed)
            asked.extend(request.texts)
            time.sleep(0.02)
            return echo(request)

        def chatty() -> Flow[None]:
            for number in range(50):
                yield from together([ask(f"question {number}")])

        def failing() -> Flow[Any]:
            return (yield from together([ask("refuse")]))

        with pytest.raises(Refused):
            drive(together(chatty(), failing()), perform)
        assert len(asked) < 10

    def test_it_cannot_be_swallowed_by_a_flow_that_is_being_ended(self, drive: Driver) -> None:
        caught: list[Exception] = []
        failed = threading.Event()

        def greedy() -> Flow[None]:
            for _ in range(5):
                try:
                    yield from ask("a")
                except Exception as error:
                    caught.append(error)

        def perform(request: Request) -> Any:
            if request == Embed(("refuse",)):
                failed.set()
                raise Refused
            failed.wait(5)
            time.sleep(0.05)
            return [0]

        with pytest.raises(Refused):
            drive(together([greedy(), ask("refuse")]), perform)
        assert caught == []


class TestCancelling:
    def test_a_cancelled_task_closes_its_flows(self) -> None:
        closed: list[int] = []

        def tidy(number: int) -> Flow[None]:
            try:
                yield from ask("a")
            finally:
                closed.append(number)

        async def forever(request: Request) -> Any:
            await asyncio.Event().wait()

        async def cancel() -> None:
            task = asyncio.create_task(run_async(together([tidy(1), tidy(2)]), forever))
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(cancel())
        assert sorted(closed) == [1, 2]


@dataclass(frozen=True)
class Leaf:
    """Asks one text, and perhaps mends a refusal."""

    text: str
    mends: bool


@dataclass(frozen=True)
class Branch:
    """Runs its parts together or one after the other."""

    parts: tuple[Leaf | Branch, ...]
    at_once: bool


leaves = st.builds(Leaf, st.sampled_from(["a", "bb", "refuse"]), st.booleans())
plans = st.recursive(
    leaves, lambda inner: st.builds(Branch, st.lists(inner, max_size=3).map(tuple), st.booleans()), max_leaves=8
)


def flow_of(plan: Leaf | Branch) -> Flow[Any]:
    if isinstance(plan, Leaf):
        try:
            return (yield from ask(plan.text))
        except Refused:
            if not plan.mends:
                raise
            return "mended"
    if plan.at_once:
        return (yield from together([flow_of(part) for part in plan.parts], width=2))
    results = []
    for part in plan.parts:
        results.append((yield from flow_of(part)))
    return results


def expected(plan: Leaf | Branch) -> Any:
    """What the plan gives, said without flows; raises Refused where the plan does."""
    if isinstance(plan, Branch):
        return [expected(part) for part in plan.parts]
    if plan.text != "refuse":
        return [len(plan.text)]
    if plan.mends:
        return "mended"
    raise Refused


def outcome(compute: Callable[[], Any]) -> Any:
    try:
        return compute()
    except Refused:
        return Refused


@given(plans)
@settings(max_examples=60, deadline=None)
def test_both_drivers_do_what_the_plan_says(plan: Leaf | Branch) -> None:
    says = outcome(lambda: expected(plan))
    assert outcome(lambda: waiting(flow_of(plan), echo)) == says
    assert outcome(lambda: awaiting(flow_of(plan), echo)) == says
