"""Options that many commands share, and the client that they describe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pgrag.cli.output import stderr
from pgrag.errors import ConfigurationError

if TYPE_CHECKING:
    from pydantic import ValidationError

    from pgrag.client import PgRAG
    from pgrag.settings import Settings

WHERE = "Where"


def _named(workspace: str | None) -> str | None:
    if workspace is not None and not workspace.strip():
        # An unset shell variable must not mean the default workspace: `delete -w "$WORKSPACE"`.
        raise typer.BadParameter("a workspace has a name, this one is blank")
    return workspace


Workspace = Annotated[
    str | None,
    typer.Option(
        "--workspace",
        "-w",
        metavar="NAME",
        callback=_named,
        rich_help_panel=WHERE,
        help="Workspace; none: PGRAG_WORKSPACE, else 'default'.",
    ),
]
Url = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        rich_help_panel=WHERE,
        help="Database, as postgresql://…; none: PGRAG_DATABASE_URL, else the embedded server.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on stdout.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def examples(*commands: str) -> str:
    """An epilog for `--help`: each example on a line of its own."""
    return "\n\n".join(("Examples:", *(f"$ {command}" for command in commands)))


def client(url: str | None, workspace: str | None = None, **chosen: Any) -> PgRAG:
    """The client of these options, and of settings that were chosen (None: not); the rest is in the environment."""
    from pgrag.client import PgRAG

    return PgRAG(url, workspace=workspace, settings=settings(**chosen))


def settings(**chosen: Any) -> Settings:
    """What was chosen, and for the rest what the environment says. Raises ConfigurationError, naming the variable."""
    from pydantic import ValidationError

    from pgrag.settings import Settings

    try:
        return Settings(**{name: value for name, value in chosen.items() if value is not None})
    except ValidationError as error:
        raise _first_mistake(error) from None


def _first_mistake(error: ValidationError) -> ConfigurationError:
    mistake = error.errors(include_url=False)[0]
    variable = "PGRAG_" + "_".join(map(str, mistake["loc"])).upper()
    said = mistake["msg"].removeprefix("Input ")
    return ConfigurationError(f"{variable} is {mistake['input']!r}, which {said}", f"set {variable} anew, or unset it")


def key_values(pairs: list[str] | None) -> dict[str, str] | None:
    """`k=v` pairs as a mapping; none of them: None. Wrong usage for anything else."""
    if not pairs:
        return None
    for pair in pairs:
        if not pair.partition("=")[0].strip() or "=" not in pair:
            raise typer.BadParameter(f"not of the form key=value: {pair!r}", param_hint="'--metadata'")
    return dict(pair.split("=", 1) for pair in pairs)


def sure(question: str, yes: bool) -> None:
    """Ask before something is destroyed. No, or nobody there to ask, ends the command with 1."""
    if yes:
        return
    # Not typer.confirm: it prints a blank to stdout.
    stderr.print(f"{question} [y/N] ", end="")
    answer = sys.stdin.readline()
    if not answer:
        stderr.print()
        raise ConfigurationError("nothing was deleted: nobody is there to answer", "--yes says it at once")
    if answer.strip().lower() not in ("y", "yes"):
        stderr.print("nothing was deleted")
        raise typer.Exit(1)
