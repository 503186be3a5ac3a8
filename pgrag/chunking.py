"""From a document's text to its chunks: windows of tokens, each begun some tokens before the last one ended.

Windows start at multiples of `tokens - overlap`, as LightRAG's do, with two differences. A vocabulary may spread one
character over several tokens, and a window's edge may fall between them: the edge then moves back to the beginning of
that character, so no chunk holds a broken one. And the windows end with the first that reaches the end of the text:
a further one would only repeat its tail.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from pgrag.errors import InvalidArgument
from pgrag.tokens import Tokenizer


@dataclass(frozen=True)
class Chunk:
    """A part of a document: its place from 0, its text without blanks at the ends, the tokens of its window.

    `section`: the headings it stands under; None where it stands under none.
    """

    index: int
    content: str
    token_count: int
    section: str | None = None


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


def chunk_by_tokens(text: str, tokenizer: Tokenizer, size: ChunkSize) -> list[Chunk]:
    """The chunks of the text, in order; none where the text is blank.

    No chunk has more than `size.tokens` tokens, unless so many tokens hold no end of a character.
    """
    # 4 bytes a token: a list of integers would take ten times the text's own memory.
    tokens = array("I")
    for piece in tokenizer.encode_pieces(text):
        tokens.extend(piece)
    chunks: list[Chunk] = []
    for start, end in windows(tokens, tokenizer, size):
        content = tokenizer.decode(tokens[start:end].tolist()).strip()
        if content:
            chunks.append(Chunk(len(chunks), content, end - start))
    return chunks


def windows(tokens: array[int], tokenizer: Tokenizer, size: ChunkSize) -> Iterator[tuple[int, int]]:
    """(start, end) of each window as indexes into the tokens, in order, without a gap between two of them.

    Both always lie between two characters. A window whose start had to move back ends that much earlier; where the
    overlap is too small to bridge that, the next one starts where it ended. Each window brings something new.
    """
    step = size.tokens - size.overlap
    start, nominal_start, reached = 0, 0, 0
    while reached < len(tokens):
        end = _character_start(tokens, tokenizer, start + size.tokens)
        if end <= start:
            end = _character_end(tokens, tokenizer, start + 1)
        if end > reached:
            yield start, end
            reached = end
        nominal_start += step
        start = min(_character_start(tokens, tokenizer, nominal_start), reached)


def _character_start(tokens: array[int], tokenizer: Tokenizer, index: int) -> int:
    """The nearest index at or before this one, at most the number of tokens, where a character begins."""
    index = min(index, len(tokens))
    while 0 < index < len(tokens) and not tokenizer.starts_character(tokens[index]):
        index -= 1
    return index


def _character_end(tokens: array[int], tokenizer: Tokenizer, index: int) -> int:
    """The nearest index at or after this one where a character begins, or the number of tokens."""
    while index < len(tokens) and not tokenizer.starts_character(tokens[index]):
        index += 1
    return index
