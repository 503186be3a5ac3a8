"""pgrag.retrieve: columns, items, sources, distances, which embedding serves which leg, limits and errors."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph

NORTH, EAST, NORTHEAST, SOUTH = "[1,0,0,0,0,0,0,0]", "[0,1,0,0,0,0,0,0]", "[1,1,0,0,0,0,0,0]", "[-1,0,0,0,0,0,0,0]"
N, E, NE = (1, 0, 0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0, 0, 0)
DIAGONAL = pytest.approx(1 - 1 / 2**0.5)
COLUMNS = ["kind", "ordinal", "id", "item", "token_count", "source", "distance"]

# Entities 1 (north) and 2 (east) know each other by relation 11 (north), 2 and 3 by relation 12 (east, stronger).
GRAPH = SmallGraph(
    documents=[Document(1, "tale", {"year": 1843})],
    chunks=[Chunk(21, 1, 0, N, tokens=100), Chunk(22, 1, 1, E, tokens=200), Chunk(23, 1, 2, NE, tokens=300)],
    entities=[
        Entity(1, (21,), N, tokens=7, name="Marley"),
        Entity(2, (22,), E, name="Scrooge"),
        Entity(3, (23,), None, name="Fred"),
    ],
    relations=[Relation(11, 1, 2, 3.0, (21,), N, tokens=8), Relation(12, 3, 2, 4.0, (23,), E)],
)


@pytest.fixture
def small(db: psycopg.Connection) -> psycopg.Connection:
    GRAPH.shifted(500).store(db, "elsewhere")
    GRAPH.store(db)
    return db


def rows(connection: psycopg.Connection, mode: str, *embeddings: str | None, **options: Any) -> list[tuple[Any, ...]]:
    """Rows of a call with query, low-level and high-level embedding."""
    given = "".join(f", {name} => %({name})s" for name in options)
    names = ("query_embedding", "low_level_embedding", "high_level_embedding")
    options |= {"mode": mode} | dict(zip(names, embeddings, strict=False))
    vectors = "".join(f", {name} => %({name})s" for name, _ in zip(names, embeddings, strict=False))
    return connection.execute(f"SELECT * FROM pgrag.retrieve('small', %(mode)s{vectors}{given})", options).fetchall()


def sources(found: list[tuple[Any, ...]]) -> list[tuple[int, str]]:
    return [(row[2], row[5]) for row in found]


def test_its_columns_and_items(small: psycopg.Connection) -> None:
    found = small.execute("SELECT * FROM pgrag.retrieve('small', 'mix', %s, top_k => 1, chunk_top_k => 1)", (NORTH,))
    assert [column.name for column in found.description or ()] == COLUMNS
    marley = {"name": "Marley", "type": "thing", "description": "described 1", "degree": 1}
    scrooge = {"name": "Scrooge", "type": "thing", "description": "described 2", "degree": 2}
    relation = {
        "source": "Marley", "target": "Scrooge", "keywords": ["knows"], "description": "related 11", "weight": 3,
        "rank": 3,
    }  # fmt: skip
    chunk = {"content": "content 21", "document_id": "tale", "file_path": "tale.txt", "chunk_index": 0}
    assert found.fetchall() == [
        ("entity", 1, 1, marley, 7, "local", 0.0),
        ("entity", 2, 2, scrooge, 10, "global", None),
        ("relation", 1, 11, relation, 8, "local", 0.0),
        ("chunk", 1, 21, chunk, 100, "vector", 0.0),
    ]


def test_a_chunk_says_where_it_stands(small: psycopg.Connection) -> None:
    """Only where anybody knows."""
    small.execute("""UPDATE pgrag.chunk SET metadata = '{"page": 3, "section": "A > B"}' WHERE id = 22""")
    found = {row[2]: row[3].get("metadata") for row in rows(small, "naive", NORTHEAST)}
    assert found == {21: None, 22: {"page": 3, "section": "A > B"}, 23: None}


def test_local_is_entities_their_relations_and_their_chunks(small: psycopg.Connection) -> None:
    assert sources(rows(small, "local", None, NORTHEAST)) == [
        (1, "local"), (2, "local"), (12, "local"), (11, "local"), (21, "entity"), (23, "relation"), (22, "entity"),
    ]  # fmt: skip


def test_global_is_relations_their_ends_and_their_chunks(small: psycopg.Connection) -> None:
    assert sources(rows(small, "global", None, None, EAST)) == [
        (3, "global"), (2, "global"), (12, "global"), (23, "entity"), (22, "entity"),
    ]  # fmt: skip


def test_hybrid_is_both_and_keeps_the_local_copy(small: psycopg.Connection) -> None:
    found = rows(small, "hybrid", None, NORTH, NORTH)
    assert sources(found) == [(1, "local"), (2, "global"), (11, "local"), (21, "entity"), (22, "entity")]
    assert found[2][6] == 0.0, "it was a hit of the global search too"


def test_mix_adds_chunks_near_the_question(small: psycopg.Connection) -> None:
    assert sources(rows(small, "mix", EAST, NORTH, NORTH))[-3:] == [(22, "vector"), (23, "vector"), (21, "entity")]


def test_naive_is_chunks_alone(small: psycopg.Connection) -> None:
    found = rows(small, "naive", NORTHEAST)
    assert [(row[0], row[2], row[5]) for row in found] == [
        ("chunk", 23, "vector"), ("chunk", 21, "vector"), ("chunk", 22, "vector"),
    ]  # fmt: skip
    assert [row[6] for row in found] == [pytest.approx(0, abs=1e-9), DIAGONAL, DIAGONAL]


def test_the_question_serves_every_leg_when_no_level_is_given(small: psycopg.Connection) -> None:
    assert rows(small, "local", NORTH) == rows(small, "local", NORTH, NORTH)
    assert rows(small, "global", NORTH) == rows(small, "global", NORTH, None, NORTH)
    assert rows(small, "hybrid", NORTH) == rows(small, "hybrid", NORTH, NORTH, NORTH)
    assert rows(small, "mix", NORTH) == rows(small, "mix", NORTH, NORTH, NORTH)


def test_one_missing_level_is_skipped_or_served_by_the_question(small: psycopg.Connection) -> None:
    def legs(*arguments: Any) -> set[str]:
        return {row[5] for row in rows(small, *arguments) if row[0] != "chunk"}

    assert legs("hybrid", None, NORTH, None) == {"local"}
    assert legs("hybrid", NORTH, None, NORTH) == legs("mix", EAST, None, NORTH) == {"global"}
    assert legs("hybrid", None, NORTH, SOUTH) == {"local"}, "the other leg is walked, and finds nothing"
    assert rows(small, "local", NORTH, None, EAST) == rows(small, "local", NORTH, NORTH), "never acts as global"
    assert rows(small, "global", EAST, NORTH) == rows(small, "global", EAST, None, EAST), "never acts as local"


def test_mix_with_nothing_of_the_graph_still_has_chunks(small: psycopg.Connection) -> None:
    assert sources(rows(small, "mix", EAST, SOUTH, SOUTH)) == [(22, "vector"), (23, "vector")]


def test_picked_chunks_know_their_distance_when_there_is_a_question(small: psycopg.Connection) -> None:
    def distances(found: list[tuple[Any, ...]]) -> dict[int, Any]:
        return {row[2]: row[6] for row in found if row[0] == "chunk"}

    expected = {21: 0.0, 22: 1.0, 23: DIAGONAL}
    assert distances(rows(small, "local", NORTH, NORTHEAST)) == expected
    assert distances(rows(small, "local", NORTH, NORTHEAST, chunk_pick_method="weight")) == expected
    assert distances(rows(small, "local", None, NORTHEAST)) == {21: None, 22: None, 23: None}


def test_limits(small: psycopg.Connection) -> None:
    assert len(rows(small, "naive", NORTHEAST, chunk_top_k=2)) == 2
    assert len(rows(small, "naive", NORTHEAST, top_k=1, chunk_top_k=None)) == 1, "chunk_top_k NULL: top_k"
    chunks = {
        limit: sources(rows(small, "mix", NORTHEAST, chunk_top_k=1, max_chunks=limit))[5:] for limit in (None, 0, 2)
    }
    assert [len(chunks[limit]) for limit in (None, 0, 2)] == [1, 3, 2]
    assert chunks[0][:2] == chunks[2], "a prefix of the same order"
    cut = rows(small, "mix", NORTHEAST, max_entity_tokens=7, max_relation_tokens=0)
    assert [row[2] for row in cut if row[0] == "entity"] == [1]
    assert [row[2] for row in cut if row[0] == "relation"] == []
    assert ("relation" in {row[5] for row in cut}, "entity" in {row[5] for row in cut}) == (False, True)
    assert rows(small, "mix", NORTHEAST, top_k=1000, chunk_top_k=1000) == rows(small, "mix", NORTHEAST)


def test_a_hit_is_strictly_nearer(small: psycopg.Connection) -> None:
    assert sources(rows(small, "local", EAST, NORTH, max_distance=1.0))[0] == (1, "local")
    assert (2, "local") not in sources(rows(small, "local", EAST, NORTH, max_distance=1.0))
    assert (2, "local") in sources(rows(small, "local", EAST, NORTH, max_distance=1.001))


def test_one_entity_and_nothing_else(db: psycopg.Connection) -> None:
    SmallGraph(entities=[Entity(1, (), N)]).store(db)
    for mode in ("local", "hybrid", "mix"):
        assert sources(rows(db, mode, NORTH)) == [(1, "local")]
    assert rows(db, "global", NORTH) == rows(db, "naive", NORTH) == []


@pytest.mark.parametrize("mode", ["local", "global", "hybrid", "mix", "naive"])
def test_an_empty_workspace_has_no_rows(db: psycopg.Connection, mode: str) -> None:
    SmallGraph(documents=()).store(db)
    assert rows(db, mode, NORTH) == []


def test_both_ways_of_planning_give_the_same(small: psycopg.Connection) -> None:
    small.execute("CREATE TEMP TABLE asked AS SELECT %s::vector AS v", (NORTHEAST,))
    ranked = (
        "SELECT * FROM asked, pgrag.retrieve_ranked((SELECT id FROM pgrag.workspace WHERE name = 'small'),"
        " v, v, v, v, v, 40, 20, 6000, 8000, 0.8, 5, NULL, NULL)"
    )
    expected = rows(small, "mix", NORTHEAST)
    for plan in ("force_custom_plan", "force_generic_plan"):
        small.execute(f"SET plan_cache_mode = {plan}")
        assert [row[1:] for row in small.execute(ranked)] == expected
        assert rows(small, "mix", NORTHEAST) == expected


@pytest.mark.parametrize("path", ["", "pg_temp", "ag_catalog, public"])
def test_it_works_from_any_search_path(small: psycopg.Connection, path: str) -> None:
    expected = [row[2] for row in rows(small, "mix", NORTHEAST)]
    small.execute("SELECT set_config('search_path', %s, true)", (path,))
    assert [row[2] for row in rows(small, "mix", NORTHEAST)] == expected


ERRORS = [
    ("'small', 'hybird', '{v}'", "RG001", "unknown mode 'hybird'", "local, global, hybrid, mix, naive"),
    ("'small', NULL, '{v}'", "RG001", "unknown mode NULL", "local, global"),
    ("'small', 'bypass', '{v}'", "RG001", "unknown mode 'bypass'", "local"),
    ("'small', 'naive'", "RG001", "mode naive needs query_embedding", ""),
    ("'small', 'mix', NULL, '{v}', '{v}'", "RG001", "mode mix needs query_embedding", ""),
    ("'small', 'local', NULL, NULL, '{v}'", "RG001", "mode local needs query_embedding", "keywords"),
    ("'small', 'global', NULL, '{v}'", "RG001", "mode global needs query_embedding", "keywords"),
    ("'small', 'hybrid'", "RG001", "mode hybrid needs query_embedding", "keywords"),
    ("'small', 'mix', '{v}', top_k => 0", "RG001", "top_k must be at least 1, got 0", ""),
    ("'small', 'mix', '{v}', chunk_top_k => 0", "RG001", "chunk_top_k must be at least 1, got 0", ""),
    ("'small', 'mix', '{v}', max_entity_tokens => -1", "RG001", "max_entity_tokens must be at least 0, got -1", ""),
    (
        "'small', 'mix', '{v}', max_relation_tokens => NULL",
        "RG001",
        "max_relation_tokens must be at least 0, got NULL",
        "",
    ),
    ("'small', 'mix', '{v}', related_chunk_number => -1", "RG001", "related_chunk_number must be at least 0", ""),
    ("'small', 'mix', '{v}', max_chunks => -1", "RG001", "max_chunks must be at least 0, got -1", ""),
    (
        "'small', 'mix', '{v}', max_distance => 0",
        "RG001",
        "max_distance must be above 0 and at most 2, got 0",
        "cosine",
    ),
    (
        "'small', 'mix', '{v}', chunk_pick_method => 'VECTOR'",
        "RG001",
        "unknown chunk_pick_method 'VECTOR'",
        "vector, weight",
    ),
    ("'small', 'mix', '{v}', filter => '1'", "RG001", "filter must be a JSON object, got 1", "metadata"),
    ("'small', 'mix', '[1,2,3]'", "RG003", "the embedding has 3 dimensions, the database has 8", "model"),
    ("'small', 'mix', '{v}', '[1]'", "RG003", "the embedding has 1 dimensions", "model"),
    ("'small', 'mix', '{v}', NULL, '[1]'", "RG003", "the embedding has 1 dimensions", "model"),
    ("'nowhere', 'mix', '{v}'", "RG002", "unknown workspace 'nowhere'", ""),
    ("NULL, 'mix', '{v}'", "RG002", "unknown workspace NULL", ""),
]


@pytest.mark.parametrize(("arguments", "state", "message", "hint"), ERRORS)
def test_errors(small: psycopg.Connection, arguments: str, state: str, message: str, hint: str) -> None:
    with pytest.raises(psycopg.Error) as caught:
        small.execute(f"SELECT * FROM pgrag.retrieve({arguments.replace('{v}', NORTH)})")
    assert caught.value.sqlstate == state
    assert message in (caught.value.diag.message_primary or "")
    assert hint in (caught.value.diag.message_hint or "")


def test_an_ordinary_role_may_ask_in_a_fresh_session(db: psycopg.Connection, url: str) -> None:
    """The doors set pgvector's settings, which are unknown in a session until its library is loaded."""
    role = f"reader_{uuid.uuid4().hex[:8]}"
    GRAPH.store(db)
    db.execute(f"CREATE ROLE {role}; GRANT USAGE ON SCHEMA pgrag TO {role}")
    db.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA pgrag TO {role}")
    db.execute(f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgrag TO {role}")
    expected = sources(rows(db, "mix", NORTHEAST))
    db.commit()
    try:
        with psycopg.connect(url, options=f"-c role={role} -c pgrag.graph_backend=auto") as fresh:
            assert sources(rows(fresh, "mix", NORTHEAST)) == expected
    finally:
        db.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
        db.commit()
