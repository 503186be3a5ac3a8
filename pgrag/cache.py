"""What was asked before: answers, good for one version of the corpus, and keywords, good for their question.

The key of an answer holds everything that shapes it, except the corpus, whose version the database compares. It can be
known before anything is searched, so a hit costs one round trip and no model call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from pydantic import TypeAdapter

from pgrag import calls, prompts
from pgrag.flow import Flow
from pgrag.options import QueryOptions
from pgrag.rows import Answer, Keywords
from pgrag.setup import Setup

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
_KEYWORDS: TypeAdapter[Keywords] = TypeAdapter(Keywords)


@dataclass(frozen=True)
class Opened:
    """The corpus version that a question is asked of, and the answer if one is kept for it."""

    corpus_version: int
    answer: Answer | None


def answer_key(question: str, options: QueryOptions, setup: Setup) -> str:
    """Digest of everything that shapes an answer, except the corpus: question, options, templates, models."""
    asked = {field.name: getattr(options, field.name) for field in fields(options) if field.name != "use_cache"}
    made_by = {**asdict(setup.models), "rerank_part_tokens": setup.rerank_part_tokens}
    return prompts.digest(question, calls.as_json(_plain(asked)), prompts.question_digest(), calls.as_json(made_by))


def is_cacheable(options: QueryOptions) -> bool:
    """Answers within a conversation are neither looked up nor kept; bypass has no corpus to be stale against."""
    return options.use_cache and not options.conversation_history and options.mode != "bypass"


def open_question(key: str, setup: Setup) -> Flow[Opened]:
    """Look the question up: one round trip. Raises UnknownWorkspace."""
    (row,) = yield from calls.cached_reply(setup.workspace, "answer", key)
    answer = None if row.value is None else _ANSWER.validate_python(row.value)
    return Opened(row.corpus_version, answer)


def keep_answer(key: str, answer: Answer, setup: Setup) -> Flow[None]:
    """Keep an answer, unless the corpus has changed since it was opened."""
    value = _ANSWER.dump_python(answer, mode="json")
    yield from calls.keep_reply(setup.workspace, "answer", key, value, answer.trace.corpus_version)


def keywords_key(question: str, setup: Setup) -> str:
    """Digest of everything that shapes keywords; they do not depend on the corpus."""
    return prompts.digest(question, prompts.question_digest(), setup.models.keywords)


def kept_keywords(key: str, setup: Setup) -> Flow[Keywords | None]:
    """The keywords kept for a question."""
    (row,) = yield from calls.cached_reply(setup.workspace, "keywords", key)
    return None if row.value is None else _KEYWORDS.validate_python(row.value)


def keep_keywords(key: str, keywords: Keywords, setup: Setup) -> Flow[None]:
    """Keep the keywords of a question."""
    value = _KEYWORDS.dump_python(keywords, mode="json")
    yield from calls.keep_reply(setup.workspace, "keywords", key, value, None)


def _plain(value: Any) -> Any:
    """Mappings with sorted keys and sequences as lists, so that equal options give equal text."""
    if isinstance(value, Mapping):
        return {key: _plain(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
