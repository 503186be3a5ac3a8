"""How long work tells where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Where a stage stands: `done` of `total` (0: not known), of one document where the stage is a document's."""

    stage: str
    document: str
    done: int
    total: int


# Called from whatever thread did the work.
OnProgress = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Nobody is watching."""
