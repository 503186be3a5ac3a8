"""Chunks in the order of their use for the question, as a reranking model sees it.

A text that is too long for such models is split, and scored by its best part. Whatever the reranker does wrong, the
question is answered: the chunks then keep the order that retrieval gave them.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pgrag import ledger
from pgrag.chunking import ByTokens, ChunkSize
from pgrag.errors import PgragError, UnreadableReply
from pgrag.flow import Flow, rerank
from pgrag.models.rerank_wire import Scores, checked_scores
from pgrag.options import QueryOptions
from pgrag.rows import ContextChunk
from pgrag.setup import Setup
from pgrag.tokens import Tokenizer

OVERLAP_SHARE = 15
"""A part repeats a fifteenth of the one before: 32 of 480 tokens."""

log = logging.getLogger("pgrag.rerank")


@dataclass(frozen=True)
class Reranked:
    """Chunks, best first, each with its score; as they were and without one, when `failure` says what went wrong.

    below: ids of those whose score was below `min_rerank_score`.
    """

    chunks: tuple[ContextChunk, ...]
    below: tuple[int, ...] = ()
    failure: str | None = None


@dataclass(frozen=True)
class Part:
    """A stretch of a chunk's text, and the place of that chunk."""

    place: int
    text: str
    token_count: int


def is_wanted(options: QueryOptions, setup: Setup) -> bool:
    """Whether chunks are reranked: it is not switched off, and there is a reranker."""
    return options.enable_rerank and setup.models.rerank is not None


def rerank_chunks(question: str, chunks: Sequence[ContextChunk], options: QueryOptions, setup: Setup) -> Flow[Reranked]:
    """The best `chunk_top_k` chunks by score, without those below `min_rerank_score` (above 0)."""
    if not chunks:
        return Reranked(())
    parts = split(chunks, setup.rerank_part_tokens, setup.tokenizer)
    top_n = options.chunk_top_k if len(parts) == len(chunks) else len(parts)
    reply = yield from _ask(question, parts, top_n)
    if reply.has_cost:
        yield from _write_down(question, parts, setup)
    if reply.failure is not None:
        log.warning("the chunks keep the order of retrieval: %s", reply.failure)
        return Reranked(tuple(chunks), failure=reply.failure)
    return _chosen(chunks, best_scores(parts, reply.scores), options)


def split(chunks: Sequence[ContextChunk], most_tokens: int, tokenizer: Tokenizer) -> list[Part]:
    """Each chunk whole, or in parts of at most so many tokens (0: any number), in order."""
    size = ChunkSize(most_tokens, most_tokens // OVERLAP_SHARE) if most_tokens else None
    parts: list[Part] = []
    for place, chunk in enumerate(chunks):
        if size is None or chunk.token_count <= size.tokens:
            parts.append(Part(place, chunk.content, chunk.token_count))
            continue
        for span in ByTokens().spans(chunk.content, tokenizer, size):
            parts.append(Part(place, chunk.content[span.start : span.end], span.token_count))
    return parts


def best_scores(parts: Sequence[Part], scores: Scores) -> dict[int, float]:
    """The score of each chunk, by its place: that of its best part."""
    best: dict[int, float] = {}
    for index, score in scores:
        place = parts[index].place
        best[place] = max(score, best.get(place, score))
    return best


def _chosen(chunks: Sequence[ContextChunk], scores: dict[int, float], options: QueryOptions) -> Reranked:
    ranked = sorted(scores, key=lambda place: (-scores[place], place))
    least = options.min_rerank_score if options.min_rerank_score > 0 else -math.inf
    enough = tuple(replace(chunks[place], rerank_score=scores[place]) for place in ranked if scores[place] >= least)
    below = tuple(chunks[place].id for place in ranked if scores[place] < least)
    return Reranked(enough[: options.chunk_top_k], below)


@dataclass(frozen=True)
class Reply:
    """The scores of parts, or why there are none; `has_cost`: the server has worked on it."""

    scores: Scores = field(default_factory=list)
    failure: str | None = None
    has_cost: bool = True


def _ask(question: str, parts: Sequence[Part], top_n: int) -> Flow[Reply]:
    try:
        scores = yield from rerank(question, [part.text for part in parts], top_n)
        return Reply(checked_scores(scores, len(parts), top_n))
    except UnreadableReply as error:
        return Reply(failure=error.message)
    except PgragError as error:
        return Reply(failure=error.message, has_cost=False)
    except Exception as error:  # a provider of the caller's own may raise anything
        return Reply(failure=f"{type(error).__name__}: {error}", has_cost=False)


def _write_down(question: str, parts: Sequence[Part], setup: Setup) -> Flow[None]:
    tokens = setup.tokenizer.count(question) + sum(part.token_count for part in parts)
    yield from ledger.record_usage(setup.workspace, "rerank", setup.models.rerank or "", calls=1, prompt_tokens=tokens)
