"""Bring descriptions, vectors and token counts of entities and relations in step, batch by short batch.

First descriptions that have grown too long are summarised, then what changed is embedded. What changes while a batch is
at the model stays stale and is asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pgrag import calls
from pgrag.asking import on_account
from pgrag.embedding import embed_all
from pgrag.flow import Flow, together
from pgrag.rows import StaleItem
from pgrag.setup import Setup
from pgrag.summarize import summarize_all

BATCH = 512
# A batch is stored in parts, several at once: most of the work is the server's, which puts each vector into its index.
_PART = 128


def refresh(setup: Setup, on_batch: Callable[[int], None] = lambda count: None) -> Flow[int]:
    """Refresh until nothing is stale: how many items were embedded.

    Raises BudgetExceeded, ModelError; what was done stays done.
    """
    return (yield from on_account(_refresh(setup, on_batch), setup))


def _refresh(setup: Setup, on_batch: Callable[[int], None]) -> Flow[int]:
    total = 0
    while pending := (yield from calls.refresh_pending(setup.workspace, BATCH)):
        unsummarized = [item for item in pending if item.wants == "summary"]
        if unsummarized:
            yield from summarize_all(unsummarized, setup)
            continue
        parts = [pending[start : start + _PART] for start in range(0, len(pending), _PART)]
        stored = sum((yield from together([_embed(part, setup) for part in parts])))
        total += stored
        on_batch(stored)
    return total


def _embed(items: Sequence[StaleItem], setup: Setup) -> Flow[int]:
    vectors = yield from embed_all([item.embedded_text for item in items], setup)
    (stored,) = yield from calls.store_refreshed(
        setup.workspace,
        [item.id for item in items if item.kind == "entity"],
        [item.id for item in items if item.kind == "relation"],
        [item.text_hash for item in items],
        vectors,
        setup.tokenizer.counts([item.line + "\n" for item in items]),
    )
    return stored
