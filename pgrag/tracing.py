"""What the stages of a question took and gave, in numbers, and how long they took, for its trace."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping

from pgrag.context import Found
from pgrag.rerank import Reranked
from pgrag.rows import Context, Keywords, Stage, Trace

_FAILED = "failed: "


class Stopwatch:
    """Seconds by stage: each lap is what has passed since the one before."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._begun = time.perf_counter()

    def lap(self, stage: str) -> None:
        """The stage has ended."""
        now = time.perf_counter()
        self.seconds[stage], self._begun = now - self._begun, now


def keywords_stage(keywords: Keywords) -> Stage:
    """How many keywords of each level are searched for."""
    return Stage("keywords", given={"high_level": len(keywords.high_level), "low_level": len(keywords.low_level)})


def retrieve_stage(found: Found) -> Stage:
    """What the database gave, by kind and leg."""
    legs = Counter(
        [
            *(f"entity {entity.source}" for entity in found.entities),
            *(f"relation {relation.leg}" for relation in found.relations),
            *(f"chunk {chunk.source}" for chunk in found.chunks),
        ]
    )
    return Stage("retrieve", given=dict(sorted(legs.items())))


def rerank_stage(found: Found, reranked: Reranked, reranker: str) -> Stage:
    """What the reranker left of the chunks."""
    below, given = len(reranked.below), len(reranked.chunks)
    dropped = {"threshold": below, "limit": len(found.chunks) - below - given}
    note = reranker if reranked.failure is None else f"{_FAILED}{reranked.failure}"
    return Stage("rerank", {"chunk": len(found.chunks)}, {"chunk": given}, _above_zero(dropped), note)


def was_unranked(trace: Trace) -> bool:
    """Whether a reranker was asked and failed."""
    return any(stage.name == "rerank" and stage.note.startswith(_FAILED) for stage in trace.stages)


def context_stage(found: Found, context: Context, chunk_top_k: int) -> Stage:
    """What the context has room for: chunks beyond `chunk_top_k` fall by the limit, all others by the budget."""
    taken = {"entity": len(found.entities), "relation": len(found.relations), "chunk": len(found.chunks)}
    given = {"entity": len(context.entities), "relation": len(context.relations), "chunk": len(context.chunks)}
    limit = max(0, taken["chunk"] - chunk_top_k)
    dropped = {"limit": limit, "budget": sum(taken.values()) - sum(given.values()) - limit}
    return Stage("context", taken, given, _above_zero(dropped))


def _above_zero(counts: Mapping[str, int]) -> dict[str, int]:
    return {reason: count for reason, count in counts.items() if count}
