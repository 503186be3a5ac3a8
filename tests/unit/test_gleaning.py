"""What a further reply adds, and how much of one reply is taken."""

from __future__ import annotations

from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from pgrag.cleaning import CleanEntity, CleanExtraction, CleanRelation
from pgrag.gleaning import capped, extraction_of, merge
from pgrag.options import ExtractionOptions

NAMES = st.sampled_from(["Ada", "ADA", "Bob", "Carol", "技術"])
TEXTS = st.text("ab", min_size=1, max_size=4)
entities = st.builds(CleanEntity, NAMES, st.just("person"), TEXTS)
relations = st.builds(CleanRelation, NAMES, NAMES, st.just(("knows",)), TEXTS, st.just(1.0)).filter(
    lambda relation: relation.source.lower() != relation.target.lower()
)
replies = st.builds(
    CleanExtraction, st.lists(entities, max_size=6).map(tuple), st.lists(relations, max_size=6).map(tuple)
)


def entity(name: str, description: str) -> CleanEntity:
    return CleanEntity(name, "person", description)


def relation(source: str, target: str, description: str) -> CleanRelation:
    return CleanRelation(source, target, (), description, 1.0)


def only(*found: CleanEntity) -> CleanExtraction:
    return CleanExtraction(found, ())


def test_a_new_name_comes_at_the_end() -> None:
    known = only(entity("Ada", "a"), entity("Bob", "b"))
    assert merge(known, only(entity("Carol", "c"))).entities == (*known.entities, entity("Carol", "c"))


def test_a_known_name_is_replaced_where_it_stands_by_a_longer_description_only() -> None:
    known = only(entity("Ada", "aa"), entity("Bob", "b"))
    assert merge(known, only(entity("ADA", "aaa"))).entities == (entity("ADA", "aaa"), entity("Bob", "b"))
    assert merge(known, only(entity("ada", "xx"))) == known


def test_of_several_records_of_one_name_the_first_is_compared_and_all_are_replaced() -> None:
    known = only(entity("Ada", "aa"), entity("Ada", "much longer"))
    gleaned = only(entity("Ada", "aaa"), entity("Ada", "b"))
    assert merge(known, gleaned) == gleaned


def test_a_pair_has_no_direction() -> None:
    known = CleanExtraction((), (relation("Ada", "Bob", "met"),))
    assert merge(known, CleanExtraction((), (relation("bob", "ADA", "hm"),))) == known
    longer = CleanExtraction((), (relation("Bob", "Ada", "met in Paris"),))
    assert merge(known, longer) == longer


@given(replies, replies)
def test_nothing_that_is_known_is_lost_and_nothing_gets_shorter(
    known: CleanExtraction, gleaned: CleanExtraction
) -> None:
    merged = merge(known, gleaned)
    first: dict[str, int] = {}
    for one in known.entities:
        first.setdefault(one.name.lower(), len(one.description))
    after: dict[str, int] = {}
    for one in merged.entities:
        after.setdefault(one.name.lower(), len(one.description))
    assert all(after[name] >= length for name, length in first.items())
    assert set(after) == set(first) | {one.name.lower() for one in gleaned.entities}


@given(replies, replies)
def test_the_same_reply_again_adds_nothing(known: CleanExtraction, gleaned: CleanExtraction) -> None:
    merged = merge(known, gleaned)
    assert merge(merged, gleaned) == merged
    assert merge(known, CleanExtraction((), ())) == known


@given(replies, st.integers(1, 5), st.integers(1, 8))
def test_no_more_is_taken_of_a_reply_than_the_caps_say(reply: CleanExtraction, most: int, records: int) -> None:
    taken = capped(reply, ExtractionOptions(max_entities=most, max_records=records))
    assert len(taken.entities) <= most
    assert len(taken.entities) + len(taken.relations) <= records
    assert taken.entities == reply.entities[: len(taken.entities)]
    assert taken.relations == reply.relations[: len(taken.relations)]


@given(replies)
def test_a_kept_reply_reads_as_it_was(reply: CleanExtraction) -> None:
    assert extraction_of(asdict(reply)) == reply
