"""Bring vectors and token counts of entities and relations in step with their texts, batch by short batch.

What changes while a batch is at the model stays stale and is asked for again.
"""

from __future__ import annotations

from collections.abc import Callable

from pgrag import calls
from pgrag.embedding import embed_all
from pgrag.flow import Flow
from pgrag.setup import Setup

BATCH = 512


def refresh(setup: Setup, on_batch: Callable[[int], None] = lambda count: None) -> Flow[int]:
    """Refresh until nothing is stale: how many items. Raises ModelError; what was done stays done."""
    total = 0
    while pending := (yield from calls.refresh_pending(setup.workspace, BATCH)):
        vectors = yield from embed_all([item.embedded_text for item in pending], setup)
        (stored,) = yield from calls.store_refreshed(
            setup.workspace,
            [item.id for item in pending if item.kind == "entity"],
            [item.id for item in pending if item.kind == "relation"],
            [item.text_hash for item in pending],
            vectors,
            [setup.tokenizer.count(item.line + "\n") for item in pending],
        )
        total += stored
        on_batch(stored)
    return total
