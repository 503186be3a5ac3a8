"""HTML to readable text: paragraphs, `#` headings, list items, Markdown tables; no scripts, styles or navigation.

The parser's events are taken as they come, so a page is never held as a tree. A table that holds tables or headings
only arranges the page: its cells are read as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pgrag.loaders.limits import Allowance
from pgrag.loaders.tables import Grid, markdown_table

_DROPPED = frozenset(
    {"script", "style", "noscript", "template", "nav", "svg", "iframe", "object", "canvas", "audio", "video"}
    | {"select", "button", "textarea", "dialog"}
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = frozenset(
    {"html", "body", "main", "article", "section", "header", "footer", "aside", "address", "div", "center", "form"}
    | {"p", "blockquote", "pre", "hr", "ol", "ul", "li", "dl", "dt", "dd", "table", "caption", "figure", "figcaption"}
    | {"details", "summary", "fieldset", "legend", "tr", "td", "th", *_HEADINGS}
)
_CELLS = frozenset({"td", "th"})
_LISTS = {"ol": 0, "ul": None}
_WIDEST = 1000
_META = {
    "author": "author",
    "date": "created",
    "dc.date": "created",
    "dcterms.created": "created",
    "article:published_time": "created",
}
_LINE_BREAK = "\u2028"  # in running text, where a line feed is a blank
_BACKTICKS = re.compile("`+")


@dataclass(frozen=True)
class Page:
    """What a page says: its text, its first heading ("" for none), and its properties: title, author, created."""

    text: str
    heading: str
    properties: Mapping[str, str]


def read_markup(path: Path, html: str) -> Page:
    """The page. Damaged HTML is read as browsers read it. Raises UnreadableFile for a table without bounds."""
    from lxml import etree

    parser = etree.HTMLParser(target=_Reader(Allowance(path)), encoding="utf-8", no_network=True)
    page: Page = etree.fromstring(html.encode(errors="replace"), parser)
    return page


class _Reader:
    """Takes the parser's events: start and end of elements, and the text between."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._blocks: list[tuple[str, str]] = []  # what comes before a block's text, and its text
        self._pieces: list[str] = []  # of the block that is being read
        self._prefix = ""
        self._lists: list[int | None] = []  # the number of the last item; None: without numbers
        self._table: Grid | None = None
        self._is_in_cell = False
        self._dropped = 0  # depth within what is left out
        self._verbatim = 0  # depth within pre
        self._title: list[str] = []
        self._is_title = False
        self._said: dict[str, str] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._dropped or tag in _DROPPED or "hidden" in attributes or attributes.get("role") == "navigation":
            self._dropped += 1
        elif tag == "title":
            self._is_title = not self._title
        elif tag == "meta":
            self._read_meta(attributes)
        elif tag == "br":
            self._pieces.append(_LINE_BREAK)
        elif tag in _BLOCKS:
            self._end_block()
            self._start_block(tag, attributes)

    def end(self, tag: str) -> None:
        if self._dropped:
            self._dropped -= 1
        elif tag == "title":
            self._is_title = False
        elif tag in _CELLS:
            self._end_cell()
        elif tag in _BLOCKS:
            self._end_block()
            self._leave(tag)

    def data(self, text: str) -> None:
        if not self._dropped:
            (self._title if self._is_title else self._pieces).append(text)

    def close(self) -> Page:
        self._end_cell()
        self._end_block()
        self._end_table()
        headings = (text for prefix, text in self._blocks if prefix.startswith("#"))
        title = _one_line("".join(self._title))
        return Page("".join(self._joined()).strip("\n"), next(headings, ""), self._said | {"title": title})

    def _read_meta(self, attributes: Mapping[str, str]) -> None:
        name = _META.get((attributes.get("name") or attributes.get("property") or "").lower())
        if name:
            self._said.setdefault(name, attributes.get("content", ""))

    def _start_block(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _HEADINGS:
            self._give_table_up()
            self._prefix = _HEADINGS[tag]
        elif tag == "table":
            self._give_table_up()
            self._table = Grid(self._allowance)
        elif tag == "tr" and self._table:
            self._table.start_row()
        elif tag in _CELLS and self._table:
            self._table.start_cell(_number(attributes, "colspan"), _number(attributes, "rowspan"))
            self._is_in_cell = True
        elif tag in _LISTS:
            self._lists.append(_LISTS[tag])
        elif tag == "li":
            self._prefix = self._item_prefix()
        elif tag == "pre":
            self._verbatim += 1

    def _leave(self, tag: str) -> None:
        self._prefix = ""
        if tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
        elif tag == "table":
            self._end_table()

    def _item_prefix(self) -> str:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return "- "
        self._lists[-1] = number + 1
        return f"{number + 1}. "

    def _end_block(self) -> None:
        """What has gathered since the last block becomes one; within a cell only a blank stands between them."""
        if self._is_in_cell:
            self._pieces.append(" ")
            return
        text = self._block("".join(self._pieces))
        self._pieces.clear()
        if text:
            self._blocks.append((self._prefix, text))
            self._prefix = ""

    def _block(self, text: str) -> str:
        if self._verbatim:
            return _fenced(text.replace(_LINE_BREAK, "\n").strip("\n"))
        if self._prefix.startswith("#"):
            return _one_line(text)
        return "\n".join(filter(None, map(_one_line, text.split(_LINE_BREAK))))

    def _end_cell(self) -> None:
        if self._is_in_cell and self._table:
            self._table.write(_one_line("".join(self._pieces)))
            self._pieces.clear()
        self._is_in_cell = False

    def _end_table(self) -> None:
        if self._table:
            text = markdown_table(self._table.rows)
            self._blocks.extend([("", text)] if text else [])
        self._table = None

    def _give_table_up(self) -> None:
        """What is being read as a table only arranges the page."""
        if self._table:
            self._end_cell()
            self._blocks.extend(("", cell) for row in self._table.rows for cell in row if cell)
        self._table = None

    def _joined(self) -> Iterator[str]:
        """The blocks, an empty line between two of them; between items of a list none."""
        was_item = False
        for prefix, text in self._blocks:
            is_item = prefix.endswith(("- ", ". "))
            yield ("\n" if was_item and is_item else "\n\n") + prefix + text
            was_item = is_item


def _number(attributes: Mapping[str, str], name: str) -> int:
    """The attribute, from 1 to what browsers take."""
    said = attributes.get(name, "")
    return min(max(1, int(said)), _WIDEST) if said.isascii() and said.isdigit() and len(said) < 9 else 1


def _fenced(lines: str) -> str:
    """Between fences longer than any row of backticks in the lines; "" for blank lines."""
    longest = max(map(len, _BACKTICKS.findall(lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{lines}\n{fence}" if lines.strip() else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
