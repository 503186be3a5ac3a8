"""ByFunction: a caller's pieces are found in the text, and travel as ranges."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.chunk_checks import TOKENIZER

from pgrag.chunking import ByFunction, ByRanges, ChunkSize, chunk_text, strategy_from_job, strategy_of_job
from pgrag.errors import InvalidArgument

TEXT = "One two. One two. Three."


def ranges(pieces: Iterable[object], text: str = TEXT) -> list[tuple[int, int]]:
    return [tuple(each) for each in ByFunction(lambda _: pieces).ranges(text).ranges]  # type: ignore[arg-type,return-value,misc]


def test_its_pieces_are_the_chunks_whatever_their_size() -> None:
    chunks = chunk_text(TEXT, TOKENIZER, ByFunction(lambda text: text.split(". ")), ChunkSize(1, 0))
    assert [(chunk.content, chunk.start, chunk.end) for chunk in chunks] == [
        ("One two", 0, 7),
        ("One two", 9, 16),
        ("Three.", 18, 24),
    ]
    assert [chunk.token_count for chunk in chunks] == [2, 2, 2]


def test_pieces_may_overlap_leave_out_and_have_blanks_around() -> None:
    assert ranges(["One two. ", "", " two. One", "Three."]) == [(0, 8), (4, 12), (18, 24)]


def test_a_piece_right_behind_the_one_before_is_there_and_not_inside_it() -> None:
    assert ranges(["aa", "aa"], "aaaa") == [(0, 2), (2, 4)]
    assert ranges(["aa", "aa"], "aaa") == [(0, 2), (1, 3)]


def test_any_iterable_will_do_and_a_string_is_one_piece() -> None:
    assert ranges(iter(["One two."])) == [(0, 8)]
    assert ranges("Three.") == [(18, 24)]


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        (["Three.", "One two."], "piece 2 .* is not in the text after the one before it: 'One two.'"),
        (["Four"], "piece 1 .* is not in the text"),
        (["One two.", 7], "gave 7 as piece 2, which is no text"),
        (None, "failed: TypeError"),
    ],
)
def test_what_is_no_part_of_the_text_is_refused(pieces: list[object], reason: str) -> None:
    with pytest.raises(InvalidArgument, match=reason):
        ranges(pieces)


def test_a_function_that_fails_is_named() -> None:
    def broken(text: str) -> list[str]:
        raise RuntimeError("no model")

    with pytest.raises(InvalidArgument, match="the chunking function failed: RuntimeError: no model"):
        ByFunction(broken).ranges(TEXT)


def test_a_job_carries_the_ranges() -> None:
    job = strategy_of_job(ByFunction(lambda text: text.split(". ")), TEXT)
    assert job == {"by": "ranges", "ranges": ((0, 7), (9, 16), (18, 24))}
    assert strategy_from_job({"by": "ranges", "ranges": [[0, 7], [9, 16], [18, 24]]}) == ByRanges(job["ranges"])


@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=8))
def test_adjacent_pieces_give_the_text_back(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in itertools.pairwise(places)]
    reached = 0
    for (start, end), piece in zip(ranges(pieces, text), filter(str.strip, pieces), strict=True):
        assert text[start:end] == piece.strip()
        assert not text[reached:start].strip()
        reached = end
    assert not text[reached:].strip()
