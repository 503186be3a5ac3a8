"""One description out of many: LightRAG's rule of map and reduce.

Few and short descriptions stay as they are, joined. Over the limits the model writes one out of all; when they are more
than it may read at once, first one out of each group, then one out of those. A summary is made of what passages say,
never of an older summary, and that of each group is kept by its content: a change costs the groups that it touches.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pgrag import calls, ledger, prompts
from pgrag.asking import ask
from pgrag.flow import Flow, together
from pgrag.models.protocols import ChatRequest
from pgrag.rows import StaleItem
from pgrag.setup import Setup

SEPARATOR = "<SEP>"


@dataclass(frozen=True)
class SummaryLimits:
    """When descriptions are summarised: from so many of them, or from so many tokens; tokens that are read at once."""

    fragments: int = 8
    tokens: int = 1200
    context_tokens: int = 12000
    recommended_tokens: int = 600


LIMITS = SummaryLimits()


def summarize_all(items: Sequence[StaleItem], setup: Setup) -> Flow[int]:
    """Give each item its summary, or let its description stand where the limits allow: how many were settled."""
    flows = [summarize(item, setup) for item in items]
    summaries = yield from together(flows, width=setup.llm_concurrency)
    (settled,) = yield from calls.store_summaries(
        setup.workspace,
        [item.kind for item in items],
        [item.id for item in items],
        [item.text_hash for item in items],
        summaries,
    )
    return settled


def summarize(item: StaleItem, setup: Setup, limits: SummaryLimits = LIMITS) -> Flow[str | None]:
    """The summary of an item's descriptions; None where they may stand as they are. Raises ModelError."""
    fragments = item.description.split(SEPARATOR)
    while True:
        tokens = setup.tokenizer.counts(fragments)
        if sum(tokens) <= limits.context_tokens or len(fragments) <= 2:
            break
        groups = group_fragments(fragments, tokens, limits.context_tokens)
        fragments = yield from together(
            [_summary_of(item, group, setup, limits) for group in groups], width=setup.llm_concurrency
        )
    if len(fragments) == 1:
        return None if fragments[0] == item.description else fragments[0]
    if len(fragments) < limits.fragments and sum(tokens) < limits.tokens:
        joined = SEPARATOR.join(fragments)
        return None if joined == item.description else joined
    return (yield from _summary_of(item, fragments, setup, limits))


def group_fragments(fragments: Sequence[str], tokens: Sequence[int], context_tokens: int) -> list[list[str]]:
    """Runs of fragments that fit into the context, in order; a run that would hold one takes the next one in, too.

    The last may hold one all the same.
    """
    groups: list[list[str]] = [[]]
    size = 0
    for fragment, count in zip(fragments, tokens, strict=True):
        if len(groups[-1]) >= 2 and size + count > context_tokens:
            groups.append([])
            size = 0
        groups[-1].append(fragment)
        size += count
    return groups


def _summary_of(item: StaleItem, fragments: Sequence[str], setup: Setup, limits: SummaryLimits) -> Flow[str]:
    if len(fragments) == 1:
        return fragments[0]
    lines = _lines_within(fragments, setup, limits.context_tokens)
    asked = prompts.Summary(item.kind, item.name, tuple(lines), limits.recommended_tokens)
    prompt, digest = prompts.summary(asked), prompts.summary_digest(asked)
    key = prompts.digest(item.kind, item.name, *lines)
    kept = yield from ledger.kept_summaries(setup.workspace, [key], setup.models.summary, digest)
    if kept:
        return kept[0].summary
    reply = yield from ask(ChatRequest("summary", prompt.system, prompt.user, text="\n".join(fragments)), setup)
    text = _one_fragment(reply.text)
    yield from ledger.keep_summary(setup.workspace, key, setup.models.summary, digest, text)
    return text


def _lines_within(fragments: Sequence[str], setup: Setup, context_tokens: int) -> list[str]:
    """The fragments as lines of JSON, as many as fit into the context; the first one always."""
    lines = [json.dumps({"Description": fragment}, ensure_ascii=False) for fragment in fragments]
    kept: list[str] = []
    size = 0
    for line, count in zip(lines, setup.tokenizer.counts([line + "\n" for line in lines]), strict=True):
        size += count
        if kept and size > context_tokens:
            break
        kept.append(line)
    return kept


def _one_fragment(text: str) -> str:
    """A reply as one fragment: what it says, without the mark that sets fragments apart."""
    return " ".join(part.strip() for part in text.split(SEPARATOR) if part.strip())
