"""Pages and sections: which ones a chunk stands on."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.chunk_checks import TOKENIZER

from pgrag.chunking import ByMarkdown, ByTokens, ChunkSize, Mark, Recursive, chunk_text, place_of

PAGES = [Mark(0, {"page": 1}), Mark(10, {"page": 2}), Mark(20, {"page": 3})]


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [
        (0, 10, {"page": 1}),
        (9, 11, {"page": 1, "last_page": 2}),
        (0, 30, {"page": 1, "last_page": 3}),
        (10, 20, {"page": 2}),
        (25, 99, {"page": 3}),
    ],
)
def test_a_place_is_the_first_and_the_last_page(start: int, end: int, place: Mapping[str, object]) -> None:
    assert place_of(start, end, PAGES) == place


def test_what_stands_before_the_first_mark_is_nowhere() -> None:
    assert place_of(0, 5, [Mark(5, {"page": 1})]) == {}
    assert place_of(0, 6, [Mark(5, {"page": 1})]) == {"page": 1}
    assert place_of(0, 5, []) == {}


def test_each_key_by_itself() -> None:
    marks = [Mark(0, {"sheet": "A", "row": 1}), Mark(5, {"sheet": "A", "row": 2}), Mark(9, {})]
    assert place_of(0, 20, marks) == {"sheet": "A", "row": 1, "last_row": 2}


def test_a_chunk_has_the_place_of_its_own_characters() -> None:
    """The blank line between two pages belongs to neither chunk."""
    text = "First page.\n\nSecond page."
    marks = [Mark(0, {"page": 1}), Mark(13, {"page": 2})]
    chunks = chunk_text(text, TOKENIZER, Recursive(), ChunkSize(4, 0), marks)
    assert [(chunk.content, chunk.metadata) for chunk in chunks] == [
        ("First page.", {"page": 1}),
        ("Second page.", {"page": 2}),
    ]
    (whole,) = chunk_text(text, TOKENIZER, ByTokens(), ChunkSize(), marks)
    assert whole.metadata == {"page": 1, "last_page": 2}


def test_a_section_that_the_file_names_is_the_section_of_the_chunk() -> None:
    (chunk,) = chunk_text("Text.", TOKENIZER, ByTokens(), ChunkSize(), [Mark(0, {"section": "Intro"})])
    assert (chunk.section, chunk.metadata) == ("Intro", {"section": "Intro"})
    (chunk,) = chunk_text(
        "# A\nText.", TOKENIZER, ByMarkdown(), ChunkSize(), [Mark(0, {"section": "Intro", "page": 1})]
    )
    assert (chunk.section, chunk.metadata) == ("A", {"section": "A", "page": 1})


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9), st.integers(0, 80), st.integers(1, 40))
def test_it_is_what_counting_characters_says(lengths: list[int], start: int, length: int) -> None:
    starts = [sum(lengths[:place]) for place in range(len(lengths))]
    pages = [page for page, count in enumerate(lengths) for _ in range(count)]
    covered = pages[start : start + length] or [pages[-1]]
    expected = {"page": covered[0]} | ({"last_page": covered[-1]} if covered[-1] != covered[0] else {})
    marks = [Mark(place, {"page": page}) for page, place in enumerate(starts)]
    assert place_of(start, start + length, marks) == expected
