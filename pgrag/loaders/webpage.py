"""HTML files: the text of a page, in the encoding that it says it is in."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from pgrag.errors import UnreadableFile
from pgrag.loaders.limits import MAX_MARKUP_BYTES
from pgrag.loaders.loaded import LoadedFile, Part, properties
from pgrag.loaders.markup import Page, read_markup
from pgrag.loaders.text import read_text

_HEAD = 4096  # bytes in which a page says its encoding
_CHARSET = re.compile(rb"""<(?:meta[^>]*?charset|\?xml[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
# As browsers do: pages that say the first are mostly written in the second.
_MEANT = {"iso8859-1": "cp1252", "ascii": "cp1252"}


def load_html(path: Path, content: bytes) -> LoadedFile:
    """One part: readable text with Markdown headings, lists and tables. Raises UnreadableFile."""
    if len(content) > MAX_MARKUP_BYTES:
        raise UnreadableFile(
            f"{path} is larger than {MAX_MARKUP_BYTES // 1_000_000} MB", "split it: a document is read as a whole"
        )
    page = read_page(path, content)
    return LoadedFile((Part(page.text),), properties(**page.properties))


def read_page(path: Path, content: bytes) -> Page:
    """The page, read as XHTML if it is well-formed XML and says so, else as HTML. Raises UnreadableFile."""
    if content.lstrip().startswith(b"<?xml"):
        content = _as_html(content)
    return read_markup(path, read_text(path, content, _encoding(path, content)))


def _as_html(content: bytes) -> bytes:
    """XHTML, written as HTML: there `<script/>` begins a script that never ends. No entity is looked up."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_pis=True)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError:
        return content
    html: bytes = codecs.BOM_UTF8 + etree.tostring(root, method="html", encoding="utf-8", doctype="<!DOCTYPE html>")
    return html


def _encoding(path: Path, content: bytes) -> str:
    said = _CHARSET.search(content[:_HEAD])
    if said is None:
        return "utf-8"
    name = said.group(1).decode("ascii", "replace")
    try:
        encoding = codecs.lookup(name).name
    except LookupError as error:
        raise UnreadableFile(f"{path} says that it is in {name!r}, an encoding that is not known") from error
    return _MEANT.get(encoding, encoding)
