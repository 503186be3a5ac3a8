"""`documents` and `delete`: what was taken in."""

from __future__ import annotations

from typing import Annotated

import typer

from pgrag.cli.options import Json, Url, Workspace, Yes, client, sure
from pgrag.cli.output import print_json, print_table, stdout
from pgrag.errors import UnknownDocument

app = typer.Typer(invoke_without_command=True)


@app.callback()
def _default(context: typer.Context, url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        list_(url, workspace, json)


@app.command("list")
def list_(url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    """The documents, by id."""
    with client(url, workspace) as rag:
        documents = rag.documents()
    if json:
        print_json(documents)
        return
    rows = ((each.document, each.status, each.chunk_count, each.error) for each in documents)
    print_table(("document", "status", "chunks", "error"), rows)


@app.command()
def show(document: str, url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    """Everything about one document, by id or path."""
    with client(url, workspace) as rag:
        found = [each for each in rag.documents() if document in (each.document, each.file_path)]
        if not found:
            raise UnknownDocument(f"no document {document!r} in workspace {rag.workspace!r}")
    if json:
        print_json(found)
        return
    for each in found:
        print_table(("field", "value"), vars(each).items())


def delete(
    documents: Annotated[list[str], typer.Argument(metavar="DOCUMENT...", help="Ids or paths.")],
    url: Url = None,
    workspace: Workspace = None,
    yes: Yes = False,
) -> None:
    """Delete documents, and exactly what only they said."""
    sure(f"Delete {', '.join(documents)} and everything that only they said?", yes)
    with client(url, workspace) as rag:
        for document in documents:
            for gone in rag.delete_document(document):
                stdout.print(f"deleted {gone}")
