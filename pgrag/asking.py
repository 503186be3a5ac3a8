"""Ask models within the budget, on the account of a document: what every flow of an ingest asks goes through here.

Where the server does not tell what a request cost, and for embeddings, of which none does, our own tokenizer's count
stands for it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from pgrag import ledger
from pgrag.budget import Meter, Usage
from pgrag.errors import PgragError, UnreadableReply
from pgrag.flow import Flow, chat, embed, pause
from pgrag.models.protocols import ChatReply, ChatRequest, Vectors
from pgrag.setup import Setup
from pgrag.tokens import Tokenizer

T = TypeVar("T")
LONGEST_EXPECTED_REPLY = 2048
"""Tokens; a text that is longer still is not expected to give a longer reply."""
_POLL_SECONDS = 0.05


def ask(request: ChatRequest, setup: Setup) -> Flow[ChatReply]:
    """The chat model's reply. Raises BudgetExceeded before anything is sent, ModelError."""
    budget, account = setup.meter.budget, (request.role, setup.models.of_role(request.role))
    reserved = 0
    if budget.limit is not None:
        expected = min(setup.tokenizer.count(request.text), LONGEST_EXPECTED_REPLY)
        reserved = sent_tokens(request, setup) + budget.reply_tokens(expected)
        yield from _reserve(reserved, setup.meter)
    cost = Usage()
    try:
        reply = yield from chat(request)
        cost = Usage(1, 0, reply.prompt_tokens, reply.completion_tokens)
        if not (reply.prompt_tokens or reply.completion_tokens):
            cost = Usage(1, 0, sent_tokens(request, setup), setup.tokenizer.count(reply.text))
        return reply
    except UnreadableReply:
        # The server worked on it, and does not say what that cost.
        cost = Usage(1, 0, sent_tokens(request, setup), 0)
        raise
    finally:
        budget.settle(reserved, cost.prompt_tokens, cost.completion_tokens)
        setup.meter.note(account, cost)


def embed_texts(texts: Sequence[str], setup: Setup) -> Flow[Vectors]:
    """float32 (texts, dimensions), in one request. Raises BudgetExceeded before anything is sent, ModelError."""
    tokens = sum(setup.tokenizer.counts(texts))
    yield from _reserve(tokens, setup.meter)
    cost = Usage()
    try:
        vectors = yield from embed(texts)
        cost = Usage(1, 0, tokens, 0)
        return vectors
    finally:
        setup.meter.budget.settle(tokens, cost.prompt_tokens, 0)
        setup.meter.note(("embed", setup.models.embedding), cost)


def begin(tokens: int, setup: Setup) -> Flow[None]:
    """Wait until the budget has room for a document that needs so many. Raises BudgetExceeded when it is spent."""
    meter = setup.meter
    while not meter.budget.promise(meter.document or "", tokens):
        yield from pause(_POLL_SECONDS)


def sent_tokens(request: ChatRequest, setup: Setup) -> int:
    """Tokens of everything that a request sends, by our tokenizer."""
    turns = (*(turn.content for turn in request.history), request.user)
    return _count_often(request.system, setup.tokenizer) + sum(setup.tokenizer.counts(turns))


def on_account(flow: Flow[T], setup: Setup) -> Flow[T]:
    """The flow's result. What it asked of models is written down, also when it fails."""
    try:
        result = yield from flow
    except Exception:
        with suppress(PgragError):
            yield from write_down(setup)
        raise
    yield from write_down(setup)
    return result


def write_down(setup: Setup, *, from_calls: int = 0) -> Flow[None]:
    """Write down what was asked and is not written yet, once it is so many requests."""
    if setup.meter.pending_calls < from_calls:
        return
    for (role, model), usage in setup.meter.take().items():
        if usage != Usage():
            yield from ledger.record_usage(
                setup.workspace,
                role,
                model,
                calls=usage.calls,
                cached=usage.cached,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                document=setup.meter.document,
            )


def metered(setup: Setup, document: str) -> Setup:
    """The setup with a meter of this document's own, within the same budget."""
    return replace(setup, meter=Meter(setup.meter.budget, document))


def _reserve(tokens: int, meter: Meter) -> Flow[None]:
    while not meter.budget.reserve(meter.document, tokens):
        yield from pause(_POLL_SECONDS)


@functools.lru_cache(maxsize=64)
def _count_often(text: str, tokenizer: Tokenizer) -> int:
    """Tokens of a text that is sent again and again: a system message."""
    return tokenizer.count(text)
