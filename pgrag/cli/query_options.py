"""What a question may ask for, as options of the command line: one for each field of `QueryOptions`.

The values of `--filter` and `--history` are read here. What cannot be read is wrong usage.
"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer


class ModeName(StrEnum):
    """The modes, as words of the command line."""

    local = "local"
    global_ = "global"
    hybrid = "hybrid"
    mix = "mix"
    naive = "naive"
    bypass = "bypass"
    weighted = "weighted"


class PickMethod(StrEnum):
    """How chunks of entities and relations are picked."""

    vector = "vector"
    weight = "weight"


class FusionName(StrEnum):
    """How weighted mode makes one list of its sources."""

    weighted = "weighted"
    rrf = "rrf"


def _search(help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel="What is searched", **more)


def _budget(help: str, **more: Any) -> Any:
    return typer.Option(help=help, rich_help_panel="How much is told", min=0, **more)


def _weighted(help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel="Weighted mode", **more)


def _answer(help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel="The answer", **more)


_MODES = (
    "local: entities and their relations; global: relations and their ends; hybrid: both; mix: both, and chunks; "
    "naive: chunks; bypass: nothing; weighted: chunks and graph, by weighted scores."
)
ModeOption = Annotated[ModeName, _search(_MODES, "--mode", "-m", metavar="MODE")]
TopK = Annotated[
    int | None, _search("Hits of each entity and relation search; none: 40, in weighted mode 10.", min=1, metavar="N")
]
ChunkTopK = Annotated[int, _search("Chunks near the question, and the most that are told.", min=1, metavar="N")]
MaxDistance = Annotated[float, _search("A hit is nearer than this (cosine distance, 0 to 2).", metavar="X")]
RelatedChunkNumber = Annotated[int, _search("Chunks for each entity or relation.", min=0, metavar="N")]
ChunkPickMethod = Annotated[
    PickMethod, _search("vector: nearest to the question; weight: by how many hits speak of them.", metavar="METHOD")
]
LowLevelKeywords = Annotated[
    list[str] | None,
    _search("Name or term to search, instead of the model's; repeatable.", "--low-level-keyword", metavar="WORD"),
]
HighLevelKeywords = Annotated[
    list[str] | None,
    _search("Theme to search, instead of the model's; repeatable.", "--high-level-keyword", metavar="WORD"),
]
Filter = Annotated[str | None, _search("Only documents whose metadata holds this.", "--filter", metavar="JSON")]
Rerank = Annotated[bool, _search("Reorder chunks by the reranker, where one is configured.")]
MinRerankScore = Annotated[float, _search("Chunks with a lower score are dropped.", metavar="X")]
MaxEntityTokens = Annotated[int, _budget("Tokens of the entities told.", metavar="N")]
MaxRelationTokens = Annotated[int, _budget("Tokens of the relations told.", metavar="N")]
MaxTotalTokens = Annotated[int, _budget("Tokens of everything told.", metavar="N")]
VectorWeight = Annotated[float, _weighted("Weight of a chunk's nearness to the question.", min=0, metavar="X")]
GraphWeight = Annotated[float, _weighted("Weight of what the graph says of the names.", min=0, metavar="X")]
TextWeight = Annotated[
    float, _weighted("Weight of the question's words in a chunk; 0: not looked for.", min=0, metavar="X")
]
Fusion = Annotated[
    FusionName, _weighted("weighted: by scores; rrf: by ranks (reciprocal rank fusion).", metavar="METHOD")
]
MaxDepth = Annotated[int, _weighted("Hops from the entities found.", min=1, metavar="N")]
RelationKeywords = Annotated[
    list[str] | None,
    _weighted("Walk only relations with this keyword; repeatable.", "--relation-keyword", metavar="WORD"),
]
ResponseType = Annotated[str, _answer("Form and length, in words.", metavar="TEXT")]
UserPrompt = Annotated[str | None, _answer("More instructions for the answer.", metavar="TEXT")]
SystemPrompt = Annotated[str | None, _answer("A prompt of yours; {context_data} is filled in.", metavar="TEXT")]
History = Annotated[
    Path | None, _answer('Turns before this one, as JSON: \\[{"role": …, "content": …}, …].', metavar="FILE")
]
Cache = Annotated[bool, _answer("Take a kept answer to the same question, and keep this one.")]


def read_history(path: Path | None) -> tuple[Any, ...]:
    """The turns in a file."""
    if path is None:
        return ()
    try:
        turns = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be read: {error.strerror}", param_hint="'--history'") from error
    except ValueError as error:
        raise typer.BadParameter(f"{path} is not JSON: {error}", param_hint="'--history'") from error
    if not isinstance(turns, list):
        raise typer.BadParameter(f"{path} is not a list of turns", param_hint="'--history'")
    return tuple(turns)


def read_filter(text: str | None) -> dict[str, Any] | None:
    """The metadata asked for."""
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is not JSON: {error}", param_hint="'--filter'") from error
    if not isinstance(value, dict):
        raise typer.BadParameter(f"{text!r} is not a JSON object", param_hint="'--filter'")
    return value
