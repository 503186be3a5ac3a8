"""The values of chunking: how long chunks are to be, where they lie, and what they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pgrag.chunking.places import Mark, place_of
from pgrag.errors import InvalidArgument


@dataclass(frozen=True)
class ChunkSize:
    """How long a chunk is, and how much of it the next one repeats, in tokens.

    Raises InvalidArgument unless 0 <= overlap < tokens.
    """

    tokens: int = 1200
    overlap: int = 100

    def __post_init__(self) -> None:
        if self.tokens < 1:
            raise InvalidArgument(f"the chunk size must be positive, got {self.tokens} tokens")
        if not 0 <= self.overlap < self.tokens:
            raise InvalidArgument(
                f"the overlap of chunks must be from 0 to {self.tokens - 1} tokens, got {self.overlap}",
                f"a chunk has {self.tokens} tokens, and the next must begin after it",
            )


@dataclass(frozen=True)
class Span:
    """A stretch [start, end) of a text, in characters, its tokens, and the headings it stands under."""

    start: int
    end: int
    token_count: int
    section: str | None = None

    def moved(self, offset: int) -> Span:
        """The same stretch of a text in which this one's text begins at `offset`."""
        return replace(self, start=self.start + offset, end=self.end + offset)


@dataclass(frozen=True)
class Chunk:
    """A part of a document: `content` is the characters [start, end) of its text, without blanks at the ends.

    index: its place among the chunks, from 0.
    token_count: the tokens of the span it was cut as.
    section: the headings it stands under, `Chapter 1 > Rooms`; None where there are none.
    place: where in the file it stands, `{"page": 3, "last_page": 4}` (`place_of`).
    """

    index: int
    content: str
    token_count: int
    start: int
    end: int
    section: str | None = None
    place: Mapping[str, object] = field(default_factory=dict)

    @property
    def metadata(self) -> Mapping[str, object]:
        """Place and section, as they are stored with the chunk; empty where there is neither."""
        return dict(self.place) if self.section is None else {**self.place, "section": self.section}


def chunks_of(text: str, spans: Iterable[Span], marks: Sequence[Mark] = ()) -> list[Chunk]:
    """The chunks of these spans, in order, without blanks at their ends.

    Left out is what brings nothing new: a blank span, and one that reaches no further than those before it.
    """
    chunks: list[Chunk] = []
    reached = 0
    for span in spans:
        start, end = without_blanks(text, span.start, span.end)
        if start < end and end > reached:
            place = place_of(start, end, marks)
            section = span.section or _section(place)
            chunks.append(Chunk(len(chunks), text[start:end], span.token_count, start, end, section, place))
            reached = end
    return chunks


def without_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """The characters [start, end) without blanks at either end; where there is nothing else, an empty stretch."""
    part = text[start:end].rstrip()
    end = start + len(part)
    return end - len(part.lstrip()), end


def _section(place: Mapping[str, object]) -> str | None:
    """The section that the file itself names."""
    section = place.get("section")
    return section if isinstance(section, str) else None
