"""pgrag.retrieve at the edges: hubs, long names, every argument NULL: the right answer or one clear error, at once."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest
from support.small_graph import Chunk, Entity, Relation, SmallGraph

NORTH = "[1,0,0,0,0,0,0,0]"
N, E = (1, 0, 0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0, 0)
GRAPH = SmallGraph(
    chunks=[Chunk(21, 1, 0, N)],
    entities=[Entity(1, (21,), N, name="Marley"), Entity(2, (21,), N, name="Scrooge")],
    relations=[Relation(11, 1, 2, 3.0, (21,), N)],
)
MODES = ("local", "global", "hybrid", "mix", "naive")


@pytest.mark.parametrize(
    ("argument", "state"),
    [
        ("workspace", "RG002"),
        ("mode", "RG001"),
        ("query_embedding", "RG001"),
        ("low_level_embedding", None),
        ("high_level_embedding", None),
        ("top_k", "RG001"),
        ("chunk_top_k", None),
        ("max_entity_tokens", "RG001"),
        ("max_relation_tokens", "RG001"),
        ("max_distance", "RG001"),
        ("related_chunk_number", "RG001"),
        ("chunk_pick_method", "RG001"),
        ("max_chunks", None),
        ("filter", None),
    ],
)
def test_a_null_is_refused_or_means_something(db: psycopg.Connection, argument: str, state: str | None) -> None:
    GRAPH.store(db)
    given: dict[str, Any] = {"workspace": "small", "mode": "mix", "query_embedding": NORTH} | {argument: None}
    call = ", ".join(f"{name} => %({name})s" for name in given)
    ask = f"SELECT kind FROM pgrag.retrieve({call})"
    if state is None:
        assert {kind for (kind,) in db.execute(ask, given)} == {"entity", "relation", "chunk"}
        return
    with pytest.raises(psycopg.Error) as caught:
        db.execute(ask, given)
    assert caught.value.sqlstate == state
    assert argument in str(caught.value)
    assert "NULL" in str(caught.value) or argument == "query_embedding"


def test_the_largest_numbers_are_only_limits(db: psycopg.Connection) -> None:
    GRAPH.store(db)
    most = 2**31 - 1
    for mode in MODES:
        plain, largest = (
            db.execute(f"SELECT * FROM pgrag.retrieve('small', %s, %s{options})", (mode, NORTH)).fetchall()
            for options in (
                "",
                f", top_k => {most}, chunk_top_k => {most}, max_entity_tokens => {most}, max_relation_tokens => {most},"
                f" related_chunk_number => {most}, max_chunks => {most}",
            )
        )
        assert largest == plain != []


@pytest.mark.parametrize("method", ["vector", "weight"])
def test_a_hub_of_two_thousand_relations_is_cut_to_budget(db: psycopg.Connection, method: str) -> None:
    """In this size with every run; of a hundred thousand among the slow tests."""
    db.execute("SELECT set_config('pgrag.graph_backend', 'sql', true)")
    store_hub(db, 2_000)
    found = ask_the_hub(db, method)
    assert found == {"entity": 1, "relation": 100, "chunk": 20}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["vector", "weight"])
@pytest.mark.parametrize("backend", ["age", "sql"])
def test_a_hub_of_a_hundred_thousand_relations(url: str, method: str, backend: str) -> None:
    with psycopg.connect(url, options=f"-c pgrag.graph_backend={backend}") as db:
        store_hub(db, 100_000)
        db.execute("SELECT pgrag.rebuild_graph()")
        db.commit()
        db.autocommit = True
        db.execute("VACUUM ANALYZE")
        ask_the_hub(db, method)
        begun = time.perf_counter()
        found = ask_the_hub(db, method)
        assert time.perf_counter() - begun < 15
        assert found == {"entity": 1, "relation": 100, "chunk": 20}


def store_hub(db: psycopg.Connection, relations: int) -> None:
    """An entity with so many relations, of which the first 300 have a chunk each; only the hub has an embedding."""
    SmallGraph(chunks=[Chunk(id_, 1, id_, N) for id_ in range(1, 301)], entities=[Entity(1, (), N, name="Hub")]).store(
        db, "small"
    )
    db.execute("SET LOCAL session_replication_role = replica")
    db.execute(
        "INSERT INTO pgrag.entity (workspace_id, id, name, name_key, type, token_count, degree) OVERRIDING SYSTEM VALUE"
        " SELECT w.id, n + 1, 'e' || n, 'e' || n, 'thing', 10, 1 FROM pgrag.workspace w, generate_series(1, %s) n",
        (relations,),
    )
    db.execute(
        "INSERT INTO pgrag.relation (workspace_id, id, source_id, target_id, weight, token_count)"
        " OVERRIDING SYSTEM VALUE SELECT w.id, n, 1, n + 1, 1e6 - n, 10"
        " FROM pgrag.workspace w, generate_series(1, %s) n",
        (relations,),
    )
    db.execute(
        "INSERT INTO pgrag.relation_evidence"
        " (workspace_id, relation_id, chunk_id, ordinal, source, target, source_key, target_key)"
        " SELECT w.id, n, n, 0, 'hub', 'e', 'hub', 'e' || n FROM pgrag.workspace w, generate_series(1, 300) n"
    )
    db.execute("UPDATE pgrag.entity SET degree = %s WHERE id = 1", (relations,))
    db.execute("SET LOCAL session_replication_role = origin")


def ask_the_hub(db: psycopg.Connection, method: str) -> dict[str, int]:
    """How many rows of each kind; the relations are the heaviest, heaviest first."""
    rows = db.execute(
        "SELECT kind, id FROM pgrag.retrieve('small', 'local', %s, max_relation_tokens => 1000,"
        " chunk_pick_method => %s) ORDER BY kind, ordinal",
        (NORTH, method),
    ).fetchall()
    assert [row[1] for row in rows if row[0] == "relation"] == list(range(1, 101))
    return {kind: sum(row[0] == kind for row in rows) for kind in ("entity", "relation", "chunk")}


def test_a_name_of_ten_kilobytes_is_only_a_name(db: psycopg.Connection) -> None:
    GRAPH.store(db)
    begun = time.perf_counter()
    for name in ("Marley " * 1_430, "%_\\" * 3_400, "鬼" * 3_400):
        found = db.execute("SELECT name, match FROM pgrag.match_entities('small', %s)", (name,)).fetchall()
        assert all(match == "similar" for _, match in found)
    assert time.perf_counter() - begun < 5
