"""`worker`: take ingest jobs until stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pgrag.cli.options import Json, Url, Workspace, client, examples
from pgrag.cli.output import leave, print_json, stderr, stdout, tell
from pgrag.cli.progress import progress_bars

if TYPE_CHECKING:
    from pgrag.documents import DocumentReport

EXAMPLES = examples("pgrag worker", "pgrag worker --all-workspaces", "pgrag worker -w research --drain")


def worker(
    drain: Annotated[
        bool, typer.Option("--drain", help="Stop when no job is left, queued or with another worker.")
    ] = False,
    all_workspaces: Annotated[bool, typer.Option("--all-workspaces", help="Take jobs of every workspace.")] = False,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take ingest jobs until stopped, beside any number of others, on any machine that reaches the database.

    Ctrl-C or SIGTERM ends it with 0, and its jobs are back in the queue at once. With --drain it ends by itself, with 1
    when a document failed.
    """
    if all_workspaces and workspace is not None:
        raise typer.BadParameter("a workspace, or all of them: not both", param_hint="'--all-workspaces'")
    with client(url, workspace) as rag:
        where = "every workspace" if all_workspaces else f"workspace {rag.workspace}"
        stderr.print(f"taking jobs of {where}; Ctrl-C stops")
        try:
            with progress_bars() as on_progress:
                report = rag.work(drain=drain, all_workspaces=all_workspaces, on_report=_tell, on_progress=on_progress)
        except KeyboardInterrupt:
            stderr.print("stopped; what was under way is back in the queue")
            leave(0)
    if json:
        print_json(report)
    else:
        stdout.print(f"{report.ready} documents ready, {report.failed} failed, in {report.seconds:.1f} s")
    raise typer.Exit(1 if report.failed else 0)


def _tell(report: DocumentReport) -> None:
    if report.status == "failed":
        tell("failed:", f"{report.id}: {report.error}", "red")
    elif report.status == "ready":
        stderr.print(f"{report.id}: {report.chunks} chunks, {report.entities} entities, {report.relations} relations")
