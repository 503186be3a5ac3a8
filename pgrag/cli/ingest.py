"""`ingest` and `import`: documents and ready-made graphs, with progress."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from pgrag.cli.options import Json, Url, Workspace, client, key_values
from pgrag.cli.output import print_json, stderr, stdout
from pgrag.ingest import IngestReport
from pgrag.progress import OnProgress, Progress

Paths = Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders.", show_default=False)]


def ingest(
    paths: Paths,
    root: Annotated[Path | None, typer.Option("--root", help="Ids are paths below this folder.")] = None,
    metadata: Annotated[list[str] | None, typer.Option("--metadata", help="key=value, for every file.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take a file in the place of another of its id.")] = False,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take files in: chunks, entities, relations, vectors; one transaction a document."""
    about = key_values(metadata)
    with client(url, workspace) as rag, progress_bars() as on_progress:
        report = rag.ingest_files(list(paths), root=root, metadata=about, replace=replace, on_progress=on_progress)
    if json:
        print_json(report)
    else:
        _print_report(report)
    raise typer.Exit(1 if report.failed else 0)


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


@contextmanager
def progress_bars() -> Iterator[OnProgress]:
    """A bar for each stage, on stderr; they go when the work is done."""
    lock = threading.Lock()
    seen: dict[str, int] = {}
    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=stderr,
        transient=True,
    )
    chunks = bars.add_task("reading chunks", total=None)
    stages: dict[str, int] = {}

    def on_progress(progress: Progress) -> None:
        with lock:
            if progress.stage == "extract":
                seen[progress.document] = progress.total
                bars.update(chunks, total=sum(seen.values()), advance=1)
                return
            if progress.stage not in stages:
                stages[progress.stage] = int(bars.add_task(_LABELS.get(progress.stage, progress.stage), total=None))
            bars.update(bars.tasks[stages[progress.stage]].id, advance=progress.done if not progress.total else 1)

    with bars:
        yield on_progress


_LABELS = {"published": "documents published", "refresh": "vectors refreshed"}


def _print_report(report: IngestReport) -> None:
    for each in report.documents:
        if each.status == "ready":
            stdout.print(f"{each.id}: {each.chunks} chunks, {each.entities} entities, {each.relations} relations")
        elif each.status == "unchanged":
            stdout.print(f"{each.id}: unchanged")
        else:
            stderr.print(
                f"[red]failed:[/red] {each.error if each.id in (each.error or '') else f'{each.id}: {each.error}'}"
            )
    ready = sum(each.status == "ready" for each in report.documents)
    stdout.print(f"{ready} documents ready, {len(report.failed)} failed, in {report.seconds:.1f} s")
