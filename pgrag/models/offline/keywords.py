"""The keywords of a question: names and terms on the low level, the other words of content on the high one.

They are there to be seen. What is searched with is the whole question: without a language model to make them, keywords
that lack the names lose most of the recall.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pgrag.models.offline.chinese import ends_like_a_term, segments, terms
from pgrag.models.offline.language import has_han, words
from pgrag.models.offline.names import names
from pgrag.models.offline.words import QUESTION_WORDS

_CHINESE_QUESTION = re.compile("請問|请问|告訴我|告诉我|什麼樣|什么样|簡述|简述|解釋|解释|說明|说明")


def keywords(question: str) -> str:
    """The reply to a keyword request, as JSON. A level with nothing of its own has what the other has."""
    low = list(dict.fromkeys(_names(question)))
    high = list(dict.fromkeys(phrase for phrase in _phrases(question) if phrase not in low))
    return json.dumps({"high_level_keywords": high or low, "low_level_keywords": low or high}, ensure_ascii=False)


def _names(question: str) -> Iterator[str]:
    chinese = [mention for found in terms([question]) for mention in found]
    for mention in sorted([*names(question), *chinese], key=lambda mention: mention.start):
        if mention.key not in QUESTION_WORDS:
            yield mention.name
    for text, _ in _chinese(question):
        if ends_like_a_term(text):
            yield text


def _phrases(question: str) -> Iterator[str]:
    """Words of content that stand together are one phrase; names break it."""
    taken = [(mention.start, mention.end) for mention in names(question)]
    phrase: list[str] = []
    end = 0
    for word in words(question):
        is_name = any(start <= word.start < stop for start, stop in taken)
        is_content = not (is_name or word.is_function or word.key in QUESTION_WORDS or len(word.key) < 2)
        if phrase and not (is_content and question[end : word.start].strip() == ""):
            yield " ".join(phrase)
            phrase = []
        if is_content:
            phrase.append(word.base)
        end = word.end
    if phrase:
        yield " ".join(phrase)
    for text, _ in _chinese(question):
        yield text


def _chinese(question: str) -> list[tuple[str, int]]:
    return segments(_CHINESE_QUESTION.sub(" ", question)) if has_han(question) else []
