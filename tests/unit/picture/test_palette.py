"""A type keeps its colour from picture to picture; the colours can be told apart, and from the paper."""

from __future__ import annotations

import itertools
import math
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.picture.palette import GREY, SLOTS, colour_types, type_key, type_label

Colour = tuple[float, float, float]
TYPE_NAMES = st.lists(st.sampled_from(["person", "Person", "place", "UNKNOWN", "song", "ritual", *"abcdefghij"]))
# How red-blind and green-blind eyes see linear light (Machado, Oliveira and Fernandes, 2009, severity 1).
PROTANOPIA = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))


def slots(names: list[str]) -> dict[str, int]:
    return {kind.key: kind.slot for kind in colour_types(names)}


@given(TYPE_NAMES)
def test_every_slot_is_given_once_and_grey_only_when_all_are_taken(names: list[str]) -> None:
    given_slots = slots(names)
    coloured = [slot for slot in given_slots.values() if slot != GREY]
    assert len(set(coloured)) == len(coloured)
    known = [key for key in given_slots if key != "unknown"]
    assert len(coloured) == min(len(known), SLOTS)


@given(TYPE_NAMES)
def test_counts_are_complete_and_the_most_frequent_type_is_first(names: list[str]) -> None:
    counts = [kind.count for kind in colour_types(names)]
    assert sum(counts) == len(names)
    assert counts == sorted(counts, reverse=True)


@given(TYPE_NAMES)
def test_the_order_of_the_entities_does_not_matter(names: list[str]) -> None:
    assert colour_types(names) == colour_types(sorted(names))


@given(st.text(), TYPE_NAMES)
def test_a_common_type_has_its_colour_whatever_else_is_drawn(name: str, others: list[str]) -> None:
    assert slots(["Person", name, *others])["person"] == slots(["person"])["person"] == 0


@given(st.text(min_size=1))
def test_a_type_alone_has_always_the_same_colour(name: str) -> None:
    assert slots([name]) == slots([name, name])


def test_a_known_colour_for_an_own_type() -> None:
    """Kept in the test, so that no release repaints people's pictures unnoticed."""
    assert slots(["ritual", "weather", "song"]) == {"ritual": 1, "weather": 2, "song": 3}


def test_spellings_of_one_type_are_one_type() -> None:
    (kind,) = colour_types(["NATURAL_OBJECT", "natural object", "Natural  Object", "NATURAL_OBJECT"])
    assert (kind.label, kind.count, kind.slot) == ("Natural object", 4, 10)


def test_two_names_of_one_owner_do_not_share_its_colour() -> None:
    assert slots(["location", "location", "geo"])["location"] == 2
    assert slots(["location", "location", "geo"])["geo"] not in (2, GREY)


@pytest.mark.parametrize("name", ["", " ", "UNKNOWN", "unknown", "None"])
def test_an_unknown_type_is_grey(name: str) -> None:
    assert colour_types([name])[0].slot == GREY


@pytest.mark.parametrize(
    ("name", "label"),
    [("PERSON", "Person"), ("person", "Person"), ("iPhone", "iPhone"), ("人物", "人物"), ("", "Unknown")],
)
def test_how_a_type_is_written(name: str, label: str) -> None:
    assert type_label(name) == label


@given(st.text())
def test_a_key_is_the_key_of_its_own_label(name: str) -> None:
    assert type_key(type_key(name)) == type_key(name)


def themes() -> dict[str, dict[str, Colour]]:
    """Linear RGB of every colour of the style sheet that is written as #rrggbb, by day and by night."""
    style = files("pgrag.picture").joinpath("picture.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\n\s*\}", style, re.DOTALL)
    return {
        scheme: {name: linear(value) for name, value in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)}
        for scheme, block in zip(("light", "dark"), blocks, strict=True)
    }


def linear(code: str) -> Colour:
    r, g, b = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return (_linear(r), _linear(g), _linear(b))


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG 2."""
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (one, other))
    return (high + 0.05) / (low + 0.05)


def seen(colour: Colour, eye: tuple[Colour, Colour, Colour]) -> Colour:
    r, g, b = (min(1.0, max(0.0, sum(part * light for part, light in zip(row, colour, strict=True)))) for row in eye)
    return (r, g, b)


def difference(one: Colour, other: Colour) -> float:
    """The distance in Oklab, where black and white are 1 apart."""
    return math.dist(oklab(one), oklab(other))


def oklab(colour: Colour) -> Colour:
    r, g, b = colour
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    medium = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_stands_out_from_the_paper(scheme: str) -> None:
    theme = themes()[scheme]
    for name in [*(f"type-{slot}" for slot in range(SLOTS)), "type-grey", "focus"]:
        for ground in ("paper", "raised"):
            assert contrast(theme[name], theme[ground]) >= 3, f"{name} on {ground}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(scheme: str) -> None:
    theme = themes()[scheme]
    for text, ground in itertools.product(("ink", "soft"), ("paper", "raised", "wash")):
        assert contrast(theme[text], theme[ground]) >= 4.5, f"{text} on {ground}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_twelve_colours_can_be_told_apart(scheme: str) -> None:
    theme = themes()[scheme]
    for one, other in itertools.combinations((theme[f"type-{slot}"] for slot in range(SLOTS)), 2):
        assert difference(one, other) >= 0.11
        for eye in (PROTANOPIA, DEUTERANOPIA):
            assert difference(seen(one, eye), seen(other, eye)) >= 0.05
