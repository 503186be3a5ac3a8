"""At 12,000 entities, relations and chunks: vector search goes by HNSW, everything else by index lookups."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from support.databases import TestServer
from support.synthetic_graph import GraphSize, SyntheticGraph, literal, load_synthetic_graph

LARGE = GraphSize(entities=12_000, relations=12_000, chunks=12_000, documents=240, dimensions=8)
SMALL = GraphSize(entities=60, relations=80, chunks=60, documents=2, dimensions=8)
BIG_TABLES = {
    *(f"{kind}_embedding" for kind in ("chunk", "entity", "relation")),
    *("chunk", "entity", "relation", "entity_evidence", "relation_evidence"),
}
MODES = ("force_generic_plan", "force_custom_plan")
Plan = dict[str, Any]


@pytest.fixture(scope="module")
def graphs(server: TestServer) -> Iterator[tuple[str, SyntheticGraph, SyntheticGraph]]:
    """A database with a large and a small workspace: its URL, and both."""
    name = f"test_plans_{uuid.uuid4().hex[:8]}"
    url = server.create(name, dimensions=8, migrated=True, age=False)
    with psycopg.connect(url) as connection:
        large = load_synthetic_graph(connection, LARGE, "large")
        small = load_synthetic_graph(connection, SMALL, "small", seed=2)
        connection.commit()
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE")
    yield url, large, small
    server.drop(name)


@pytest.fixture
def connection(graphs: tuple[str, SyntheticGraph, SyntheticGraph]) -> Iterator[psycopg.Connection]:
    with psycopg.connect(graphs[0]) as opened:
        opened.execute("SET hnsw.iterative_scan = strict_order; SET hnsw.ef_search = 80; SET jit = off")
        yield opened


@pytest.fixture
def large(graphs: tuple[str, SyntheticGraph, SyntheticGraph]) -> SyntheticGraph:
    return graphs[1]


@pytest.fixture
def small(graphs: tuple[str, SyntheticGraph, SyntheticGraph]) -> SyntheticGraph:
    return graphs[2]


def nodes(plan: Plan) -> Iterator[Plan]:
    """Every node of a plan."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def plan_of(connection: psycopg.Connection, mode: str, types: str, query: str, arguments: str) -> list[Plan]:
    """The nodes of the plan that `query` gets as a prepared statement."""
    connection.execute(f"SET plan_cache_mode = {mode}")
    connection.execute(f"PREPARE asked ({types}) AS {query}")
    row = connection.execute(f"EXPLAIN (FORMAT JSON) EXECUTE asked ({arguments})").fetchone()
    connection.execute("DEALLOCATE asked")
    assert row is not None
    return list(nodes(row[0][0]["Plan"]))


def indexes(plan: list[Plan]) -> set[str]:
    return {node["Index Name"] for node in plan if "Index Name" in node}


def scanned(plan: list[Plan]) -> set[str]:
    """The big tables that are read from end to end."""
    return {node["Relation Name"] for node in plan if node["Node Type"] == "Seq Scan"} & BIG_TABLES


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("plural", "kind"), [("entities", "entity"), ("relations", "relation"), ("chunks", "chunk")])
def test_a_search_goes_by_hnsw(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str, plural: str, kind: str
) -> None:
    query = f"SELECT * FROM pgrag.nearest_{plural}($1, $2, $3, $4, $5)"
    arguments = f"{large.workspace_id}, '{literal(large.questions[0])}', 40, 0.8, NULL"
    plan = plan_of(connection, mode, "bigint, vector, int, float8, jsonb", query, arguments)
    assert indexes(plan) == {f"{kind}_embedding_hnsw"}
    assert scanned(plan) == set()


@pytest.mark.parametrize("mode", MODES)
def test_retrieve_reads_no_big_table_from_end_to_end(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str
) -> None:
    query = "SELECT * FROM pgrag.retrieve_ranked($1, $2, $2, $2, $2, $2, 40, 20, 6000, 8000, 0.8, 5, NULL, $3)"
    arguments = f"{large.workspace_id}, '{literal(large.questions[0])}', NULL"
    plan = plan_of(connection, mode, "bigint, vector, jsonb", query, arguments)
    assert indexes(plan) >= {"entity_embedding_hnsw", "relation_embedding_hnsw", "chunk_embedding_hnsw"}
    assert scanned(plan) == set()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count", [1, 50, 5000])
