"""Why a question got the context it got: every candidate, kept or with the one reason why not.

The database says which candidates there were and what `retrieve` did with them. What happened to its chunks afterwards
(rerank, limit, token budget) is known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from pgrag import calls, query
from pgrag.errors import InvalidArgument
from pgrag.flow import Flow
from pgrag.options import QueryOptions
from pgrag.query import Finding
from pgrag.rerank import is_wanted
from pgrag.rows import Context, Explained, ItemLabel
from pgrag.setup import Setup


@dataclass(frozen=True, kw_only=True)
class Candidate(Explained):
    """A candidate for the context: a row of `explain_retrieve`, and what became of it until the prompt.

    kept, ordinal: whether the model is told of it, and at which place among its kind.
    reason: why it is not: duplicate, budget, limit, threshold or filter.
    label: its name; ends of a relation; path and place of a chunk.
    rerank_score: the reranker's, of a chunk that it scored and did not let fall.
    """

    label: str
    rerank_score: float | None = None


@dataclass(frozen=True)
class Explanation:
    """The candidates: entities, relations, chunks, of each kind the kept first; and the context that came of them."""

    candidates: tuple[Candidate, ...]
    context: Context


def explain(question: str, options: QueryOptions, setup: Setup) -> Flow[Explanation]:
    """What was looked at for a question, and why it is, or is not, in the context. Raises as `answer`."""
    if options.mode in ("bypass", "weighted"):
        raise InvalidArgument(f"mode {options.mode} cannot be explained", "one of local, global, hybrid, mix, naive")
    asked = yield from query.ask(question, options, setup)
    finding = yield from query.find(asked, options, setup, corpus_version=0)
    rows = yield from calls.explain_retrieve(
        setup.workspace,
        asked.vectors.question,
        asked.vectors.low_level,
        asked.vectors.high_level,
        options,
        max_chunks=0 if is_wanted(options, setup) else None,
    )
    kinds, ids = [row.kind for row in rows], [row.id for row in rows]
    labels = yield from calls.item_labels(setup.workspace, kinds, ids)
    return Explanation(tuple(settled(rows, labels, finding, options)), finding.context)


def settled(
    rows: Sequence[Explained], labels: Sequence[ItemLabel], finding: Finding, options: QueryOptions
) -> list[Candidate]:
    """The candidates as the context left them, of each kind the kept first."""
    names = {(each.kind, each.id): each.label for each in labels}
    told = _places(finding.context)
    scores = {chunk.id: chunk.rerank_score for chunk in finding.chosen.chunks}
    candidates = []
    for row in rows:
        made = Candidate(**asdict(row), label=names.get((row.kind, row.id), ""))
        if row.kept:
            place = told.get((row.kind, row.id))
            reason = None if place else _reason(row, finding, options)
            score = scores.get(row.id) if row.kind == "chunk" else None
            made = replace(made, kept=reason is None, reason=reason, ordinal=place, rerank_score=score)
        candidates.append(made)
    kinds = ("entity", "relation", "chunk")
    return sorted(candidates, key=lambda each: (kinds.index(each.kind), not each.kept, each.ordinal or 0))


def _places(context: Context) -> dict[tuple[str, int], int]:
    """The places, from 1, of what the model is told of."""
    ids = {
        "entity": [entity.id for entity in context.entities],
        "relation": [relation.id for relation in context.relations],
        "chunk": [chunk.id for chunk in context.chunks],
    }
    return {(kind, each): place for kind, found in ids.items() for place, each in enumerate(found, start=1)}


def _reason(row: Explained, finding: Finding, options: QueryOptions) -> str:
    """Why something that the database gave is not in the context."""
    if row.kind != "chunk":
        return "budget"
    if row.id in finding.below:
        return "threshold"
    within = {chunk.id for chunk in finding.chosen.chunks[: options.chunk_top_k]}
    return "budget" if row.id in within else "limit"
