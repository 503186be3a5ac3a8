"""All strategies by one door, and as JSON with a job."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from support.chunk_checks import TOKENIZER, check_chunks, sizes, texts

from pgrag.chunking import (
    ByCharacter,
    ByMarkdown,
    ByRanges,
    ByTokens,
    ChunkSize,
    Recursive,
    Strategy,
    chunk_by_tokens,
    chunk_text,
    strategy_from_job,
    strategy_of_job,
)
from pgrag.errors import InvalidArgument


@pytest.mark.parametrize(
    "strategy", [ByTokens(), ByCharacter("\n\n", only=True), Recursive(), ByMarkdown(), ByRanges(((0, 4), (2, 9)))]
)
def test_it_comes_back_from_a_job(strategy: Strategy) -> None:
    job = json.loads(json.dumps(strategy_of_job(strategy, "any text")))
    assert strategy_from_job(job) == strategy


@pytest.mark.parametrize(
    "job",
    [{}, {"by": "magic"}, {"by": "character"}, {"by": "tokens", "x": 1}, {"by": "ranges", "ranges": [[3, 1]]}]
    + [{"by": "ranges", "ranges": ranges} for ranges in (None, [1], [[1]], [["a", "b"]])],
)
def test_what_is_no_strategy_is_refused(job: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        strategy_from_job(job)


@pytest.mark.parametrize("strategy", [ByTokens(), ByCharacter("x"), Recursive(), ByMarkdown()])
@pytest.mark.parametrize("text", ["", "   ", "\n\t\u3000"])
def test_a_blank_text_has_no_chunks(strategy: Strategy, text: str) -> None:
    assert chunk_text(text, TOKENIZER, strategy, ChunkSize()) == []


def test_tokens_have_a_door_of_their_own() -> None:
    size = ChunkSize(3, 1)
    text = "one two three four five"
    assert chunk_by_tokens(text, TOKENIZER, size) == chunk_text(text, TOKENIZER, ByTokens(), size)


@given(texts, sizes)
def test_tokens_keep_what_chunking_promises(text: str, size: ChunkSize) -> None:
    check_chunks(text, chunk_by_tokens(text, TOKENIZER, size), size)
