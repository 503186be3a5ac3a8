"""Files as documents: the text of their parts, and where in it each page begins."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pgrag.cleaning import sanitize_document
from pgrag.loaders import Part
from pgrag.sources import documents_of_texts, text_of_parts

parts = st.lists(
    st.builds(Part, st.text(max_size=20) | st.sampled_from(["&amp;lt;p", "a\x00b", " \n "]), st.just({})), max_size=6
)


def test_a_part_without_a_place_has_no_mark() -> None:
    assert text_of_parts([Part("  Alice &amp; Bob\x00.\n")]) == ("Alice & Bob.", ())


def test_marks_count_the_characters_that_are_stored() -> None:
    text, marks = text_of_parts([Part("  A&amp;B ", {"page": 1}), Part(" \x00"), Part("C\n", {"page": 3})])
    assert text == "A&B\n\nC"
    assert [(mark.start, mark.place) for mark in marks] == [(0, {"page": 1}), (5, {"page": 3})]


def test_a_place_is_marked_where_it_changes() -> None:
    pages = [Part("a"), Part("b", {"sheet": "S"}), Part("c", {"sheet": "S"}), Part("d")]
    text, marks = text_of_parts(pages)
    assert [(text[mark.start], mark.place) for mark in marks] == [("b", {"sheet": "S"}), ("d", {})]


def test_the_names_of_places_can_be_stored() -> None:
    _, marks = text_of_parts([Part("a", {"sheet": "Costs\x00 &amp; gains\ud800", "row": 1})])
    assert [mark.place for mark in marks] == [{"sheet": "Costs & gains", "row": 1}]


def test_what_is_escaped_twice_is_unescaped_once() -> None:
    (document,) = documents_of_texts("&amp;lt;b&amp;gt;", ["x"], None, None)
    assert document.content == "&lt;b&gt;"


@given(parts)
def test_each_part_begins_at_its_mark(given_parts: list[Part]) -> None:
    numbered = [Part(part.text, {"page": page}) for page, part in enumerate(given_parts)]
    text, marks = text_of_parts(numbered)
    written = [part for part in numbered if sanitize_document(part.text)]
    assert [mark.place for mark in marks] == [part.place for part in written]
    for mark, part in zip(marks, written, strict=True):
        assert text.startswith(sanitize_document(part.text), mark.start)
