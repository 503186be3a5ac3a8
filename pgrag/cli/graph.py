"""`graph`: the picture, and files for other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from pgrag.cli.options import Url, Workspace, client, examples
from pgrag.cli.output import stderr, stdout

if TYPE_CHECKING:
    from pgrag.client import PgRAG
    from pgrag.graph_files import GraphFormat

app = typer.Typer(no_args_is_help=True, help="The knowledge graph.")
DRAWN_NODES = 1000


class Format(StrEnum):
    """What a graph can be exported as."""

    html = "html"
    graphml = "graphml"
    jsonl = "jsonl"


@app.callback()
def _group() -> None:
    """Makes `export` a command of its own, though it is the only one."""


@app.command(
    epilog=examples(
        "pgrag graph export",
        "pgrag graph export -w carol -o carol.html --max-nodes 300",
        "pgrag graph export --format graphml -o carol.graphml",
    )
)
def export(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File; none: WORKSPACE.FORMAT; -: stdout.")
    ] = None,
    format_: Annotated[
        Format,
        typer.Option(
            "--format",
            help="html: one page that needs no network; graphml, jsonl: nodes and edges for other programs.",
        ),
    ] = Format.html,
    max_nodes: Annotated[
        int | None,
        typer.Option("--max-nodes", min=1, help="Only the entities with most relations; none: 1000 in html, else all."),
    ] = None,
    url: Url = None,
    workspace: Workspace = None,
) -> None:
    """Write the graph as a picture that opens in a browser, or as a file for other programs."""
    with client(url, workspace) as rag:
        target = output or Path(f"{rag.workspace}.{format_}".replace("/", "_"))
        with _opened(target) as stream:
            if format_ == Format.html:
                _draw(rag, max_nodes or DRAWN_NODES, stream)
            else:
                name: GraphFormat = "graphml" if format_ == Format.graphml else "jsonl"
                size = rag.write_graph(stream, format=name, max_nodes=max_nodes)
                stderr.print(f"{size.nodes} entities, {size.edges} relations")
    if str(target) != "-":
        stdout.print(str(target))


def _draw(rag: PgRAG, max_nodes: int, to: TextIO) -> None:
    from pgrag.picture import render_page

    picture = rag.graph_picture(max_nodes)
    stderr.print(f"{len(picture.nodes)} of {picture.total_nodes} entities, {len(picture.edges)} relations")
    to.write(render_page(picture))


@contextmanager
def _opened(target: Path) -> Iterator[TextIO]:
    """What to write to; a file takes its name when it is whole."""
    if str(target) == "-":
        yield sys.stdout
        return
    if target.exists() and not target.is_file():  # a device or a pipe is not to be replaced
        with target.open("w", encoding="utf-8") as stream:
            yield stream
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8") as stream:
            yield stream
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
