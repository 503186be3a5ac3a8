"""Options that many commands share, and the client that they describe."""

from __future__ import annotations

from typing import Annotated

import typer

from pgrag.client import PgRAG
from pgrag.errors import InvalidArgument
from pgrag.settings import Settings

Workspace = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Workspace; default: PGRAG_WORKSPACE, else 'default'.")
]
Url = Annotated[
    str | None, typer.Option("--url", help="Database; default: PGRAG_DATABASE_URL, else the embedded server.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def client(url: str | None, workspace: str | None = None) -> PgRAG:
    """The client of these options; the rest is in the environment."""
    return PgRAG(url, workspace=workspace, settings=Settings())


def key_values(pairs: list[str] | None) -> dict[str, str] | None:
    """`k=v` pairs as a mapping. Raises InvalidArgument for anything else."""
    if not pairs:
        return None
    for pair in pairs:
        if "=" not in pair.lstrip("="):
            raise InvalidArgument(f"not of the form key=value: {pair!r}")
    return dict(pair.split("=", 1) for pair in pairs)


def sure(question: str, yes: bool) -> None:
    """Ask before something is destroyed; no ends the command with 1."""
    if not yes:
        typer.confirm(question, abort=True, err=True)
