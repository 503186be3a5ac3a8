"""One door to all strategies, and how a strategy travels with a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pgrag.chunking.by_character import ByCharacter
from pgrag.chunking.by_function import ByFunction, ByRanges
from pgrag.chunking.by_markdown import ByMarkdown
from pgrag.chunking.by_tokens import ByTokens
from pgrag.chunking.chunk import Chunk, ChunkSize, chunks_of
from pgrag.chunking.places import Mark
from pgrag.chunking.recursive import Recursive
from pgrag.errors import InvalidArgument
from pgrag.tokens import Tokenizer

Portable = ByTokens | ByCharacter | Recursive | ByMarkdown | ByRanges
Strategy = Portable | ByFunction

_BY_NAME: dict[str, type[Portable]] = {
    "tokens": ByTokens,
    "character": ByCharacter,
    "recursive": Recursive,
    "markdown": ByMarkdown,
    "ranges": ByRanges,
}
_NAME_OF = {kind: name for name, kind in _BY_NAME.items()}


def chunk_text(
    text: str, tokenizer: Tokenizer, strategy: Strategy, size: ChunkSize, marks: Sequence[Mark] = ()
) -> list[Chunk]:
    """The chunks of a text without surrogates, in its order; none where it is blank.

    What lies between two chunks is blank, but for the separators of ByCharacter and what a caller's function leaves
    out. Raises InvalidArgument as the strategy does.
    """
    return chunks_of(text, strategy.spans(text, tokenizer, size), marks)


def chunk_by_tokens(text: str, tokenizer: Tokenizer, size: ChunkSize) -> list[Chunk]:
    """`chunk_text` with windows of tokens."""
    return chunk_text(text, tokenizer, ByTokens(), size)


def strategy_of_job(strategy: Strategy, text: str) -> Mapping[str, Any]:
    """How any worker is to cut this text, as JSON. Raises InvalidArgument when the caller's function fails on it."""
    portable = strategy.ranges(text) if isinstance(strategy, ByFunction) else strategy
    return {"by": _NAME_OF[type(portable)], **asdict(portable)}


def strategy_from_job(job: Mapping[str, Any]) -> Strategy:
    """The strategy that a job was queued with. Raises InvalidArgument for what is none."""
    try:
        return _BY_NAME[job["by"]](**{name: value for name, value in job.items() if name != "by"})
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidArgument(f"unknown way of chunking: {dict(job)}", f"by: one of {', '.join(_BY_NAME)}") from error
