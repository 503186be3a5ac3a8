"""`query`: ask a question."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pgrag.cli import query_options as option
from pgrag.cli.explained import print_explanation, print_trace, print_warnings
from pgrag.cli.options import Json, Url, Workspace, client, examples
from pgrag.cli.output import print_json
from pgrag.cli.query_options import FusionName, ModeName, PickMethod, read_filter, read_history
from pgrag.errors import InvalidArgument

if TYPE_CHECKING:
    from pgrag.client import PgRAG
    from pgrag.options import QueryOptions
    from pgrag.rows import Answer

EXAMPLES = examples(
    "pgrag query 'Who was Fezziwig?'",
    "pgrag query 'What changed in 2024?' --mode local --filter '{\"year\": \"2024\"}' --stream",
    "pgrag query 'Who visits Scrooge?' --context-only --json",
    "pgrag query 'Who visits Scrooge?' --explain",
)


class Show(StrEnum):
    """What is printed: only one of these at a time."""

    answer = "answer"
    stream = "--stream"
    context = "--context-only"
    prompt = "--prompt-only"
    explain = "--explain"


def query(
    text: Annotated[str, typer.Argument(metavar="QUESTION", help="The question.")],
    stream: Annotated[bool, typer.Option("--stream", help="Print the answer as it comes.")] = False,
    context_only: Annotated[
        bool, typer.Option("--context-only", help="Print what the model would be told; no answer is made.")
    ] = False,
    prompt_only: Annotated[
        bool, typer.Option("--prompt-only", help="Print the whole prompt that the model would get.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print what was looked at, and why it is, or is not, in the context.")
    ] = False,
    json: Json = False,
    mode: option.ModeOption = ModeName.mix,
    top_k: option.TopK = None,
    chunk_top_k: option.ChunkTopK = 20,
    max_distance: option.MaxDistance = 0.8,
    related_chunk_number: option.RelatedChunkNumber = 5,
    chunk_pick_method: option.ChunkPickMethod = PickMethod.vector,
    low_level_keywords: option.LowLevelKeywords = None,
    high_level_keywords: option.HighLevelKeywords = None,
    filter_: option.Filter = None,
    rerank: option.Rerank = True,
    min_rerank_score: option.MinRerankScore = 0.0,
    max_entity_tokens: option.MaxEntityTokens = 6000,
    max_relation_tokens: option.MaxRelationTokens = 8000,
    max_total_tokens: option.MaxTotalTokens = 30000,
    vector_weight: option.VectorWeight = 0.6,
    graph_weight: option.GraphWeight = 0.4,
    text_weight: option.TextWeight = 0.0,
    fusion: option.Fusion = FusionName.weighted,
    max_depth: option.MaxDepth = 1,
    relation_keywords: option.RelationKeywords = None,
    response_type: option.ResponseType = "Multiple Paragraphs",
    user_prompt: option.UserPrompt = None,
    system_prompt: option.SystemPrompt = None,
    history: option.History = None,
    cache: option.Cache = True,
    url: Url = None,
    workspace: Workspace = None,
) -> None:
    """Ask a question: the answer, and the numbered references it rests on."""
    show = _only_one(
        json, {Show.stream: stream, Show.context: context_only, Show.prompt: prompt_only, Show.explain: explain}
    )
    options = _options(
        mode=mode.value,
        top_k=top_k,
        chunk_top_k=chunk_top_k,
        max_entity_tokens=max_entity_tokens,
        max_relation_tokens=max_relation_tokens,
        max_total_tokens=max_total_tokens,
        max_distance=max_distance,
        related_chunk_number=related_chunk_number,
        chunk_pick_method=chunk_pick_method.value,
        enable_rerank=rerank,
        min_rerank_score=min_rerank_score,
        low_level_keywords=tuple(low_level_keywords or ()),
        high_level_keywords=tuple(high_level_keywords or ()),
        response_type=response_type,
        user_prompt=user_prompt,
        system_prompt=system_prompt,
        conversation_history=read_history(history),
        filter=read_filter(filter_),
        vector_weight=vector_weight,
        graph_weight=graph_weight,
        text_weight=text_weight,
        fusion=fusion.value,
        max_depth=max_depth,
        relation_keywords=tuple(relation_keywords or ()),
        use_cache=cache,
    )
    with client(url, workspace) as rag:
        _show(rag, text, options, show, json)


def _only_one(json: bool, given: dict[Show, bool]) -> Show:
    asked = [show for show, is_given in given.items() if is_given]
    if len(asked) > 1:
        raise typer.BadParameter(f"{asked[0]} and {asked[1]} print different things: give one of them")
    if json and Show.stream in asked:
        raise typer.BadParameter("--stream prints the answer as it comes, --json at its end: give one of them")
    return asked[0] if asked else Show.answer


def _options(**named: Any) -> QueryOptions:
    """The options; one out of its domain is wrong usage."""
    from pgrag.options import QueryOptions

    try:
        return QueryOptions(**named)
    except InvalidArgument as error:
        raise typer.BadParameter(str(error)) from error


def _show(rag: PgRAG, question: str, options: QueryOptions, show: Show, json: bool) -> None:
    if show is Show.prompt:
        prompt = rag.prompt(question, options)
        print_json({"prompt": prompt}) if json else print(prompt)
    elif show is Show.explain:
        explanation = rag.explain(question, options)
        print_json(explanation) if json else print_explanation(explanation)
    elif show is Show.context:
        found = rag.retrieve(question, options)
        print_json(found) if json else print(found.text)
        print_warnings(found.trace)
    elif show is Show.stream:
        pieces = rag.stream(question, options)
        for piece in pieces:
            print(piece, end="", flush=True)
        print()
        _print_rest(pieces.answer)
    elif json:
        print_json(rag.query(question, options))
    else:
        answer = rag.query(question, options)
        print(answer.text)
        _print_rest(answer)


def _print_rest(answer: Answer | None) -> None:
    if answer is None:
        return
    if answer.references:
        print("\nReferences")
        for reference in answer.references:
            print(f"[{reference.reference_id}] {reference.label}")
    print_trace(answer.trace)
