"""A text beside its tokens: counts and cuts are those of its bytes."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from support.chunk_checks import TOKENIZER, texts

from pgrag.chunking.tokenized import TokenizedText


def byte_ends(parts: list[bytes]) -> list[int]:
    return list(itertools.accumulate(map(len, parts), initial=0))


def test_a_character_may_be_of_several_tokens() -> None:
    whole = TokenizedText.of("a𓂀b", TOKENIZER)
    assert len(whole.tokens) == 6
    assert [whole.count(0, 1), whole.count(1, 2), whole.count(2, 3), whole.count(0, 3)] == [1, 4, 1, 6]
    assert list(whole.cuts(0, 3)) == [1, 2]
    assert [whole.begin(0), whole.begin(1), whole.begin(5), whole.begin(6)] == [0, 1, 2, 3]


def test_a_token_may_be_of_several_characters() -> None:
    whole = TokenizedText.of("one two", TOKENIZER)
    assert [whole.count(0, 1), whole.count(0, 4), whole.count(3, 4), whole.count(4, 7)] == [1, 2, 1, 1]
    assert list(whole.cuts(0, 7)) == [3]


@given(texts.filter(bool), st.data())
def test_counts_and_cuts_are_those_of_the_bytes(text: str, data: st.DataObject) -> None:
    whole = TokenizedText.of(text, TOKENIZER)
    tokens = byte_ends([TOKENIZER._encoding.decode_single_token_bytes(token) for token in whole.tokens])
    characters = byte_ends([sign.encode() for sign in text])
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = characters[start], characters[end]
    touching = [1 for begin, stop in itertools.pairwise(tokens) if begin < last and stop > first]
    assert whole.count(start, end) == len(touching)
    assert list(whole.cuts(start, end)) == [i for i in range(start + 1, end) if characters[i] in set(tokens)]
