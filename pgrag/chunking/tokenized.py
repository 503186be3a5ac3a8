"""A text beside its tokens: how many a stretch of it has, and where it may be cut between two of them.

All strategies measure by this one sequence, that of the whole text, so a stretch never has more tokens than one that
holds it, and measuring costs no second encoding.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from pgrag.tokens import Tokenizer


@dataclass(frozen=True)
class TokenizedText:
    """A text without surrogates, its tokens, and for each token the characters of its first and its last byte.

    A character may be spread over several tokens: then it is the last of one and the first of the next.
    """

    text: str
    tokens: array[int]
    firsts: array[int]
    lasts: array[int]

    @classmethod
    def of(cls, text: str, tokenizer: Tokenizer) -> TokenizedText:
        """The text, encoded."""
        # 4 bytes a number: lists of integers would take ten times the text's own memory.
        tokens, firsts, lasts = array("I"), array("I"), array("I")
        for piece in tokenizer.encode_pieces(text):
            tokens.extend(piece)
        begun = {token: tokenizer.characters_begun(token) for token in set(tokens)}
        inside = {token for token in begun if not tokenizer.starts_character(token)}
        reached = 0
        for token in tokens:
            firsts.append(reached - (token in inside))
            reached += begun[token]
            lasts.append(reached - 1)
        return cls(text, tokens, firsts, lasts)

    def count(self, start: int, end: int) -> int:
        """How many tokens have a part in the characters [start, end), of which there is at least one."""
        return bisect_left(self.firsts, end) - bisect_left(self.lasts, start)

    def begin(self, index: int) -> int:
        """The character that a token begins with; the text's length for the index after the last token."""
        return self.firsts[index] if index < len(self.firsts) else len(self.text)

    def cuts(self, start: int, end: int) -> Iterator[int]:
        """The characters after `start` and before `end` that a token begins with, in order."""
        for index in range(bisect_right(self.firsts, start), bisect_left(self.firsts, end)):
            if self.firsts[index] > self.lasts[index - 1]:
                yield self.firsts[index]
