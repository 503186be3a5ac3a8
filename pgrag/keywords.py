"""The keywords of a question: the caller's, or kept ones, or the model's."""

from __future__ import annotations

from pgrag import cache, ledger, prompts
from pgrag.errors import UnreadableReply
from pgrag.flow import Flow, chat
from pgrag.models.protocols import ChatRequest
from pgrag.models.replies import KEYWORDS_SCHEMA, parse_keywords
from pgrag.options import QueryOptions
from pgrag.rows import Keywords
from pgrag.setup import Setup


def find_keywords(question: str, options: QueryOptions, setup: Setup) -> Flow[Keywords]:
    """The keywords to search with. A reply that cannot be read counts as none: the question then serves every leg."""
    if options.low_level_keywords or options.high_level_keywords:
        return Keywords(options.high_level_keywords, options.low_level_keywords)
    if not setup.models.is_language_model or not options.use_cache:
        return (yield from _ask(question, setup))
    key = cache.keywords_key(question, setup)
    kept = yield from cache.kept_keywords(key, setup)
    if kept is not None:
        return kept
    found = yield from _ask(question, setup)
    if found != Keywords():
        yield from cache.keep_keywords(key, found, setup)
    return found


def _ask(question: str, setup: Setup) -> Flow[Keywords]:
    prompt = prompts.keywords(question)
    request = ChatRequest("keywords", prompt.system, prompt.user, schema=KEYWORDS_SCHEMA, text=question)
    reply = yield from chat(request)
    if setup.models.is_language_model:
        yield from ledger.record_usage(
            setup.workspace,
            "keywords",
            reply.model,
            calls=1,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
        )
    try:
        parsed = parse_keywords(reply.text)
    except UnreadableReply:
        return Keywords()
    return Keywords(parsed.high_level, parsed.low_level)
