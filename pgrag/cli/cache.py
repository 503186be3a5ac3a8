"""`cache`: kept answers and keywords, and how long other things are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from pgrag.cli.options import Url, Workspace, Yes, client, examples, sure
from pgrag.cli.output import stdout

app = typer.Typer(
    no_args_is_help=True, help="Kept answers and keywords; kept extractions and summaries, and the ledger of usage."
)


@app.command(epilog=examples("pgrag cache clear", "pgrag cache clear -w carol"))
def clear(url: Url = None, workspace: Workspace = None) -> None:
    """Forget kept answers and keywords. What extraction has paid for stays."""
    with client(url, workspace) as rag:
        stdout.print(f"{rag.clear_cache()} entries forgotten")


@app.command(
    epilog=examples("pgrag cache forget usage --older-than 365", "pgrag cache forget extractions --older-than 90 --yes")
)
def forget(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="extractions, summaries or usage.")],
    older_than: Annotated[float, typer.Option(min=0, metavar="DAYS", help="Keep what is younger than so many days.")],
    url: Url = None,
    workspace: Workspace = None,
    yes: Yes = False,
) -> None:
    """Forget what was kept for long: extractions and summaries (to be paid for again), or the ledger of usage."""
    with client(url, workspace) as rag:
        sure(f"Forget {kind} older than {older_than:g} days, in workspace {rag.workspace}?", yes)
        stdout.print(f"{rag.forget(kind, timedelta(days=older_than))} rows forgotten")
