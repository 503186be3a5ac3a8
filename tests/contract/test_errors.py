"""One SQLSTATE, one class, one row in the documentation."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pgrag.errors
from pgrag.errors import BY_SQLSTATE, PgragError
from pgrag.sqlfiles import alembic_root, sql_root

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "errors.md"


def raised_in_sql() -> set[str]:
    files = [*sql_root().rglob("*.sql"), *alembic_root().rglob("*.sql")]
    return {code for file in files for code in re.findall(r"\bRG\d{3}\b", file.read_text())}


def classes() -> set[str]:
    return {
        name
        for name, kind in inspect.getmembers(pgrag.errors, inspect.isclass)
        if issubclass(kind, PgragError) and kind.__module__ == "pgrag.errors"
    }


def test_every_sqlstate_has_a_class() -> None:
    assert raised_in_sql() <= set(BY_SQLSTATE)


def test_the_docstring_draws_the_whole_tree() -> None:
    drawn = set(re.findall(r"\w+", pgrag.errors.__doc__ or ""))
    assert classes() <= drawn
    assert set(BY_SQLSTATE) <= drawn


def test_every_class_and_sqlstate_has_a_row_in_the_documentation() -> None:
    told = DOCS.read_text()
    for name in classes() | set(BY_SQLSTATE):
        assert re.search(rf"^\|.*\b{name}\b", told, re.MULTILINE), f"{name} has no row in {DOCS.name}"
