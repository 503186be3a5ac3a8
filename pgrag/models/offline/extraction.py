"""Entities and relations of a chunk, by plain linguistics: who and what is named, and who stands beside whom.

An entity is a name, a Chinese term or a noun phrase that comes again; its description is the sentence that tells most
about it, word for word. Two entities are related if one sentence names both; the sentence is the description, the
words between them are the keywords. Everything is a function of the text alone, in its order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pgrag.models.offline.chinese import segments, terms
from pgrag.models.offline.kinds import kind_of
from pgrag.models.offline.language import content_words, has_han, readable, sentences
from pgrag.models.offline.names import Mention, capitalised_within, names
from pgrag.models.offline.nouns import repeated_nouns

MOST_ENTITIES = 40
MOST_RELATIONS = 60
MOST_RELATIONS_A_SENTENCE = 6
DESCRIPTION_CHARACTERS = 300
_KEYWORDS = 3
_SAYS_WHAT = ("is ", "was ", "are ", "were ", ", a ", ", the ", "是", "為", "为", "（", "(")
_TOGETHER = "mentioned together"


@dataclass(frozen=True)
class Entity:
    """A thing of the chunk, under the name first used, and its mentions as (sentence number, mention)."""

    name: str
    mentions: tuple[tuple[int, Mention], ...]


@dataclass(frozen=True)
class Relation:
    """Two entities of one sentence, in its order, and the words that link them."""

    source: str
    target: str
    sentence: int
    keywords: tuple[str, ...]


def extract(text: str) -> str:
    """The reply to an extraction request, as JSON: entities in order of appearance, relations likewise."""
    lines = sentences(text)
    found = _mentions(lines)
    entities = _entities(found)
    name_of = {mention.key: entity.name for entity in entities for _, mention in entity.mentions}
    reply = {
        "entities": [_entity_record(lines, entity) for entity in entities],
        "relations": [_relation_record(lines, relation) for relation in _relations(lines, found, name_of)],
    }
    return json.dumps(reply, ensure_ascii=False)


def _entity_record(lines: Sequence[str], entity: Entity) -> dict[str, object]:
    return {
        "name": entity.name,
        "type": kind_of(lines, entity.mentions),
        "description": _description(lines, entity),
    }


def _relation_record(lines: Sequence[str], relation: Relation) -> dict[str, object]:
    return {
        "source": relation.source,
        "target": relation.target,
        "keywords": list(relation.keywords),
        "description": readable(lines[relation.sentence], DESCRIPTION_CHARACTERS, relation.source),
        "weight": 1.0,
    }


def _mentions(lines: Sequence[str]) -> list[list[Mention]]:
    """The mentions of each sentence in order; names before terms before common nouns where they overlap."""
    known = capitalised_within(lines)
    found = []
    for line, chinese, nouns in zip(lines, terms(lines), repeated_nouns(lines), strict=True):
        kept: list[Mention] = []
        for group in (names(line, known), chinese, nouns):
            taken = [(mention.start, mention.end) for mention in kept]
            kept += (m for m in group if not any(start < m.end and m.start < end for start, end in taken))
        found.append(sorted(kept, key=lambda mention: (mention.start, mention.end)))
    return found


def _entities(found: Sequence[Sequence[Mention]]) -> list[Entity]:
    """At most MOST_ENTITIES, those mentioned most, in order of appearance."""
    by_key: dict[str, list[tuple[int, Mention]]] = {}
    for number, mentions in enumerate(found):
        for mention in mentions:
            by_key.setdefault(mention.key, []).append((number, mention))
    most = sorted(by_key, key=lambda key: -len(by_key[key]))[:MOST_ENTITIES]
    return [Entity(_name(group), tuple(group)) for key, group in by_key.items() if key in set(most)]


def _name(group: Sequence[tuple[int, Mention]]) -> str:
    """The spelling used most; of equals the first."""
    return Counter(mention.name for _, mention in group).most_common(1)[0][0]


def _description(lines: Sequence[str], entity: Entity) -> str:
    """The sentence that tells most: one of middling length that begins with the name, or says what it is."""

    def worth(place: tuple[int, Mention]) -> float:
        number, mention = place
        line = lines[number]
        rest = line[mention.end : mention.end + 12]
        says_what = rest.lstrip(' )"”').startswith(_SAYS_WHAT)
        leads = mention.start < len(line) / 3
        return 1.0 * says_what + 0.5 * leads - abs(len(line) - (40 if has_han(line) else 140)) / 200

    number, mention = max(entity.mentions, key=worth)
    return readable(lines[number], DESCRIPTION_CHARACTERS, mention.name)


def _relations(lines: Sequence[str], found: Sequence[Sequence[Mention]], name_of: dict[str, str]) -> list[Relation]:
    relations: dict[frozenset[str], Relation] = {}
    for number, mentions in enumerate(found):
        for source, target in _pairs([mention for mention in mentions if mention.key in name_of]):
            pair = frozenset((source.key, target.key))
            if pair not in relations and len(relations) < MOST_RELATIONS:
                keywords = _linking_words(lines[number], source, target, mentions)
                relations[pair] = Relation(name_of[source.key], name_of[target.key], number, keywords)
    return list(relations.values())


def _pairs(mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """The nearest pairs of a sentence, in its order; at most MOST_RELATIONS_A_SENTENCE."""
    nearest: dict[frozenset[str], tuple[int, Mention, Mention]] = {}
    for position, first in enumerate(mentions):
        for second in mentions[position + 1 : position + 1 + MOST_RELATIONS_A_SENTENCE]:
            distance = second.start - first.end
            pair = frozenset((first.key, second.key))
            if len(pair) == 2 and (pair not in nearest or distance < nearest[pair][0]):
                nearest[pair] = (distance, first, second)
    best = sorted(nearest.values(), key=lambda pair: (pair[0], pair[1].start))[:MOST_RELATIONS_A_SENTENCE]
    for _, first, second in sorted(best, key=lambda pair: (pair[1].start, pair[2].start)):
        yield first, second


def _linking_words(line: str, source: Mention, target: Mention, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Up to three words of content between the two, else the nearest of the sentence, else that they stand together."""
    taken = {part for mention in mentions for part in (mention.key, *mention.key.split())}
    between = line[source.end : target.start]
    for part in (between, line[target.end :], line[: source.start]):
        chosen = [word for word in _content(part) if word not in taken]
        if chosen:
            return tuple(dict.fromkeys(chosen))[:_KEYWORDS]
    return (_TOGETHER,)


def _content(part: str) -> list[str]:
    chinese = [text for text, _ in segments(part) if len(text) <= 6] if has_han(part) else []
    return [*content_words(part), *chinese]
