"""Terms of Chinese text, without a dictionary.

A sentence is cut at punctuation, Latin words and function words; what stays whole is a candidate. A candidate is a
term if the text quotes it, if it ends like a term (系統, 公司, 市), if it is a person's name before a verb of speech,
or if it comes again. Of repeated strings only the longest count, and only those that begin and end where the text
varies: 技術底座 is a term, 術底 is not, for 技 always stands before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pgrag.models.offline.language import HAN
from pgrag.models.offline.names import Mention
from pgrag.models.offline.words import (
    CHINESE_CONCEPT_ENDS,
    CHINESE_FUNCTION,
    CHINESE_LOCATION_ENDS,
    CHINESE_ORGANIZATION_ENDS,
    CHINESE_PROTECTED,
    CHINESE_SURNAMES,
)

_LONGEST = 6
_RUN = re.compile(f"[{HAN}]+")
_KATAKANA = re.compile("[\u30a0-\u30ff]{3,}")
_QUOTED = re.compile('[《「『“"`【]([^《》「」『』“”"`【】\\n]{2,24})[》」』”"`】]')
_QUOTE_IS_TERM = re.compile(f"[{HAN}A-Za-z0-9_ ·•/\\-]+")

_PIECE = re.compile(f"(?P<keep>{'|'.join(CHINESE_PROTECTED)})|(?P<cut>{'|'.join(CHINESE_FUNCTION)})")
_LOOSE_START = frozenset("年度名只先再又還还所後后前")
_LOOSE_END = frozenset("後后時时中太只先裡里内內")
_PERSON = re.compile(
    f"([{''.join(CHINESE_SURNAMES)}][{HAN}]{{1,2}}?)(?=先生|女士|小姐|教授|博士|老師|老师|醫生|医生|總統|总统|主席|經理|经理|"
    "說|说|道[：:，]|表示|認為|认为|指出|回答|問道|问道)"
)


def segments(sentence: str) -> list[tuple[str, int]]:
    """The runs of Chinese characters between punctuation, Latin and function words, with their positions."""
    found = []
    for run in _RUN.finditer(sentence):
        start = run.start()
        for piece in _PIECE.finditer(sentence, run.start(), run.end()):
            if piece.lastgroup == "cut":
                found.append((sentence[start : piece.start()], start))
                start = piece.end()
        found.append((sentence[start : run.end()], start))
    return [(text, at) for text, at in found if len(text) > 1]


def terms(sentences: Sequence[str]) -> list[list[Mention]]:
    """For each sentence the Chinese (and Katakana) terms in it, in order, none within another."""
    vocabulary = _vocabulary(sentences)
    if not vocabulary:
        return [[] for _ in sentences]
    any_term = re.compile("|".join(map(re.escape, sorted(vocabulary, key=lambda term: (-len(term), term)))))
    return [
        [Mention(match.group(), match.start(), match.end()) for match in any_term.finditer(sentence)]
        for sentence in sentences
    ]


def _vocabulary(sentences: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for sentence in sentences:
        found.update(match.group(1) for match in _PERSON.finditer(sentence))
        found.update(_KATAKANA.findall(sentence))
        found.update(_quotations(sentence))
        found.update(text for text, _ in segments(sentence) if len(text) <= _LONGEST and ends_like_a_term(text))
    return found | _repeated(sentences)


def _quotations(sentence: str) -> list[str]:
    quoted = (match.group(1).strip() for match in _QUOTED.finditer(sentence))
    return [term for term in quoted if _RUN.search(term) and 2 <= len(term) <= 12 and _QUOTE_IS_TERM.fullmatch(term)]


def ends_like_a_term(text: str) -> bool:
    """Whether its ending tells that it names something: 混合檢索, 清華大學, 上海市."""
    ends = len(text) > 2 and text.endswith((*CHINESE_ORGANIZATION_ENDS, *CHINESE_CONCEPT_ENDS))
    return ends or (len(text) in (3, 4) and text.endswith(CHINESE_LOCATION_ENDS))


def _repeated(sentences: Sequence[str]) -> set[str]:
    """Strings of 2 to 6 characters that come twice or more, whole and bounded on both sides."""
    count: Counter[str] = Counter()
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    for number, sentence in enumerate(sentences):
        for text, at in segments(sentence):
            edges = (f"<{number}:{at}", *text, f">{number}:{at}")  # an edge is never the same as another
            for size in range(2, min(_LONGEST, len(text)) + 1):
                for start in range(len(text) - size + 1):
                    gram = text[start : start + size]
                    count[gram] += 1
                    before.setdefault(gram, set()).add(edges[start])
                    after.setdefault(gram, set()).add(edges[start + size + 1])
    whole = {gram for gram, times in count.items() if times > 1 and len(before[gram]) > 1 and len(after[gram]) > 1}
    whole = {gram for gram in whole if gram[0] not in _LOOSE_START and gram[-1] not in _LOOSE_END}
    return {gram for gram in whole if not _is_inner(gram, whole, count)}


def _is_inner(gram: str, whole: set[str], count: Counter[str]) -> bool:
    """Whether a longer term accounts for all but one of its occurrences."""
    return any(gram != other and gram in other and count[gram] <= count[other] + 1 for other in whole)
