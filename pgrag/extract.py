"""What chunks say: for each chunk the kept reply, or the model's, cleaned, and kept at once.

A reply is keyed by the chunk's text, the model and the prompt: it is paid for once, whatever happens to the document.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pgrag import calls, prompts
from pgrag.chunking import Chunk
from pgrag.cleaning import clean_extraction
from pgrag.errors import UnreadableReply
from pgrag.flow import Flow, chat, together
from pgrag.models.protocols import ChatReply, ChatRequest
from pgrag.models.replies import EXTRACTION_SCHEMA, parse_extraction
from pgrag.prompts import ExtractionOptions
from pgrag.setup import Setup


@dataclass(frozen=True)
class Extracted:
    """The cleaned records of one chunk, as they are kept, and what they cost (0 calls: they were kept)."""

    reply: Mapping[str, Any]
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Said:
    """The records of a document's chunks, in reply order, as `publish_document` takes them."""

    entities: tuple[Mapping[str, Any], ...]
    relations: tuple[Mapping[str, Any], ...]


def extract_all(
    chunks: Sequence[Chunk], options: ExtractionOptions, setup: Setup, on_chunk: Callable[[], None]
) -> Flow[list[Extracted]]:
    """The records of every chunk, in the order of the chunks; as many at once as the models may be asked.

    Raises ModelError when a chunk cannot be had; what the others gave is kept.
    """
    digest = prompts.extraction_digest(options)
    hashes = [content_hash(chunk.content) for chunk in chunks]
    rows = yield from calls.kept_extractions(setup.workspace, hashes, setup.models.extract, digest)
    kept = {row.content_hash: Extracted(row.reply) for row in rows}

    def one(chunk: Chunk, key: str) -> Flow[Extracted]:
        found = kept.get(key) or (yield from _ask_and_keep(chunk, key, digest, options, setup))
        on_chunk()
        return found

    flows = [one(chunk, key) for chunk, key in zip(chunks, hashes, strict=True)]
    return (yield from together(flows, width=setup.llm_concurrency))


def said_by(chunks: Sequence[Chunk], extracted: Sequence[Extracted]) -> Said:
    """The records of all chunks, each with the index of its chunk."""
    pairs = list(zip(chunks, extracted, strict=True))
    return Said(
        tuple({"chunk_index": chunk.index, **record} for chunk, found in pairs for record in found.reply["entities"]),
        tuple({"chunk_index": chunk.index, **record} for chunk, found in pairs for record in found.reply["relations"]),
    )


def content_hash(text: str) -> str:
    """SHA-256 of a text, hex, as the database computes it."""
    return hashlib.sha256(text.encode()).hexdigest()


def _ask_and_keep(chunk: Chunk, key: str, digest: str, options: ExtractionOptions, setup: Setup) -> Flow[Extracted]:
    prompt = prompts.extraction(chunk.content, options)
    request = ChatRequest("extract", prompt.system, prompt.user, schema=EXTRACTION_SCHEMA, text=chunk.content)
    first = yield from chat(request)
    replies = [first]
    try:
        parsed = parse_extraction(first.text)
    except UnreadableReply:
        # Rubbish is often a slip of sampling: it is asked once more, and then believed.
        again = yield from chat(request)
        replies.append(again)
        parsed = parse_extraction(again.text)
    reply = asdict(clean_extraction(parsed))
    yield from calls.keep_extraction(setup.workspace, key, setup.models.extract, digest, reply)
    return _with_cost(reply, replies)


def _with_cost(reply: Mapping[str, Any], replies: Sequence[ChatReply]) -> Extracted:
    return Extracted(
        reply,
        len(replies),
        sum(each.prompt_tokens for each in replies),
        sum(each.completion_tokens for each in replies),
    )
