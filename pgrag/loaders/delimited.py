"""CSV and TSV: one table. The sign between the cells of a CSV file is found by looking at its beginning."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from pgrag.errors import UnreadableFile
from pgrag.loaders.loaded import LoadedFile, Part
from pgrag.loaders.tables import markdown_table
from pgrag.loaders.text import read_text

_DELIMITERS = ",;\t|"
_SAMPLE = 8192


def load_csv(path: Path, content: bytes) -> LoadedFile:
    """One part, a Markdown table; cells are set apart by comma, semicolon, tab or pipe. Raises UnreadableFile."""
    text = read_text(path, content)
    return _table(path, text, _delimiter(text[:_SAMPLE]))


def load_tsv(path: Path, content: bytes) -> LoadedFile:
    """One part, a Markdown table; cells are set apart by tabs. Raises UnreadableFile."""
    return _table(path, read_text(path, content), "\t")


def _delimiter(sample: str) -> str:
    try:
        return csv.Sniffer().sniff(sample, _DELIMITERS).delimiter
    except csv.Error:  # a single column has none
        return ","


def _table(path: Path, text: str, delimiter: str) -> LoadedFile:
    return LoadedFile((Part(markdown_table(_rows(path, text, delimiter))),))


def _rows(path: Path, text: str, delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        yield from reader
    except csv.Error as error:
        raise UnreadableFile(
            f"{path} cannot be read as a table, in line {reader.line_num}: {error}", "is a quote left open before it?"
        ) from error
