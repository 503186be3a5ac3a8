"""`graph`: the picture."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pgrag.cli.options import Url, Workspace, client, examples
from pgrag.cli.output import stderr, stdout

app = typer.Typer(no_args_is_help=True, help="The knowledge graph.")


class Format(StrEnum):
    """What a graph can be exported as."""

    html = "html"


@app.callback()
def _group() -> None:
    """Makes `export` a command of its own, though it is the only one."""


@app.command(epilog=examples("pgrag graph export", "pgrag graph export -w carol -o carol.html --max-nodes 300"))
def export(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File; none: WORKSPACE.html; -: stdout.")
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="html: one page that needs no network.")] = Format.html,
    max_nodes: Annotated[int, typer.Option("--max-nodes", min=1, help="Draw the entities with most relations.")] = 1000,
    url: Url = None,
    workspace: Workspace = None,
) -> None:
    """Write the graph as a picture that opens in a browser."""
    from pgrag.picture import render_page

    with client(url, workspace) as rag:
        picture = rag.graph_picture(max_nodes)
        page = render_page(picture)
        target = output or Path(f"{rag.workspace}.{format_}".replace("/", "_"))
    stderr.print(f"{len(picture.nodes)} of {picture.total_nodes} entities, {len(picture.edges)} relations")
    if str(target) == "-":
        print(page)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page, encoding="utf-8")
    stdout.print(str(target))
