"""PPTX: slide by slide."""

from __future__ import annotations

from pptx.presentation import Presentation
from support.book_files import slides, word

from .conftest import Load, Refusal


def fill(deck: Presentation) -> None:
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Engines\vof old"
    first.placeholders[1].text = "one\ntwo"
    first.notes_slide.notes_text_frame.text = "Speak slowly."
    deck.slides.add_slide(deck.slide_layouts[6])
    third = deck.slides.add_slide(deck.slide_layouts[6])
    group = third.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "in a group"
    table = third.shapes.add_table(2, 2, 0, 0, 9, 9).table
    table.cell(0, 0).text, table.cell(0, 1).text, table.cell(1, 1).text = "item", "price", "3"
    deck.core_properties.title = "Talk"
    deck.core_properties.author = "Ada"


def test_a_part_for_each_slide_with_text(load: Load) -> None:
    loaded = load("a.pptx", slides(fill))
    assert [(part.place, part.text) for part in loaded.parts] == [
        ({"slide": 1}, "# Engines of old\n\none\ntwo\n\nNotes: Speak slowly."),
        ({"slide": 3}, "in a group\n\n| item | price |\n| --- | --- |\n|  | 3 |"),
    ]
    assert loaded.metadata["title"] == "Talk"
    assert loaded.metadata["author"] == "Ada"


def test_refused(refusal: Refusal) -> None:
    assert "no presentation, but of another kind" in refusal("a.pptx", word(lambda document: None))
    assert "is empty" in refusal("a.pptx", slides(lambda deck: None))
