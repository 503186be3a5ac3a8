"""Keywords, answers and summaries: quoted or matched, never made up."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.models.offline.answer import (
    NO_MODEL,
    NO_MODEL_CHINESE,
    NOTHING,
    QUOTES,
    SUMMARY_CHARACTERS,
    answer,
    summary,
)
from pgrag.models.offline.keywords import keywords
from pgrag.models.offline.minilm import MiniLM
from pgrag.models.protocols import Passage

MODEL = MiniLM()
PASSAGES = (
    Passage("The house was dark. Scrooge took his melancholy dinner in his usual melancholy tavern.", "1"),
    Passage("Bob Cratchit was the clerk of Scrooge, and had but fifteen shillings a week. It rained.", "2"),
    Passage("Bob Cratchit was the clerk of Scrooge, and had but fifteen shillings a week. It rained.", "3"),
    Passage("The Wizard of Oz lived in the Emerald City, and nobody had ever seen him.", ""),
)


def levels(question: str) -> tuple[list[str], list[str]]:
    """(low, high)"""
    reply = json.loads(keywords(question))
    return reply["low_level_keywords"], reply["high_level_keywords"]


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("Who is Tiny Tim and what is his relation to Bob Cratchit?", ["Tiny Tim", "Bob Cratchit"], ["relation"]),
        ("How does LightRAG delete old documents?", ["LightRAG"], ["delete old documents"]),
        ("who is the clerk of scrooge", ["clerk", "scrooge"], ["clerk", "scrooge"]),
        ("Scrooge?", ["Scrooge"], ["Scrooge"]),
        ("What does max_entity_tokens limit?", ["max_entity_tokens"], ["limit"]),
        ("LightRAG的混合檢索如何運作？", ["LightRAG", "混合檢索"], ["運作"]),
        ("What is it?", [], []),
        ("", [], []),
    ],
)
def test_keywords(question: str, low: list[str], high: list[str]) -> None:
    assert levels(question) == (low, high)


def test_chinese_keywords_split_names_from_the_rest() -> None:
    low, high = levels("MLOps就是支撐這一框架穩定運行的技術底座是什麼？")
    assert low == ["MLOps", "技術底座"]
    assert high
    assert not set(low) & set(high)
    assert "什麼" not in "".join(high)


@given(st.text(max_size=80))
def test_keywords_are_words_of_the_question(question: str) -> None:
    low, high = levels(question)
    assert bool(low) == bool(high)
    # A question in capitals is no reason to shout back: case may differ.
    squeezed = " ".join(question.split()).casefold()
    for phrase in (*low, *high):
        assert all(part.casefold() in squeezed for part in phrase.split())


def quotes(text: str) -> list[str]:
    return [part.removeprefix("> ") for part in text.split("\n\n")[1:]]


def test_an_answer_says_what_it_is_and_quotes_the_best_first() -> None:
    text = answer("Who worked for Scrooge as a clerk?", PASSAGES, MODEL.encode)
    assert text.startswith(NO_MODEL)
    assert quotes(text)[0].startswith("Bob Cratchit was the clerk of Scrooge")
    assert quotes(text)[0].endswith(" [2]")


def test_every_quotation_is_word_for_word_and_carries_its_own_reference() -> None:
    text = answer("Who lived in the Emerald City?", PASSAGES, MODEL.encode)
    assert "Wizard of Oz" in quotes(text)[0]
    assert not quotes(text)[0].endswith("]")  # its passage has no number, and none is invented
    for quote in quotes(text):
        said, _, number = quote.removesuffix("]").rpartition(" [") if quote.endswith("]") else (quote, "", "")
        assert any(said in passage.content and number == passage.reference_id for passage in PASSAGES)


def test_the_same_sentence_is_quoted_once_for_its_first_passage() -> None:
    text = answer("Who worked for Scrooge as a clerk?", PASSAGES, MODEL.encode)
    assert text.count("fifteen shillings") == 1
    assert "[3]" not in text


def test_no_more_than_five_quotations() -> None:
    passages = [
        Passage(f"Scrooge counted his money in room {number} of the old house, and was glad.", str(number))
        for number in range(40)
    ]
    assert len(quotes(answer("What did Scrooge count?", passages, MODEL.encode))) == QUOTES


def test_only_a_shortlist_is_embedded() -> None:
    asked: list[int] = []

    def counting(texts: object) -> object:
        asked.append(len(texts))
        return MODEL.encode(texts)

    content = " ".join(
        f"Sentence number {number} tells that the weather in Camden Town was very cold." for number in range(200)
    )
    text = answer("Who was Fezziwig?", [Passage(content + " Fezziwig was a merchant, and a merry one.", "7")], counting)
    assert asked == [25]
    assert quotes(text)[0] == "Fezziwig was a merchant, and a merry one. [7]"


def test_nothing_found() -> None:
    for passages in ((), (Passage("", "1"),), (Passage(" \n ...", "1"),)):
        assert answer("Who?", passages, MODEL.encode) == NOTHING
    assert "No language model is configured" in NOTHING
    assert "without documents" in NOTHING


def test_a_chinese_question_is_ranked_by_shared_characters() -> None:
    passages = (
        Passage("系統設置檢索策略,並行執行兩個任務。用戶等待結果的時間很短。", "1"),
        Passage("技術底座通常包括容器化技術和編排工具。模型監控是另外一件事情。", "2"),
    )

    def refuse(texts: object) -> object:
        raise AssertionError("the English model has no say here")

    text = answer("技術底座包括什麼？", passages, refuse)
    assert text.startswith(f"{NO_MODEL} {NO_MODEL_CHINESE}")
    assert quotes(text)[0] == "技術底座通常包括容器化技術和編排工具。模型監控是另外一件事情。 [2]"


def test_short_sentences_keep_their_neighbour() -> None:
    text = answer(
        "What about Scrooge?",
        [Passage("Oh! But he was a tight-fisted hand at the grindstone, Scrooge!", "1")],
        MODEL.encode,
    )
    assert quotes(text) == ["Oh! But he was a tight-fisted hand at the grindstone, Scrooge! [1]"]


def test_a_summary_is_the_distinct_sentences_in_order() -> None:
    text = "Scrooge is a miser\nScrooge signed it. He was cold.\nScrooge is a miser\nHe was cold."
    assert summary(text) == "Scrooge is a miser Scrooge signed it. He was cold."


def test_a_summary_has_a_limit_and_cuts_between_sentences() -> None:
    text = "\n".join(f"Statement number {number} about Scrooge is this." for number in range(100))
    short = summary(text)
    assert 1000 < len(short) <= SUMMARY_CHARACTERS
    assert short.endswith("is this.")
    assert summary("") == ""


def test_one_endless_sentence_is_cut() -> None:
    assert len(summary("on and " * 1000)) <= SUMMARY_CHARACTERS + 4


def test_a_chinese_summary_has_no_blanks_between_sentences() -> None:
    assert summary("技術底座是平台。\n它包括容器。\n技術底座是平台。") == "技術底座是平台。它包括容器。"
