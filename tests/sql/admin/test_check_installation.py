"""check_installation finds what is broken; repair_installation mends what tables alone can mend."""

from __future__ import annotations

import psycopg
import pytest
from support.documents import Publisher, entity, relation


@pytest.fixture
def filled(db: psycopg.Connection) -> psycopg.Connection:
    Publisher(db)("d", ["x"], [entity(0, "A", "t", "a"), entity(0, "B", "t", "b")], [relation(0, "A", "B", [], "r")])
    return db


def problems(db: psycopg.Connection) -> list[str]:
    return [row[0] for row in db.execute("SELECT problem, cure FROM pgrag.check_installation()")]


def test_nothing_is_wrong_with_a_sound_one(filled: psycopg.Connection) -> None:
    assert problems(filled) == []
    assert filled.execute("SELECT pgrag.repair_installation()").fetchall() == []


@pytest.mark.parametrize(
    ("harm", "word"),
    [
        ("UPDATE pgrag.entity SET degree = 7", "degree"),
        ("DELETE FROM pgrag.entity_evidence; DELETE FROM pgrag.relation", "evidence"),
        ('DELETE FROM pgrag_graph."RELATES"', "edge"),
        ('DELETE FROM pgrag_graph."Entity"', "vert"),
        ("DELETE FROM pgrag.relation_evidence", "relations of workspace"),
        ("UPDATE pgrag.entity_evidence SET name_key = 'c' WHERE name_key = 'a'", "another entity"),
        ("UPDATE pgrag.relation_evidence SET relation_id = NULL", "another relation"),
        ("UPDATE pgrag.relation_evidence SET target_key = 'c'", "another relation"),
        (
            "INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key) "
            "SELECT workspace_id, 'a', 'A', 'b' FROM pgrag.entity WHERE name_key = 'a'",
            "another entity",
        ),
    ],
)
def test_harm_is_found_and_mended(filled: psycopg.Connection, harm: str, word: str) -> None:
    filled.execute(harm)
    found = problems(filled)
    assert any(word in problem for problem in found), found
    assert filled.execute("SELECT pgrag.repair_installation()").fetchall()
    assert problems(filled) == []


def test_a_chunk_without_vector_is_found(filled: psycopg.Connection) -> None:
    filled.execute("DELETE FROM pgrag.chunk_embedding")
    assert problems(filled) == ["1 chunks of workspace 'w' have no embedding"]


def test_the_views_can_be_read(filled: psycopg.Connection) -> None:
    assert filled.execute("SELECT workspace, entities, relations FROM pgrag.workspace_stats").fetchall() == [
        ("w", 2, 1)
    ]
    status = filled.execute("SELECT document, status, chunk_count FROM pgrag.document_status").fetchall()
    assert status == [("d", "ready", 1)]
    assert filled.execute("SELECT * FROM pgrag.ingest_queue").fetchall() == []
    assert filled.execute("SELECT * FROM pgrag.cache_stats").fetchall() == []
