"""Vector search goes by HNSW, everything else by index lookups: at 12,000 rows of each kind; slow tests: at 100,000."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from support.databases import TestServer
from support.plans import MODES, Plan, executed, indexes, plan_of, plans_inside, scanned
from support.synthetic_graph import GraphSize, SyntheticGraph, literal, load_synthetic_graph

SIZES = [12_000, pytest.param(100_000, marks=[pytest.mark.slow, pytest.mark.timeout(900)])]
KINDS = [("entities", "entity"), ("relations", "relation"), ("chunks", "chunk")]


@pytest.fixture(scope="module", params=SIZES)
def graphs(server: TestServer, request: pytest.FixtureRequest) -> Iterator[tuple[str, SyntheticGraph, SyntheticGraph]]:
    """A database with a large workspace and one of a hundredth of its size: its URL, and both."""
    rows = request.param
    name = f"test_plans_{uuid.uuid4().hex[:8]}"
    url = server.create(name, dimensions=8, migrated=True, age=False)
    with psycopg.connect(url) as connection:
        large = load_synthetic_graph(connection, size_of(rows), "large")
        small = load_synthetic_graph(connection, size_of(rows // 100), "small", seed=2)
        connection.commit()
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE")
    yield url, large, small
    server.drop(name)


def size_of(rows: int) -> GraphSize:
    """So many entities, relations and chunks; 50 chunks a document."""
    return GraphSize(entities=rows, relations=rows, chunks=rows, documents=max(1, rows // 50), dimensions=8)


@pytest.fixture
def connection(graphs: tuple[str, SyntheticGraph, SyntheticGraph]) -> Iterator[psycopg.Connection]:
    with psycopg.connect(graphs[0]) as opened:
        opened.execute("SET hnsw.iterative_scan = strict_order; SET hnsw.ef_search = 160; SET jit = off")
        yield opened


@pytest.fixture
def large(graphs: tuple[str, SyntheticGraph, SyntheticGraph]) -> SyntheticGraph:
    return graphs[1]


@pytest.fixture
def small(graphs: tuple[str, SyntheticGraph, SyntheticGraph]) -> SyntheticGraph:
    return graphs[2]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("plural", "kind"), KINDS)
def test_a_search_goes_by_hnsw(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str, plural: str, kind: str
) -> None:
    query = f"SELECT * FROM pgrag.nearest_{plural}($1, $2, $3, $4, $5)"
    arguments = f"{large.workspace_id}, '{literal(large.questions[0])}', 40, 0.8, NULL"
    plan = plan_of(connection, mode, "bigint, vector, int, float8, jsonb", query, arguments)
    assert indexes(plan) == {f"{kind}_embedding_hnsw", f"{kind}_embedding_pkey"}, (
        "the key tells how large the workspace is"
    )
    assert scanned(plan) == set()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("plural", "kind"), KINDS)
def test_a_search_with_a_rare_filter_looks_at_what_it_admits(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str, plural: str, kind: str
) -> None:
    plan = plan_within(connection, large, mode, plural, '{"serial": 7}')
    assert f"{kind}_embedding_hnsw" not in indexes(plan)
    assert f"{kind}_embedding_pkey" in indexes(plan)
    assert scanned(plan) == set()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("plural", "kind"), KINDS)
def test_a_search_with_a_broad_filter_goes_by_hnsw(
    connection: psycopg.Connection, large: SyntheticGraph, mode: str, plural: str, kind: str
) -> None:
    plan = plan_within(connection, large, mode, plural, "{}")
    assert f"{kind}_embedding_hnsw" in indexes(plan)
    assert scanned(plan) <= {"chunk", f"{kind}_evidence"}, "they are read only until they prove to be too many"


def plan_within(
    connection: psycopg.Connection, graph: SyntheticGraph, mode: str, plural: str, filter: str
) -> list[Plan]:
    """What was executed of a search with a filter."""
    connection.execute(f"SET plan_cache_mode = {mode}")
    query = f"SELECT * FROM pgrag.nearest_{plural}_within(%s, %s::vector, 40, %s)"
    return executed(plans_inside(connection, query, (graph.workspace_id, literal(graph.questions[0]), filter)))


@pytest.mark.parametrize(("plural", "kind"), KINDS)
def test_a_small_workspace_is_searched_by_its_key(
    connection: psycopg.Connection, small: SyntheticGraph, plural: str, kind: str
) -> None:
    query = f"SELECT * FROM pgrag.nearest_{plural}_exactly(%s, %s::vector, 40)"
    connection.execute("SET plan_cache_mode = force_custom_plan")
    plan = executed(plans_inside(connection, query, (small.workspace_id, literal(small.questions[0]))))
    assert indexes(plan) == {f"{kind}_embedding_pkey"}
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


@pytest.mark.parametrize(("plural", "kind"), KINDS)
def test_a_search_finds_what_an_exact_one_finds(
    connection: psycopg.Connection, large: SyntheticGraph, plural: str, kind: str
) -> None:
    recall = []
    for question in map(literal, large.questions[:10]):
        rows = connection.execute(f"SELECT id FROM pgrag.search_{plural}('large', %s, 40, 2)", (question,)).fetchall()
        recall.append(len({*rows} & {*nearest(connection, large, kind, question, 40)}) / 40)
    assert sum(recall) / len(recall) >= 0.97


@pytest.mark.parametrize(("plural", "kind"), KINDS)
def test_a_small_workspace_beside_a_large_one_gets_its_rows(
    connection: psycopg.Connection, small: SyntheticGraph, plural: str, kind: str
) -> None:
    for question in map(literal, small.questions[:5]):
        search = f"SELECT id FROM pgrag.search_{plural}('small', %s, 40, 2)"
        expected = nearest(connection, small, kind, question, 40)
        assert connection.execute(search, (question,)).fetchall() == expected
        assert len(expected) == 40


@pytest.mark.parametrize("filter", ['{"serial": 7}', "{}"], ids=["rare", "broad"])
@pytest.mark.parametrize(("plural", "kind"), KINDS)
def test_a_filter_gets_its_nearest_rows(
    connection: psycopg.Connection, large: SyntheticGraph, plural: str, kind: str, filter: str
) -> None:
    """One document of 50 chunks, under a hundredth of all; and all, more than are looked at one by one."""
    search = f"SELECT id FROM pgrag.search_{plural}('large', %s, 40, 2, %s)"
    within = f"pgrag.{kind}_is_within({large.workspace_id}, x.{kind}_id, '{filter}')"
    for question in map(literal, large.questions[:2]):
        found = connection.execute(search, (question, filter)).fetchall()
        expected = nearest(connection, large, kind, question, 40, within)
        assert len(found) == len(expected) == 40
        assert found == expected if filter != "{}" else len({*found} & {*expected}) >= 38


@pytest.mark.parametrize("mode", ["local", "global", "hybrid", "mix", "naive"])
def test_a_rare_filter_leaves_no_mode_short(connection: psycopg.Connection, large: SyntheticGraph, mode: str) -> None:
    rows = connection.execute(
        "SELECT kind, id FROM pgrag.retrieve('large', %s, %s, max_distance => 2, filter => '{\"serial\": 7}')",
        (mode, literal(large.questions[0])),
    ).fetchall()
    found = {kind: [row[1] for row in rows if row[0] == kind] for kind in ("entity", "relation", "chunk")}
    assert len(found["chunk"]) == 20
    assert len(found["entity"]) >= 40 or mode in ("naive", "global"), "the ends of relations may be of other documents"
    assert len(found["relation"]) >= 40 or mode in ("naive", "local")
    for kind, ids in found.items():
        outside = (
            f"SELECT id FROM unnest(%s::bigint[]) id WHERE NOT pgrag.{kind}_is_within(%s, id, '{{\"serial\": 7}}')"
        )
        assert connection.execute(outside, (ids, large.workspace_id)).fetchall() == []


@pytest.mark.parametrize("filter", [None, "{}"])
@pytest.mark.parametrize("plural", ["entities", "relations", "chunks"])
def test_a_walk_that_ends_early_is_made_good(
    connection: psycopg.Connection, large: SyntheticGraph, plural: str, filter: str | None
) -> None:
    connection.execute("SET hnsw.max_scan_tuples = 300")
    rows = connection.execute(
        f"SELECT id FROM pgrag.search_{plural}('large', %s, 1000, 2, %s)", (literal(large.questions[0]), filter)
    ).fetchall()
    assert len({*rows}) == len(rows) == 1000


def nearest(
    connection: psycopg.Connection, graph: SyntheticGraph, kind: str, question: str, count: int, condition: str = "true"
) -> list[tuple[int]]:
    """The ids that an exact search finds, by distance, then id."""
    return connection.execute(
        f"SELECT x.{kind}_id FROM pgrag.{kind}_embedding x WHERE x.workspace_id = %s AND {condition}"
        " ORDER BY (x.embedding <=> %s::halfvec) + 0, 1 LIMIT %s",
        (graph.workspace_id, question, count),
    ).fetchall()


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
