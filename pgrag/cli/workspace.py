"""`workspace`: list, create, delete."""

from __future__ import annotations

from typing import Annotated

import typer

from pgrag.cli.admin import print_status
from pgrag.cli.options import Json, Url, Yes, client, examples, sure
from pgrag.cli.output import stdout

app = typer.Typer(no_args_is_help=True, help="Workspaces: corpora that share nothing.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="Any name; it may have spaces and any script.")]


@app.command("list", epilog=examples("pgrag workspace list", "pgrag workspace list --json"))
def list_(url: Url = None, json: Json = False) -> None:
    """All workspaces, with how much they hold."""
    with client(url) as rag:
        print_status(rag, json)


@app.command(epilog=examples("pgrag workspace create carol"))
def create(name: Name, url: Url = None) -> None:
    """Create a workspace, when it is not there; ingest and import create theirs."""
    with client(url, _given(name)) as rag:
        rag.create_workspace()
    stdout.print(f"workspace {name} is there")


@app.command(epilog=examples("pgrag workspace delete carol", "pgrag workspace delete --yes carol"))
def delete(name: Name, url: Url = None, yes: Yes = False) -> None:
    """Delete a workspace and everything in it."""
    with client(url, _given(name)) as rag:
        held = len(rag.documents())
        sure(f"Delete workspace {name} with {held} documents and everything that was made of them?", yes)
        documents = rag.delete_workspace()
    stdout.print(f"deleted workspace {name} with {documents} documents")


def _given(name: str) -> str:
    if not name.strip():
        raise typer.BadParameter("a workspace has a name, this one is blank", param_hint="'NAME'")
    return name
