"""Answers and summaries without a language model: what the documents say, word for word, and no word of our own.

An answer says first that no language model wrote it. Then come the sentences nearest to the question, each with the
number of the passage it stands in.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pgrag.models.offline.language import HAN, content_words, has_han, readable, sentences
from pgrag.models.protocols import Passage, Vectors

NO_MODEL = "No language model is configured: these are the best matching passages, quoted word for word."
NO_MODEL_CHINESE = "未配置語言模型：以下是最相符的原文引用。"
NOTHING = (
    "No language model is configured, and no matching passage was found in the documents, so there is nothing to "
    "quote. Without a language model there is no answer without documents."
)
QUOTES = 5
SUMMARY_CHARACTERS = 1200
_QUOTE_CHARACTERS = 600
_SHORTLIST = 24
_SHORT = 60
_CHINESE_ENDS = ("。", "！", "？", "；")
_ORDER_PENALTY = 0.01
_LEXICAL_SHARE = 0.2

Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True)
class _Candidate:
    quote: str
    passage: int
    reference_id: str
    overlap: float


def answer(question: str, passages: Sequence[Passage], embed: Embed) -> str:
    """Up to five quotations, best first, under a line that says what they are; NOTHING when there is no passage.

    Sentences are ranked by the similarity of their embeddings to the question's, by shared words, and by the order of
    the passages. The embedding model is an English one: a Chinese question is ranked by shared characters in pairs.
    """
    candidates = _shortlist(question, passages)
    if not candidates:
        return NOTHING
    scores = _scores(question, candidates, embed)
    best = sorted(range(len(candidates)), key=lambda index: (-scores[index], index))[:QUOTES]
    quotes = [_quotation(candidates[index]) for index in best]
    notice = f"{NO_MODEL} {NO_MODEL_CHINESE}" if has_han(question) else NO_MODEL
    return "\n\n".join([notice, *quotes])


def summary(text: str) -> str:
    """The distinct sentences of the text in order, as many as fit in about 1,200 characters; the first one always.

    A line of the text is a statement of its own: descriptions come one a line.
    """
    kept: list[str] = []
    size = 0
    for sentence in dict.fromkeys(sentence for line in text.splitlines() for sentence in sentences(line)):
        clean = readable(sentence, SUMMARY_CHARACTERS)
        if not kept or size + len(clean) < SUMMARY_CHARACTERS:
            kept.append(clean)
            size += len(clean) + 1
    return _joined(kept)


def _quotation(candidate: _Candidate) -> str:
    reference = f" [{candidate.reference_id}]" if candidate.reference_id else ""
    return f"> {readable(candidate.quote, _QUOTE_CHARACTERS)}{reference}"


def _shortlist(question: str, passages: Sequence[Passage]) -> list[_Candidate]:
    """The distinct sentences worth an embedding: those that share most with the question, in the passages' order."""
    asked = _features(question)
    split = [_quotable(passage.content) for passage in passages]
    rarity = _rarity(asked, [quote for quotes in split for quote in quotes])
    total = sum(rarity.values()) or 1.0
    candidates: dict[str, _Candidate] = {}
    for number, (passage, quotes) in enumerate(zip(passages, split, strict=True)):
        for quote in quotes:
            overlap = sum(rarity[feature] for feature in asked & _features(quote)) / total
            candidates.setdefault(quote, _Candidate(quote, number, passage.reference_id, overlap))
    found = list(candidates.values())
    best = sorted(range(len(found)), key=lambda index: (-found[index].overlap + 0.02 * found[index].passage, index))
    return [found[index] for index in sorted(best[:_SHORTLIST])]


def _quotable(text: str) -> list[str]:
    """The sentences of a passage; a short one (a heading, "No.") goes with the one that follows."""
    quotes: list[str] = []
    for sentence in sentences(text):
        if quotes and len(quotes[-1]) < (_SHORT // 3 if has_han(quotes[-1]) else _SHORT):
            quotes[-1] = _joined([quotes[-1], sentence])
        else:
            quotes.append(sentence)
    return quotes


def _joined(found: Sequence[str]) -> str:
    """One line; Chinese has no blanks between sentences."""
    return "".join(sentence if sentence.endswith(_CHINESE_ENDS) else f"{sentence} " for sentence in found).strip()


def _features(text: str) -> frozenset[str]:
    """Words of content without plural s, and pairs of neighbouring Chinese characters."""
    pairs = (run[at : at + 2] for run in re.findall(f"[{HAN}]{{2,}}", text) for at in range(len(run) - 1))
    return frozenset([*(word.removesuffix("s") for word in content_words(text)), *pairs])


def _rarity(asked: frozenset[str], quotes: Sequence[str]) -> dict[str, float]:
    """How much each feature of the question tells: log of the share of quotes that have it."""
    count = Counter(feature for quote in quotes for feature in asked & _features(quote))
    return {feature: math.log(1 + len(quotes) / (1 + count[feature])) for feature in sorted(asked)}


def _scores(question: str, candidates: Sequence[_Candidate], embed: Embed) -> NDArray[np.float64]:
    lexical = np.array([candidate.overlap for candidate in candidates])
    scores: NDArray[np.float64] = -_ORDER_PENALTY * np.array([candidate.passage for candidate in candidates])
    if has_han(question):
        scores += lexical
    else:
        vectors = embed([question, *(candidate.quote for candidate in candidates)])
        scores += vectors[1:] @ vectors[0] + _LEXICAL_SHARE * lexical
    return scores
