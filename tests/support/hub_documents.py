"""Documents that share entities, as the stub model reads them: every one speaks of the same few hubs."""

from __future__ import annotations

import random
from dataclasses import dataclass

from pgrag.chunking import ChunkSize
from pgrag.documents import IngestOptions
from pgrag.options import ExtractionOptions

HUBS = ("Ada", "Babbage", "London", "Analytical Engine")
# One request a chunk: what is asked twice is then paid for twice.
OPTIONS = IngestOptions(chunk_size=ChunkSize(24, 0), extraction=ExtractionOptions(max_gleaning=0))
"""Small chunks: a document has several, so that half of one could be seen."""


@dataclass(frozen=True)
class HubDocument:
    """A document in the version that is taken in first, if any, and the one that is taken in then."""

    id: str
    old: str | None
    new: str


def hub_documents(count: int, *, sentences: int = 8, every_second_is_old: bool = True) -> list[HubDocument]:
    """Documents that depend on their number alone; each second one replaces an older version."""
    return [
        HubDocument(
            f"document {number:03}",
            _text(number, sentences, "yesterday") if every_second_is_old and number % 2 else None,
            _text(number, sentences, "today"),
        )
        for number in range(count)
    ]


def _text(number: int, sentences: int, when: str) -> str:
    chosen = random.Random(f"{number} {when}")
    return " ".join(
        f"{chosen.choice(HUBS)} wrote to Person{number} about {chosen.choice(HUBS)} "
        f"and Topic{chosen.randrange(2 * number + 2)} {when}."
        for _ in range(sentences)
    )
