"""How much a file may unfold to. A small file can say that it is endless; it is refused, not believed."""

from __future__ import annotations

from pathlib import Path

from pgrag.errors import UnreadableFile

MAX_FILE_BYTES = 100_000_000
MAX_UNPACKED_BYTES = 500_000_000
"""Of all members of an archive: pictures and films, mostly."""
MAX_MARKUP_BYTES = 50_000_000
"""Of XML and HTML that is read into a tree: a tree takes up to fifty times its text."""
MAX_STEPS = 10_000_000
"""Cells of a table, rows of a sheet, operators of a PDF: some ten seconds' work."""


class Allowance:
    """What is left to spend on one file: steps of work, and characters of text got out of it."""

    def __init__(self, path: Path, steps: int = MAX_STEPS, characters: int = MAX_FILE_BYTES) -> None:
        self._path = path
        self._steps = steps
        self._characters = characters

    def spend(self, steps: int = 0, characters: int = 0) -> None:
        """Take so much off. Raises UnreadableFile when it is used up, and ever after."""
        self._steps -= steps
        self._characters -= characters
        if self._steps < 0 or self._characters < 0:
            raise UnreadableFile(
                f"{self._path} is too large once unfolded: it makes more than {MAX_STEPS:,} cells or drawing steps, "
                f"or {MAX_FILE_BYTES // 1_000_000} MB of text",
                "split it: a document is read as a whole",
            )
