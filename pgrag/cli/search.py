"""`search`: chunks by their words."""

from __future__ import annotations

from typing import Annotated

import typer

from pgrag.cli import query_options as option
from pgrag.cli.options import Json, Url, Workspace, client, examples
from pgrag.cli.output import print_json, print_table
from pgrag.cli.query_options import read_filter

EXAMPLES = examples("pgrag search 'red room'", "pgrag search 技術底座 --top-k 5 --json")


def search(
    text: Annotated[str, typer.Argument(metavar="WORDS", help="Words in any script; a chunk need not hold all.")],
    top_k: Annotated[int, typer.Option(min=1, metavar="N", help="The most chunks shown.")] = 20,
    filter_: option.Filter = None,
    json: Json = False,
    url: Url = None,
    workspace: Workspace = None,
) -> None:
    """Chunks that hold these words, best first. No model is asked."""
    with client(url, workspace) as rag:
        found = rag.search_chunks_by_text(text, top_k=top_k, filter=read_filter(filter_))
    if json:
        print_json(found)
        return
    rows = ((f"{each.score:.2f}", each.file_path, each.chunk_index, each.content) for each in found)
    print_table(("score", "document", "chunk", "content"), rows)
