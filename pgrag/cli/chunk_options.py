"""Where texts are cut, as options of the command line."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pgrag.errors import InvalidArgument

if TYPE_CHECKING:
    from pgrag.chunking import ChunkSize, Strategy

# An overlap that nobody gave is this part of the size: 100 of 1200.
OVERLAP_PART = 12
_ESCAPES = {r"\n": "\n", r"\t": "\t"}


class ChunkWay(StrEnum):
    """The ways of chunking, as words of the command line."""

    tokens = "tokens"
    character = "character"
    recursive = "recursive"
    markdown = "markdown"


def _chunks(help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel="How texts are cut", **more)


ChunkBy = Annotated[
    ChunkWay,
    _chunks(
        "tokens: at a number of them; character: at the text of --split-by; recursive: between paragraphs, else lines, "
        "sentences, words; markdown: at its headings, which the chunks keep.",
        metavar="WAY",
    ),
]
ChunkTokens = Annotated[
    int | None,
    _chunks("Tokens of a chunk; none: 1200, or what the embedding model reads.", "--chunk-size", metavar="N"),
]
ChunkOverlap = Annotated[
    int | None, _chunks("Tokens that the next chunk repeats; none: a twelfth of --chunk-size.", metavar="N")
]
SplitBy = Annotated[
    str | None, _chunks(r"The text to cut at, with --chunk-by character; \n is a line feed.", metavar="TEXT")
]
SplitOnly = Annotated[bool, _chunks("Cut nowhere else: a file with a piece over the size is refused.", "--split-only")]


def strategy_of(way: ChunkWay, split_by: str | None, split_only: bool) -> Strategy:
    """The way of chunking; wrong usage for options that do not go together."""
    from pgrag.chunking import ByCharacter, ByMarkdown, ByTokens, Recursive

    if way is ChunkWay.character and split_by:
        return ByCharacter(_unescaped(split_by), split_only)
    if way is ChunkWay.character:
        raise typer.BadParameter("--chunk-by character needs --split-by: the text to cut at")
    if split_by is not None or split_only:
        raise typer.BadParameter("--split-by and --split-only go with --chunk-by character")
    if way is ChunkWay.recursive:
        return Recursive()
    return ByMarkdown() if way is ChunkWay.markdown else ByTokens()


def size_of(tokens: int | None, overlap: int | None) -> ChunkSize | None:
    """The size of chunks, None when none is given; wrong usage for one that cannot be."""
    from pgrag.chunking import ChunkSize

    if tokens is None:
        if overlap is not None:
            raise typer.BadParameter("--chunk-overlap needs --chunk-size: it is a part of it")
        return None
    try:
        return ChunkSize(tokens, tokens // OVERLAP_PART if overlap is None else overlap)
    except InvalidArgument as error:
        raise typer.BadParameter(str(error)) from error


def _unescaped(text: str) -> str:
    for written, meant in _ESCAPES.items():
        text = text.replace(written, meant)
    return text
