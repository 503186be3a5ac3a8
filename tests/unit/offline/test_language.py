"""Sentences and words: what ends a sentence, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.models.offline.language import content_words, has_han, readable, sentences, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marley was dead. Scrooge knew it.", ["Marley was dead.", "Scrooge knew it."]),
        ("Mr. Scrooge met Dr. Who. They spoke.", ["Mr. Scrooge met Dr. Who.", "They spoke."]),
        ("J. B. Lippincott of the U.S. printed it. It sold.", ["J. B. Lippincott of the U.S. printed it.", "It sold."]),
        ("A line\nwrapped by hand. Next.", ["A line wrapped by hand.", "Next."]),
        ("A title\n\nA paragraph.", ["A title", "A paragraph."]),
        ("# Heading\nText below. More.", ["# Heading", "Text below.", "More."]),
        ("Items:\n- one thing\n- another", ["Items:", "- one thing", "- another"]),
        ('"How now?" said Scrooge. "Nothing."', ['"How now?" said Scrooge.', '"Nothing."']),
        ("It costs 3.50 dollars. Yes!", ["It costs 3.50 dollars.", "Yes!"]),
        ("技術底座是什麼？它包括容器。很好！", ["技術底座是什麼？", "它包括容器。", "很好！"]),
        ("第一行沒有句號\n第二行也沒有", ["第一行沒有句號", "第二行也沒有"]),
        ("“走吧。”他說。", ["“走吧。”", "他說。"]),
        ("...\n\n***\n\n", []),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet="Ab .!?\n。，中文#-*|_`\"'", max_size=120))
def test_sentences_lose_nothing_that_can_be_read(text: str) -> None:
    found = sentences(text)
    assert all(sentence.strip() == sentence and sentence for sentence in found)
    kept = [letter for letter in "".join(found) if letter.isalnum()]
    assert kept == [letter for letter in text if letter.isalnum()]


def test_words_know_their_base_and_place() -> None:
    line = "Marley’s ghost didn't see U.S. max_tokens"
    found = words(line)
    assert [word.base for word in found] == ["Marley", "ghost", "didn't", "see", "U.S.", "max_tokens"]
    assert all(line[word.start : word.end] == word.text for word in found)
    assert [word.key for word in found if word.is_function] == ["didn't"]


def test_words_of_other_scripts() -> None:
    assert [word.text for word in words("Émile Zola, Москва, Ελλάδα 技術")] == ["Émile", "Zola", "Москва", "Ελλάδα"]


def test_content_words() -> None:
    assert content_words("The cold within him froze his 2 old features; I'll say") == [
        "cold",
        "froze",
        "old",
        "features",
        "say",
    ]


def test_has_han() -> None:
    assert has_han("MLOps 技術")
    assert not has_han("Émile カタカナ")


def test_readable_takes_marks_away_but_not_identifiers() -> None:
    assert readable("- **Bold** _so_ `max_tokens` | cell", 100) == "Bold so max_tokens cell"
    assert readable("## Heading", 100) == "Heading"


def test_readable_cuts_around_the_focus() -> None:
    line = "word " * 100 + "Scrooge " + "word " * 100
    cut = readable(line, 80, "Scrooge")
    assert "Scrooge" in cut
    assert cut.startswith("… word")
    assert cut.endswith("word …")
    assert len(cut) <= 84


@given(st.text(max_size=300), st.integers(20, 100))
def test_readable_keeps_the_limit(text: str, limit: int) -> None:
    assert len(readable(text, limit)) <= limit + 4
