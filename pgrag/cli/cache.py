"""`cache`: kept answers and keywords."""

from __future__ import annotations

import typer

from pgrag.cli.options import Url, Workspace, client
from pgrag.cli.output import stdout

app = typer.Typer(no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Kept answers and keywords."""


@app.command()
def clear(url: Url = None, workspace: Workspace = None) -> None:
    """Forget kept answers and keywords. What extraction has paid for stays."""
    with client(url, workspace) as rag:
        stdout.print(f"{rag.clear_cache()} entries forgotten")
