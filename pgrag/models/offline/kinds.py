"""What sort of thing a name names, by cheap clues: titles, verbs of speech, prepositions, endings, well-known names.

The answer is one of person, organization, location, event, concept; concept is what is left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pgrag.models.offline.language import has_han
from pgrag.models.offline.names import Mention
from pgrag.models.offline.words import (
    CHINESE_CONCEPT_ENDS,
    CHINESE_LOCATION_ENDS,
    CHINESE_ORGANIZATION_ENDS,
    CHINESE_SURNAMES,
    DETERMINERS,
    EVENT_ENDS,
    GIVEN_NAMES,
    KIN_AND_BODY,
    LOCATION_ENDS,
    ORGANIZATION_ENDS,
    PLACE_PREPOSITIONS,
    PLACES,
    SPEECH,
    TITLES,
    common_words,
)

Kind = str
_PERSONAL = re.compile(r"[^.;]{0,60}\b(?:he|she|his|her|him|himself|herself|who)\b")
_WITHIN = ("in", "near", "into", "across")  # one goes to persons and looks at them, but lives in places only
_CHINESE_PERSON = ("先生", "女士", "小姐", "教授", "博士", "說", "说", "表示", "認為", "认为", "指出", "問道", "问道")


def kind_of(lines: Sequence[str], mentions: Sequence[tuple[int, Mention]]) -> Kind:
    """The kind that most clues speak for; of equals the one met first."""
    name = mentions[0][1].name
    if name.islower() and not has_han(name):
        return "concept"
    votes: Counter[Kind] = Counter()
    for kind in _of_name(name):
        votes[kind] += 3
    for number, mention in mentions:
        votes.update(_of_context(lines[number], mention))
    if not votes and any(_is_he_or_she(lines[number], mention) for number, mention in mentions):
        return "person"
    return votes.most_common(1)[0][0] if votes else "concept"


def _of_name(name: str) -> Iterator[Kind]:
    parts = name.lower().replace("’", "'").split()
    if has_han(name):
        yield from _of_chinese_name(name)
    elif parts[-1] in ORGANIZATION_ENDS and len(parts) > 1:
        yield "organization"
    elif (parts[-1] in LOCATION_ENDS and len(parts) > 1) or parts[-1] in PLACES or parts[0] in ("mount", "lake"):
        yield "location"
    elif parts[-1] in EVENT_ENDS:
        yield "event"
    elif parts[0] in GIVEN_NAMES or parts[-1] in GIVEN_NAMES or _is_titled(parts):
        yield "person"


def _is_titled(parts: Sequence[str]) -> bool:
    """Sir Roger, but not King of Hearts, nor General Terms."""
    return len(parts) > 1 and parts[0].strip(".") in TITLES and parts[1] != "of" and parts[1] not in common_words()


def _of_chinese_name(name: str) -> Iterator[Kind]:
    if name.endswith(CHINESE_ORGANIZATION_ENDS):
        yield "organization"
    elif name.endswith(CHINESE_CONCEPT_ENDS):
        yield "concept"
    elif len(name) > 2 and name.endswith(CHINESE_LOCATION_ENDS):
        yield "location"


def _of_context(line: str, mention: Mention) -> Iterator[Kind]:
    after = line[mention.end : mention.end + 40].lower()
    if has_han(mention.name):
        is_name = len(mention.name) in (2, 3) and mention.name[0] in CHINESE_SURNAMES
        if is_name and after.startswith(_CHINESE_PERSON):
            yield "person"
        return
    previous = (line[: mention.start].lower().split() or [""])[-1].strip('"”“’,')
    following = (after.split() or [""])[0].strip('.,;:!?"”’')
    owns = line[mention.start : mention.end].endswith(("'s", "’s"))
    if mention.title or previous in SPEECH or following in SPEECH or (owns and following in KIN_AND_BODY):
        yield "person"
    elif previous in _WITHIN and not owns:
        yield "location"


def _is_he_or_she(line: str, mention: Mention) -> bool:
    """Whether a personal pronoun follows a name that stands without article or preposition."""
    before = line[: mention.start].lower().split()[-1:]
    alone = not before or before[0] not in DETERMINERS | PLACE_PREPOSITIONS | {"of"}
    return alone and mention.name.count(" ") < 3 and _PERSONAL.match(line, mention.end) is not None
