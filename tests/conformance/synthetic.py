"""Made-up graphs with topics and hubs: the generator of the benchmark against LightRAG, number for number.

n entities, 3n relations, n chunks of about 100 tokens, five to a document. Degrees follow preferential attachment,
biased to the entity's own topic. A chunk tells of three relations and names their ends, so hubs have many chunks. The
same (n, seed) gives the same graph, for `random.Random` draws the same numbers everywhere: the order of the draws is
the definition, and must not change.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import md5

TOPICS = 64
WORDS_OF_TOPIC = 60
MOST_CHUNKS = 200
CHUNKS_OF_DOCUMENT = 5
RELATIONS_OF_ENTITY = 3
TYPES = ["person", "organization", "location", "event", "concept", "method", "artifact", "data"]
STOP_WORDS = set(
    "the a an of in and with for to on by from as is are was were which that it its this how what does do "  # noqa: SIM905
    "between near after before during into over under about also then both".split()
)
_TOKEN = re.compile(r"\w+|[^\w\s]")

Words = Callable[..., str]


@dataclass
class MadeEntity:
    """An entity, with the numbers of the chunks that name it."""

    name: str
    type: str
    description: str
    topic: int
    chunks: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class MadeRelation:
    """A relation, its ends in the order of their names, and the chunk that tells of it."""

    source: str
    target: str
    keywords: str
    description: str
    weight: float
    chunk: int


@dataclass(frozen=True)
class Made:
    """A graph: chunk i is of document i // CHUNKS_OF_DOCUMENT."""

    entities: list[MadeEntity]
    relations: list[MadeRelation]
    chunks: list[str]
    vocabulary: list[list[str]]


@dataclass(frozen=True)
class MadeQuestion:
    """A question about an entity, with its keywords."""

    text: str
    low_level: tuple[str, ...]
    high_level: tuple[str, ...]


