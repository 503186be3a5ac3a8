"""What people and machines read: consoles, tables, JSON, and the one line of a failure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import TypeAdapter
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pgrag.errors import PgragError

stdout = Console(highlight=False, soft_wrap=True)
stderr = Console(stderr=True, highlight=False, soft_wrap=True)


def fail(error: PgragError) -> int:
    """Say what failed, and the cure where it is known: the exit code."""
    stderr.print(f"[red]error:[/red] {escape(error.message)}")
    if error.hint:
        stderr.print(f"[dim]cure:[/dim] {escape(error.hint)}")
    return 1


def print_json(value: object) -> None:
    """A value of ours, as indented JSON."""
    adapter: TypeAdapter[Any] = TypeAdapter(Any)
    print(adapter.dump_json(value, indent=2, serialize_as_any=True).decode())


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table; an empty one says so."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(escape("" if cell is None else str(cell)) for cell in row))
    stdout.print(table if table.row_count else "[dim]none[/dim]")
