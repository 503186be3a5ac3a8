"""A budget: promised to documents, reserved by requests, and never exceeded by what they reserved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.budget import MIN_REPLY_TOKENS, Budget, Meter, Usage
from pgrag.errors import BudgetExceeded


def test_without_a_limit_everything_fits() -> None:
    budget = Budget()
    assert budget.promise("a", 10**12)
    assert budget.reserve("a", 10**12)
    assert not budget.is_exceeded


def test_a_request_that_does_not_fit_waits_for_those_under_way() -> None:
    budget = Budget(100)
    assert budget.reserve(None, 60)
    assert not budget.reserve(None, 60)
    budget.settle(60, 20, 10)
    assert budget.reserve(None, 60)


def test_a_request_that_will_never_fit_is_refused_and_says_so() -> None:
    budget = Budget(100)
    budget.reserve(None, 60)
    budget.settle(60, 50, 10)
    with pytest.raises(BudgetExceeded, match="the budget of 100 tokens has 40 left, the next request needs about 41"):
        budget.reserve(None, 41)
    assert budget.is_exceeded
    assert budget.reserve(None, 40), "what fits is still asked: a document under way may be finished"


def test_a_document_begins_when_all_of_it_fits_beside_the_others() -> None:
    budget = Budget(100)
    assert budget.promise("a", 70)
    assert not budget.promise("b", 40)
    budget.end("a")
    assert budget.promise("b", 40)


def test_a_document_that_never_fits_begins_alone() -> None:
    budget = Budget(100)
    assert budget.promise("large", 10_000)
    assert not budget.promise("small", 1)


def test_what_a_document_has_reserved_is_not_promised_twice() -> None:
    budget = Budget(100)
    budget.promise("a", 60)
    budget.reserve("a", 60)
    assert budget.promise("b", 40)
    assert not budget.promise("c", 1)


def test_none_begins_after_a_request_was_refused() -> None:
    budget = Budget(1)
    with pytest.raises(BudgetExceeded):
        budget.reserve(None, 2)
    with pytest.raises(BudgetExceeded):
        budget.promise("a", 1)


def test_a_reply_is_reserved_as_long_as_the_text_and_the_longest_before() -> None:
    budget = Budget(10_000)
    assert budget.reply_tokens(3) == MIN_REPLY_TOKENS
    assert budget.reply_tokens(1000) == 1000
    budget.settle(0, 0, 2000)
    assert budget.reply_tokens(3) == 2000


@given(st.integers(0, 500), st.lists(st.tuples(st.integers(0, 200), st.floats(0, 1)), max_size=30))
def test_what_settles_within_its_reserve_never_exceeds_the_limit(limit: int, requests: list[tuple[int, float]]) -> None:
    budget = Budget(limit)
    under_way: list[tuple[int, float]] = []
    for tokens, share in requests:
        try:
            fits = budget.reserve(None, tokens)
        except BudgetExceeded:
            assert not under_way or all(not reserved for reserved, _ in under_way)
            continue
        if not fits and under_way:
            reserved, used = under_way.pop(0)
            budget.settle(reserved, int(reserved * used), 0)
        elif fits:
            under_way.append((tokens, share))
        assert budget.spent <= limit
    for reserved, used in under_way:
        budget.settle(reserved, int(reserved * used), 0)
    assert budget.spent <= limit


def test_a_meter_counts_by_role_and_model_until_it_is_taken() -> None:
    meter = Meter(document="d")
    meter.note(("extract", "m"), Usage(1, 0, 10, 5))
    meter.note(("extract", "m"), Usage(1, 2, 10, 5))
    meter.note(("embed", "e"), Usage(1, 0, 7, 0))
    assert (meter.pending_calls, meter.calls("extract")) == (3, 2)
    assert meter.take() == {("extract", "m"): Usage(2, 2, 20, 10), ("embed", "e"): Usage(1, 0, 7, 0)}
    assert (meter.take(), meter.pending_calls, meter.calls("extract")) == ({}, 0, 2)
