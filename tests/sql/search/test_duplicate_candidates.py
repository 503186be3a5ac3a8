"""duplicate_candidates: likely pairs, each once, best first, by name and by meaning."""

from __future__ import annotations

import psycopg
import pytest
from support.documents import Publisher, entity

VECTORS = {
    "Ebenezer Scrooge": [1, 0, 0, 0, 0, 0, 0, 0],
    "Scrooge": [1, 0.1, 0, 0, 0, 0, 0, 0],
    "The miser": [1, 0, 0.1, 0, 0, 0, 0, 0],
    "Scrooges": [0, 0, 0, 1, 0, 0, 0, 0],
    "Marley": [0, 0, 0, 0, 1, 0, 0, 0],
}


@pytest.fixture
def filled(db: psycopg.Connection) -> psycopg.Connection:
    for workspace in ("w", "other"):
        Publisher(db, workspace)("d", ["x"], [entity(0, name, "t", "d") for name in VECTORS], [])
    for name, vector in VECTORS.items():
        db.execute(
            "INSERT INTO pgrag.entity_embedding (workspace_id, entity_id, text_hash, embedding) "
            "SELECT e.workspace_id, e.id, '', %s::vector::halfvec FROM pgrag.entity e "
            "JOIN pgrag.workspace w ON w.id = e.workspace_id WHERE e.name = %s AND w.name = 'w'",
            (str(vector), name),
        )
    return db


def pairs(db: psycopg.Connection, arguments: str = "") -> list[tuple]:
    return db.execute(f"SELECT entity, other, why FROM pgrag.duplicate_candidates('w'{arguments})").fetchall()


def test_pairs_are_likely_in_name_or_meaning_each_once(filled: psycopg.Connection) -> None:
    assert pairs(filled) == [
        ("Ebenezer Scrooge", "Scrooge", "both"),
        ("Ebenezer Scrooge", "The miser", "meaning"),
        ("Scrooge", "The miser", "meaning"),
        ("Scrooge", "Scrooges", "name"),
    ]


def test_scores_fall(filled: psycopg.Connection) -> None:
    rows = filled.execute(
        "SELECT similarity, distance, score "
        "FROM pgrag.duplicate_candidates('w', min_similarity => 0, max_distance => 2)"
    ).fetchall()
    assert [row[2] for row in rows] == sorted((row[2] for row in rows), reverse=True)
    for similarity, distance, score in rows:
        assert score == pytest.approx((similarity + max(1 - distance, 0)) / 2)
        assert 0 <= score <= 1


def test_one_entity_is_asked_for_by_any_of_its_names(filled: psycopg.Connection) -> None:
    assert pairs(filled, ", 'scrooge', min_similarity => 1") == [
        ("Ebenezer Scrooge", "Scrooge", "meaning"),
        ("Scrooge", "The miser", "meaning"),
    ]
    assert pairs(filled, ", top_k => 1") == pairs(filled)[:1]


def test_without_embeddings_the_names_alone_count(filled: psycopg.Connection) -> None:
    rows = filled.execute("SELECT entity, other, distance, why FROM pgrag.duplicate_candidates('other')").fetchall()
    assert rows == [("Scrooge", "Scrooges", None, "name"), ("Ebenezer Scrooge", "Scrooge", None, "name")]


@pytest.mark.parametrize(
    ("arguments", "sqlstate"),
    [
        (", 'nobody'", "RG008"),
        (", top_k => 0", "RG001"),
        (", min_similarity => 1.5", "RG001"),
        (", max_distance => 'NaN'", "RG001"),
        (", max_entities => 0", "RG001"),
    ],
)
def test_bad_arguments_are_refused(filled: psycopg.Connection, arguments: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as caught, filled.transaction():
        pairs(filled, arguments)
    assert caught.value.sqlstate == sqlstate
