"""Descriptions that say where they come from: a summary, what a hand wrote, a join of the evidence, a statement."""

from __future__ import annotations

import psycopg
import pytest
from support.import_staging import Staging

SAID = ({"chunk": 0, "description": "d0", "type": "t"}, {"chunk": 1, "description": "d1", "type": "t"})
TOLD = (
    {"chunk": 0, "description": "d0", "keywords": ["a", "b"], "weight": 2.0},
    {"chunk": 1, "description": "d1", "keywords": ["b"], "weight": 3.0},
)
ENTITY = (
    "SELECT type, description, description_source, stated_type, stated_description FROM pgrag.entity WHERE name = 'Ada'"
)
RELATION = (
    "SELECT keywords, description, description_source, stated_keywords, stated_description, weight FROM pgrag.relation"
)


@pytest.fixture
def staging(db: psycopg.Connection) -> Staging:
    return Staging(db)


def test_a_join_of_the_evidence_is_derived_and_states_nothing(staging: Staging) -> None:
    staging.entity("Ada", *SAID, type="t", description="d0<SEP>d1", description_source="joined")
    staging.relation("Ada", "Bob", *TOLD, keywords=["b", "a"], description="d0<SEP>d1", description_source="joined")
    staging.finish()
    assert staging.rows(ENTITY) == [("t", "d0<SEP>d1", "joined", None, None)]
    assert staging.rows(RELATION) == [(["a", "b"], "d0<SEP>d1", "joined", None, None, 5.0)]


def test_what_is_no_join_of_the_evidence_is_stated_all_the_same(staging: Staging) -> None:
    staging.entity("Ada", *SAID, type="u", description="Else.", description_source="joined")
    staging.relation("Ada", "Bob", *TOLD, keywords=["c"], description="Else.", description_source="joined")
    staging.finish()
    assert staging.rows(ENTITY) == [("u", "Else.<SEP>d0<SEP>d1", "imported", "u", "Else.")]
    assert staging.rows(RELATION) == [(["a", "b", "c"], "Else.<SEP>d0<SEP>d1", "imported", ["c"], "Else.", 5.0)]


def test_a_summary_is_kept_and_is_no_fragment(staging: Staging) -> None:
    staging.entity("Ada", *SAID, type="t", description="In short.", description_source="summarized")
    staging.relation("Ada", "Bob", *TOLD, keywords=["a"], description="In short.", description_source="summarized")
    staging.finish()
    assert staging.rows(ENTITY) == [("t", "In short.", "summarized", None, None)]
    assert staging.rows(RELATION) == [(["a", "b"], "In short.", "summarized", None, None, 5.0)]


def test_a_summary_whose_evidence_is_silent_is_all_there_is(staging: Staging) -> None:
    staging.entity("Ada", {"chunk": 0}, type="t", description="In short.", description_source="summarized")
    staging.finish()
    assert staging.rows(ENTITY) == [("t", "In short.", "summarized", "t", "In short.")]


def test_what_a_hand_wrote_is_kept_whole(staging: Staging) -> None:
    staging.entity("Ada", *SAID, type="mine", description="Mine.", description_source="manual")
    staging.relation("Ada", "Bob", *TOLD, keywords=["z"], weight=9.0, description="Mine.", description_source="manual")
    staging.finish()
    assert staging.rows(ENTITY) == [("mine", "Mine.", "manual", None, None)]
    assert staging.rows(RELATION) == [(["z"], "Mine.", "manual", None, None, 9.0)]


def test_lines_that_are_merged_are_fragments_whatever_they_say(staging: Staging) -> None:
    staging.entity("Ada", {"chunk": 0}, description="Mine.", description_source="manual")
    staging.entity("Ada", {"chunk": 1}, description="In short.", description_source="summarized")
    staging.relation("Ada", "Bob", {"chunk": 0}, description="Mine.", description_source="manual")
    staging.relation("Bob", "Ada", {"chunk": 1}, description="In short.", description_source="summarized")
    staging.finish()
    assert staging.rows(ENTITY)[0][1:3] == ("Mine.<SEP>In short.", "imported")
    assert staging.rows(RELATION)[0][1:3] == ("Mine.<SEP>In short.", "imported")


@pytest.mark.parametrize("source", ["summarized", "manual"])
def test_token_counts_are_no_less_than_the_real_ones_until_refreshed(staging: Staging, source: str) -> None:
    staging.entity("Ada", *SAID, description="x" * 50, description_source=source)
    staging.relation("Ada", "Bob", *TOLD, description="y" * 50, description_source=source)
    staging.finish()
    assert (
        staging.rows(
            "SELECT e.stale, e.token_count = octet_length(pgrag.entity_line(e.name, e.type, e.description)) + 1"
            " FROM pgrag.entity e UNION ALL"
            " SELECT r.stale, r.token_count = octet_length(pgrag.relation_line(a.name, b.name, r.description)) + 1"
            " FROM pgrag.relation r JOIN pgrag.entity a ON a.id = r.source_id JOIN pgrag.entity b ON b.id = r.target_id"
        )
        == [(True, True)] * 3
    )
