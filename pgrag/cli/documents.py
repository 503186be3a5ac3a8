"""`documents` and `delete`: what was taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pgrag.cli.options import Json, Url, Workspace, Yes, client, examples, sure
from pgrag.cli.output import print_json, print_table, stdout
from pgrag.errors import UnknownDocument

if TYPE_CHECKING:
    from pgrag.client import PgRAG
    from pgrag.rows import DocumentInfo

app = typer.Typer(invoke_without_command=True, help="The documents of a workspace; without a command: list them.")
DELETE_EXAMPLES = examples("pgrag delete carol.txt", "pgrag delete --yes -w carol docs/a.md docs/b.md")


@app.callback(epilog=examples("pgrag documents -w carol", "pgrag documents show carol.txt"))
def _default(context: typer.Context, url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        list_(url, workspace, json)
    elif url or workspace or json:
        raise typer.BadParameter(f"options go after the command: documents {context.invoked_subcommand} …")


@app.command("list", epilog=examples("pgrag documents list -w carol", "pgrag documents list --json"))
def list_(url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    """The documents, by id."""
    with client(url, workspace) as rag:
        documents = rag.documents()
    if json:
        print_json(documents)
        return
    rows = ((each.document, each.status, each.chunk_count, each.error) for each in documents)
    print_table(("document", "status", "chunks", "error"), rows)


@app.command(epilog=examples("pgrag documents show carol.txt", "pgrag documents show carol.txt --json"))
def show(
    document: Annotated[str, typer.Argument(metavar="DOCUMENT", help="Id or path.")],
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Everything about one document; about all of them, where a path is that of several."""
    with client(url, workspace) as rag:
        found = _named(rag, document)
    if json:
        print_json(found)
        return
    for each in found:
        print_table(("field", "value"), vars(each).items())


def delete(
    documents: Annotated[list[str], typer.Argument(metavar="DOCUMENT", help="Ids or paths.")],
    url: Url = None,
    workspace: Workspace = None,
    yes: Yes = False,
) -> None:
    """Delete documents, and exactly what only they said. All of them are there, or none is deleted."""
    with client(url, workspace) as rag:
        ids = dict.fromkeys(each.document for document in documents for each in _named(rag, document))
        sure(f"Delete {', '.join(ids)} and everything that only they said?", yes)
        for document in ids:
            for gone in rag.delete_document(document):
                stdout.print(f"deleted {gone}")


def _named(rag: PgRAG, document: str) -> list[DocumentInfo]:
    """The one with this id, else all with this path. Raises UnknownDocument."""
    all_of_them = rag.documents()
    found = [each for each in all_of_them if each.document == document]
    found = found or [each for each in all_of_them if each.file_path == document]
    if not found:
        raise UnknownDocument(
            f"no document {document!r} in workspace {rag.workspace!r}", "pgrag documents list shows those there are"
        )
    return found
