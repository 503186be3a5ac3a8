"""`ingest` and `import`: documents and ready-made graphs, with progress."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pgrag.cli.options import Json, Url, Workspace, client, examples, key_values
from pgrag.cli.output import print_json, stderr, stdout, tell
from pgrag.cli.progress import progress_bars

if TYPE_CHECKING:
    from pgrag.documents import IngestReport

EXAMPLES = examples(
    "pgrag ingest docs/",
    "pgrag ingest report.txt notes.md -w research --metadata year=1843 --metadata author=Dickens",
    "pgrag ingest a/README.md b/README.md --root .",
    "pgrag ingest docs/ --queue-only",
)
IMPORT_EXAMPLES = examples("pgrag import graph/ -w carol", "pgrag import graph/ --strict --json")
_SKIPPED_SHOWN = 5


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files and folders.", show_default=False)],
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Ids are paths below this folder; none: the folder named, a file's own."),
    ] = None,
    metadata: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="For every file, to filter by; repeatable.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take a file in the place of another of its id.")] = False,
    queue_only: Annotated[
        bool, typer.Option("--queue-only", help="Leave the work to workers: pgrag worker, on any machine.")
    ] = False,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take files in: chunks, entities, relations, vectors; one transaction a document.

    Text, Markdown, HTML, PDF, DOCX, PPTX, XLSX, CSV, EPUB; of JSONL every line is a document.

    What is there already, unchanged, costs nothing; a file with new content replaces its old version.

    A file that fails says why and holds up no other; trying it again asks the models only for what is missing.
    """
    about = key_values(metadata)
    with client(url, workspace) as rag, progress_bars() as on_progress:
        report = rag.ingest_files(
            list(paths),
            root=root,
            metadata=about,
            replace=replace,
            queue_only=queue_only,
            on_progress=on_progress,
        )
    if not report.documents:
        stderr.print("there was no file to read")
    end_with(report, json)


def import_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A graph in the interchange format.")],
    strict: Annotated[bool, typer.Option("--strict", help="Refuse what would be merged, made up or skipped.")] = False,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take a ready-made graph in, whole or not at all."""
    with client(url, workspace) as rag, progress_bars() as on_progress:
        report = rag.import_graph(folder, strict=strict, on_progress=on_progress)
    if json:
        print_json(report)
        return
    told = {name: value for name, value in vars(report).items() if value and name != "seconds"}
    stdout.print(", ".join(f"{value} {name.replace('_', ' ')}" for name, value in told.items()))
    stdout.print(f"imported in {report.seconds:.1f} s")


def end_with(report: IngestReport, json: bool) -> NoReturn:
    """Say how the documents fared, and end the command: with 1 when one of them failed."""
    _tell_what_was_left(report)
    if json:
        print_json(report)
    else:
        _print_report(report)
    raise typer.Exit(1 if report.failed else 0)


def _tell_what_was_left(report: IngestReport) -> None:
    for each in report.failed:
        error = each.error or "no reason given"
        tell("failed:", error if each.id in error else f"{each.id}: {error}", "red")
    if report.skipped:
        shown = ", ".join(report.skipped[:_SKIPPED_SHOWN])
        more = ", …" if len(report.skipped) > _SKIPPED_SHOWN else ""
        tell("skipped:", f"{len(report.skipped)} of no kind that is read: {shown}{more}", "yellow")


def _print_report(report: IngestReport) -> None:
    for each in report.documents:
        if each.status == "ready":
            stdout.print(f"{each.id}: {each.chunks} chunks, {each.entities} entities, {each.relations} relations")
        elif each.status in ("unchanged", "queued"):
            stdout.print(f"{each.id}: {each.status}")
    counts = Counter(each.status for each in report.documents)
    queued = f"{counts['queued']} queued, " if counts["queued"] else ""
    stdout.print(f"{counts['ready']} documents ready, {queued}{counts['failed']} failed, in {report.seconds:.1f} s")
