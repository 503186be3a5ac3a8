"""`relation`: what two entities have to do with each other, looked at and changed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pgrag.cli.options import Json, Url, Workspace, Yes, client, examples, sure
from pgrag.cli.output import print_json, print_table, stdout

if TYPE_CHECKING:
    from pgrag.editing import RelationInfo

app = typer.Typer(no_args_is_help=True, help="Relations by hand. They have no direction: either end may come first.")

Source = Annotated[str, typer.Argument(metavar="SOURCE", help="Name of an entity, or an alias.")]
Target = Annotated[str, typer.Argument(metavar="TARGET", help="Name of another.")]
Keyword = Annotated[
    list[str] | None, typer.Option("--keyword", "-k", metavar="WORD", help="What it is about; as often as needed.")
]
Description = Annotated[str | None, typer.Option("--description", "-d", metavar="TEXT", help="What is known of it.")]


@app.command(epilog=examples("pgrag relation show Scrooge Marley", "pgrag relation show Scrooge Marley --json"))
def show(source: Source, target: Target, url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    """Everything about one relation: what hands changed, the documents that speak of it."""
    with client(url, workspace) as rag:
        _print(rag.relation(source, target), json)


@app.command(epilog=examples("pgrag relation create Scrooge Fan -k siblings -d 'Fan is his sister.' --weight 2"))
def create(
    source: Source,
    target: Target,
    keyword: Keyword = None,
    description: Description = None,
    weight: Annotated[float, typer.Option(min=0, help="How much it counts, until documents say so.")] = 1.0,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Relate two entities, which needs no document; what documents say of it joins its description."""
    with client(url, workspace) as rag:
        made = rag.create_relation(source, target, keywords=keyword or (), description=description, weight=weight)
        _print(made, json)


@app.command(epilog=examples("pgrag relation edit Scrooge Marley -k partners -k haunting --weight 5"))
def edit(
    source: Source,
    target: Target,
    keyword: Keyword = None,
    description: Description = None,
    weight: Annotated[float | None, typer.Option(min=0, help="How much it counts.")] = None,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Give a relation other keywords, description or weight, which win over what documents say, also later ones."""
    if not keyword and description is None and weight is None:
        raise typer.BadParameter("nothing to edit: give --keyword, --description or --weight")
    with client(url, workspace) as rag:
        edited = rag.edit_relation(source, target, keywords=keyword or None, description=description, weight=weight)
        _print(edited, json)


@app.command(epilog=examples("pgrag relation reset Scrooge Marley"))
def reset(source: Source, target: Target, url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    """Take back what was edited: the relation is again what documents say."""
    with client(url, workspace) as rag:
        _print(rag.reset_relation(source, target), json)


@app.command(epilog=examples("pgrag relation delete Scrooge Marley", "pgrag relation delete --yes Scrooge Marley"))
def delete(source: Source, target: Target, url: Url = None, workspace: Workspace = None, yes: Yes = False) -> None:
    """Delete a relation with all that was said of it; its ends stay."""
    with client(url, workspace) as rag:
        gone = rag.relation(source, target)
        sure(f"Delete the relation between {gone.source} and {gone.target}, and all that was said of it?", yes)
        rag.delete_relation(source, target)
    stdout.print(f"deleted the relation between {gone.source} and {gone.target}")


def _print(relation: RelationInfo, json: bool) -> None:
    if json:
        print_json(relation)
        return
    print_table(("field", "value"), vars(relation).items())
