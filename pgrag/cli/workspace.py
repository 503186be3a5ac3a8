"""`workspace`: list, create, delete."""

from __future__ import annotations

from typing import Annotated

import typer

from pgrag.cli.admin import print_status
from pgrag.cli.options import Json, Url, Yes, client, examples, sure
from pgrag.cli.output import print_json, stdout

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


@app.command(
    epilog=examples("pgrag workspace budget carol", "pgrag workspace budget carol --max-tokens 2000000"),
)
def budget(
    name: Name,
    max_tokens: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Set the budget: tokens for all that is ever asked.")
    ] = None,
    unlimited: Annotated[bool, typer.Option("--unlimited", help="Take the budget away.")] = False,
    url: Url = None,
    json: Json = False,
) -> None:
    """Show or set how many tokens may ever be spent for a workspace; an ingest stops before it would be more."""
    if unlimited and max_tokens is not None:
        raise typer.BadParameter("give a number of tokens or --unlimited, not both", param_hint="'--max-tokens'")
    with client(url, _given(name)) as rag:
        if unlimited or max_tokens is not None:
            rag.set_budget(max_tokens)
        found = rag.budget()
    if json:
        print_json(found)
        return
    most = "any number of" if found.max_tokens is None else found.max_tokens
    stdout.print(f"workspace {name} has spent {found.spent_tokens} of {most} tokens")


def _given(name: str) -> str:
    if not name.strip():
        raise typer.BadParameter("a workspace has a name, this one is blank", param_hint="'NAME'")
    return name
