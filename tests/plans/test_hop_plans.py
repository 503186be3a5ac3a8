"""One hop by Cypher in a graph of 50,000 vertices: index look-ups all the way, and not far from the join."""

from __future__ import annotations

import statistics
import time
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from support.databases import TestServer
from support.plans import plans_inside

VERTICES = 50_000
INDEXES = {"Entity_property_id_idx", "RELATES_start_id_idx", "RELATES_end_id_idx", "Entity_pkey"}
HOP = "SELECT * FROM pgrag.neighbors_by_{way}(%s, %s)"


@pytest.fixture(scope="module")
def graph(server: TestServer) -> Iterator[tuple[str, int]]:
    """A database of 50,000 entities in one workspace, 60,000 relations, a few hubs: its URL, and the workspace."""
    name = f"test_hops_{uuid.uuid4().hex[:8]}"
    url = server.create(name, dimensions=8, migrated=True, age=True)
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute("INSERT INTO pgrag.workspace (name) VALUES ('large') RETURNING id").fetchone()
        assert row is not None
        connection.execute("SET session_replication_role = replica")
        connection.execute(
            "INSERT INTO pgrag.entity (workspace_id, name, name_key, type)"
            " SELECT %s, 'e' || n, 'e' || n, 'thing' FROM generate_series(1, %s) n",
            (row[0], VERTICES),
        )
        connection.execute(
            "INSERT INTO pgrag.relation (workspace_id, source_id, target_id)"
            " SELECT %(w)s, n, n + 1 + n %% 7 FROM generate_series(1, %(n)s - 8) n"
            " UNION ALL SELECT %(w)s, n, 1 + n / 5 %% 10 FROM generate_series(100, %(n)s, 5) n",
            {"w": row[0], "n": VERTICES},
        )
        connection.execute("SELECT pgrag.rebuild_graph()")
        connection.execute("VACUUM ANALYZE")
    yield url, row[0]
    server.drop(name)


@pytest.fixture
def connection(graph: tuple[str, int]) -> Iterator[psycopg.Connection]:
    with psycopg.connect(graph[0]) as opened:
        opened.execute("SET jit = off")
        yield opened


@pytest.mark.parametrize("asked", [1, 60, 1000])
@pytest.mark.parametrize("mode", ["force_generic_plan", "force_custom_plan", "auto"])
def test_the_hop_is_made_of_index_look_ups(
    connection: psycopg.Connection, graph: tuple[str, int], asked: int, mode: str
) -> None:
    connection.execute(f"SET plan_cache_mode = {mode}")
    found = plans_inside(connection, HOP.format(way="cypher"), (graph[1], list(range(1, asked + 1))))
    on_graph = [node for node in found if node.get("Relation Name") in ("Entity", "RELATES")]
    assert {node["Node Type"] for node in on_graph} == {"Index Scan", "Index Only Scan"}
    assert {node["Index Name"] for node in on_graph} == INDEXES
    assert not [node for node in found if "Hash" in node["Node Type"] or "Gather" in node["Node Type"]]


def test_a_plan_made_while_the_graph_was_small_serves_the_large_one(server: TestServer) -> None:
    name = f"test_hops_{uuid.uuid4().hex[:8]}"
    try:
        with psycopg.connect(server.create(name, dimensions=8, migrated=True, age=True)) as connection:
            connection.execute("INSERT INTO pgrag.workspace (name) VALUES ('w')")
            for _ in range(8):
                connection.execute(HOP.format(way="cypher"), (1, [1, 2]))
            found = plans_inside(connection, HOP.format(way="cypher"), (1, [1, 2]))
            assert {n["Node Type"] for n in found if n.get("Relation Name") in ("Entity", "RELATES")} <= {
                "Index Scan", "Index Only Scan", "Bitmap Heap Scan"
            }  # fmt: skip
    finally:
        server.drop(name)


def median_seconds(connection: psycopg.Connection, way: str, workspace: int, ids: list[int]) -> float:
    taken = []
    for _ in range(9):
        begun = time.perf_counter()
        connection.execute(HOP.format(way=way), (workspace, ids)).fetchall()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def test_the_hop_by_cypher_is_not_far_from_the_join(connection: psycopg.Connection, graph: tuple[str, int]) -> None:
    """Wrong forms take 50 to 1,000 times the join's time; a fixed cost of a call is allowed for."""
    for ids in (list(range(100, 40_000, 700)), list(range(1, 11))):
        by_join = median_seconds(connection, "join", graph[1], ids)
        by_cypher = median_seconds(connection, "cypher", graph[1], ids)
        assert by_cypher < 10 * by_join + 0.01
        assert by_cypher < 0.5


def test_writes_find_their_rows_by_index(connection: psycopg.Connection, graph: tuple[str, int]) -> None:
    for change in ("UPDATE pgrag.relation SET weight = 9 WHERE id = %s", "DELETE FROM pgrag.entity WHERE id = %s"):
        found = plans_inside(connection, change, (4_000,))
        read = [n for n in found if n.get("Relation Name") in ("Entity", "RELATES") and n["Node Type"] != "ModifyTable"]
        assert read
        assert {n["Node Type"] for n in read} <= {"Index Scan", "Bitmap Heap Scan"}
