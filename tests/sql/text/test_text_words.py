"""text_words: the words of a text in any script, as the index of chunks holds them."""

from __future__ import annotations

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def words(connection: psycopg.Connection, content: str, language: str = "simple") -> set[str]:
    row = connection.execute(
        "SELECT tsvector_to_array(pgrag.text_words(%s::regconfig, %s))", (language, content)
    ).fetchone()
    assert row is not None
    return set(row[0])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Scrooge's Ghosts", {"scrooge", "s", "ghosts"}),
        ("技術底座", {"技術", "術底", "底座"}),
        ("MLOps就是技術，底座", {"mlops", "就是", "是技", "技術", "底座"}),
        ("鬼", {"鬼"}),
        ("ＭＬＯｐｓ Ｃafé", {"mlops", "café"}),
        ("コーヒー", {"コー", "ーヒ", "ヒー"}),
        ("ｺｰﾋｰ", {"コー", "ーヒ", "ヒー"}),
        ("ภาษา", {"ภา", "าษ", "ษา"}),
        ("Москва и Париж", {"москва", "и", "париж"}),
        ("서울 시청", {"서울", "시청"}),
        ("", set()),
        ("?!，。", set()),
    ],
)
def test_any_script(db: psycopg.Connection, content: str, expected: set[str]) -> None:
    assert words(db, content) == expected


def test_a_language_has_stems_and_stop_words(db: psycopg.Connection) -> None:
    assert words(db, "The ghosts were haunting 技術 cafés", "english") == {"ghost", "haunt", "技術", "café"}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.text(alphabet=st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=60))
def test_what_a_text_says_is_found_by_it(db: psycopg.Connection, content: str) -> None:
    """Whatever the letters: the words of a part, cut at spaces, are words of the whole."""
    whole = words(db, f"a {content} b")
    assert words(db, content) <= whole
    assert {"a", "b"} <= whole or not content.isascii()
