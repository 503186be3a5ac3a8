"""search_entities, search_relations, search_chunks: columns, order, limits, filter, errors."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.types.json import Jsonb
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph

ASKED = "[1,0,0,0,0,0,0,0]"
SAME, NEAR, FAR, BEYOND, OPPOSITE = (
    (1, 0, 0, 0, 0, 0, 0, 0),
    (2, 1, 0, 0, 0, 0, 0, 0),
    (1, 1, 0, 0, 0, 0, 0, 0),
    (0, 1, 0, 0, 0, 0, 0, 0),
    (-1, 0, 0, 0, 0, 0, 0, 0),
)
GRAPH = SmallGraph(
    documents=[Document(1, "old", {"year": 2000, "tags": ["x", "y"]}), Document(2, "new", {"year": 2020})],
    chunks=[
        Chunk(11, 1, 0, NEAR, tokens=7),
        Chunk(12, 2, 0, SAME),
        Chunk(13, 2, 1, BEYOND),
        Chunk(14, 2, 2, FAR),
        Chunk(15, 1, 1, None),
        Chunk(10, 1, 2, FAR),
    ],
    entities=[
        Entity(21, (11,), NEAR, tokens=9, name="Alice"),
        Entity(22, (12,), SAME, name="Bob"),
        Entity(23, (12,), OPPOSITE, name="Carol"),
        Entity(24, (11, 12), FAR, name="Dora"),
        Entity(20, (), FAR, name="Eve"),
    ],
    relations=[
        Relation(31, 21, 22, 2.5, (12,), NEAR, tokens=8),
        Relation(32, 22, 23, 1.0, (11,), SAME),
        Relation(33, 21, 23, 1.0, (11,), BEYOND),
    ],
)
DOORS = ("search_entities", "search_relations", "search_chunks")


@pytest.fixture
def small(db: psycopg.Connection) -> psycopg.Connection:
    GRAPH.shifted(500).store(db, "elsewhere")
    GRAPH.store(db)
    return db


def ids(connection: psycopg.Connection, call: str, *arguments: object) -> list[int]:
    return [row[0] for row in connection.execute(f"SELECT id FROM pgrag.{call}", arguments)]


def test_search_entities_gives_its_columns(small: psycopg.Connection) -> None:
    found = small.execute(
        "SELECT * FROM pgrag.search_entities('small', %s, 1, 0.1, %s)", (ASKED, Jsonb({"year": 2000}))
    )
    row = found.fetchone()
    assert row is None, "the nearest with evidence of 2000 is farther than 0.1"
    found = small.execute(
        "SELECT * FROM pgrag.search_entities('small', %s, 1, 0.2, %s)", (ASKED, Jsonb({"year": 2000}))
    )
    assert [column.name for column in found.description or ()] == [
        "id", "name", "type", "description", "degree", "token_count", "distance",
    ]  # fmt: skip
    assert found.fetchall() == [(21, "Alice", "thing", "described 21", 2, 9, pytest.approx(1 - 2 / 5**0.5))]


def test_search_relations_gives_its_columns(small: psycopg.Connection) -> None:
    found = small.execute(
        "SELECT * FROM pgrag.search_relations('small', %s, 1, 0.8, %s)", (ASKED, Jsonb({"year": 2020}))
    )
    assert [column.name for column in found.description or ()] == [
        "id", "source_id", "target_id", "source", "target", "keywords", "description", "weight",
        "token_count", "distance",
    ]  # fmt: skip
    row = (31, 21, 22, "Alice", "Bob", ["knows"], "related 31", 2.5, 8, pytest.approx(1 - 2 / 5**0.5))
    assert found.fetchall() == [row]


def test_search_chunks_gives_its_columns(small: psycopg.Connection) -> None:
    found = small.execute("SELECT * FROM pgrag.search_chunks('small', %s, 1, 0.8, %s)", (ASKED, Jsonb({"tags": ["y"]})))
    assert [column.name for column in found.description or ()] == [
        "id", "document_id", "file_path", "chunk_index", "content", "token_count", "distance",
    ]  # fmt: skip
    assert found.fetchall() == [(11, "old", "old.txt", 0, "content 11", 7, pytest.approx(1 - 2 / 5**0.5))]


def test_nearest_first_then_id_and_strictly_nearer(small: psycopg.Connection) -> None:
    assert ids(small, "search_entities('small', %s)", ASKED) == [22, 21, 20, 24]
    assert ids(small, "search_relations('small', %s)", ASKED) == [32, 31]
    assert ids(small, "search_chunks('small', %s)", ASKED) == [12, 11, 10, 14]
    assert ids(small, "search_relations('small', %s, 40, 1.0)", ASKED) == [32, 31], "33 is at 1.0, not nearer"
    assert ids(small, "search_relations('small', %s, 40, 1.001)", ASKED) == [32, 31, 33]
    assert ids(small, "search_entities('small', %s, max_distance => 2)", ASKED) == [22, 21, 20, 24], "23 is at 2"


def test_a_tie_at_the_limit_goes_to_the_smaller_id(small: psycopg.Connection) -> None:
    assert ids(small, "search_entities('small', %s, 3)", ASKED) == [22, 21, 20]
    assert ids(small, "search_chunks('small', %s, top_k => 3)", ASKED) == [12, 11, 10]


def test_top_k_of_one_and_of_a_thousand(small: psycopg.Connection) -> None:
    assert ids(small, "search_entities('small', %s, 1)", ASKED) == [22]
    assert ids(small, "search_entities('small', %s, 1000)", ASKED) == [22, 21, 20, 24]


def test_a_filter_asks_for_evidence_in_matching_documents(small: psycopg.Connection) -> None:
    old, nothing = Jsonb({"year": 2000}), Jsonb({"year": 1900})
    assert ids(small, "search_entities('small', %s, filter => %s)", ASKED, old) == [21, 24]
    assert ids(small, "search_relations('small', %s, 40, 2, %s)", ASKED, old) == [32, 33]
    assert ids(small, "search_chunks('small', %s, filter => %s)", ASKED, old) == [11, 10]
    assert ids(small, "search_chunks('small', %s, 1, filter => %s)", ASKED, old) == [11]
    for door in DOORS:
        assert ids(small, f"{door}('small', %s, filter => %s)", ASKED, nothing) == []
        assert ids(small, f"{door}('small', %s, filter => '{{}}')", ASKED) != []


@pytest.mark.parametrize("door", DOORS)
def test_arguments_are_checked(small: psycopg.Connection, door: str) -> None:
    def error(call: str) -> psycopg.Error:
        with pytest.raises(psycopg.Error) as caught, small.transaction():
            small.execute(f"SELECT * FROM pgrag.{door}({call})")
        return caught.value

    for call, state, said in (
        (f"'nowhere', '{ASKED}'", "RG002", "nowhere"),
        (f"NULL, '{ASKED}'", "RG002", "NULL"),
        ("'small', NULL", "RG001", "query_embedding"),
        (f"'small', '{ASKED}', 0", "RG001", "top_k must be at least 1, got 0"),
        (f"'small', '{ASKED}', NULL", "RG001", "top_k must be at least 1, got NULL"),
        (f"'small', '{ASKED}', 1, 0", "RG001", "max_distance must be above 0"),
        (f"'small', '{ASKED}', 1, 'NaN'", "RG001", "got NaN"),
        (f"'small', '{ASKED}', 1, 2.5", "RG001", "got 2.5"),
        (f"'small', '{ASKED}', 1, 0.8, '[1]'", "RG001", "filter must be a JSON object"),
        ("'small', '[1,2]'", "RG003", "the embedding has 2 dimensions, the database has 8"),
    ):
        caught = error(call)
        assert caught.sqlstate == state, call
        assert said in str(caught), call


def test_an_empty_workspace_has_no_rows(db: psycopg.Connection) -> None:
    SmallGraph().store(db)
    for door in DOORS:
        assert ids(db, f"{door}('small', %s)", ASKED) == []


def test_an_embedding_of_zeros_is_near_to_nothing(small: psycopg.Connection) -> None:
    for door in DOORS:
        assert ids(small, f"{door}('small', %s)", "[0,0,0,0,0,0,0,0]") == []
