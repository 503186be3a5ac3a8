"""Keys that names are compared by, and the lines and texts that Python renders too."""

from __future__ import annotations

import json

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pgrag.context import _entity_line, _relation_line
from pgrag.rows import ContextEntity, ContextRelation

# PostgreSQL stores neither NUL nor lone surrogates.
texts = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=60)
with_db = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def one(db: psycopg.Connection, query: str, *args: object) -> object:
    row = db.execute(query, args).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("OpenAI", "openai"),
        ("ＯｐｅｎＡＩ", "openai"),
        ("  Ada ", "ada"),
        ("ÉCOLE", "école"),
        ("技術底座", "技術底座"),
        ("①", "1"),
    ],
)
def test_case_width_and_blanks_are_folded(db: psycopg.Connection, name: str, key: str) -> None:
    assert one(db, "SELECT pgrag.name_key(%s)", name) == key


@with_db
@given(texts)
def test_lower_case_and_composition_make_no_difference(db: psycopg.Connection, name: str) -> None:
    assert one(db, "SELECT pgrag.name_key(lower(%s)) = pgrag.name_key(%s)", name, name) is True


@with_db
@given(texts, texts, texts)
def test_the_database_writes_the_same_entity_line_as_python(
    db: psycopg.Connection, name: str, type: str, description: str
) -> None:
    entity = ContextEntity(1, name, type, description, 0, 0, "local", None)
    assert one(db, "SELECT pgrag.entity_line(%s, %s, %s)", name, type, description) == _entity_line(entity)


@with_db
@given(texts, texts, texts)
def test_the_database_writes_the_same_relation_line_as_python(
    db: psycopg.Connection, source: str, target: str, description: str
) -> None:
    relation = ContextRelation(1, source, target, (), description, 1.0, 0, 0, "local", None)
    line = one(db, "SELECT pgrag.relation_line(%s, %s, %s)", source, target, description)
    assert line == _relation_line(relation)
    assert json.loads(str(line)) == {"entity1": source, "entity2": target, "description": description}


def test_embedded_texts_are_as_the_contract_says(db: psycopg.Connection) -> None:
    assert one(db, "SELECT pgrag.entity_text('Ada', 'A poet.')") == "Ada\nA poet."
    assert one(db, "SELECT pgrag.relation_text('{a,b}', 'S', 'T', 'D')") == "a, b\tS\nT\nD"


@pytest.mark.parametrize(
    ("votes", "winner"),
    [
        (["a", "b", "b"], "b"),
        (["a", "b"], "a"),
        (["b", "a", "a", "b"], "b"),
        ([None, "x"], "x"),
        ([], None),
        ([None], None),
    ],
)
def test_majority_takes_the_earliest_of_equals(db: psycopg.Connection, votes: list, winner: str | None) -> None:
    assert one(db, "SELECT pgrag.majority(%s::text[])", votes) == winner


@pytest.mark.parametrize(
    ("fragments", "joined"),
    [
        (["a", "b", "a"], "a<SEP>b"),
        (["a<SEP>b", "b", "c"], "a<SEP>b<SEP>c"),
        (["", "  ", None, "a "], "a"),
        ([], ""),
    ],
)
def test_fragments_are_joined_once_each_in_their_order(db: psycopg.Connection, fragments: list, joined: str) -> None:
    assert one(db, "SELECT pgrag.join_fragments(%s::text[])", fragments) == joined
    assert one(db, "SELECT pgrag.join_fragments(ARRAY[%s])", joined) == joined


def test_keywords_are_united_sorted_without_empty_ones(db: psycopg.Connection) -> None:
    assert one(db, "SELECT pgrag.unite_keywords(%s)", '[["b", " a "], ["b", ""], []]') == ["a", "b"]


def test_a_door_says_what_is_wrong_and_the_cure(db: psycopg.Connection) -> None:
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        db.execute("SELECT pgrag.require(false, 'no', 'do that')")
    assert (caught.value.sqlstate, caught.value.diag.message_primary, caught.value.diag.message_hint) == (
        "RG001",
        "no",
        "do that",
    )
    db.execute("SELECT pgrag.require(true, 'no')")


def test_an_unknown_workspace_is_named(db: psycopg.Connection) -> None:
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        db.execute("SELECT pgrag.workspace_id('it''s \"x\"')")
    assert caught.value.sqlstate == "RG002"
    assert "it''s" in str(caught.value.diag.message_primary)
