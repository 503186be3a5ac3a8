"""One chunk at the model: the first reply, then rounds that ask for what it has missed (gleaning).

What is known after each round is kept at once, under the key that a run with just so many rounds would look for: a run
that was ended goes on with the round it had reached, and one that asks for more rounds pays only for those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pgrag import calls, ledger, prompts
from pgrag.asking import ask, sent_tokens
from pgrag.chunking import Chunk
from pgrag.cleaning import CleanExtraction, clean_extraction
from pgrag.errors import UnreadableReply
from pgrag.flow import Flow
from pgrag.gleaning import capped, extraction_of, merge
from pgrag.models.protocols import ChatRequest, Message
from pgrag.models.replies import EXTRACTION_SCHEMA, parse_extraction
from pgrag.options import ExtractionOptions
from pgrag.setup import Setup
from pgrag.tokens import Tokenizer

MAX_SECTION_TOKENS = 256


@dataclass(frozen=True)
class Kept:
    """What is kept of a chunk: its cleaned records as JSON, after so many gleaning rounds."""

    reply: Mapping[str, Any]
    rounds: int


@dataclass(frozen=True)
class Reader:
    """Reads chunks with one set of options."""

    options: ExtractionOptions
    setup: Setup

    @property
    def rounds(self) -> int:
        """How many gleaning rounds there are at most; none with a provider that is no language model."""
        return self.options.max_gleaning if self.setup.models.is_language_model else 0

    def key(self, chunk: Chunk) -> str:
        """The key of what is read in this chunk: SHA-256, hex, of its text, and of its section where it has one."""
        section = section_line(chunk.section, self.setup.tokenizer)
        return prompts.digest(section, chunk.content) if section else content_hash(chunk.content)

    def read(self, chunk: Chunk, kept: Kept | None) -> Flow[Kept]:
        """The records of a chunk after all rounds, beginning with what is kept of it. Raises ModelError."""
        key, request = self.key(chunk), self.first_request(chunk)
        known = kept or (yield from self._keep(key, (yield from self._records(request)), 0, 0))
        while known.rounds < self.rounds:
            known = yield from self._glean(key, request, known)
        return known

    def first_request(self, chunk: Chunk) -> ChatRequest:
        """What the model is asked of a chunk at first."""
        section = section_line(chunk.section, self.setup.tokenizer)
        prompt = prompts.extraction(chunk.content, section, self.options)
        return ChatRequest("extract", prompt.system, prompt.user, schema=EXTRACTION_SCHEMA, text=chunk.content)

    def _glean(self, key: str, request: ChatRequest, known: Kept) -> Flow[Kept]:
        """One more round. Where it would send too much, or brings nothing new, it stands for all that would follow."""
        asked = gleaning_request(request, calls.as_json(known.reply), self.options)
        before, rounds = extraction_of(known.reply), known.rounds + 1
        limit = self.options.max_extract_input_tokens
        if limit and sent_tokens(asked, self.setup) > limit:
            return (yield from self._keep(key, before, rounds, self.rounds))
        after = merge(before, (yield from self._records(asked)))
        return (yield from self._keep(key, after, rounds, self.rounds if after == before else rounds))

    def _records(self, request: ChatRequest) -> Flow[CleanExtraction]:
        try:
            reply = parse_extraction((yield from ask(request, self.setup)).text)
        except UnreadableReply:
            # Rubbish is often a slip of sampling: it is asked once more, and then believed.
            reply = parse_extraction((yield from ask(request, self.setup)).text)
        return capped(clean_extraction(reply), self.options)

    def _keep(self, key: str, records: CleanExtraction, first: int, last: int) -> Flow[Kept]:
        """Keep records as what is known after these numbers of rounds."""
        reply = asdict(records)
        for rounds in range(first, last + 1):
            digest = prompts.extraction_digest(self.options, rounds)
            yield from ledger.keep_extraction(self.setup.workspace, key, self.setup.models.extract, digest, reply)
        return Kept(reply, last)


def gleaning_request(request: ChatRequest, reply: str, options: ExtractionOptions) -> ChatRequest:
    """The request that asks, after this reply to the first one, for what it has missed."""
    history = (Message("user", request.user), Message("assistant", reply))
    return replace(request, user=prompts.gleaning(options), history=history)


def section_line(section: str | None, tokenizer: Tokenizer) -> str:
    """A section as the prompt shows it: one line that cannot end its tag, of at most 256 tokens; "" for none."""
    line = " ".join((section or "").split()).replace("</", "< /")
    tokens = tokenizer.encode(line)
    return line if len(tokens) <= MAX_SECTION_TOKENS else tokenizer.decode(tokens[:MAX_SECTION_TOKENS]).rstrip("\ufffd")


def content_hash(text: str) -> str:
    """SHA-256 of a text, hex, as the database computes it."""
    return hashlib.sha256(text.encode()).hexdigest()