def make(n: int, seed: int = 1) -> Made:
    """The graph of n entities."""
    rng = random.Random(seed * 7919 + n)
    vocabulary = _vocabulary()
    topics = min(len(vocabulary), max(8, n // 50))
    topic_of = [rng.randrange(topics) for _ in range(n)]

    def words(topic: int, count: int, stray: float = 0.2) -> str:
        drawn = (rng.randrange(topics) if rng.random() < stray else topic for _ in range(count))
        return " ".join(vocabulary[each][rng.randrange(WORDS_OF_TOPIC)] for each in drawn)

    entities = _entities(topic_of, topics, rng, words)
    pairs = sorted(_pairs(n, rng, topic_of), key=lambda pair: (topic_of[pair[0]], pair[0]))
    relations: list[MadeRelation] = []
    chunks: list[str] = []
    for number in range(n):
        told = pairs[number * RELATIONS_OF_ENTITY : (number + 1) * RELATIONS_OF_ENTITY]
        sentences = []
        for a, b in told:
            relation, sentence = _telling(*sorted((entities[a], entities[b]), key=_name), number, rng, words)
            relations.append(relation)
            sentences.append(sentence)
        chunks.append(_filled(" ".join(sentences), topic_of[told[0][0]], words))
        _mention(number, [entities[end] for pair in told for end in pair])
    return Made(entities, relations, chunks, vocabulary)


def questions(made: Made, count: int, seed: int = 5) -> list[MadeQuestion]:
    """Questions about entities, each about another one."""
    rng = random.Random(seed)
    found: dict[str, MadeQuestion] = {}
    while len(found) < count:
        entity = made.entities[rng.randrange(len(made.entities))]
        if entity.name not in found:
            found[entity.name] = _question(entity, made.vocabulary[entity.topic], rng)
    return list(found.values())


def _vocabulary() -> list[list[str]]:
    """WORDS_OF_TOPIC made-up words for each topic, told apart by their hash."""
    rng = random.Random(99)
    consonants, vowels, ends = "bdfgklmnprstvz", "aeiou", ["", "", "n", "r", "s", "l", "k"]
    topics: list[list[str]] = [[] for _ in range(TOPICS)]
    seen: set[str] = set()
    while any(len(words) < WORDS_OF_TOPIC for words in topics):
        syllables = range(rng.choice((2, 3)))
        word = "".join(rng.choice(consonants) + rng.choice(vowels) for _ in syllables) + rng.choice(ends)
        if word not in seen and word not in STOP_WORDS:
            seen.add(word)
            words = topics[int.from_bytes(md5(word.encode()).digest()[:8], "little") % TOPICS]
            if len(words) < WORDS_OF_TOPIC:
                words.append(word)
    return topics


def _entities(topic_of: list[int], topics: int, rng: random.Random, words: Words) -> list[MadeEntity]:
    first_and_last = [(words(topic, 1, 0), words(topic, 1, 0)) for topic in topic_of]
    names = [f"{first.capitalize()} {last.capitalize()} {i}" for i, (first, last) in enumerate(first_and_last)]
    entities = []
    for name, own in zip(names, topic_of, strict=True):
        other = rng.randrange(topics)
        description = (
            f"{name} is a {words(own, 3)} of the {words(own, 4)} and the {words(own, 3)}, "
            f"which was {words(own, 5)} in {words(other, 3)}; it is also {words(own, 6)} with {words(own, 4)}."
        )
        entities.append(MadeEntity(name, rng.choice(TYPES), description, own))
    return entities


def _pairs(n: int, rng: random.Random, topic_of: list[int]) -> list[tuple[int, int]]:
    """Exactly RELATIONS_OF_ENTITY * n distinct pairs, by preferential attachment."""
    most = RELATIONS_OF_ENTITY
    ends: list[int] = []
    ends_of_topic: list[list[int]] = [[] for _ in range(max(topic_of) + 1)]
    pairs: set[tuple[int, int]] = set()

    def add(a: int, b: int) -> bool:
        pair = (a, b) if a < b else (b, a)
        if a == b or pair in pairs:
            return False
        pairs.add(pair)
        for end in pair:
            ends.append(end)
            ends_of_topic[topic_of[end]].append(end)
        return True

    core = min(n, most + 2)
    for a in range(core):
        for b in range(a + 1, core):
            add(a, b)
    for newcomer in range(core, n):
        got = tries = 0
        while got < most and tries < 50:
            tries += 1
            own = ends_of_topic[topic_of[newcomer]]
            pool = own if own and rng.random() < 0.7 else ends
            got += add(newcomer, pool[rng.randrange(len(pool))])
    while len(pairs) < most * n:
        a = rng.randrange(n)
        pool = ends_of_topic[topic_of[a]] or ends
        add(a, pool[rng.randrange(len(pool))])
    found = sorted(pairs)
    rng.shuffle(found)
    return found[: most * n]


def _telling(a: MadeEntity, b: MadeEntity, chunk: int, rng: random.Random, words: Words) -> tuple[MadeRelation, str]:
    """A relation and the sentence of the chunk that tells of it."""
    keywords = f"{words(a.topic, 1)}, {words(b.topic, 1)}, {words(a.topic, 1)}"
    description = (
        f"{a.name} is {words(a.topic, 3)} with {b.name} by the {words(b.topic, 4)} of {words(a.topic, 5)} "
        f"and {words(b.topic, 3)}."
    )
    relation = MadeRelation(a.name, b.name, keywords, description, float(1 + rng.randrange(3)), chunk)
    sentence = (
        f"{a.name} {words(a.topic, 4)} {b.name} in the {words(b.topic, 5)} and {words(a.topic, 6)} "
        f"of the {words(a.topic, 5)}."
    )
    return relation, sentence


def _filled(text: str, topic: int, words: Words) -> str:
    """The text, at least 90 words and signs long."""
    while len(_TOKEN.findall(text)) < 90:
        text += f" the {words(topic, 8)}."
    return text


def _mention(chunk: int, named: list[MadeEntity]) -> None:
    for entity in named:
        if chunk not in entity.chunks and len(entity.chunks) < MOST_CHUNKS:
            entity.chunks.append(chunk)


def _name(entity: MadeEntity) -> str:
    return entity.name


def _question(entity: MadeEntity, vocabulary: list[str], rng: random.Random) -> MadeQuestion:
    def words(count: int) -> str:
        return " ".join(rng.choice(vocabulary) for _ in range(count))

    text = f"How does {entity.name} {words(3)} with the {words(4)} of {words(2)}?"
    return MadeQuestion(text, (entity.name, words(2), words(1)), (words(1), words(2), words(1)))
