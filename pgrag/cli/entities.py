"""`entity`: what documents speak of, looked at and changed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pgrag.cli.options import Json, Url, Workspace, Yes, client, examples, sure
from pgrag.cli.output import print_json, print_table, stdout

if TYPE_CHECKING:
    from pgrag.editing import EntityInfo

app = typer.Typer(
    no_args_is_help=True, help="Entities by hand: what documents say counts, until a hand says otherwise."
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of an entity, or an alias.")]
Type = Annotated[str | None, typer.Option("--type", metavar="TYPE", help="What it is, in a word.")]
Description = Annotated[str | None, typer.Option("--description", "-d", metavar="TEXT", help="What is known of it.")]


@app.command(epilog=examples("pgrag entity show Scrooge", "pgrag entity show Scrooge -w carol --json"))
def show(name: Name, url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    """Everything about one entity: what hands changed, its aliases, the documents that speak of it."""
    with client(url, workspace) as rag:
        _print(rag.entity(name), json)


@app.command("list", epilog=examples("pgrag entity list --limit 20", "pgrag entity list --like scroge"))
def list_(
    like: Annotated[str | None, typer.Option(metavar="TEXT", help="Only names that are like this, best first.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 100,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """The entities, those with most relations first."""
    with client(url, workspace) as rag:
        found = rag.entities(limit) if like is None else rag.match_entities(like, limit)
    if json:
        print_json(found)
        return
    columns = ("name", "type", "degree") if like is None else ("name", "type", "match", "score")
    print_table(columns, ([getattr(each, column) for column in columns] for each in found))


@app.command(epilog=examples("pgrag entity create 'Tiny Tim' --type person --description 'A son of Bob Cratchit.'"))
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name that no entity has.")],
    type: Type = None,
    description: Description = None,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Make an entity that needs no document; what documents say of it joins its description."""
    with client(url, workspace) as rag:
        _print(rag.create_entity(name, type=type, description=description), json)


@app.command(epilog=examples("pgrag entity edit Scrooge --type character", "pgrag entity edit Scrooge -d 'A miser.'"))
def edit(
    name: Name,
    type: Type = None,
    description: Description = None,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Give an entity another type or description, which win over what documents say, also later ones."""
    if type is None and description is None:
        raise typer.BadParameter("nothing to edit: give --type or --description; a name is changed by rename")
    with client(url, workspace) as rag:
        _print(rag.edit_entity(name, type=type, description=description), json)


@app.command(epilog=examples("pgrag entity reset Scrooge"))
def reset(name: Name, url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    """Take back what was edited: type and description are again what documents say. The name stays."""
    with client(url, workspace) as rag:
        _print(rag.reset_entity(name), json)


@app.command(epilog=examples("pgrag entity rename Scrooge 'Ebenezer Scrooge'"))
def rename(
    name: Name,
    new_name: Annotated[str, typer.Argument(metavar="NEW_NAME", help="A name that no other entity has.")],
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Give an entity another name; the old one becomes an alias, also for later documents."""
    with client(url, workspace) as rag:
        _print(rag.rename_entity(name, new_name), json)


@app.command(epilog=examples("pgrag entity merge Scrooge 'Mr. Scrooge' --into 'Ebenezer Scrooge'"))
def merge(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Entities that are one.")],
    into: Annotated[str, typer.Option(metavar="NAME", help="What they are to be: one of them, another, a new name.")],
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Make several entities one, also for later documents; unmerge undoes it, name by name."""
    with client(url, workspace) as rag:
        _print(rag.merge_entities(names, into=into), json)


@app.command(epilog=examples("pgrag entity unmerge Scrooge"))
def unmerge(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name that was merged away.")],
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Undo the merging of a name: it means an entity of its own again."""
    with client(url, workspace) as rag:
        found = rag.unmerge_entity(name)
    if found is None and not json:
        stdout.print(f"{name} is an alias no more; no document speaks of it")
        return
    _print(found, json)


@app.command(epilog=examples("pgrag entity delete Scrooge", "pgrag entity delete --yes Scrooge Marley"))
def delete(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Names of entities, or aliases.")],
    url: Url = None,
    workspace: Workspace = None,
    yes: Yes = False,
) -> None:
    """Delete entities with all that was said of them. All of them are there, or none is deleted."""
    with client(url, workspace) as rag:
        gone = dict.fromkeys(rag.entity(name).name for name in names)
        sure(f"Delete {', '.join(gone)}, all that was said of them, and their relations?", yes)
        for name in gone:
            relations = rag.delete_entity(name)
            stdout.print(f"deleted {name} and {relations} relations")


@app.command(epilog=examples("pgrag entity duplicates", "pgrag entity duplicates Scrooge --max-distance 0.3 --json"))
def duplicates(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Only those of this entity.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many pairs.")] = 50,
    min_similarity: Annotated[
        float, typer.Option(min=0, max=1, help="Names at least so alike (shared trigrams, 0 to 1), or")
    ] = 0.4,
    max_distance: Annotated[
        float, typer.Option(min=0, max=2, help="meanings at most so far apart (cosine distance, 0 to 2).")
    ] = 0.15,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Pairs of entities that may be one, best first: what to look at before merging."""
    with client(url, workspace) as rag:
        found = rag.duplicates(name, top_k=limit, min_similarity=min_similarity, max_distance=max_distance)
    if json:
        print_json(found)
        return
    rows = ((each.entity, each.other, each.why, f"{each.score:.2f}") for each in found)
    print_table(("entity", "other", "why", "score"), rows)


def _print(entity: EntityInfo | None, json: bool) -> None:
    if json or entity is None:
        print_json(entity)
        return
    print_table(("field", "value"), vars(entity).items())
