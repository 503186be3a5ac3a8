"""`ingest`: documents, with progress."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pgrag.cli import chunk_options as option
from pgrag.cli.chunk_options import ChunkWay, size_of, strategy_of
from pgrag.cli.options import Json, Url, Workspace, client, examples, key_values
from pgrag.cli.output import print_json, stderr, stdout, tell
from pgrag.cli.progress import progress_bars

if TYPE_CHECKING:
    from pgrag.documents import IngestReport

EXAMPLES = examples(
    "pgrag ingest docs/",
    "pgrag ingest report.txt notes.md -w research --metadata year=1843 --metadata author=Dickens",
    "pgrag ingest a/README.md b/README.md --root .",
    "pgrag ingest handbook/ --chunk-by markdown --chunk-size 600",
)
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
    chunk_by: option.ChunkBy = ChunkWay.tokens,
    chunk_size: option.ChunkTokens = None,
    chunk_overlap: option.ChunkOverlap = None,
    split_by: option.SplitBy = None,
    split_only: option.SplitOnly = False,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take files in: chunks, entities, relations, vectors; one transaction a document.

    Text, Markdown, HTML, PDF, DOCX, PPTX, XLSX, CSV, EPUB; of JSONL every line is a document.

    What is there already, unchanged, costs nothing; a file with new content replaces its old version.

    A file that fails says why and holds up no other; trying it again asks the models only for what is missing.
    """
    from pgrag.documents import IngestOptions

    about = key_values(metadata)
    options = IngestOptions(
        chunk_size=size_of(chunk_size, chunk_overlap),
        chunking=strategy_of(chunk_by, split_by, split_only),
        replace=replace,
    )
    with client(url, workspace) as rag, progress_bars() as on_progress:
        report = rag.ingest_files(list(paths), root=root, metadata=about, options=options, on_progress=on_progress)
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
        elif each.status == "unchanged":
            stdout.print(f"{each.id}: unchanged")
    if not report.documents:
        stderr.print("there was no file to read")
    ready = sum(each.status == "ready" for each in report.documents)
    stdout.print(f"{ready} documents ready, {len(report.failed)} failed, in {report.seconds:.1f} s")