def test_picking_by_vector_is_exact(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str, count: int
) -> None:
    """The index would be walked in the order that picking wants, and miss most of a few chunks."""
    query = "SELECT * FROM pgrag.pick_chunks_by_vector($1, $2, $3, $4)"
    chunk_ids = connection.execute("SELECT array_agg(id) FROM (SELECT id FROM pgrag.chunk LIMIT %s) c", (count,))
    (ids,) = chunk_ids.fetchone() or ([],)
    arguments = f"{large.workspace_id}, '{literal(large.questions[0])}', '{{{','.join(map(str, ids))}}}', 100"
    plan = plan_of(connection, mode, "bigint, vector, bigint[], bigint", query, arguments)
    assert "chunk_embedding_hnsw" not in indexes(plan)


@pytest.mark.parametrize("mode", MODES)
def test_names_are_found_by_the_trigram_index(connection: psycopg.Connection, large: SyntheticGraph, mode: str) -> None:
    query = "SELECT * FROM pgrag.entities_like($1, $2, $3)"
    plan = plan_of(connection, mode, "bigint, text, int", query, f"{large.workspace_id}, 'entity 1234', 10")
    assert "entity_by_name_trigram" in indexes(plan)
    assert scanned(plan) == set()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("filter", ["NULL", """'{"serial": 7}'"""])
def test_words_are_found_by_the_text_index(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str, filter: str
) -> None:
    query = "SELECT * FROM pgrag.chunks_with_words($1, $2, $3, $4)"
    arguments = f"{large.workspace_id}, 'word1234 of the story', 20, {filter}"
    plan = plan_of(connection, mode, "bigint, text, int, jsonb", query, arguments)
    assert "chunk_by_fts" in indexes(plan)
    assert scanned(plan) == set()


@pytest.mark.parametrize("mode", MODES)
def test_weighted_retrieval_reads_no_big_table_from_end_to_end(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str
) -> None:
    query = (
        "SELECT * FROM pgrag.weighted_items($1, $2, 'of word7', '{Entity 7}', $3, 10, 2, NULL, 'weighted', 0.8, NULL)"
    )
    arguments = f'{large.workspace_id}, \'{literal(large.questions[0])}\', \'{{"vector": 1, "graph": 1, "text": 1}}\''
    plan = plan_of(connection, mode, "bigint, vector, jsonb", query, arguments)
    assert indexes(plan) >= {"chunk_embedding_hnsw", "chunk_by_fts", "entity_by_name_trigram"}
    assert scanned(plan) == set()


def test_weighted_retrieval_is_the_same_by_generic_and_custom_plans(
    connection: psycopg.Connection, large: SyntheticGraph
) -> None:
    query = (
        "SELECT ordinal, source, id FROM pgrag.weighted_items((SELECT id FROM pgrag.workspace WHERE name = 'large'),"
        " %(v)s, NULL, '{Entity 7}', '{\"vector\": 0.6, \"graph\": 0.4}', 10, 1, NULL, 'weighted', 0.8, NULL)"
    )
    answers = []
    for mode in MODES:
        connection.execute(f"SET plan_cache_mode = {mode}")
        answers.append(connection.execute(query, {"v": literal(large.questions[1])}).fetchall())
    through_the_door = connection.execute(
        "SELECT ordinal, source, id FROM pgrag.retrieve_weighted('large', %s, '{Entity 7}')",
        (literal(large.questions[1]),),
    ).fetchall()
    assert answers[0] == answers[1] == through_the_door
    assert len(through_the_door) == 10


