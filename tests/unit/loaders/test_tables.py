"""The one rule for tables, and cells that reach over others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.errors import UnreadableFile
from pgrag.loaders.limits import Allowance
from pgrag.loaders.tables import Grid, markdown_table

CELLS = st.text(st.sampled_from("ab |\n\\"), max_size=5)


def grid(steps: int = 1000) -> Grid:
    return Grid(Allowance(Path("t"), steps=steps))


def test_a_table() -> None:
    assert markdown_table([["name", "born"], ["Ada\nLovelace", "1815"], ["a|b", ""]]).splitlines() == [
        "| name | born |",
        "| --- | --- |",
        "| Ada Lovelace | 1815 |",
        "| a\\|b |",
    ]


def test_blank_rows_and_columns_are_left_out() -> None:
    table = markdown_table([[], ["", " "], ["", "a", "", ""], ["", "", "", "b", ""], [""]])
    assert table.splitlines() == ["| a |  |", "| --- | --- |", "|  | b |"]


@pytest.mark.parametrize("rows", [[], [[]], [["", " \n"], [""]]])
def test_nothing(rows: list[list[str]]) -> None:
    assert markdown_table(rows) == ""


@given(st.lists(st.lists(CELLS, max_size=5), max_size=6))
def test_every_word_comes_back_in_its_order(rows: list[list[str]]) -> None:
    table = markdown_table(rows)
    filled = [[" ".join(cell.split()) for cell in row if cell.split()] for row in rows]
    lines = [line for number, line in enumerate(table.splitlines()) if number != 1]
    read = [re.split(r"(?<= )\|(?= )", line[1:-1]) for line in lines]
    assert [[cell.strip().replace("\\|", "|") for cell in row if cell.strip()] for row in read] == [
        row for row in filled if row
    ]


def test_a_cell_stands_in_the_first_column_and_row_that_it_reaches_over() -> None:
    table = grid()
    for row in ([("a", 2, 1), ("b", 1, 3)], [("c", 1, 2), ("d", 1, 1)], [("e", 1, 1), ("f", 1, 1)]):
        table.start_row()
        for text, columns, rows in row:
            table.start_cell(columns, rows)
            table.write(text)
    assert table.rows == [["a", "", "b"], ["c", "d"], ["", "e", "", "f"]]


def test_cells_without_a_row() -> None:
    table = grid()
    table.start_cell(0)
    table.write("a")
    table.write("b")
    assert table.rows == [["a b"]]


@pytest.mark.parametrize(("columns", "rows"), [(2_000_000_000, 1), (1, 2_000_000_000)])
def test_a_table_without_bounds_is_refused_before_it_is_made(columns: int, rows: int) -> None:
    table = grid(steps=100)
    with pytest.raises(UnreadableFile, match="too large once unfolded"):
        fill(table, columns, rows)


def fill(table: Grid, columns: int, rows: int) -> None:
    for _ in range(101):
        table.start_row()
        table.start_cell(columns, rows)
