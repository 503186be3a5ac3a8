"""Names in text that marks them by capitals: people, places, works, acronyms, identifiers, quoted terms.

A capital says little at the beginning of a sentence, so a single word counts there only if the text writes it with a
capital elsewhere too, or if it is no everyday word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pgrag.models.offline.language import Word, has_han, words
from pgrag.models.offline.words import (
    ABBREVIATED_TITLES,
    CALENDAR,
    COMPARATIVE,
    CONNECTORS,
    FOREIGN_ARTICLES,
    FUNCTION,
    FURNITURE,
    SPEECH,
    TITLES,
    common_words,
)

_BREAK = re.compile(r"[\"“”‘(\[{:;,!?…—–*#>|=/]|--|\.\s|(?:^|\s)['_]|[^\x00-\x7f’]")
_QUOTED = re.compile(r"`([^`\n]{2,60})`|[\"“]([^\"“”\n]{2,40})[\"”]")
_PLAIN_QUOTE = re.compile(r"[^,.!?;:()…—]+")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|[A-Za-z]\d|_")


@dataclass(frozen=True)
class Mention:
    """A name where it stands in a sentence; `title` is the person's title before it, in lower case."""

    name: str
    start: int
    end: int
    title: str = ""

    @property
    def key(self) -> str:
        return self.name.lower().replace("’", "'")


def capitalised_within(sentences: Sequence[str]) -> frozenset[str]:
    """Keys of the words that are written with a capital where no sentence or quotation begins."""
    return frozenset(
        word.key
        for sentence in sentences
        if not sentence.isupper()
        for word, begins in _with_beginnings(sentence)
        if not begins and word.base[0].isupper() and not word.is_function
    )


def names(sentence: str, known: frozenset[str] = frozenset()) -> list[Mention]:
    """The names of one sentence, in order; `known` are keys of words known to be names."""
    found = list(_quoted(sentence))
    taken = [(mention.start, mention.end) for mention in found]
    for mention in _phrases(sentence, known):
        if not any(start < mention.end and mention.start < end for start, end in taken):
            found.append(mention)
    return sorted(found, key=lambda mention: (mention.start, mention.end))


def _quoted(sentence: str) -> Iterator[Mention]:
    for match in _QUOTED.finditer(sentence):
        term = (match.group(1) or match.group(2)).strip()
        parts = words(term)
        is_term = 0 < len(parts) <= 4 and _PLAIN_QUOTE.fullmatch(term) and not has_han(term)
        if match.group(2) and not all(part.base[0].isupper() for part in parts):
            continue
        if is_term and any(not part.is_function and part.key[0].isalpha() for part in parts):
            yield Mention(term, match.start(), match.end())


def _phrases(sentence: str, known: frozenset[str]) -> Iterator[Mention]:
    shouted = sentence.isupper() and len(sentence) > 12 and not has_han(sentence)
    run: list[tuple[Word, bool]] = []
    previous: Word | None = None
    for word, begins in _with_beginnings(sentence):
        begins = begins or shouted
        if run and ((begins and not shouted) or not _continues(sentence, run[-1][0], word, previous)):
            yield from _close(run, known, shouted, sentence)
            run = []
        if _is_capital(word) and not (word.is_function and word.base.isupper()):
            run.append((word, begins))
        elif run and (word.base.isupper() or (word.key not in CONNECTORS and word.key != "the")):
            yield from _close(run, known, shouted, sentence)
            run = []
        previous = word
    yield from _close(run, known, shouted, sentence)


def _with_beginnings(sentence: str) -> Iterator[tuple[Word, bool]]:
    """Each word, and whether a sentence, quotation or clause may begin with it."""
    end = 0
    last = ""
    for word in words(sentence):
        gap = sentence[end : word.start]
        begins = end == 0 or (_BREAK.search(gap) is not None and not (gap == ". " and _takes_dot(last)))
        yield word, begins
        end, last = word.end, word.base


def _takes_dot(word: str) -> bool:
    return word.lower() in ABBREVIATED_TITLES or (len(word) == 1 and word.isupper())


