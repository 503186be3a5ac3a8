"""One rule for tables in all kinds of files: they become Markdown tables, the first row their head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pgrag.loaders.limits import Allowance


def markdown_table(rows: Iterable[Sequence[str]]) -> str:
    """A line for each row, and one of dashes after the first; "" where no cell is filled.

    Blank rows and columns are left out, and blank cells at the end of a row but the first. Line breaks in a cell become
    blanks, its pipes are escaped.
    """
    filled = [cells for row in rows if any(cells := [_cell(text) for text in row])]
    columns = sorted({column for row in filled for column, text in enumerate(row) if text})
    lines = [_line(_trimmed([row[column] for column in columns if column < len(row)])) for row in filled]
    if lines:
        head = filled[0]
        lines[:1] = [
            _line(head[column] if column < len(head) else "" for column in columns),
            _line("---" for _ in columns),
        ]
    return "\n".join(lines)


class Grid:
    """Rows of a table that is being read. A cell over several columns or rows stands in the first of each."""

    def __init__(self, allowance: Allowance) -> None:
        self.rows: list[list[str]] = []
        self._allowance = allowance
        self._column = 0  # of the cell that is being read
        self._reach: dict[int, int] = {}  # column → the last row that a cell of it reaches into

    def start_row(self) -> None:
        """What follows stands in the next row."""
        self._allowance.spend(steps=1)
        self.rows.append([])

    def start_cell(self, columns: int = 1, rows: int = 1) -> None:
        """What follows stands in the next free cell. Raises UnreadableFile for cells without number."""
        if not self.rows:
            self.start_row()
        row = self.rows[-1]
        while self._reach.get(len(row), -1) >= len(self.rows) - 1:
            self._allowance.spend(steps=1)
            row.append("")
        columns = max(1, columns)
        self._allowance.spend(steps=columns)
        self._column = len(row)
        row.extend([""] * columns)
        if rows > 1:
            self._reach.update(dict.fromkeys(range(self._column, len(row)), len(self.rows) + rows - 2))

    def write(self, text: str) -> None:
        """Add to the cell."""
        cells = self.rows[-1]
        cells[self._column] = f"{cells[self._column]} {text}".lstrip()


def _trimmed(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
