"""`import` and `export`: whole graphs as folders, with progress."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pgrag.cli.options import Json, Url, Workspace, client, examples
from pgrag.cli.output import print_json, stdout
from pgrag.cli.progress import progress_bars

if TYPE_CHECKING:
    from pgrag.interchange import ExportReport, ImportReport

IMPORT_EXAMPLES = examples("pgrag import graph/ -w carol", "pgrag import graph/ --strict --json")
EXPORT_EXAMPLES = examples("pgrag export graph/ -w carol", "pgrag export backup/ --json")


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
    _tell(report, "imported", json)


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or an empty folder.")],
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Write a workspace as a folder in the interchange format, as it is at one moment.

    Imported into an empty workspace, it gives the same documents, chunks, entities, relations, aliases and vectors.
    """
    with client(url, workspace) as rag, progress_bars() as on_progress:
        report = rag.export_graph(folder, on_progress=on_progress)
    _tell(report, "exported", json)


def _tell(report: ImportReport | ExportReport, done: str, json: bool) -> None:
    if json:
        print_json(report)
        return
    told = {name: value for name, value in vars(report).items() if value and name != "seconds"}
    stdout.print(", ".join(f"{value} {name.replace('_', ' ')}" for name, value in told.items()) or "nothing")
    stdout.print(f"{done} in {report.seconds:.1f} s")
