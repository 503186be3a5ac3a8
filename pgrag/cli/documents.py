"""`documents` and `delete`: what was taken in."""

from __future__ import annotations

from typing import Annotated

import typer

from pgrag.cli.ingest import end_with
from pgrag.cli.options import Json, Url, Workspace, Yes, client, examples, sure
from pgrag.cli.output import print_json, print_table, stdout
from pgrag.cli.progress import progress_bars

app = typer.Typer(invoke_without_command=True, help="The documents of a workspace; without a command: list them.")
DELETE_EXAMPLES = examples("pgrag delete carol.txt", "pgrag delete --yes -w carol docs/a.md docs/b.md")


@app.callback(epilog=examples("pgrag documents -w carol", "pgrag documents show carol.txt"))
def _default(context: typer.Context, url: Url = None, workspace: Workspace = None, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        list_(url, workspace, json)
    elif url or workspace or json:
        raise typer.BadParameter(f"options go after the command: documents {context.invoked_subcommand} …")


@app.command("list", epilog=examples("pgrag documents list -w carol", "pgrag documents list --status failed --json"))
def list_(
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
    status: Annotated[
        str | None,
        typer.Option(metavar="STATUS", help="Only those: pending, extracting, ready, or failed in the last attempt."),
    ] = None,
) -> None:
    """The documents, by id."""
    with client(url, workspace) as rag:
        documents = rag.documents(status)
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
        found = rag.document(document)
    if json:
        print_json(found)
        return
    for each in found:
        print_table(("field", "value"), vars(each).items())


@app.command(epilog=examples("pgrag documents retry", "pgrag documents retry carol.txt -w carol"))
def retry(
    documents: Annotated[
        list[str] | None, typer.Argument(metavar="DOCUMENT", help="Ids or paths; none: all that failed.")
    ] = None,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Try failed documents again. Models are asked only for what is missing."""
    with client(url, workspace) as rag, progress_bars() as on_progress:
        report = rag.retry_documents(documents or None, on_progress=on_progress)
    end_with(report, json)


def delete(
    documents: Annotated[list[str], typer.Argument(metavar="DOCUMENT", help="Ids or paths.")],
    url: Url = None,
    workspace: Workspace = None,
    yes: Yes = False,
    keep_extractions: Annotated[
        bool,
        typer.Option(
            "--keep-extractions/--forget-extractions",
            help="Keep what models replied about them, so that taking them in again costs nothing.",
        ),
    ] = True,
) -> None:
    """Delete documents, and exactly what only they said. All of them are there, or none is deleted.

    What they shared is embedded anew. Where the model cannot be had, a warning says so; deleted they are all the same.
    """
    with client(url, workspace) as rag:
        ids = list(dict.fromkeys(each.document for document in documents for each in rag.document(document)))
        sure(f"Delete {', '.join(ids)} and everything that only they said?", yes)
        for document in ids:
            for gone in rag.delete_document(document, keep_extractions=keep_extractions, wait=document == ids[-1]):
                stdout.print(f"deleted {gone}")
