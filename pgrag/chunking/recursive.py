"""Cut where a reader would: between paragraphs, else lines, sentences, clauses, words, and only then inside a word.

What fits into a chunk whole is not cut: a paragraph is taken apart only when it is over the size by itself, a line of
it only when that is, and so on. The pieces are then put together again, in order, as many as fit.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pgrag.chunking.chunk import ChunkSize, Span, without_blanks
from pgrag.chunking.tokenized import TokenizedText
from pgrag.tokens import Tokenizer

# Coarsest first; a text may be cut where a match ends. A look-behind before a repeated sign keeps a long run of it from
# being tried once for each sign.
BREAKS: Sequence[re.Pattern[str]] = (
    re.compile(r"(?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)\s*"),
    re.compile(r"[\r\n\u2028\u2029]+"),
    re.compile(r"""(?<![.!?…])[.!?…]++["'”’»)\]]*+\s++|[。．！？｡।॥؟۔։።]+[”’」』）】》]*\s*"""),
    re.compile(r"(?<![,;:])[,;:]++\s++|[，、；：､،؛]+\s*"),
    re.compile(r"\s+"),
)

Piece = tuple[int, int]


@dataclass(frozen=True)
class Recursive:
    """Cut between paragraphs, lines, sentences (of Western, Chinese, Japanese, Indic, Arabic text), clauses, words.

    A span repeats of the one before it as many whole pieces as the overlap has room for: none where they are larger.
    No span has more than `size.tokens` tokens, unless one character has, or tokens lie across characters.
    """

    def spans(self, text: str, tokenizer: Tokenizer, size: ChunkSize) -> list[Span]:
        """The spans, in order; between them are blanks alone, and there are none at their ends."""
        whole = TokenizedText.of(text, tokenizer)
        pieces = list(_pieces(whole, 0, len(text), BREAKS, size.tokens))
        return list(_packed(whole, pieces, size))


def _pieces(
    whole: TokenizedText, start: int, end: int, breaks: Sequence[re.Pattern[str]], limit: int
) -> Iterator[Piece]:
    """The characters [start, end) in pieces of at most `limit` tokens, cut at breaks as coarse as possible.

    Blanks at their ends are left out before they are measured: most tokens of words begin with a blank.
    """
    start, end = without_blanks(whole.text, start, end)
    if start == end:
        return
    if whole.count(start, end) <= limit:
        yield start, end
    elif breaks:
        ends = (found.end() for found in breaks[0].finditer(whole.text, start, end))
        for piece in _between(start, ends, end):
            yield from _pieces(whole, *piece, breaks[1:], limit)
    else:
        yield from _between(start, whole.cuts(start, end), end)


def _between(start: int, cuts: Iterator[int], end: int) -> Iterator[Piece]:
    return itertools.pairwise(itertools.chain((start,), cuts, (end,)))


def _packed(whole: TokenizedText, pieces: Sequence[Piece], size: ChunkSize) -> Iterator[Span]:
    """As many pieces a span as fit. Each has at least one that no span before it has."""
    begin = fresh = 0
    while fresh < len(pieces):
        start, after = pieces[begin][0], fresh + 1
        while after < len(pieces) and whole.count(start, pieces[after][1]) <= size.tokens:
            after += 1
        end = pieces[after - 1][1]
        yield Span(start, end, whole.count(start, end))
        begin, fresh = _overlap(whole, pieces, begin + 1, after, size), after


def _overlap(whole: TokenizedText, pieces: Sequence[Piece], earliest: int, fresh: int, size: ChunkSize) -> int:
    """The piece that the next span begins with: what it repeats fits the overlap, and `fresh` still fits the size."""
    begin = fresh
    while begin > earliest and fresh < len(pieces):
        start = pieces[begin - 1][0]
        repeated, needed = whole.count(start, pieces[fresh - 1][1]), whole.count(start, pieces[fresh][1])
        if repeated > size.overlap or needed > size.tokens:
            break
        begin -= 1
    return begin
