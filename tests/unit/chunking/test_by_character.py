"""ByCharacter: LightRAG's `split_by_character`, with and without the size limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.chunk_checks import TOKENIZER, check_chunks, sizes, texts

from pgrag.chunking import ByCharacter, ByTokens, ChunkSize, chunk_text
from pgrag.errors import InvalidArgument


def contents(text: str, strategy: ByCharacter, size: ChunkSize) -> list[str]:
    return [chunk.content for chunk in chunk_text(text, TOKENIZER, strategy, size)]


def test_pieces_that_fit_stay_as_they_are() -> None:
    assert contents("one two|three| |four", ByCharacter("|"), ChunkSize(10, 3)) == ["one two", "three", "four"]


def test_a_piece_over_the_size_is_cut_into_windows_that_overlap() -> None:
    piece = " one two three four five"
    windows = chunk_text(piece, TOKENIZER, ByTokens(), ChunkSize(3, 1))
    expected = ["zero", *(chunk.content for chunk in windows), "six"]
    assert len(windows) == 2
    assert contents(f"zero--{piece}--six", ByCharacter("--"), ChunkSize(3, 1)) == expected


def test_without_the_separator_the_text_is_one_piece() -> None:
    assert contents("one two three", ByCharacter("|"), ChunkSize(10, 0)) == ["one two three"]


def test_with_only_a_piece_over_the_size_is_an_error_that_names_it() -> None:
    with pytest.raises(InvalidArgument) as caught:
        contents("zero||one two three\nfour||five", ByCharacter("||", only=True), ChunkSize(3, 0))
    assert caught.value.message == "piece 2 of the text has 5 tokens, a chunk 3 at most: 'one two three four' …"


def test_with_only_pieces_that_fit_are_taken() -> None:
    assert contents("one two||three", ByCharacter("||", only=True), ChunkSize(2, 0)) == ["one two", "three"]


def test_the_separator_is_no_pattern() -> None:
    assert contents("a.b*c", ByCharacter("."), ChunkSize(10, 0)) == ["a", "b*c"]


def test_an_empty_separator_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="must not be empty, got ''"):
        ByCharacter("")


@given(texts, sizes, st.sampled_from([" ", "\n", "。", "word", "\n\n", "#"]))
def test_it_keeps_what_chunking_promises(text: str, size: ChunkSize, separator: str) -> None:
    chunks = chunk_text(text, TOKENIZER, ByCharacter(separator), size)
    check_chunks(text, chunks, size, separator)
    assert not any(separator in chunk.content for chunk in chunks)


@given(texts, st.integers(1, 14), st.sampled_from([" ", "\n", "。", "word"]))
def test_only_refuses_or_splits_exactly(text: str, tokens: int, separator: str) -> None:
    pieces = [piece for piece in text.split(separator) if piece.strip()]
    try:
        found = contents(text, ByCharacter(separator, only=True), ChunkSize(tokens, 0))
    except InvalidArgument:
        assert any(TOKENIZER.count(piece) > tokens for piece in text.split(separator))
    else:
        assert found == [piece.strip() for piece in pieces]
