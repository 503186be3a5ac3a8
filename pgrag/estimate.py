"""What an ingest would ask of models, before anything is asked; what is kept already is taken into account.

Nothing is written. Prompts are counted; replies are guessed: the first as long as its text, a gleaned one half of that,
and names and descriptions that are embedded as long as the first reply. All rounds of gleaning are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from math import ceil

from pgrag import calls
from pgrag.asking import begin, sent_tokens
from pgrag.chunking import Chunk
from pgrag.documents import DocumentEstimate, Estimate, IngestEstimate, IngestOptions, NewDocument
from pgrag.embedding import BATCH
from pgrag.errors import UnknownWorkspace
from pgrag.extract import kept_readings
from pgrag.flow import Flow
from pgrag.options import ExtractionOptions
from pgrag.reading import Kept, Reader, content_hash, gleaning_request
from pgrag.setup import Setup


def estimate_ingest(documents: Sequence[NewDocument], options: IngestOptions, setup: Setup) -> Flow[IngestEstimate]:
    """What taking these documents in would ask. A workspace that is not there counts as an empty one."""
    try:
        rows = yield from calls.published_hashes(setup.workspace, [document.id for document in documents])
        published = {row.document: row.content_hash for row in rows}
        is_there = True
    except UnknownWorkspace:
        published, is_there = {}, False
    estimates = []
    for document in documents:
        if published.get(document.id) == content_hash(document.content):
            estimates.append(DocumentEstimate(id=document.id, status="unchanged"))
            continue
        chunks = options.chunks_of(document.content, setup.tokenizer, document.marks)
        cost = yield from estimate_chunks(chunks, options.extraction or ExtractionOptions(), setup, is_there)
        status = "changed" if document.id in published else "new"
        estimates.append(DocumentEstimate(id=document.id, status=status, **asdict(cost)))
    return IngestEstimate(tuple(estimates), total(estimates))


def estimate_chunks(
    chunks: Sequence[Chunk], options: ExtractionOptions, setup: Setup, is_there: bool = True
) -> Flow[Estimate]:
    """What reading and embedding these chunks would ask. `is_there`: whether the workspace exists."""
    reader = Reader(options, setup)
    keys = [reader.key(chunk) for chunk in chunks]
    kept = (yield from kept_readings(keys, reader)) if is_there else {}
    distinct = dict(zip(keys, chunks, strict=True))
    read = total(_reading(chunk, kept.get(key), reader) for key, chunk in distinct.items())
    whole = sum(key in kept and kept[key].rounds == reader.rounds for key in keys)
    # Once the text, once what is named in it.
    embedded = 2 * sum(chunk.token_count for chunk in chunks)
    requests = ceil(len(chunks) / BATCH) + bool(chunks)
    return replace(
        read,
        chunks=len(chunks),
        kept_chunks=whole,
        embedding_calls=requests,
        embedding_tokens=embedded,
        tokens=read.prompt_tokens + read.completion_tokens + embedded,
    )


def within_budget(chunks: Sequence[Chunk], options: ExtractionOptions, setup: Setup) -> Flow[None]:
    """Begin with a document only when the budget has room for all of it, or none else is under way.

    Raises BudgetExceeded once another could not go on.
    """
    if setup.meter.budget.limit is not None:
        cost = yield from estimate_chunks(chunks, options, setup)
        yield from begin(cost.tokens, setup)


def total(estimates: Iterable[Estimate]) -> Estimate:
    """All of them together."""
    return sum(estimates, Estimate())


def _reading(chunk: Chunk, kept: Kept | None, reader: Reader) -> Estimate:
    """The requests that are still to be sent of a chunk."""
    text = chunk.token_count
    frame = reader.first_request(replace(chunk, content=""))
    first = sent_tokens(frame, reader.setup) + text
    gleaned = sent_tokens(gleaning_request(frame, "", reader.options), reader.setup) + 2 * text
    limit = reader.options.max_extract_input_tokens
    rounds = 0 if limit and gleaned > limit else reader.rounds - (kept.rounds if kept else 0)
    is_first = kept is None
    return Estimate(
        calls=is_first + rounds,
        prompt_tokens=is_first * first + rounds * gleaned,
        completion_tokens=is_first * text + rounds * (text // 2),
    )
