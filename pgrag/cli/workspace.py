"""`workspace`: list, create, delete."""

from __future__ import annotations

import typer

from pgrag.cli.admin import status
from pgrag.cli.options import Json, Url, Yes, client, sure
from pgrag.cli.output import stdout

app = typer.Typer(no_args_is_help=True)


@app.command("list")
def list_(url: Url = None, json: Json = False) -> None:
    """All workspaces, with how much they hold."""
    status(url, False, json)


@app.command()
def create(name: str, url: Url = None) -> None:
    """Create a workspace, when it is not there."""
    with client(url, name) as rag:
        rag.create_workspace()
    stdout.print(f"workspace {name} is there")


@app.command()
def delete(name: str, url: Url = None, yes: Yes = False) -> None:
    """Delete a workspace and everything in it."""
    sure(f"Delete workspace {name} and everything in it?", yes)
    with client(url, name) as rag:
        documents = rag.delete_workspace()
    stdout.print(f"deleted workspace {name} with {documents} documents")
