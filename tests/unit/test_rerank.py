"""Reranking of chunks: order, least score, limits, long texts, and a reranker that does anything whatever."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag import QueryOptions
from pgrag.errors import ModelTimeout, UnreadableReply
from pgrag.flow import Call, Request, Rerank, run
from pgrag.rerank import Reranked, is_wanted, rerank_chunks, split
from pgrag.rows import ContextChunk
from pgrag.setup import ModelNames, Setup
from pgrag.tokens import OFFLINE_ENCODING, load_tokenizer

TOKENIZER = load_tokenizer(OFFLINE_ENCODING)
NAMES = ModelNames("extract", "keywords", "summary", "answer", "embedding", is_language_model=True, rerank="m")
SETUP = Setup("w", TOKENIZER, NAMES, rerank_part_tokens=8)
Script = Callable[[Rerank], Any]


def chunk(id_: int, content: str = "red apples") -> ContextChunk:
    return ContextChunk(id_, content, "doc", "doc.txt", id_, TOKENIZER.count(content), "vector", 0.5)


CHUNKS = [chunk(id_) for id_ in (11, 12, 13)]


def reranked(
    script: Script, options: QueryOptions | None = None, chunks: Sequence[ContextChunk] = CHUNKS
) -> tuple[Reranked, list[Request]]:
    """What becomes of the chunks, and every request."""
    requests: list[Request] = []

    def perform(request: Request) -> Any:
        requests.append(request)
        return script(request) if isinstance(request, Rerank) else []

    return run(rerank_chunks("red?", chunks, options or QueryOptions(), SETUP), perform), requests


def ids(found: Reranked) -> list[int]:
    return [each.id for each in found.chunks]


def test_best_first_with_their_scores_and_ties_as_they_were() -> None:
    found, requests = reranked(lambda _: [(1, 0.5), (2, 0.9), (0, 0.5)])
    assert [(each.id, each.rerank_score) for each in found.chunks] == [(13, 0.9), (11, 0.5), (12, 0.5)]
    assert found.failure is None
    assert requests[0] == Rerank("red?", ("red apples",) * 3, 20)


def test_only_chunk_top_k_are_asked_for_and_kept() -> None:
    found, requests = reranked(lambda request: [(2, 0.9), (1, 0.8)], QueryOptions(chunk_top_k=2))
    assert isinstance(requests[0], Rerank)
    assert requests[0].top_n == 2
    assert ids(found) == [13, 12]


def test_the_least_score_counts_above_zero_and_is_enough() -> None:
    def script(_: Rerank) -> list[tuple[int, float]]:
        return [(0, 0.9), (1, 0.5), (2, -3.0)]

    found, _ = reranked(script, QueryOptions(min_rerank_score=0.5))
    assert (ids(found), found.below) == ([11, 12], (13,))
    assert ids(reranked(script, QueryOptions(min_rerank_score=0.0))[0]) == [11, 12, 13]
    none, _ = reranked(script, QueryOptions(min_rerank_score=0.95))
    assert (ids(none), none.below, none.failure) == ([], (11, 12, 13), None)


def test_a_long_text_is_scored_by_its_best_part() -> None:
    long = chunk(12, "green pears and yellow plums grow in the garden behind the red house of the miller")
    chunks = [chunk(11), long]
    parts = [part for part in split(chunks, 8, TOKENIZER) if part.place == 1]
    assert len(parts) > 1
    assert all(part.token_count <= 8 for part in parts)
    scores = [0.6, *(0.9 if "red" in part.text else 0.1 for part in parts)]
    found, requests = reranked(lambda _: list(enumerate(scores)), chunks=chunks)
    assert [(each.id, each.rerank_score) for each in found.chunks] == [(12, 0.9), (11, 0.6)]
    assert isinstance(requests[0], Rerank)
    assert requests[0].top_n == len(requests[0].documents) == 1 + len(parts), "every part needs its score"


def test_nothing_is_split_by_a_size_of_none() -> None:
    assert [part.text for part in split([chunk(1, "word " * 100)], 0, TOKENIZER)] == ["word " * 100]


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4), st.integers(1, 12))
def test_parts_hold_all_of_every_text(texts: list[str], most: int) -> None:
    chunks = [chunk(place, text) for place, text in enumerate(texts)]
    for place, text in enumerate(texts):
        parts = [part.text for part in split(chunks, most, TOKENIZER) if part.place == place]
        assert parts
        assert all(part in text for part in parts)
        assert not text or (text.startswith(parts[0]) and text.endswith(parts[-1]))


def test_no_chunks_are_not_asked_about() -> None:
    assert reranked(lambda _: [], chunks=[]) == (Reranked(()), [])


def test_what_was_asked_is_written_down() -> None:
    _, requests = reranked(lambda _: [(0, 1.0), (1, 1.0), (2, 1.0)])
    (written,) = [each for each in requests if isinstance(each, Call)]
    assert (written.args["role"], written.args["model"], written.args["calls"]) == ("rerank", "m", 1)
    assert written.args["prompt_tokens"] == TOKENIZER.count("red?") + 3 * TOKENIZER.count("red apples")


def raising(error: Exception) -> Script:
    def script(_: Rerank) -> Any:
        raise error

    return script


@pytest.mark.parametrize(
    ("script", "has_cost"),
    [
        (raising(ModelTimeout("too slow")), False),
        (raising(RuntimeError("a bug")), False),
        (raising(UnreadableReply("html")), True),
        (lambda _: None, True),
        (lambda _: [], True),
        (lambda _: [(0, 1.0), (0, 1.0), (1, 1.0)], True),
        (lambda _: [(0, math.nan), (1, 1.0), (2, 1.0)], True),
        (lambda _: ["a", "b", "c"], True),
    ],
)
def test_whatever_goes_wrong_the_order_stays(script: Script, has_cost: bool, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "pgrag.rerank"):
        found, requests = reranked(script, QueryOptions(min_rerank_score=0.9, chunk_top_k=1))
    assert found.chunks == tuple(CHUNKS)
    assert found.failure
    assert len(caplog.records) == 1
    assert any(isinstance(each, Call) for each in requests) == has_cost


scores = st.lists(st.tuples(st.integers(-1, 4), st.floats()) | st.none() | st.tuples(st.text()), max_size=5)


@given(scores, st.floats(-1, 1), st.integers(1, 5))
def test_any_reply_leaves_chunks_that_were_there_each_once(reply: Any, least: float, top_k: int) -> None:
    found, _ = reranked(lambda _: reply, QueryOptions(min_rerank_score=least, chunk_top_k=top_k))
    assert len(set(ids(found))) == len(ids(found))
    assert set(ids(found)) <= {11, 12, 13}
    if found.failure:
        assert ids(found) == [11, 12, 13]
    else:
        assert len(found.chunks) <= top_k
        kept = [each.rerank_score or 0.0 for each in found.chunks]
        assert kept == sorted(kept, reverse=True)
        assert least <= 0 or all(score >= least for score in kept)


def test_when_it_is_wanted() -> None:
    unable = Setup("w", TOKENIZER, ModelNames("e", "k", "s", "a", "v", is_language_model=True))
    assert is_wanted(QueryOptions(), SETUP)
    assert not is_wanted(QueryOptions(enable_rerank=False), SETUP)
    assert not is_wanted(QueryOptions(), unable)
