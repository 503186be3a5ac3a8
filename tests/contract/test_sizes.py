"""No file outgrows what can be read at one sitting: past that, a module holds two themes, and is two modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from pgrag.sqlfiles import sql_root

MOST_LINES = 300
PACKAGE = Path(__file__).parents[2] / "pgrag"
FOLDERS = {"pgrag": (PACKAGE, "*.py"), "sql": (sql_root(), "*.sql")}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_is_too_long(folder: str) -> None:
    root, pattern = FOLDERS[folder]
    files = [file for file in root.rglob(pattern) if file.name != "install.sql"]  # a list: a line for each file
    lengths = {str(file.relative_to(root)): len(file.read_text().splitlines()) for file in files}
    assert len(lengths) > 100
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}
