"""Question to answer, in the order it happens.

    cache → keywords → vectors → retrieve (one round trip) → context within the budget → answer → cache

Everything before the answer is `prepare`, so that a stream can hand out the answer piece by piece and then `finish` it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from pgrag import cache, calls, context, ledger, prompts, weighted
from pgrag.errors import InvalidArgument
from pgrag.flow import Flow, chat, embed
from pgrag.keywords import find_keywords
from pgrag.models.protocols import ChatReply, ChatRequest, Passage
from pgrag.options import QueryOptions, require_text
from pgrag.rows import Answer, Context, Keywords, Trace
from pgrag.setup import Setup

NO_KEYWORDS = "the model named no keywords: the question itself was searched for"
NO_ROOM = "max_total_tokens leaves no room beside the prompt and the question for anything that was found"
NOTHING_FOUND = "Nothing in this workspace answers the question."


@dataclass(frozen=True)
class Prepared:
    """A question that is ready to be answered: the request to the model, and what the answer will rest on."""

    question: str
    options: QueryOptions
    request: ChatRequest
    context: Context
    key: str | None


@dataclass(frozen=True)
class QuestionVectors:
    """The vectors of a question; None for a leg that is not asked, or that the question itself serves."""

    question: list[float] | None
    low_level: list[float] | None
    high_level: list[float] | None


def answer(question: str, options: QueryOptions, setup: Setup) -> Flow[Answer]:
    """The answer to a question. Without any find the answer says so and its context is empty.

    Raises InvalidArgument, UnknownWorkspace, EmbeddingMismatch, ModelError.
    """
    prepared = yield from prepare(question, options, setup)
    if isinstance(prepared, Answer):
        return prepared
    started = time.perf_counter()
    reply = yield from chat(prepared.request)
    return (yield from finish(prepared, reply, time.perf_counter() - started, setup))


def prepare(question: str, options: QueryOptions, setup: Setup) -> Flow[Prepared | Answer]:
    """Everything before the model answers; the answer itself when it is kept, or when nothing was found."""
    question = _checked(question)
    if options.mode == "bypass":
        return Prepared(question, options, _request(question, Context(), options), Context(), None)
    key = cache.answer_key(question, options, setup) if cache.is_cacheable(options) else None
    opened = (yield from cache.open_question(key, setup)) if key else cache.Opened(0, None)
    if opened.answer:
        return replace(opened.answer, is_cached=True)
    found = yield from _search(question, options, setup, opened.corpus_version)
    if not found:
        return Answer(NOTHING_FOUND, context=found, keywords=found.keywords, trace=found.trace)
    return Prepared(question, options, _request(question, found, options), found, key)


def finish(prepared: Prepared, reply: ChatReply, seconds: float, setup: Setup) -> Flow[Answer]:
    """The answer around the model's text; keeps it, and writes down what it cost."""
    found = prepared.context
    trace = replace(found.trace, seconds={**found.trace.seconds, "answer": seconds})
    made = Answer(reply.text, found.references, found, found.keywords, trace)
    if prepared.key:
        yield from cache.keep_answer(prepared.key, made, setup)
    if setup.models.is_language_model:
        yield from ledger.record_usage(
            setup.workspace,
            "answer",
            reply.model,
            calls=1,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
        )
    return made


def retrieve(question: str, options: QueryOptions, setup: Setup) -> Flow[Context]:
    """What would be told to the model, without asking it for an answer. Raises as `answer`."""
    if options.mode == "bypass":
        return Context()
    return (yield from _search(_checked(question), options, setup, corpus_version=0))


def prompt(question: str, options: QueryOptions, setup: Setup) -> Flow[str]:
    """The whole prompt that the model would get."""
    found = yield from retrieve(question, options, setup)
    request = _request(_checked(question), found, options)
    return f"{request.system}\n\n---User Query---\n\n{request.user}"


def _search(question: str, options: QueryOptions, setup: Setup, corpus_version: int) -> Flow[Context]:
    started = time.perf_counter()
    keywords = Keywords() if options.mode == "naive" else (yield from find_keywords(question, options, setup))
    after_keywords = time.perf_counter()
    vectors = yield from _embed_question(question, keywords, options, setup)
    after_embedding = time.perf_counter()
    there = yield from _look_up(question, keywords, vectors, options, setup)
    after_retrieval = time.perf_counter()
    if isinstance(there, context.Found):
        found = context.build(question, there, keywords, options, setup.tokenizer)
    else:
        found = context.build_ranked(question, there, keywords, options, setup.tokenizer)
    seconds = {
        "keywords": after_keywords - started,
        "embed": after_embedding - after_keywords,
        "retrieve": after_retrieval - after_embedding,
        "context": time.perf_counter() - after_retrieval,
    }
    is_without = options.mode != "naive" and setup.models.is_language_model and keywords == Keywords()
    warnings = {NO_KEYWORDS: is_without, NO_ROOM: bool(there) and not found}
    return replace(
        found, trace=Trace(corpus_version, seconds, tuple(text for text, holds in warnings.items() if holds))
    )


def _look_up(
    question: str, keywords: Keywords, vectors: QuestionVectors, options: QueryOptions, setup: Setup
) -> Flow[context.Found | context.Ranked]:
    """What is there, in one round trip: each kind in its order, or in weighted mode one list."""
    if options.mode != "weighted":
        rows = yield from calls.retrieve(
            setup.workspace, vectors.question, vectors.low_level, vectors.high_level, options
        )
        return context.sort_out(rows)
    names = keywords.low_level or (question,)
    hits = yield from weighted.retrieve_weighted(setup.workspace, question, vectors.question, names, options)
    return [weighted.item_of(hit) for hit in hits]


def _embed_question(question: str, keywords: Keywords, options: QueryOptions, setup: Setup) -> Flow[QuestionVectors]:
    """One request for all texts. Without a language model, or without keywords, the question serves every leg."""
    low, high = ", ".join(keywords.low_level), ", ".join(keywords.high_level)
    given = bool(options.low_level_keywords or options.high_level_keywords)
    if options.mode in ("naive", "weighted") or not (setup.models.is_language_model or given):
        low = high = ""
    texts = list(dict.fromkeys(text for text in (question, low, high) if text))
    vectors = yield from embed(texts)
    by_text = {text: vector.tolist() for text, vector in zip(texts, vectors, strict=True)}
    return QuestionVectors(by_text[question], by_text.get(low), by_text.get(high))


def _request(question: str, found: Context, options: QueryOptions) -> ChatRequest:
    bare = options.mode == "bypass"
    system = (options.system_prompt or "") if bare else prompts.answer_system(found.text, options)
    return ChatRequest(
        "answer",
        system,
        question,
        history=options.conversation_history,
        text=question,
        passages=tuple(Passage(chunk.content, chunk.reference_id) for chunk in found.chunks),
    )


def _checked(question: str) -> str:
    stripped = require_text("the question", question).replace("\x00", "").strip()
    if not stripped:
        raise InvalidArgument("the question is empty")
    return stripped
