"""Sentences and words of plain text, in Latin (Greek, Cyrillic) and Chinese script.

Text comes hard-wrapped, as Markdown, or as one line a paragraph: a line break ends a sentence only at a blank line,
before a list item, heading or table row, after a heading, and between lines of Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pgrag.models.offline.words import ABBREVIATIONS, FUNCTION

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
CJK = f"{HAN}\u3040-\u30ff"
_LETTERS = "A-Za-z0-9\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u052f\u1e00-\u1fff"

_HAS_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(
    rf"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"  # an identifier
    rf"|(?:[A-Z]\.){{2,}}"  # initials: U.S.A.
    rf"|[{_LETTERS}]+(?:[’'\-‐‑][{_LETTERS}]+)*"
)
_BLOCK = re.compile(r"\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*+•|>]|#{1,6}\s|\d{1,3}[.)]\s|[A-Za-z]\)\s))|(?<=[|])[ \t]*\n")
_HEADING_END = re.compile(r"(?m)^(#{1,6} .*)\n")
_CJK_BREAK = re.compile(rf"(?<=[{CJK}：。！？；])[ \t]*\n|\n(?=[ \t]*[{CJK}])")
_END = re.compile(r"[.!?…]+[\"'”’)\]_*]*(?=\s+[\"'“‘(\[_*]*[A-Z0-9\u00c0-\u00de\u0370-\u052f])|[。！？；]+[」』”’）]*")
_MARKS = re.compile(r"[*`]+|^\s*(?:[#>]+|[-+•])\s+|(?<![^\W_])_+|_+(?![^\W_])")
_POSSESSIVE = re.compile(r"[’'](?:s|ll|d|ve|re)$")


@dataclass(frozen=True)
class Word:
    """One word of a sentence, and where it stands.

    `base` is the word without possessive or contraction, `key` the base in lower case.
    """

    text: str
    base: str
    key: str
    start: int
    end: int

    @property
    def is_function(self) -> bool:
        """Whether it is a function word, or a contraction with one: I'll, don't."""
        return self.key in FUNCTION or self.key.partition("'")[0] in FUNCTION


def has_han(text: str) -> bool:
    """Whether any Chinese character occurs."""
    return _HAS_HAN.search(text) is not None


def sentences(text: str) -> list[str]:
    """The sentences in order, white space squeezed, none empty; headings, list items and table rows count as such."""
    found: list[str] = []
    for block in _blocks(text):
        start = 0
        for end in _ends(block):
            found.append(block[start:end])
            start = end
        found.append(block[start:])
    return [clean for sentence in found if (clean := " ".join(sentence.split())) and any(map(str.isalnum, clean))]


def words(sentence: str) -> list[Word]:
    """The words of a sentence that are not Chinese, in order."""
    return [_word(match) for match in _WORD.finditer(sentence)]


def content_words(sentence: str) -> list[str]:
    """Words that carry meaning, in lower case, in order: no function words, no single letters, no bare numbers."""
    return [
        word.key
        for word in words(sentence)
        if len(word.key) > 1
        and word.key not in FUNCTION
        and not word.key.isdigit()
        and word.key.split("'")[0] not in FUNCTION
    ]


def readable(sentence: str, limit: int, focus: str = "") -> str:
    """The sentence without Markdown marks, cut to about `limit` characters around `focus`, with … where it was cut."""
    clean = " ".join(_MARKS.sub("", sentence.replace("|", " ")).split())
    if len(clean) <= limit:
        return clean
    start = max(0, min(clean.find(focus) - limit // 2, len(clean) - limit))
    end = start + limit
    if start:
        start = clean.find(" ", start, start + 20) + 1 or start
    if end < len(clean):
        end = max(clean.rfind(" ", end - 20, end), 0) or end
    return ("… " if start else "") + clean[start:end].strip() + (" …" if end < len(clean) else "")


def _blocks(text: str) -> Iterator[str]:
    text = text.replace("\r\n", "\n").replace("\ufeff", "")
    for block in _BLOCK.split(_HEADING_END.sub(r"\1\n\n", text)):
        if block and has_han(block):
            yield from _CJK_BREAK.split(block)
        elif block:
            yield block


def _ends(block: str) -> Iterator[int]:
    for match in _END.finditer(block):
        if match.group()[0] != "." or not _is_abbreviation(block, match.start()):
            yield match.end()


def _is_abbreviation(block: str, dot: int) -> bool:
    start = dot
    while start and (block[start - 1].isalnum() or block[start - 1] == "."):
        start -= 1
    last = block[start:dot]
    return last.lower() in ABBREVIATIONS or (len(last) == 1 and last.isupper() and last != "I")


def _word(match: re.Match[str]) -> Word:
    text = match.group()
    base = _POSSESSIVE.sub("", text)
    return Word(text, base, base.lower().replace("’", "'"), match.start(), match.end())
