"""Noun phrases in lower case that a text comes back to: the door knocker, the walk, a counting-house.

Without a tagger a noun is what follows an article or possessive: up to two words of content that a function word, a
punctuation mark or the sentence's end closes. Only phrases that occur twice are taken, and only a few of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pgrag.models.offline.language import Word, words
from pgrag.models.offline.names import Mention
from pgrag.models.offline.words import DETERMINERS, NOT_NOUNS, common_words

MOST = 8
_NO_NOUN = re.compile(r".+(?:ed|ing|ly|ous|ful|less|able|ible)$")


def repeated_nouns(sentences: Sequence[str]) -> list[list[Mention]]:
    """For each sentence where the repeated noun phrases of the whole text stand in it."""
    parsed = [words(sentence) for sentence in sentences]
    heads = {phrase for line, found in zip(sentences, parsed, strict=True) for phrase in _noun_phrases(line, found)}
    places = [list(_occurrences(found, heads)) for found in parsed]
    count = Counter(mention.name for mentions in places for mention in mentions)
    # The longer of two equally frequent phrases says more; the order of their first use breaks ties.
    ranked = sorted((name for name in heads if count[name] > 1), key=lambda name: (-count[name], -len(name), name))
    chosen = set(_without_parts(ranked, count)[:MOST])
    return [[mention for mention in mentions if mention.name in chosen] for mentions in places]


def _noun_phrases(sentence: str, found: Sequence[Word]) -> Iterator[str]:
    for position, word in enumerate(found):
        if word.key not in DETERMINERS:
            continue
        phrase = []
        for following in found[position + 1 : position + 4]:
            if not _is_content(following) or not _follows_closely(sentence, following):
                break
            phrase.append(following)
        while len(phrase) > 1 and _is_no_noun(phrase[-1].key):
            phrase.pop()
        if phrase and len(phrase) < 3 and not _is_no_noun(phrase[-1].key):
            yield phrase[-1].key
            if len(phrase) == 2 and phrase[0].key not in NOT_NOUNS:
                yield f"{phrase[0].key} {phrase[1].key}"


def _is_content(word: Word) -> bool:
    return word.base.islower() and len(word.base) > 3 and not word.is_function and word.key.replace("-", "").isalpha()


def _is_no_noun(key: str) -> bool:
    """Whether the ending is a verb's or an adjective's."""
    superlative = key.endswith("est") and len(key) > 6 and not common_words().isdisjoint((key[:-3], key[:-2]))
    return key in NOT_NOUNS or superlative or (len(key) > 5 and _NO_NOUN.match(key) is not None)


def _follows_closely(sentence: str, word: Word) -> bool:
    """Whether a blank, and no punctuation mark, is between this word and the one before."""
    return sentence[word.start - 1] == " " and sentence[word.start - 2].isalnum()


def _occurrences(found: Sequence[Word], wanted: set[str]) -> Iterator[Mention]:
    for position, word in enumerate(found):
        if position and word.start == found[position - 1].end + 1:
            pair = f"{found[position - 1].key} {word.key}"
            if pair in wanted:
                yield Mention(pair, found[position - 1].start, word.end)
        if word.key in wanted and word.base.islower():
            yield Mention(word.key, word.start, word.end)


def _without_parts(ranked: Sequence[str], count: Counter[str]) -> list[str]:
    """Leave out a word that hardly occurs outside a longer phrase."""
    longer = [name for name in ranked if " " in name]
    return [
        name
        for name in ranked
        if not any(name != other and name in other.split() and count[name] <= count[other] + 1 for other in longer)
    ]
