"""What models are asked of a chunk, and how much they may be asked, as options of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def _asked(help: str, **more: Any) -> Any:
    return typer.Option(help=help, rich_help_panel="What is read in a chunk", **more)


def _spent(help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel="What it may cost", **more)


EntityTypes = Annotated[
    str | None, _asked("Types to look for, a comma between each two; none: PGRAG_ENTITY_TYPES.", metavar="TYPE,…")
]
Language = Annotated[
    str | None, _asked("Language of names and descriptions; none: PGRAG_LANGUAGE, else English.", metavar="NAME")
]
Examples = Annotated[
    Path | None,
    _asked(
        "File with examples for the model; none: PGRAG_EXTRACTION_EXAMPLES.",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        readable=True,
    ),
]
MaxGleaning = Annotated[
    int | None,
    _asked("Rounds that ask for what was missed; none: PGRAG_MAX_GLEANING, else 1.", min=0, metavar="N"),
]
MaxTokens = Annotated[
    int | None, _spent("Stop before models are asked more than this, all requests together.", min=1, metavar="N")
]
DryRun = Annotated[bool, _spent("Say what it would cost, ask nothing and write nothing.", "--dry-run")]
