"""A vector that came with a line is stored when the item's text is what the line states; else the item stays stale."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from support.import_staging import Staging, import_again

ONE, TWO = "[1,0,0,0,0,0,0,0]", "[0,1,0,0,0,0,0,0]"
HERE = {"chunk": 0}


@pytest.fixture
def staging(db: psycopg.Connection) -> Staging:
    return Staging(db)


def vectors(staging: Staging, kind: str) -> dict[Any, tuple[Any, ...]]:
    """Entity name, or description of the relation → vector (None), stale, whether the hash is that of the text."""
    names = {"entity": "i.name", "relation": "i.description"}
    texts = {
        "entity": "pgrag.entity_text(i.name, i.description)",
        "relation": "(SELECT pgrag.relation_text(i.keywords, a.name, b.name, i.description) FROM pgrag.entity a,"
        " pgrag.entity b WHERE a.id = i.source_id AND b.id = i.target_id)",
    }
    rows = staging.rows(
        f"SELECT {names[kind]}, v.embedding::text, i.stale, v.text_hash = md5({texts[kind]}) FROM pgrag.{kind} i"
        f" LEFT JOIN pgrag.{kind}_embedding v ON v.{kind}_id = i.id"
    )
    return {row[0]: tuple(row[1:]) for row in rows}


def test_vectors_and_token_counts_of_lines_taken_as_they_are(staging: Staging) -> None:
    staging.entity("Ada", HERE, description="Known.", embedding=ONE, token_count=17)
    staging.entity("Bob", HERE, description="Known.")
    staging.relation("Ada", "Bob", HERE, description="Met.", keywords=["z", "a"], embedding=TWO, token_count=23)
    staging.finish()
    assert vectors(staging, "entity") == {"Ada": (ONE, False, True), "Bob": (None, True, None)}
    assert vectors(staging, "relation") == {"Met.": (TWO, False, True)}
    assert staging.rows("SELECT token_count FROM pgrag.entity WHERE name = 'Ada'") == [(17,)]
    assert staging.rows("SELECT token_count FROM pgrag.relation") == [(23,)]


def test_evidence_that_adds_to_the_text_makes_the_vector_unfit(staging: Staging) -> None:
    said = {**HERE, "description": "More."}
    staging.entity("Ada", said, description="Known.", embedding=ONE)
    staging.entity("Bob", {**HERE, "name": "BOB"}, description="Known.", embedding=ONE)
    staging.relation("Ada", "Cid", said, description="Met.", embedding=TWO)
    staging.relation("Ada", "Dan", {**HERE, "keywords": ["new"]}, description="Saw.", embedding=TWO)
    staging.finish()
    assert {row[:2] for row in vectors(staging, "entity").values()} == {(None, True)}
    assert {row[:2] for row in vectors(staging, "relation").values()} == {(None, True)}


def test_merged_lines_that_differ_are_embedded_anew(staging: Staging) -> None:
    staging.entity("Ada", HERE, description="Known.", embedding=ONE)
    staging.entity("Ada", {"chunk": 1}, description="Else.", embedding=TWO)
    staging.relation("Ada", "Bob", HERE, description="Met.", embedding=ONE)
    staging.relation("Bob", "Ada", {"chunk": 1}, description="Saw.", embedding=TWO)
    staging.finish()
    assert vectors(staging, "entity")["Ada"][:2] == (None, True)
    assert vectors(staging, "relation") == {"Met.<SEP>Saw.": (None, True, None)}


def test_merged_lines_that_say_the_same_keep_the_first_vector(staging: Staging) -> None:
    staging.entity("Ada", HERE, description="Known.", embedding=ONE)
    staging.entity("Ada", {"chunk": 1}, description="Known.", embedding=TWO)
    staging.finish()
    assert vectors(staging, "entity") == {"Ada": (ONE, False, True)}


@pytest.mark.parametrize("source", ["summarized", "manual"])
def test_descriptions_that_are_kept_keep_their_vectors(staging: Staging, source: str) -> None:
    said = {**HERE, "description": "More.", "type": "person"}
    staging.entity("Ada", said, description="Known.", description_source=source, embedding=ONE, token_count=5)
    staging.entity("Bob", HERE, description="Known.")
    told = {**HERE, "description": "More."}
    staging.relation("Ada", "Bob", told, description="Met.", description_source=source, embedding=TWO, token_count=5)
    staging.finish()
    assert vectors(staging, "entity")["Ada"] == (ONE, False, True)
    assert vectors(staging, "relation") == {"Met.": (TWO, False, True)}


def test_what_the_workspace_has_keeps_its_vector_while_its_text_stays(staging: Staging) -> None:
    staging.entity("Ada", HERE, description="Known.", embedding=ONE)
    staging.entity("Bob", HERE, description="Known.", embedding=ONE)
    staging.finish()
    again = import_again(staging.connection)
    again.entity("Ada", HERE, description="Known.", embedding=TWO)
    again.entity("Bob", HERE, description="Else.", embedding=TWO)
    again.finish()
    assert vectors(again, "entity") == {"Ada": (ONE, False, True), "Bob": (ONE, True, False)}
