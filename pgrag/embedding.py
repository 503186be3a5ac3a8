"""Embed many texts: batches, several under way at once, rows in the order of the texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pgrag.asking import embed_texts
from pgrag.flow import Flow, together
from pgrag.models.protocols import Vectors
from pgrag.setup import Setup

BATCH = 64


def embed_all(texts: Sequence[str], setup: Setup) -> Flow[Vectors]:
    """float32 (texts, dimensions). Raises BudgetExceeded, ModelError."""
    batches = [embed_texts(texts[start : start + BATCH], setup) for start in range(0, len(texts), BATCH)]
    if not batches:
        return np.empty((0, 0), dtype=np.float32)
    parts = yield from together(batches, width=setup.embedding_concurrency)
    return np.concatenate(parts)
