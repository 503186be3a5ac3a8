"""Thoughts are dropped, text is not, and it does not matter how the reply is cut into pieces."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.models.thinking import ThinkingFilter, without_thinking


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("Ada.", "Ada."),
        ("<think>who?</think>Ada.", "Ada."),
        ("  <think>who?</think>\n\nAda.", "Ada."),
        ("<think></think>Ada.", "Ada."),
        ("<think>a</think><think>b</think>Ada.", "Ada."),
        ("Ada <think>or Grace?</think>Lovelace.", "Ada Lovelace."),
        ("<think>a <think> b</think>Ada.", "Ada."),
        ("<think>never done", ""),
        ("Models write <think> and go on.", "Models write <think> and go on."),
        ("a < b <thin", "a < b <thin"),
        ("opened by the prompt</think>\nAda.", "Ada."),
        ("", ""),
        ("Ada.\n", "Ada.\n"),
    ],
)
def test_whole_reply(reply: str, shown: str) -> None:
    assert without_thinking(reply) == shown


def _in_pieces(pieces: list[str]) -> list[str]:
    thoughts = ThinkingFilter()
    return [thoughts.feed(piece) for piece in pieces] + [thoughts.end()]


def test_tags_split_over_pieces() -> None:
    shown = _in_pieces(["<th", "ink>se", "cret</", "thi", "nk>", " A", "da"])
    assert shown == ["", "", "", "", "", "A", "da", ""]


def test_text_is_not_held_back_without_need() -> None:
    assert _in_pieces(["Ada ", "is <", "b> bold"]) == ["Ada ", "is ", "<b> bold", ""]


fragments = st.lists(
    st.sampled_from(["<think>", "</think>", "<", "think>", " ", "Ada", "\n", "</", "<th"]), max_size=12
)


@given(fragments, st.data())
def test_any_cut_shows_the_same(parts: list[str], data: st.DataObject) -> None:
    reply = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(reply)), max_size=6)))
    pieces = [reply[a:b] for a, b in zip([0, *cuts], [*cuts, len(reply)], strict=True)]
    assert "".join(_in_pieces(pieces)) == "".join(_in_pieces([reply]))


@given(st.text(alphabet="ab <>\n"), st.text(alphabet="ab <>\n"))
def test_a_leading_block_is_gone(thought: str, text: str) -> None:
    assert without_thinking(f"<think>{thought}</think>{text}") == text.lstrip()


def test_a_long_thought_costs_linear_time() -> None:
    thoughts = ThinkingFilter()
    begin = time.process_time()
    assert thoughts.feed("<think>") == ""
    assert not any(thoughts.feed("hmm ") for _ in range(50_000))
    assert thoughts.feed("</think>Ada") == "Ada"
    assert time.process_time() - begin < 1.0, "2 s when every piece copies all before it"