@pytest.mark.parametrize("plural", ["entities", "relations", "chunks"])
def test_a_search_finds_what_an_exact_one_finds(
    connection: psycopg.Connection, large: SyntheticGraph, plural: str
) -> None:
    found: dict[str, list[set[int]]] = {"on": [], "off": []}
    for setting, answers in found.items():
        connection.execute(f"SET enable_indexscan = {setting}")
        for question in large.questions[:10]:
            rows = connection.execute(
                f"SELECT id FROM pgrag.search_{plural}('large', %s, 40, 2)",
                (literal(question),),
            )
            answers.append({row[0] for row in rows})
        connection.execute("DISCARD PLANS")
    recall = [len(got & truth) / 40 for got, truth in zip(found["on"], found["off"], strict=True)]
    assert sum(recall) / len(recall) > 0.95


def test_a_small_workspace_beside_a_large_one_gets_its_rows(
    connection: psycopg.Connection, small: SyntheticGraph
) -> None:
    for question in small.questions[:5]:
        for plural, kind, k in (("entities", "entity", 40), ("relations", "relation", 40), ("chunks", "chunk", 20)):
            rows = connection.execute(
                f"SELECT id FROM pgrag.search_{plural}('small', %s, %s, 2)",
                (literal(question), k),
            ).fetchall()
            exact = connection.execute(
                f"SELECT {kind}_id FROM pgrag.{kind}_embedding WHERE workspace_id = %s"
                " ORDER BY (embedding <=> %s::halfvec) + 0, 1 LIMIT %s",
                (small.workspace_id, literal(question), k),
            ).fetchall()
            assert rows == exact


def test_a_rare_filter_gets_its_rows(connection: psycopg.Connection, large: SyntheticGraph) -> None:
    rows = connection.execute(
        "SELECT document_id FROM pgrag.search_chunks('large', %s, 50, 2, '{\"serial\": 7}')",
        (literal(large.questions[0]),),
    ).fetchall()
    assert rows == [("document 7",)] * 50, "a document of 50 chunks among 12,000"


@pytest.mark.parametrize("plural", ["entities", "relations", "chunks"])
def test_a_broad_filter_walks_the_index(connection: psycopg.Connection, large: SyntheticGraph, plural: str) -> None:
    """Everything is admitted, more than is looked at one by one: what a search without a filter finds is found."""
    search = f"SELECT id FROM pgrag.search_{plural}('large', %s, 40, 2, %s)"
    for question in map(literal, large.questions[:5]):
        everything, unfiltered = (connection.execute(search, (question, asked)).fetchall() for asked in ("{}", None))
        assert len(everything) == 40
        assert len({*everything} & {*unfiltered}) >= 38


def test_a_question_is_answered_the_same_by_generic_and_custom_plans(
    connection: psycopg.Connection, large: SyntheticGraph
) -> None:
    query = (
        "SELECT kind, ordinal, id FROM pgrag.retrieve_ranked("
        "(SELECT id FROM pgrag.workspace WHERE name = 'large'), %(v)s, %(v)s, %(v)s, %(v)s, %(v)s,"
        " 40, 20, 6000, 8000, 0.8, 5, NULL, NULL)"
    )
    answers = []
    for mode in MODES:
        connection.execute(f"SET plan_cache_mode = {mode}")
        answers.append(connection.execute(query, {"v": literal(large.questions[1])}).fetchall())
    through_the_door = connection.execute(
        "SELECT kind, ordinal, id FROM pgrag.retrieve('large', 'mix', %s)", (literal(large.questions[1]),)
    ).fetchall()
    assert answers[0] == answers[1] == through_the_door
    assert {row[0] for row in through_the_door} == {"entity", "relation", "chunk"}


@pytest.mark.parametrize("mode", MODES)
def test_duplicates_are_looked_for_through_the_indexes(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str
) -> None:
    ids = connection.execute("SELECT array_agg(id) FROM (SELECT id FROM pgrag.entity LIMIT 100) e").fetchone()
    assert ids is not None
    query = "SELECT * FROM pgrag.entities_alike($1, $2, $3, $4)"
    arguments = f"{large.workspace_id}, '{{{','.join(map(str, ids[0]))}}}', 0.4, 0.15"
    plan = plan_of(connection, mode, "bigint, bigint[], float8, float8", query, arguments)
    # Each entity is asked for through the indexes; the pairs that are found may be joined by hash.
    assert indexes(plan) >= {"entity_by_name_trigram", "entity_embedding_hnsw"}
