"""DOCX: paragraphs, headings, lists and tables of the body, in its order.

python-docx opens the package and knows the styles. The body is walked here, because its own walk leaves out what is in
content controls (tables of contents, forms) and what was inserted while changes were tracked. Left out on purpose:
deleted text, headers and footers, footnotes, comments.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pgrag.errors import UnreadableFile
from pgrag.loaders.archive import open_archive
from pgrag.loaders.limits import Allowance
from pgrag.loaders.loaded import LoadedFile, Part, properties
from pgrag.loaders.tables import Grid, markdown_table

if TYPE_CHECKING:
    from docx.document import Document

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PARAGRAPH, _TABLE, _ROW, _CELL, _TEXT_BOX = (f"{_W}{name}" for name in ("p", "tbl", "tr", "tc", "txbxContent"))
_TEXTS = frozenset({f"{_W}t", "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"})
_NOT_TEXT = frozenset({_FALLBACK, f"{_W}del", f"{_W}moveFrom", f"{_W}pPr", f"{_W}rPr", f"{_W}sectPr", f"{_W}tblPr"})
_SIGNS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}
_DEEPEST_HEADING = 6
_LONGEST_CHAIN = 10  # of styles, each based on the next


def load_docx(path: Path, content: bytes) -> LoadedFile:
    """One part; headings as Markdown headings, list items with a dash, tables as Markdown tables.

    Raises UnreadableFile.
    """
    import docx

    open_archive(path, content)
    try:
        document = docx.Document(io.BytesIO(content))
    except ValueError as error:  # a package of another kind: a workbook, a template
        raise UnreadableFile(f"{path} is no Word document, but of another kind") from error
    about = document.core_properties
    body = _Body(_prefixes(document), Allowance(path))
    text = "\n\n".join(body.blocks(document.element.body))
    return LoadedFile((Part(text),), properties(about.title, about.author, about.created))


def _prefixes(document: Document) -> Mapping[str, str]:
    """What comes before the text of a paragraph, by the id of its style: its own, or that of a style it is based on."""
    own = {style.style_id: _prefix(style.name or "") for style in document.styles}
    bases = {style.style_id: based.val for style in document.styles if (based := style.element.basedOn) is not None}
    prefixes = own
    for _ in range(_LONGEST_CHAIN):
        prefixes = {style: prefix or prefixes.get(bases.get(style, ""), "") for style, prefix in own.items()}
    return prefixes


def _prefix(style: str) -> str:
    """Of a list item "- ", of a heading "# " to "###### "; else "". Title and first heading are of one level."""
    name, _, level = style.partition(" ")
    if style == "Title":
        return "# "
    if name == "Heading" and level.isdecimal():
        return "#" * min(int(level), _DEEPEST_HEADING) + " "
    return "- " if name == "List" and level.startswith(("Bullet", "Number")) else ""


@dataclass(frozen=True)
class _Body:
    """The walk: what comes before a paragraph of each style, and what is left to spend on tables."""

    prefixes: Mapping[str, str]
    allowance: Allowance

    def blocks(self, element: Any) -> Iterator[str]:
        """The texts of paragraphs and tables below the element, none of them blank."""
        for child in element:
            if child.tag == _PARAGRAPH:
                yield from filter(None, [self.paragraph(child)])
                for box in _outermost(child, _TEXT_BOX):
                    yield from self.blocks(box)
            elif child.tag == _TABLE:
                yield from filter(None, [markdown_table(self.rows(child))])
            elif child.tag not in _NOT_TEXT:
                yield from self.blocks(child)

    def paragraph(self, paragraph: Any) -> str:
        text = "".join(_signs(paragraph)).strip()
        prefix = self.prefixes.get(paragraph.style or "", "")
        if prefix.startswith("#"):
            text = " ".join(text.split())
        elif paragraph.pPr is not None and paragraph.pPr.numPr is not None:
            prefix = "- "
        return prefix + text if text else ""

    def rows(self, table: Any) -> list[list[str]]:
        grid = Grid(self.allowance)
        for row in _outermost(table, _ROW):
            grid.start_row()
            for cell in _outermost(row, _CELL):
                grid.start_cell(cell.grid_span)
                grid.write(" ".join(_texts(cell)))
        return grid.rows


def _texts(cell: Any) -> Iterator[str]:
    """The paragraphs of a cell, those of tables and text boxes in it too."""
    for paragraph in _outermost(cell, _PARAGRAPH):
        yield "".join(_signs(paragraph))
        for box in _outermost(paragraph, _TEXT_BOX):
            yield from _texts(box)


def _outermost(element: Any, tag: str) -> Iterator[Any]:
    """Those of the tag, in order, but none within another of them, and no second version for older programs."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag not in _NOT_TEXT:
            yield from _outermost(child, tag)


def _signs(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag in _TEXTS:
            yield child.text or ""
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]
        elif child.tag not in _NOT_TEXT and child.tag != _TEXT_BOX:
            yield from _signs(child)