def _continues(sentence: str, last: Word, word: Word, previous: Word | None) -> bool:
    """Whether `word` may belong to the phrase that `last` is the latest capital of."""
    gap = sentence[last.end : word.start]
    if last.text != last.base and not _is_capital(word):
        return False
    if gap.strip() in ("", "&") or (gap == ". " and _takes_dot(last.base)):
        return True
    # Only connectors may stand between: "Ghost of the Past", but not "Marley and Scrooge".
    between = gap.split()
    allowed = all(part in CONNECTORS or (part == "the" and between[0] == "of") for part in between)
    return allowed and previous is not None and len(between) <= 2


def _is_capital(word: Word) -> bool:
    return word.base[0].isupper() or _CAMEL.search(word.base) is not None


def _close(run: list[tuple[Word, bool]], known: frozenset[str], shouted: bool, sentence: str) -> Iterator[Mention]:
    """The name that a run of capitalised words makes, if any; "Marley's Ghost" names Marley too."""
    kept = _trim(run, known, shouted)
    if not kept:
        return
    title = kept[0].key if _is_title(kept) else ""
    if title in ("mr", "mister"):
        kept = kept[1:]
    name = sentence[kept[0].start : kept[-1].end - len(kept[-1].text) + len(kept[-1].base)]
    yield Mention(_tidy(name, shouted), kept[0].start, kept[-1].end, title)
    for position, word in enumerate(kept[:-1]):
        if word.text != word.base and position == 0 and not shouted:
            yield Mention(word.base, word.start, word.end, title)


def _is_title(kept: Sequence[Word]) -> bool:
    """Sir Roger, but neither Queen of Hearts nor General Terms."""
    follows = len(kept) > 1 and kept[1].start - kept[0].end <= len(". ")
    return follows and kept[0].key in TITLES and kept[1].key not in common_words()


def _tidy(name: str, shouted: bool) -> str:
    name = " ".join(name.split())
    if not shouted:
        return name
    return " ".join(part.capitalize() if part.lower() not in CONNECTORS else part.lower() for part in name.split())


def _trim(run: list[tuple[Word, bool]], known: frozenset[str], shouted: bool) -> list[Word]:
    """The run without what only happens to have a capital."""
    kept = list(run)
    while kept and (kept[-1][0].is_function or kept[-1][0].key in FURNITURE or len(kept[-1][0].base) == 1):
        kept.pop()
    while kept and _is_no_head(kept, known):
        kept.pop(0)
    found = [word for word, _ in kept]
    if not found or all(word.key in CALENDAR or word.key in ABBREVIATED_TITLES for word in found):
        return []
    loud = len(found) > 1 and all(word.base.isupper() for word in found)
    if (shouted or loud) and all(_is_everyday(word.key) for word in found):
        return []
    return found


def _is_no_head(kept: list[tuple[Word, bool]], known: frozenset[str]) -> bool:
    word, begins = kept[0]
    if word.key in FOREIGN_ARTICLES and not begins and len(kept) > 1:
        return False
    if word.is_function and not (word.key in TITLES and len(kept) > 1):
        return True
    if word.key in FURNITURE or word.key in SPEECH or (len(kept) == 1 and len(word.base) == 1):
        return True
    if word.base.isupper() and not begins and len(kept) == 1 and _is_everyday(word.key):
        return True  # emphasis
    if not begins or word.key in known:
        return False
    if len(kept) > 1 and word.text == word.base and not _CAMEL.search(kept[1][0].base):
        return word.key in COMPARATIVE or word.key.endswith("ly")
    return _is_everyday(word.key) and not (word.base.isupper() and len(word.base) > 1)


def _is_everyday(key: str) -> bool:
    """Whether a word is common, or an inflected or derived form by its ending."""
    everyday = common_words()
    if key in everyday or key in FUNCTION or ("-" in key and key.split("-")[0] in everyday):
        return True
    stems = (key.removesuffix(ending) for ending in ("s", "es", "d", "ed", "ing", "er", "ly", "ness"))
    return any(stem in everyday for stem in stems) or (len(key) > 5 and key.endswith(("ly", "ing", "ness", "ful")))
