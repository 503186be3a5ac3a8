"""When descriptions are summarised, in how many calls (checklist 12, 13, 13b), and that none is paid for twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.flow import Call, Chat, Request, run
from pgrag.models.protocols import ChatReply
from pgrag.rows import KeptSummary, StaleItem
from pgrag.setup import ModelNames, Setup
from pgrag.summarize import SEPARATOR, group_fragments, summarize
from pgrag.tokens import Tokenizer

NAMES = ModelNames("extract", "keywords", "summary", "answer", "embedding", is_language_model=True)


class OneTokenAWord(Tokenizer):
    """Counts words: a fragment of so many tokens is so many words."""

    def __init__(self) -> None:
        """No vocabulary is loaded."""

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class Model:
    """Answers summaries, keeps them as the database would, and counts the calls."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.kept: dict[str, str] = {}

    def perform(self, request: Request) -> Any:
        if isinstance(request, Chat):
            self.asked.append(request.request.user)
            return ChatReply(f"summary {len(self.asked)}", "summary", 1, 1)
        assert isinstance(request, Call)
        if request.function == "kept_summaries":
            (key,) = request.args["content_hashes"]  # type: ignore[misc]
            return [KeptSummary(key, self.kept[key])] if key in self.kept else []
        if request.function == "keep_summary":
            self.kept[str(request.args["content_hash"])] = str(request.args["summary"])
        return []

    def summarize(self, fragments: Sequence[str]) -> str | None:
        item = StaleItem("entity", 1, "summary", "Ada", SEPARATOR.join(fragments), "", "", "")
        return run(summarize(item, Setup("w", OneTokenAWord(), NAMES)), self.perform)


def words(count: int, number: int = 0) -> str:
    return " ".join([f"w{number}"] * count)


@pytest.mark.parametrize(
    ("fragments", "calls"),
    [
        ([words(3, n) for n in range(7)], 0),
        ([words(3, n) for n in range(8)], 1),
        ([words(600, 1), words(599, 2)], 0),
        ([words(600, 1), words(600, 2)], 1),
        ([words(700, 1), words(600, 2)], 1),
        ([words(7000, n) for n in range(3)], 2),
        ([words(3000, n) for n in range(9)], 3),
        ([words(7000, n) for n in range(2)], 1),
    ],
    ids=["7 tiny", "8 tiny", "1199", "1200", "1300", "3 of 7000", "9 of 3000", "2 of 7000"],
)
def test_calls_by_the_rule(fragments: list[str], calls: int) -> None:
    model = Model()
    summary = model.summarize(fragments)
    assert len(model.asked) == calls
    assert (summary is None) == (calls == 0)


def test_a_group_whose_descriptions_are_the_same_is_not_paid_for_again() -> None:
    model = Model()
    model.summarize([words(3000, n) for n in range(9)])
    before = len(model.asked)
    model.summarize([*(words(3000, n) for n in range(9)), words(3000, 99)])
    assert len(model.asked) - before == 1  # the group that the new one came into


def test_what_the_model_reads_is_never_over_the_context() -> None:
    model = Model()
    model.summarize([words(20_000, 1), words(20_000, 2), "short"])
    (asked,) = model.asked
    assert len(re.findall(r"^\{", asked, re.MULTILINE)) == 1


@given(st.lists(st.integers(1, 50), min_size=3), st.integers(10, 60))
def test_groups_keep_every_fragment_in_order(tokens: list[int], context: int) -> None:
    fragments = [str(number) for number in range(len(tokens))]
    groups = group_fragments(fragments, tokens, context)
    assert [fragment for group in groups for fragment in group] == fragments
    assert all(len(group) >= 2 for group in groups[:-1])
    assert all(sum(tokens[int(each)] for each in group) <= context or len(group) <= 2 for group in groups)
    assert len(groups) < len(fragments)
