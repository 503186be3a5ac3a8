"""What chunks say: for each chunk what is kept of it, or what the model says, kept at once.

A reply is keyed by the chunk's text and section, the model and the prompt: it is paid for once, whatever happens to the
document or to the chunks beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pgrag import ledger, prompts
from pgrag.asking import write_down
from pgrag.budget import Usage
from pgrag.chunking import Chunk
from pgrag.errors import PgragError
from pgrag.flow import Flow, together
from pgrag.options import ExtractionOptions
from pgrag.reading import Kept, Reader
from pgrag.setup import Setup

CALLS_WRITTEN_AT_ONCE = 32


@dataclass(frozen=True)
class Said:
    """The records of a document's chunks, in reply order, as `publish_document` takes them."""

    entities: tuple[Mapping[str, Any], ...]
    relations: tuple[Mapping[str, Any], ...]


def extract_all(
    chunks: Sequence[Chunk], options: ExtractionOptions, setup: Setup, on_chunk: Callable[[], None]
) -> Flow[Said]:
    """What all chunks say, each record with the index of its chunk; as many are read at once as models may be asked.

    Chunks of the same text are read once. After a chunk that cannot be had no other is begun; what those under way
    give is kept, and then its error is raised (ModelError, BudgetExceeded).
    """
    reader = Reader(options, setup)
    keys = [reader.key(chunk) for chunk in chunks]
    kept = yield from kept_readings(keys, reader)
    often = Counter(keys)
    errors: list[PgragError] = []

    def one(chunk: Chunk, key: str) -> Flow[Mapping[str, Any]]:
        if errors:
            return {}
        try:
            reading = yield from reader.read(chunk, kept.get(key))
            # A book is read for hours: a run that is killed has written down nearly all that it spent.
            yield from write_down(setup, from_calls=CALLS_WRITTEN_AT_ONCE)
        except PgragError as error:
            errors.append(error)
            return {}
        for _ in range(often[key]):
            on_chunk()
        return reading.reply

    distinct = dict(zip(keys, chunks, strict=True))
    flows = [one(chunk, key) for key, chunk in distinct.items()]
    replies = yield from together(flows, width=setup.llm_concurrency)
    if errors:
        raise errors[0]
    _note_saved(keys, kept, reader)
    return _said(chunks, keys, dict(zip(distinct, replies, strict=True)))


def kept_readings(keys: Sequence[str], reader: Reader) -> Flow[dict[str, Kept]]:
    """What is kept under these keys, each after as many rounds as there are."""
    found: dict[str, Kept] = {}
    for rounds in range(reader.rounds, -1, -1):
        digest = prompts.extraction_digest(reader.options, rounds)
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            rows = yield from ledger.kept_extractions(
                reader.setup.workspace, missing, reader.setup.models.extract, digest
            )
            found.update({row.content_hash: Kept(row.reply, rounds) for row in rows})
    return found


def _note_saved(keys: Sequence[str], kept: Mapping[str, Kept], reader: Reader) -> None:
    saved = sum(key in kept and kept[key].rounds == reader.rounds for key in keys)
    reader.setup.meter.note(("extract", reader.setup.models.extract), Usage(cached=saved))


def _said(chunks: Sequence[Chunk], keys: Sequence[str], replies: Mapping[str, Mapping[str, Any]]) -> Said:
    pairs = [(chunk.index, replies[key]) for chunk, key in zip(chunks, keys, strict=True)]
    return Said(
        tuple({"chunk_index": index, **record} for index, reply in pairs for record in reply["entities"]),
        tuple({"chunk_index": index, **record} for index, reply in pairs for record in reply["relations"]),
    )
