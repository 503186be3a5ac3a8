"""EPUB: the chapters in the order of reading that the book's package file states."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pgrag.errors import UnreadableFile
from pgrag.loaders.archive import open_archive
from pgrag.loaders.loaded import LoadedFile, Part, properties
from pgrag.loaders.webpage import read_page

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})


def load_epub(path: Path, content: bytes) -> LoadedFile:
    """A part for each chapter with text: {"chapter": its first heading or title}, {} where it has neither.

    Raises UnreadableFile.
    """
    book = _Book(path, open_archive(path, content))
    package_path = book.package_path()
    package = book.tree(package_path)
    pages = list(_chapters(package, posixpath.dirname(package_path)))
    book.refuse_protected(pages)
    parts = tuple(part for page in pages if (part := book.chapter(page)).text)
    return LoadedFile(parts, properties(*(_said(package, name) for name in ("title", "creator", "date"))))


@dataclass(frozen=True)
class _Book:
    path: Path
    archive: zipfile.ZipFile

    def member(self, name: str) -> bytes:
        try:
            return self.archive.read(name)
        except KeyError as error:
            raise UnreadableFile(f"{self.path} is damaged, or no EPUB: it has no {name!r}") from error

    def tree(self, name: str) -> Any:
        """The root of an XML file, its entities left alone."""
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
        try:
            return etree.fromstring(self.member(name), parser)
        except etree.XMLSyntaxError as error:
            raise UnreadableFile(f"{self.path} is damaged: {name!r} is no XML") from error

    def package_path(self) -> str:
        for rootfile in self.tree(_CONTAINER).iter("{*}rootfile"):
            return str(rootfile.get("full-path", ""))
        raise UnreadableFile(f"{self.path} is damaged: {_CONTAINER!r} names no package")

    def refuse_protected(self, pages: list[str]) -> None:
        """Fonts are often scrambled; a book whose pages are can be read by one program only."""
        if _ENCRYPTION in self.archive.namelist():
            scrambled = {unquote(each.get("URI", "")) for each in self.tree(_ENCRYPTION).iter("{*}CipherReference")}
            if not scrambled.isdisjoint(pages):
                raise UnreadableFile(f"{self.path} is protected against copying (DRM)")

    def chapter(self, name: str) -> Part:
        page = read_page(self.path, self.member(name))
        title = page.heading or " ".join(page.properties.get("title", "").split())
        return Part(page.text, {"chapter": title} if title else {})


def _chapters(package: Any, folder: str) -> Iterator[str]:
    """The members of the archive in the order of reading, each once, however often it is named."""
    pages = {
        item.get("id"): posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        for item in package.iter("{*}item")
        if item.get("media-type") in _PAGES
    }
    order = (pages.get(reference.get("idref")) for reference in package.iter("{*}itemref"))
    return iter(dict.fromkeys(name for name in order if name is not None))


def _said(package: Any, name: str) -> str | None:
    """What the book says of itself; several of one kind, as authors, with commas."""
    texts = ("".join(each.itertext()).strip() for each in package.iter(f"{{http://purl.org/dc/elements/1.1/}}{name}"))
    return ", ".join(filter(None, texts))
