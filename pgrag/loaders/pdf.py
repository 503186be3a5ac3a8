"""PDF: the text of each page, as pypdf reads it. Pictures of text are not read."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pgrag.errors import UnreadableFile
from pgrag.loaders.limits import Allowance
from pgrag.loaders.loaded import LoadedFile, Part, properties

if TYPE_CHECKING:
    from pypdf import DocumentInformation, PdfReader

# What pypdf finds odd in a file is for those who have set logging up, not for the terminal of all others.
logging.getLogger("pypdf").addHandler(logging.NullHandler())


def load_pdf(path: Path, content: bytes) -> LoadedFile:
    """A part for each page with text: {"page": number from 1}. Raises UnreadableFile, also where no page has text."""
    from pypdf import PdfReader

    if b"%PDF-" not in content[:1024]:
        raise UnreadableFile(f"{path} is damaged, or no PDF: it does not begin as one")
    reader = PdfReader(io.BytesIO(content))
    _unlock(path, reader)
    parts = tuple(_pages(path, reader))
    if not parts:
        raise UnreadableFile(
            f"{path} has no text on any of its {len(reader.pages)} pages: they are pictures, or empty",
            "make the text readable first, with a program for optical character recognition such as ocrmypdf",
        )
    return LoadedFile(parts, _properties(reader.metadata))


def _unlock(path: Path, reader: PdfReader) -> None:
    """Many a PDF is encrypted without a password for reading: only printing or changing it has one."""
    if reader.is_encrypted and not reader.decrypt(""):
        raise UnreadableFile(f"{path} is encrypted: it opens with a password only", "save it anew without a password")


def _pages(path: Path, reader: PdfReader) -> Iterator[Part]:
    allowance = Allowance(path)

    def count(*_: object) -> None:
        allowance.spend(steps=1)

    for number, page in enumerate(reader.pages, start=1):
        text = page.extract_text(visitor_operand_before=count)
        # pypdf goes on after an error in a drawing within the page, so this says it again.
        allowance.spend(steps=1, characters=len(text))
        if text.strip():
            yield Part(text, {"page": number})


def _properties(about: DocumentInformation | None) -> dict[str, object]:
    if about is None:
        return {}
    return dict(properties(about.title, about.author, _created(about)))


def _created(about: DocumentInformation) -> datetime | str | None:
    try:
        return about.creation_date
    except ValueError:  # no date in the form of PDF; said as it stands there
        return str(about.creation_date_raw)
