"""`query`: ask a question."""

from __future__ import annotations

import json as json_module
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pgrag.cli.options import Json, Url, Workspace, client
from pgrag.cli.output import print_json, stderr, stdout
from pgrag.errors import InvalidArgument
from pgrag.options import QueryOptions
from pgrag.rows import Answer, Reference


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


def query(
    text: Annotated[str, typer.Argument(help="The question.")],
    mode: Annotated[ModeName, typer.Option("--mode", "-m", help="Which legs are searched.")] = ModeName.mix,
    stream: Annotated[bool, typer.Option("--stream", help="Print the answer as it comes.")] = False,
    context_only: Annotated[bool, typer.Option("--context-only", help="Print what the model would be told.")] = False,
    prompt_only: Annotated[bool, typer.Option("--prompt-only", help="Print the whole prompt.")] = False,
    top_k: Annotated[
        int | None, typer.Option(min=1, help="Hits of each entity and relation search.  [default: 40]")
    ] = None,
    chunk_top_k: Annotated[int, typer.Option(min=1, help="Chunks of the vector leg, and in the context.")] = 20,
    max_entity_tokens: Annotated[int, typer.Option(min=0)] = 6000,
    max_relation_tokens: Annotated[int, typer.Option(min=0)] = 8000,
    max_total_tokens: Annotated[int, typer.Option(min=1)] = 30000,
    max_distance: Annotated[float, typer.Option(help="A hit is nearer than this (cosine, 0..2).")] = 0.8,
    related_chunk_number: Annotated[int, typer.Option(min=0, help="Chunks for each entity or relation.")] = 5,
    chunk_pick_method: Annotated[PickMethod, typer.Option()] = PickMethod.vector,
    low: Annotated[list[str] | None, typer.Option("--low-level-keyword", help="Repeatable.")] = None,
    high: Annotated[list[str] | None, typer.Option("--high-level-keyword", help="Repeatable.")] = None,
    response_type: Annotated[str, typer.Option()] = "Multiple Paragraphs",
    user_prompt: Annotated[str | None, typer.Option(help="More instructions for the answer.")] = None,
    system_prompt: Annotated[str | None, typer.Option(help="Your own prompt; {context_data} is filled in.")] = None,
    history: Annotated[Path | None, typer.Option(help="JSON file: [{role, content}, …].")] = None,
    filter_: Annotated[
        str | None, typer.Option("--filter", help='Document metadata, as JSON: {"year": "1843"}.')
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither look up nor keep the answer.")] = False,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Ask a question: the answer, and the numbered references it rests on."""
    more: dict[str, Any] = {} if top_k is None else {"top_k": top_k}
    options = QueryOptions(
        mode=mode.value,
        chunk_top_k=chunk_top_k,
        max_entity_tokens=max_entity_tokens,
        max_relation_tokens=max_relation_tokens,
        max_total_tokens=max_total_tokens,
        max_distance=max_distance,
        related_chunk_number=related_chunk_number,
        chunk_pick_method=chunk_pick_method.value,
        low_level_keywords=tuple(low or ()),
        high_level_keywords=tuple(high or ()),
        response_type=response_type,
        user_prompt=user_prompt,
        system_prompt=system_prompt,
        conversation_history=_read_history(history),
        filter=_read_filter(filter_),
        use_cache=not no_cache,
        **more,
    )
    with client(url, workspace) as rag:
        if prompt_only:
            print(rag.prompt(text, options))
        elif context_only:
            found = rag.retrieve(text, options)
            print_json(found) if json else print(found.text)
        elif stream and not json:
            pieces = rag.stream(text, options)
            for piece in pieces:
                print(piece, end="", flush=True)
            print()
            _print_rest(pieces.answer)
        else:
            answer = rag.query(text, options)
            if json:
                print_json(answer)
            else:
                print(answer.text)
                _print_rest(answer)


def _print_rest(answer: Answer | None) -> None:
    if answer is None:
        return
    if answer.references:
        stdout.print("\nReferences")
        for reference in answer.references:
            print(_reference(reference))
    spent = ", ".join(f"{stage} {seconds * 1000:.0f} ms" for stage, seconds in answer.trace.seconds.items())
    stderr.print(f"[dim]{'kept answer; when it was made: ' if answer.is_cached else ''}{spent}[/dim]")


def _reference(reference: Reference) -> str:
    return f"[{reference.reference_id}] {reference.file_path}"


def _read_history(path: Path | None) -> tuple[Any, ...]:
    if path is None:
        return ()
    try:
        turns = json_module.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"the history {path} cannot be read: {error}") from error
    if not isinstance(turns, list):
        raise InvalidArgument(f"the history {path} is not a list of turns")
    return tuple(turns)


def _read_filter(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json_module.loads(text)
    except ValueError as error:
        raise InvalidArgument(f"the filter is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidArgument(f"the filter is not a JSON object: {text}")
    return value
