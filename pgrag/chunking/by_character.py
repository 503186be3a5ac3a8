"""Pieces between the occurrences of one string, as LightRAG's `split_by_character` has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pgrag.chunking.by_tokens import ByTokens
from pgrag.chunking.chunk import ChunkSize, Span
from pgrag.errors import InvalidArgument
from pgrag.tokens import Tokenizer

_LONGEST_QUOTE = 60


@dataclass(frozen=True)
class ByCharacter:
    """Cut at every `separator`, which is in no chunk.

    A piece over the size is cut into windows of tokens that overlap; with `only` it is an error. Pieces that fit stay
    as they are, however short, and do not overlap.
    Raises InvalidArgument for an empty separator.
    """

    separator: str
    only: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.separator, str) or not self.separator:
            raise InvalidArgument(f"the text to split by must not be empty, got {self.separator!r}")

    def spans(self, text: str, tokenizer: Tokenizer, size: ChunkSize) -> list[Span]:
        """The pieces, in order. Raises InvalidArgument with `only`, for the first piece over the size."""
        spans: list[Span] = []
        for number, (start, end) in enumerate(self._pieces(text), start=1):
            found = ByTokens().spans(text[start:end], tokenizer, size)
            if self.only and len(found) > 1:
                raise _too_long(number, text[start:end], tokenizer, size)
            spans.extend(span.moved(start) for span in found)
        return spans

    def _pieces(self, text: str) -> Iterator[tuple[int, int]]:
        start = 0
        for found in re.finditer(re.escape(self.separator), text):
            yield start, found.start()
            start = found.end()
        yield start, len(text)


def _too_long(number: int, piece: str, tokenizer: Tokenizer, size: ChunkSize) -> InvalidArgument:
    begin = " ".join(piece[: 2 * _LONGEST_QUOTE].split())[:_LONGEST_QUOTE]
    return InvalidArgument(
        f"piece {number} of the text has {tokenizer.count(piece)} tokens, a chunk {size.tokens} at most: {begin!r} …",
        "make chunks larger, or let pieces over the size be cut",
    )
