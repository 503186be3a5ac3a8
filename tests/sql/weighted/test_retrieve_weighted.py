"""pgrag.retrieve_weighted: its columns and items, what is one hit, sources and weights, limits and errors."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph

NORTH, SOUTH = "[1,0,0,0,0,0,0,0]", "[-1,0,0,0,0,0,0,0]"
N, NE, E = (1, 0, 0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0, 0)
NEAR = 1 / 2**0.5

# Chunk 21 (north) states that Marley knows Scrooge; 22 (northeast) states nothing; 23 (east, too far) states 12.
GRAPH = SmallGraph(
    documents=[Document(1, "tale", {"year": 1843}), Document(2, "later", {"year": 1900})],
    chunks=[Chunk(21, 1, 0, N, tokens=100), Chunk(22, 1, 1, NE, tokens=200), Chunk(23, 2, 0, E, tokens=300)],
    entities=[Entity(1, (21,), name="Marley"), Entity(2, (21, 23), name="Scrooge"), Entity(3, (23,), name="Fred")],
    relations=[Relation(11, 1, 2, 1.0, (21,), tokens=8), Relation(12, 3, 2, 3.0, (23,), tokens=9)],
)


@pytest.fixture
def small(db: psycopg.Connection) -> psycopg.Connection:
    GRAPH.shifted(500).store(db, "elsewhere")
    GRAPH.store(db)
    return db


def rows(connection: psycopg.Connection, embedding: str | None, names: object, **options: Any) -> list[tuple[Any, ...]]:
    more = "".join(f", {name} => %({name})s" for name in options)
    call = f"SELECT * FROM pgrag.retrieve_weighted('small', %(v)s, %(n)s{more})"
    return connection.execute(call, {"v": embedding, "n": names, **options}).fetchall()


def hits(found: list[tuple[Any, ...]]) -> list[tuple[str, int, float]]:
    return [(row[1], row[2], round(row[4], 9)) for row in found]


def test_its_columns_and_items(small: psycopg.Connection) -> None:
    found = small.execute("SELECT * FROM pgrag.retrieve_weighted('small', %s, ARRAY['scrooge'])", (NORTH,))
    assert [column.name for column in found.description or ()] == [
        "ordinal", "source", "id", "content", "score", "item",
    ]  # fmt: skip
    first, second, third = found.fetchall()
    place = {"document_id": "tale", "file_path": "tale.txt"}
    assert first == (
        1, "vector", 21, "content 21", pytest.approx(0.6 * 1 + 0.4 * 0.5),
        {**place, "chunk_index": 0, "token_count": 100, "distance": 0, "scores": {"vector": 1, "graph": 0.5},
         "triples": ["Marley - knows - Scrooge"]},
    )  # fmt: skip
    assert second[:5] == (2, "vector", 22, "content 22", pytest.approx(0.6 * NEAR))
    assert set(second[5]) == {*place, "chunk_index", "token_count", "distance", "scores"}
    assert third == (
        3, "graph", 12, "Fred - knows - Scrooge", pytest.approx(0.4 * 0.75),
        {"source": "Fred", "target": "Scrooge", "keywords": ["knows"], "description": "related 12", "weight": 3,
         "rank": 3, "token_count": 9, "hops": 1, "match": 1, "scores": {"graph": 0.75}},
    )  # fmt: skip


def test_a_chunk_that_is_the_evidence_of_a_triple_is_that_triple(small: psycopg.Connection) -> None:
    """Were chunk 23 near enough, it would stand for triple 12 too; of what it states the best counts."""
    small.execute(
        "INSERT INTO pgrag.relation_evidence (workspace_id, relation_id, chunk_id, ordinal, source, target,"
        " source_key, target_key) SELECT id, 12, 21, 1, 'x', 'y', 'p', 'q' FROM pgrag.workspace WHERE name = 'small'"
    )
    found = rows(small, NORTH, ["scrooge"])
    assert hits(found) == [("vector", 21, 0.9), ("vector", 22, round(0.6 * NEAR, 9))]
    assert found[0][5]["triples"] == ["Fred - knows - Scrooge", "Marley - knows - Scrooge"]


def test_one_side_may_be_empty(small: psycopg.Connection) -> None:
    near = [("vector", 21, 0.6), ("vector", 22, round(0.6 * NEAR, 9))]
    related = [("graph", 12, 0.3), ("graph", 11, 0.2)]
    for names in (None, [], ["nobody"], [None]):
        assert hits(rows(small, NORTH, names)) == near
    assert hits(rows(small, None, ["scrooge"])) == hits(rows(small, SOUTH, ["scrooge"])) == related
    assert hits(rows(small, NORTH, ["scrooge"], vector_weight=0)) == related
    assert hits(rows(small, NORTH, ["scrooge"], graph_weight=0)) == near
    assert rows(small, SOUTH, ["nobody"]) == []


def test_reciprocal_ranks(small: psycopg.Connection) -> None:
    found = rows(small, NORTH, ["scrooge"], fusion="rrf")
    assert hits(found) == [
        ("vector", 21, round(0.6 / 61 + 0.4 / 62, 9)),
        ("vector", 22, round(0.6 / 62, 9)),
        ("graph", 12, round(0.4 / 61, 9)),
    ]
    assert found[0][5]["scores"] == {"vector": 1, "graph": 0.5}


def test_words_are_a_third_source(small: psycopg.Connection) -> None:
    """A chunk found by its words alone states its triple as well."""
    without = rows(small, NORTH, ["scrooge"], query_text="23")
    assert without == rows(small, NORTH, ["scrooge"]), "off, unless it has a weight"
    found = rows(small, NORTH, ["scrooge"], query_text="23", text_weight=1)
    assert hits(found)[0] == ("text", 23, 1.3)
    assert found[0][5]["scores"] == {"text": 1, "graph": 0.75}
    assert found[0][5]["triples"] == ["Fred - knows - Scrooge"]
    assert {row[1] for row in found} == {"text", "vector"}
    both = rows(small, NORTH, None, query_text="content 21", text_weight=0.5)
    assert hits(both)[0] == ("vector", 21, 1.1), "the vector copy is kept"
    assert hits(rows(small, None, None, query_text="23", text_weight=1)) == [("text", 23, 1.0)]
    ranked = rows(small, NORTH, None, query_text="23", text_weight=1, fusion="rrf")
    assert hits(ranked)[0] == ("text", 23, round(1 / 61, 9))


def test_limits(small: psycopg.Connection) -> None:
    everything = rows(small, NORTH, ["scrooge"], top_k=1000)
    assert everything == rows(small, NORTH, ["scrooge"])
    assert hits(rows(small, NORTH, ["scrooge"], top_k=1)) == hits(everything)[:1]
    assert [row[1] for row in rows(small, NORTH, ["scrooge"], max_distance=0.1)] == ["vector", "graph"]
    assert [row[2] for row in rows(small, None, ["fred"])] == [12]
    assert [row[2] for row in rows(small, None, ["fred"], max_depth=2)] == [12, 11]
    assert [row[2] for row in rows(small, None, ["fred"], max_depth=1000)] == [12, 11]
    assert rows(small, None, ["scrooge"], relation_keywords=["loves"]) == []


def test_a_filter_keeps_to_documents(small: psycopg.Connection) -> None:
    found = rows(
        small, NORTH, ["scrooge"], filter='{"year": 1900}', query_text="content", text_weight=1, max_distance=2
    )
    assert hits(found) == [("vector", 23, 1.3)]
    old = rows(small, NORTH, ["scrooge"], filter='{"year": 1843}', max_distance=0.1)
    assert [(row[1], row[2]) for row in old] == [("vector", 21)]
    assert rows(small, NORTH, ["scrooge"], filter='{"year": 1}') == []


@pytest.mark.parametrize(
    ("arguments", "state", "said"),
    [
        ("'nowhere', '{v}', NULL", "RG002", "nowhere"),
        ("NULL, '{v}', NULL", "RG002", "NULL"),
        ("'small', NULL, NULL", "RG001", "nothing to search with"),
        ("'small', NULL, '{{}}'", "RG001", "nothing to search with"),
        ("'small', NULL, NULL, query_text => 'x'", "RG001", "nothing to search with"),
        ("'small', '{v}', '{{a}}', 0, 0", "RG001", "nothing to search with"),
        ("'small', '[1,2]', '{{a}}'", "RG003", "2 dimensions"),
        ("'small', '{v}', NULL, -1", "RG001", "vector_weight must be a number of 0 or more, got -1"),
        ("'small', '{v}', NULL, NULL", "RG001", "vector_weight must be a number of 0 or more, got NULL"),
        ("'small', '{v}', NULL, graph_weight => 'NaN'", "RG001", "graph_weight"),
        ("'small', '{v}', NULL, text_weight => 'Infinity'", "RG001", "text_weight"),
        ("'small', '{v}', NULL, top_k => 0", "RG001", "top_k must be at least 1"),
        ("'small', '{v}', NULL, top_k => NULL", "RG001", "top_k must be at least 1, got NULL"),
        ("'small', '{v}', NULL, max_depth => 0", "RG001", "max_depth must be at least 1"),
        ("'small', '{v}', NULL, fusion => 'best'", "RG001", "unknown fusion 'best'"),
        ("'small', '{v}', NULL, fusion => NULL", "RG001", "unknown fusion"),
        ("'small', '{v}', NULL, max_distance => 3", "RG001", "max_distance"),
        ("'small', '{v}', NULL, filter => '[]'", "RG001", "filter must be a JSON object"),
    ],
)
def test_arguments_are_checked(small: psycopg.Connection, arguments: str, state: str, said: str) -> None:
    with pytest.raises(psycopg.Error) as caught:
        small.execute(f"SELECT * FROM pgrag.retrieve_weighted({arguments.format(v=NORTH)})")
    assert caught.value.sqlstate == state
    assert said in str(caught.value)


def test_an_empty_workspace_has_no_rows(db: psycopg.Connection) -> None:
    SmallGraph(documents=()).store(db)
    assert rows(db, NORTH, ["scrooge"], query_text="x", text_weight=1) == []


@pytest.mark.parametrize("path", ["", "pg_temp", "ag_catalog, public"])
def test_it_works_from_any_search_path(small: psycopg.Connection, path: str) -> None:
    expected = hits(rows(small, NORTH, ["scrooge"], query_text="content", text_weight=1))
    small.execute("SELECT set_config('search_path', %s, true)", (path,))
    assert hits(rows(small, NORTH, ["scrooge"], query_text="content", text_weight=1)) == expected
