"""Names: what a capital means, and where it means nothing."""

from __future__ import annotations

import pytest

from pgrag.models.offline.kinds import kind_of
from pgrag.models.offline.language import sentences
from pgrag.models.offline.names import capitalised_within, names
from pgrag.models.offline.nouns import MOST, repeated_nouns


def named(text: str) -> list[str]:
    lines = sentences(text)
    known = capitalised_within(lines)
    return [mention.name for line in lines for mention in names(line, known)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The clerk of Scrooge was Bob Cratchit.", ["Scrooge", "Bob Cratchit"]),
        ("But Scrooge said nothing. Oh! It was cold.", ["Scrooge"]),
        ("Darkness was cheap, and Scrooge liked it.", ["Scrooge"]),
        ("Fezziwig laughed.", ["Fezziwig"]),
        ("I'll go. Don't! You're late. They've left.", []),
        ("He met Mr. Fezziwig and Mrs. Fezziwig.", ["Fezziwig", "Mrs. Fezziwig"]),
        ("Then Tiny Tim spoke.", ["Tiny Tim"]),
        ("Poor Bob sat down. Suddenly Scrooge came.", ["Bob", "Scrooge"]),
        ("He saw the Ghost of Christmas Past there.", ["Ghost of Christmas Past"]),
        ("They buried him in St. Paul's Churchyard.", ["St. Paul's Churchyard"]),
        ("It was Marley's Ghost.", ["Marley", "Marley's Ghost"]),
        ("He sold Marks & Spencer to Scrooge and Marley.", ["Marks & Spencer", "Scrooge", "Marley"]),
        ("It was printed by J. B. Lippincott Company.", ["J. B. Lippincott Company"]),
        ("We saw Sir Roger de Coverley dance.", ["Sir Roger de Coverley"]),
        ("They met on Monday in December.", []),
        ("The NASA team met in the U.S. in May.", ["NASA", "U.S."]),
        ("It was VERY cold, I AM sure.", []),
        ("A CHRISTMAS CAROL BY CHARLES DICKENS", ["Christmas Carol", "Charles Dickens"]),
        ("Set max_entity_tokens in QueryOptions or in pgvector.", ["max_entity_tokens", "QueryOptions"]),
        ("Use the `walk step` of it.", ["walk step"]),
        ('They call it "Great Stink" here, not "a stink".', ["Great Stink"]),
        ("He flew to Los Angeles from the Los Alamos base.", ["Los Angeles", "Los Alamos"]),
        ("Émile Zola met Лев Толстой.", ["Émile Zola", "Лев Толстой"]),
        ("", []),
    ],
)
def test_names(text: str, expected: list[str]) -> None:
    assert named(text) == expected


def test_an_everyday_word_at_the_beginning_counts_if_it_is_a_name_elsewhere() -> None:
    assert named("Spirit showed him all. He feared the Spirit.") == ["Spirit", "Spirit"]
    assert named("Spirit showed him all. He feared the spirit.") == []


def test_mentions_stand_where_they_say() -> None:
    line = "Last night Mr. Scrooge saw Marley's Ghost."
    for mention in names(line):
        assert mention.name.split()[0] in line[mention.start : mention.end]
    assert [mention.title for mention in names(line)] == ["mr", "", ""]


def kind(text: str, name: str) -> str:
    lines = sentences(text)
    known = capitalised_within(lines)
    return kind_of(lines, [(n, m) for n, line in enumerate(lines) for m in names(line, known) if m.name == name])


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("He feared Mr. Fezziwig.", "Fezziwig", "person"),
        ("“Humbug!” said Scrooge.", "Scrooge", "person"),
        ("It was Marley's face.", "Marley", "person"),
        ("Belle married, and she was happy.", "Belle", "person"),
        ("They live in Camden Town.", "Camden Town", "location"),
        ("They live in Wuppertal.", "Wuppertal", "location"),
        ("He studied at Harvard University.", "Harvard University", "organization"),
        ("It was Christmas Eve again.", "Christmas Eve", "event"),
        ("He wrote the Iliad long ago.", "Iliad", "concept"),
        ("The agreement has General Terms and parts.", "General Terms", "concept"),
        ("She met the Queen of Hearts.", "Queen of Hearts", "concept"),
    ],
)
def test_kinds(text: str, name: str, expected: str) -> None:
    assert kind(text, name) == expected


def test_repeated_nouns() -> None:
    lines = sentences(
        "The knocker on the door was large. He saw the knocker and a kettle. The door opened. "
        "The front office was dark, and nobody in the front office spoke. The strangest of the strangest things."
    )
    found = [[mention.name for mention in mentions] for mentions in repeated_nouns(lines)]
    assert found[0] == ["knocker", "door"]
    assert found[1] == ["knocker"]  # the kettle comes once
    assert found[2] == ["door"]
    assert found[3] == ["front office", "front office"]  # not office beside it
    assert found[4] == []


def test_repeated_nouns_are_few() -> None:
    nouns = ["table", "chair", "lamp", "candle", "window", "carpet", "mirror", "kettle", "spoon", "bottle", "basket"]
    lines = [f"He saw the {noun}. She took the {noun}." for noun in nouns]
    assert len({mention.name for found in repeated_nouns(lines) for mention in found}) == MOST
