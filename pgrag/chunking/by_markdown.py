"""Sections of a Markdown text, cut by its headings; each knows the headings it stands under."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt

from pgrag.chunking.chunk import ChunkSize, Span
from pgrag.chunking.recursive import Recursive
from pgrag.tokens import Tokenizer

ARROW = " > "
# A path goes into prompts with every chunk of its section.
LONGEST_HEADING = 120

_EOL = r"(?:\r\n|\r(?!\n)|\n)"
_LINE_END = re.compile(_EOL)
_FRONT_MATTER = re.compile(rf"---[^\S\r\n]*{_EOL}(?:[^\r\n]*{_EOL})*?(?:---|\.\.\.)[^\S\r\n]*(?:{_EOL}|\Z)")
_SAYS_SOMETHING = frozenset({"text", "code_inline", "image", "softbreak", "hardbreak"})


@dataclass(frozen=True)
class Section:
    """A stretch [start, end) of a text, from a heading on, and its path: the headings it stands under, its own last."""

    start: int
    end: int
    path: str | None


@dataclass(frozen=True)
class Heading:
    """A heading: the character its line begins with, the one its content begins with, its level (1..6), its words."""

    start: int
    end: int
    level: int
    title: str


@dataclass(frozen=True)
class ByMarkdown:
    """Cut at the headings of Markdown (CommonMark: `# …` and underlined ones), and within a section like Recursive.

    What looks like a heading in a code fence, a quotation, a list or the front matter is none. A heading that has
    nothing but deeper headings under it stays with the first of them. No span holds text of two sections otherwise, and
    none overlaps into another.
    """

    def spans(self, text: str, tokenizer: Tokenizer, size: ChunkSize) -> list[Span]:
        """The spans, in order, with sections like `Chapter 1 > Rooms`; between them are blanks alone."""
        return [
            replace(span.moved(section.start), section=section.path)
            for section in sections_of(text)
            for span in Recursive().spans(text[section.start : section.end], tokenizer, size)
        ]


def sections_of(text: str) -> Iterator[Section]:
    """The sections of a Markdown text, in order, without a gap. What comes before the first heading has no path."""
    start, above = 0, list[Heading]()
    for heading in headings_of(text):
        if heading.start > start and not _is_first_below(above, heading, text):
            yield Section(start, heading.start, _path(above))
            start = heading.start
        above = [*(each for each in above if each.level < heading.level), heading]
    if start < len(text):
        yield Section(start, len(text), _path(above))


def headings_of(text: str) -> list[Heading]:
    """The headings of a Markdown text that have words, in order."""
    skipped = _FRONT_MATTER.match(text)
    offset = skipped.end() if skipped else 0
    body = text[offset:]
    lines = [offset, *(offset + found.end() for found in _LINE_END.finditer(body)), len(text)]
    # Two parsers: for the structure of a text, what stands within its paragraphs need not be parsed. They are of this
    # call alone, because their first use, which prepares them, must not be that of two threads.
    blocks, words = MarkdownIt("commonmark").disable("inline"), MarkdownIt("commonmark")
    return [
        Heading(lines[opening.map[0]], lines[opening.map[1]], int(opening.tag[1:]), title)
        for opening, inline in itertools.pairwise(blocks.parse(body))
        if opening.type == "heading_open"
        and opening.level == 0
        and opening.map
        and (title := _title(inline.content, words))
    ]


def _is_first_below(above: Sequence[Heading], heading: Heading, text: str) -> bool:
    """Whether nothing stands between the heading before and this one, which is deeper."""
    return bool(above) and above[-1].level < heading.level and not text[above[-1].end : heading.start].strip()


def _path(headings: Sequence[Heading]) -> str | None:
    return ARROW.join(heading.title for heading in headings) or None


def _title(content: str, parser: MarkdownIt) -> str:
    """The words of a heading on one line, without markup; long ones shortened."""
    (inline,) = parser.parseInline(content[: 10 * LONGEST_HEADING])
    words = (each.content or " " for each in inline.children or () if each.type in _SAYS_SOMETHING)
    title = " ".join("".join(words).split())
    return title if len(title) <= LONGEST_HEADING else title[: LONGEST_HEADING - 1].rstrip() + "…"
