"""Windows of tokens, each begun some tokens before the last one ended.

Windows start at multiples of `tokens - overlap`, as LightRAG's do, with two differences. A vocabulary may spread one
character over several tokens, and a window's edge may fall between them: the edge then moves back to the beginning of
that character, so no chunk holds a broken one. And the windows end with the first that reaches the end of the text:
a further one would only repeat its tail.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from pgrag.chunking.chunk import ChunkSize, Span
from pgrag.chunking.tokenized import TokenizedText
from pgrag.tokens import Tokenizer


@dataclass(frozen=True)
class ByTokens:
    """Cut at every so many tokens, wherever that is.

    No span has more than `size.tokens` tokens, unless so many tokens hold no end of a character.
    """

    def spans(self, text: str, tokenizer: Tokenizer, size: ChunkSize) -> list[Span]:
        """The windows, in order, without a gap."""
        whole = TokenizedText.of(text, tokenizer)
        found = windows(whole.tokens, tokenizer, size)
        return [Span(whole.begin(start), whole.begin(end), end - start) for start, end in found]


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
