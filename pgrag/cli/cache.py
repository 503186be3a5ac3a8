"""`cache`: kept answers and keywords."""

from __future__ import annotations

import typer

from pgrag.cli.options import Url, Workspace, client, examples
from pgrag.cli.output import stdout

app = typer.Typer(no_args_is_help=True, help="Kept answers and keywords.")


@app.callback()
def _group() -> None:
    """Makes `clear` a command of its own, though it is the only one."""


@app.command(epilog=examples("pgrag cache clear", "pgrag cache clear -w carol"))
def clear(url: Url = None, workspace: Workspace = None) -> None:
    """Forget kept answers and keywords. What extraction has paid for stays."""
    with client(url, workspace) as rag:
        stdout.print(f"{rag.clear_cache()} entries forgotten")
