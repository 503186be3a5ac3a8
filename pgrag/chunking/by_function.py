"""A caller's own way of cutting, and the ranges that are left of it when a job goes to another machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pgrag.chunking.chunk import ChunkSize, Span
from pgrag.errors import InvalidArgument
from pgrag.tokens import Tokenizer

_LONGEST_QUOTE = 60
_BLANKS = re.compile(r"\s*")


@dataclass(frozen=True)
class ByRanges:
    """Cut at given characters: [start, end) of each span, in the order of their starts.

    Raises InvalidArgument for a range that is none.
    """

    ranges: Sequence[Sequence[int]]

    def __post_init__(self) -> None:
        ranges = tuple((start, end) for start, end in self.ranges)
        if any(not 0 <= start <= end for start, end in ranges):
            raise InvalidArgument("the ranges of chunks must not end before they begin")
        object.__setattr__(self, "ranges", ranges)

    def spans(self, text: str, tokenizer: Tokenizer, size: ChunkSize) -> list[Span]:
        """The spans as given, whatever their size."""
        return [Span(start, end, tokenizer.count(text[start:end])) for start, end in self.ranges]


@dataclass(frozen=True)
class ByFunction:
    """Cut by a function of the caller's, from a text to its pieces; their size is its own affair.

    Pieces are parts of the text, character for character, each beginning after the one before it; they may overlap,
    and may leave something out. The text is the document as it is stored: without blanks around it, HTML escapes
    resolved. A worker in another process cannot know the function, so it is called here, before the document is
    queued, and the job carries the ranges of its pieces (`ranges`).
    """

    function: Callable[[str], Iterable[str]]

    def ranges(self, text: str) -> ByRanges:
        """Where the pieces of the text are.

        Raises InvalidArgument when the function fails, or for a piece that is not found where it should be.
        """
        try:
            pieces = self.function(text)
            pieces = (pieces,) if isinstance(pieces, str) else tuple(pieces)
        except Exception as error:
            raise InvalidArgument(f"the chunking function failed: {type(error).__name__}: {error}") from error
        return ByRanges(tuple(_places(text, pieces)))

    def spans(self, text: str, tokenizer: Tokenizer, size: ChunkSize) -> list[Span]:
        """The spans of the function's pieces. Raises as `ranges`."""
        return self.ranges(text).spans(text, tokenizer, size)


def _places(text: str, pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(start, end) of each piece that is not blank: right behind the one before it, else as early as it can be."""
    earliest = end = 0
    for number, piece in enumerate(pieces, start=1):
        if not isinstance(piece, str):
            raise InvalidArgument(f"the chunking function gave {piece!r} as piece {number}, which is no text")
        content = piece.strip()
        if not content:
            continue
        behind = _after_blanks(text, end)
        start = behind if text.startswith(content, behind) else text.find(content, earliest)
        if start < 0:
            raise InvalidArgument(
                f"piece {number} of the chunking function is not in the text after the one before it: "
                f"{content[:_LONGEST_QUOTE]!r}",
                "pieces must be parts of the text, unchanged and in its order",
            )
        earliest, end = start + 1, start + len(content)
        yield start, end


def _after_blanks(text: str, start: int) -> int:
    found = _BLANKS.match(text, start)
    return found.end() if found else start
