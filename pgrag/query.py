"""Question to answer, in the order it happens.

    cache → keywords → vectors → retrieve (one round trip) → rerank → context within the budget → answer → cache

Everything before the answer is `prepare`, so that a stream can hand out the answer piece by piece and then `finish` it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pgrag import cache, calls, context, ledger, prompts, weighted
from pgrag.context import Found
from pgrag.errors import InvalidArgument
from pgrag.flow import Flow, chat, embed
from pgrag.keywords import find_keywords
from pgrag.models.protocols import ChatReply, ChatRequest, Passage
from pgrag.options import QueryOptions, require_text
from pgrag.rerank import Reranked, is_wanted, rerank_chunks
from pgrag.rows import Answer, Context, Keywords, Stage, Trace
from pgrag.setup import Setup
from pgrag.tracing import Stopwatch, context_stage, keywords_stage, rerank_stage, retrieve_stage, was_unranked

NOT_RERANKED = "the chunks are not reranked: {}"
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


@dataclass(frozen=True)
class Asked:
    """A question as it is searched for: its keywords and vectors, and the seconds that finding them took."""

    question: str
    keywords: Keywords
    vectors: QuestionVectors
    seconds: Mapping[str, float]


@dataclass(frozen=True)
class Finding:
    """The context, what it was built of, and the ids of chunks that the reranker scored too low to be in that."""

    context: Context
    chosen: Found
    below: tuple[int, ...] = ()


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
        kept = opened.answer
        return replace(kept, is_cached=True, trace=replace(kept.trace, cache="hit"))
    found = yield from _search(question, options, setup, opened.corpus_version)
    found = replace(found, trace=replace(found.trace, cache="miss" if key else "off"))
    if not found:
        return Answer(NOTHING_FOUND, context=found, keywords=found.keywords, trace=found.trace)
    # An answer made without the reranker is not to be given once it is back.
    key = None if was_unranked(found.trace) else key
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
    asked = yield from ask(question, options, setup)
    return (yield from find(asked, options, setup, corpus_version)).context


def ask(question: str, options: QueryOptions, setup: Setup) -> Flow[Asked]:
    """What is searched for. Asks models, not the corpus. Raises InvalidArgument for a blank question."""
    question = _checked(question)
    watch = Stopwatch()
    keywords = Keywords() if options.mode == "naive" else (yield from find_keywords(question, options, setup))
    watch.lap("keywords")
    vectors = yield from _embed_question(question, keywords, options, setup)
    watch.lap("embed")
    return Asked(question, keywords, vectors, watch.seconds)


def find(asked: Asked, options: QueryOptions, setup: Setup, corpus_version: int) -> Flow[Finding]:
    """What the corpus has for it: retrieved, reranked where that is wanted, cut to the budget."""
    if options.mode == "weighted":
        return (yield from _find_weighted(asked, options, setup, corpus_version))
    watch, vectors = Stopwatch(), asked.vectors
    max_chunks = 0 if is_wanted(options, setup) else None
    rows = yield from calls.retrieve(
        setup.workspace, vectors.question, vectors.low_level, vectors.high_level, options, max_chunks
    )
    merged = context.sort_out(rows)
    watch.lap("retrieve")
    stages, reranked = [keywords_stage(asked.keywords), retrieve_stage(merged)], Reranked(merged.chunks)
    if is_wanted(options, setup):
        reranked = yield from rerank_chunks(asked.question, merged.chunks, options, setup)
        stages.append(rerank_stage(merged, reranked, setup.models.rerank or ""))
        watch.lap("rerank")
    chosen = replace(merged, chunks=reranked.chunks)
    found = context.build(asked.question, chosen, asked.keywords, options, setup.tokenizer)
    watch.lap("context")
    stages.append(context_stage(chosen, found, options.chunk_top_k))
    warnings = {
        NO_KEYWORDS: _is_without_keywords(asked, options, setup),
        NOT_RERANKED.format(reranked.failure): reranked.failure is not None,
        NO_ROOM: bool(chosen) and not found,
    }
    trace = _trace(asked, watch, stages, warnings, corpus_version)
    return Finding(replace(found, trace=trace), chosen, reranked.below)


def _find_weighted(asked: Asked, options: QueryOptions, setup: Setup, corpus_version: int) -> Flow[Finding]:
    """One list of chunks and triples, best first. Its scores are its order: no reranker is asked."""
    watch = Stopwatch()
    names = asked.keywords.low_level or (asked.question,)
    hits = yield from weighted.retrieve_weighted(
        setup.workspace, asked.question, asked.vectors.question, names, options
    )
    ranked = [weighted.item_of(hit) for hit in hits]
    chosen = context.of_one_list(ranked)
    watch.lap("retrieve")
    found = context.build_ranked(asked.question, ranked, asked.keywords, options, setup.tokenizer)
    watch.lap("context")
    stages = [keywords_stage(asked.keywords), retrieve_stage(chosen), context_stage(chosen, found, len(ranked))]
    warnings = {
        NO_KEYWORDS: _is_without_keywords(asked, options, setup),
        NO_ROOM: bool(ranked) and not found,
    }
    return Finding(replace(found, trace=_trace(asked, watch, stages, warnings, corpus_version)), chosen)


def _is_without_keywords(asked: Asked, options: QueryOptions, setup: Setup) -> bool:
    return options.mode != "naive" and setup.models.is_language_model and asked.keywords == Keywords()


def _trace(
    asked: Asked, watch: Stopwatch, stages: Sequence[Stage], warnings: Mapping[str, bool], corpus_version: int
) -> Trace:
    given = tuple(text for text, holds in warnings.items() if holds)
    return Trace(corpus_version, {**asked.seconds, **watch.seconds}, given, tuple(stages))


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
