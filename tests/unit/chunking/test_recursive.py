"""Recursive: what fits is not cut, the pieces fill the chunks, and the overlap is of whole pieces."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import example, given
from support.chunk_checks import TOKENIZER, check_chunks, sizes, texts

from pgrag.chunking import ChunkSize, Recursive, chunk_text
from pgrag.chunking.tokenized import TokenizedText


def contents(text: str, tokens: int, overlap: int = 0) -> list[str]:
    return [chunk.content for chunk in chunk_text(text, TOKENIZER, Recursive(), ChunkSize(tokens, overlap))]


def test_a_text_that_fits_is_one_chunk() -> None:
    text = "One line.\nAnother.\n\nA paragraph, too."
    assert contents(text, 100) == [text]


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("One two three.\n\nFour five six.\n\nSeven.", 9, ["One two three.\n\nFour five six.", "Seven."]),
        ("One two\nthree four\nfive six", 5, ["One two\nthree four", "five six"]),
        ("One two three. Four five six! Seven?", 5, ["One two three.", "Four five six!", "Seven?"]),
        ('"One two." Then (three four.) Five six.', 7, ['"One two."', "Then (three four.)", "Five six."]),
        ("Pi is 3.14 and e is 2.72 too. Good.", 16, ["Pi is 3.14 and e is 2.72 too.", "Good."]),
        ("one two, three four; five six", 4, ["one two,", "three four;", "five six"]),
        ("one two three four five", 2, ["one two", "three four", "five"]),
        ("第一句。第二句！第三句？", 12, ["第一句。第二句！", "第三句？"]),
        ("「一二。」三四。", 7, ["「一二。」", "三四。"]),
        ("गीत है। गान है।", 9, ["गीत है।", "गान है।"]),
        ("one\r\n\r\ntwo\r\n\r\nthree", 2, ["one", "two", "three"]),
    ],
)
def test_it_cuts_at_the_coarsest_break(text: str, tokens: int, expected: list[str]) -> None:
    assert contents(text, tokens) == expected


def test_a_paragraph_that_fits_is_never_cut() -> None:
    paragraphs = [f"Paragraph {number} says something, and more. It has two sentences.\n\n" for number in range(30)]
    limit = max(map(TOKENIZER.count, paragraphs))
    for content in contents("".join(paragraphs), 2 * limit + 3):
        assert content.startswith("Paragraph")
        assert content.endswith("sentences.")


def test_a_word_over_the_size_is_cut_between_tokens() -> None:
    word = "".join(map(str, range(100, 160)))
    chunks = chunk_text(f"short {word} end", TOKENIZER, Recursive(), ChunkSize(10, 0))
    assert all(chunk.token_count == 10 for chunk in chunks[:-1])
    assert "".join(chunk.content for chunk in chunks).replace(" ", "") == f"short{word}end"


def test_a_short_piece_is_filled_up_with_the_beginning_of_the_long_one() -> None:
    """A heading line does not stand alone before a paragraph that has to be cut."""
    text = "Heading\n\n" + "This is a sentence. " * 6
    assert contents(text, 13) == [
        "Heading\n\nThis is a sentence. This is a sentence.",
        "This is a sentence. This is a sentence.",
        "This is a sentence. This is a sentence.",
    ]


def test_the_overlap_is_of_whole_pieces() -> None:
    text = "A one two. B one two. C one two. D one two."
    assert contents(text, 10, 5) == [
        "A one two. B one two.",
        "B one two. C one two.",
        "C one two. D one two.",
    ]
    assert contents(text, 10, 3) == ["A one two. B one two.", "C one two. D one two."]


def test_no_redundant_tail() -> None:
    text = "A one two. B one two. C one two."
    assert contents(text, 10, 9)[-1] == "B one two. C one two."


@example(text="\x80\x81", size=ChunkSize(1, 0))
@given(texts, sizes)
def test_it_keeps_what_chunking_promises(text: str, size: ChunkSize) -> None:
    check_chunks(text, chunk_text(text, TOKENIZER, Recursive(), size), size)


@given(texts, sizes)
def test_the_overlap_is_not_exceeded(text: str, size: ChunkSize) -> None:
    whole = TokenizedText.of(text, TOKENIZER)
    spans = Recursive().spans(text, TOKENIZER, size)
    for before, after in itertools.pairwise(spans):
        assert before.start < after.start < after.end
        assert after.start >= before.end or whole.count(after.start, before.end) <= size.overlap


@pytest.mark.parametrize("text", ["." * 200_000, " \n" * 100_000, "," * 200_000, '."' * 100_000, "a" * 200_000])
def test_no_text_takes_forever(text: str) -> None:
    begin = time.process_time()
    chunk_text(text, TOKENIZER, Recursive(), ChunkSize(100, 10))
    assert time.process_time() - begin < 3


def test_a_megabyte_is_quick() -> None:
    text = "The engine weaves algebraic patterns; 技術底座是什麼？這是一個測試。\n\n" * 12_000
    begin = time.process_time()
    chunks = chunk_text(text, TOKENIZER, Recursive(), ChunkSize())
    assert time.process_time() - begin < 3
    assert max(chunk.token_count for chunk in chunks) <= 1200
