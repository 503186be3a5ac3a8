"""What people and machines read: consoles, tables, JSON, and the one line of a failure."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pgrag.errors import PgragError

_ANY_WIDTH = 100_000


class _PlainConsole(Console):
    """Prints what it is given: a document may be called `[red]:smile:`."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, width=width, highlight=False, markup=False, emoji=False, soft_wrap=True)

    def on_broken_pipe(self) -> None:
        """Rich would end the process with 1; `pgrag … | head` has not failed."""
        raise


stdout = _PlainConsole()
stderr = _PlainConsole(stderr=True)


class ConsoleHandler(logging.Handler):
    """Log lines on stderr, above the progress bars and unwrapped."""

    def emit(self, record: logging.LogRecord) -> None:
        stderr.print(self.format(record), style="yellow" if record.levelno >= logging.WARNING else "dim")


def failure_of(error: PgragError | OSError) -> PgragError:
    """The error itself, or what the operating system refused, in one sentence."""
    if isinstance(error, PgragError):
        return error
    reason = error.strerror or str(error)
    return PgragError(f"{error.filename}: {reason}" if error.filename else reason)


def fail(error: PgragError) -> int:
    """Say what failed, and the cure where it is known, a line each: the exit code."""
    tell("error:", error.message, "red")
    if error.hint:
        tell("cure:", error.hint, "dim")
    return 1


def leave(code: int) -> NoReturn:
    """End the process without waiting for its threads: one may be waiting for a model's reply for minutes."""
    sys.stdout.flush()
    os._exit(code)


def tell(label: str, sentence: str, style: str) -> None:
    """One line on stderr, whatever the sentence quotes."""
    stderr.print(Text.assemble((label, style), " ", " ".join(sentence.split())))


def print_json(value: object, *, indent: int | None = 2) -> None:
    """A value of ours as JSON; without an indent on one line."""
    from pydantic import TypeAdapter

    adapter: TypeAdapter[Any] = TypeAdapter(Any)
    print(adapter.dump_json(value, indent=indent, serialize_as_any=True).decode(), flush=True)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table; an empty one says so. A terminal folds long cells, a pipe gets each row on a line."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    if not table.row_count:
        stdout.print("none", style="dim")
        return
    (stdout if stdout.is_terminal else _PlainConsole(width=_ANY_WIDTH)).print(table)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={inner}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return " ".join(str(value).split())
