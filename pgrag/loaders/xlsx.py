"""XLSX: each sheet as a table, row after row; of a formula the value that it had when the file was saved.

openpyxl reads sheets by the parser of the standard library, which looks no entity up outside the file and lets those
in it grow no more than a hundredfold.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Any

from pgrag.loaders.archive import open_archive
from pgrag.loaders.limits import Allowance
from pgrag.loaders.loaded import LoadedFile, Part, properties
from pgrag.loaders.tables import markdown_table


def load_xlsx(path: Path, content: bytes) -> LoadedFile:
    """A part for each sheet with values: {"sheet": name}. Raises UnreadableFile."""
    import openpyxl

    open_archive(path, content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl tells what it will not keep when it writes; nothing is written
        workbook = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        allowance = Allowance(path)
        texts = {sheet.title: markdown_table(_rows(sheet, allowance)) for sheet in workbook.worksheets}
    about = workbook.properties
    parts = tuple(Part(text, {"sheet": name}) for name, text in texts.items() if text)
    return LoadedFile(parts, properties(about.title, about.creator, about.created))


def _rows(sheet: Any, allowance: Allowance) -> Iterator[list[str]]:
    sheet.reset_dimensions()  # what a file states as its size may be far off
    for row in sheet.iter_rows(values_only=True):
        texts = [_text(value) for value in row]
        allowance.spend(steps=1 + len(row), characters=sum(map(len, texts)))
        yield texts


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, date | time):
        return value.isoformat().removesuffix("T00:00:00")
    return str(value)
