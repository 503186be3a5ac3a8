"""The word lists that plain linguistics needs: small, closed classes, written down once, in `words.toml`.

`common_words` is the one open list: words that novels, encyclopaedia articles, chats and technical texts write in lower
case. It only decides whether a single capitalised word at the beginning of a sentence is a name.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

_FILES = resources.files(__package__)
_LISTS: dict[str, str] = tomllib.loads((_FILES / "words.toml").read_text(encoding="utf-8"))


def _list(name: str) -> tuple[str, ...]:
    return tuple(_LISTS[name].split())


FUNCTION = frozenset(_list("function"))
"""Never the head or the end of a name, and no content; a few articles of other languages among them."""

FOREIGN_ARTICLES = frozenset(_list("foreign_articles"))
"""They may begin a name within a sentence: El Greco, Los Angeles."""

COMPARATIVE = frozenset(_list("comparative"))
"""Words of address: at the beginning of a sentence no part of the name that follows."""

SPEECH = frozenset(_list("speech"))
"""Verbs whose neighbour is a person."""

TITLES = frozenset(_list("titles"))
"""Before a name they mean a person."""

ABBREVIATED_TITLES = frozenset(_list("abbreviated_titles"))
"""Titles that are nobody when they stand alone."""

ABBREVIATIONS = frozenset(_list("abbreviations"))
"""A dot after them ends no sentence."""

CALENDAR = frozenset(_list("calendar"))
"""Months and weekdays: names that tell nothing alone."""

FURNITURE = frozenset(_list("furniture"))
"""What books are made of, and no book is about."""

CONNECTORS = frozenset(_list("connectors"))
"""Lower-case words that may stand within a name."""

KIN_AND_BODY = frozenset(_list("kin_and_body"))
"""What only persons have: Scrooge's nephew, Marley's face."""

GIVEN_NAMES = frozenset(_list("given_names"))
ORGANIZATION_ENDS = frozenset(_list("organization_ends"))
LOCATION_ENDS = frozenset(_list("location_ends"))
EVENT_ENDS = frozenset(_list("event_ends"))
PLACES = frozenset(_list("places"))

PLACE_PREPOSITIONS = frozenset(_list("place_prepositions"))
DETERMINERS = frozenset(_list("determiners"))

NOT_NOUNS = frozenset(_list("not_nouns"))
"""Too general, or no nouns: never an entity in lower case."""

QUESTION_WORDS = frozenset(_list("question_words"))
"""What a question is made of, beside the function words."""

CHINESE_ORGANIZATION_ENDS = _list("chinese_organization_ends")
CHINESE_LOCATION_ENDS = _list("chinese_location_ends")
CHINESE_CONCEPT_ENDS = _list("chinese_concept_ends")
CHINESE_SURNAMES = _list("chinese_surnames")

CHINESE_FUNCTION = (*_list("chinese_function"), *_list("chinese_function_characters"))
"""Where a sentence is cut, longest first."""

CHINESE_PROTECTED = _list("chinese_protected")
"""Words that contain such a character, and are not cut."""


@cache
def common_words() -> frozenset[str]:
    """Everyday words in lower case, read from the package once."""
    return frozenset((_FILES / "common_words.txt").read_text(encoding="ascii").split())
