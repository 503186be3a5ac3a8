"""Places in words: ranges of pages, names of sheets and sections, and metadata that is not ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.citing import MOST, describe

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
keys = st.sampled_from(["page", "last_page", "section", "last_section", "sheet", "other"])


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ([], ""),
        ([{}], ""),
        ([{"page": 3}], "p. 3"),
        ([{"page": 3, "last_page": 4}], "p. 3-4"),
        ([{"page": 9}, {"page": 3, "last_page": 4}, {"page": 4, "last_page": 5}, {"page": 6}], "p. 3-6, 9"),
        ([{"slide": 2}, {"slide": 4}], "slide 2, 4"),
        ([{"sheet": "Costs", "last_sheet": "Sum"}, {"sheet": "Sum"}], "sheet Costs to Sum, Sum"),
        ([{"section": "A > B"}, {"section": "C"}, {"section": "A > B"}], "A > B, C"),
        ([{"page": 1, "section": "A"}, {"page": 2, "section": "A"}], "p. 1-2; A"),
        ([{"section": "two\nlines  here"}], "two lines here"),
        ([{"page": number} for number in range(1, 21, 2)], "p. 1, 3, 5, 7, 9, …"),
        ([{"author": "Ada", "tags": ["x"]}, {"page": None}, {"page": [1]}, {"section": " "}], ""),
    ],
)
def test_the_words(places: list[dict[str, Any]], words: str) -> None:
    assert describe(places) == words


@given(st.lists(st.dictionaries(keys, json_values)))
def test_any_metadata_gives_one_line(places: list[dict[str, Any]]) -> None:
    assert len(describe(places).splitlines()) <= 1


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_every_page_is_in_a_range_and_no_other(pages: list[int]) -> None:
    words = describe([{"page": page} for page in pages]).removeprefix("p. ")
    named = [
        page
        for words in words.split(", ")
        if words != "…"
        for page in range(int(words.partition("-")[0]), int(words.rpartition("-")[2]) + 1)
    ]
    assert named == sorted(set(pages))[: len(named)]
    assert len(named) == len(set(pages)) or words.count(", ") == MOST
