"""AGE comes, goes and comes back: writes go on, hops go by join, and rebuild_graph() brings the graph again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from support.graph_store import (
    add_entities,
    add_relations,
    add_workspace,
    assert_degrees_are_right,
    assert_graph_is_the_tables,
    one,
)

from pgrag.sqlfiles import sql_root

REBUILD = "SELECT * FROM pgrag.rebuild_graph()"


def write_everything(db: psycopg.Connection, workspace: int, prefix: str) -> tuple[int, int]:
    """Insert, update, delete and cascade: two related entities are left beside those there were."""
    db.execute("DELETE FROM pgrag.relation")
    a, b, c = add_entities(db, workspace, [f"{prefix}{name}" for name in "abc"])
    add_relations(db, workspace, [(a, b), (b, c)])
    db.execute("UPDATE pgrag.entity SET type = %s", (prefix,))
    db.execute("UPDATE pgrag.relation SET weight = weight + 1, keywords = '{x}'")
    db.execute("DELETE FROM pgrag.entity WHERE id = %s", (c,))
    assert_degrees_are_right(db)
    return a, b


def hop_of(db: psycopg.Connection, a: int) -> list[int]:
    return [row[2] for row in db.execute("SELECT * FROM pgrag.neighbors('w', %s)", ([a],))]


@pytest.mark.parametrize("loaded", [True, False])
def test_age_is_dropped_and_created_again(db: psycopg.Connection, url: str, loaded: bool) -> None:
    """Where AGE is loaded its hook drops the graph; else CASCADE takes the columns and leaves empty tables.

    The session `db` had loaded AGE: it writes on, but AGE's hook fails its TRUNCATE and DROP of any table from then on.
    """
    db.execute("UPDATE pgrag.setting SET graph_backend = 'auto'")
    workspace = add_workspace(db)
    add_entities(db, workspace, "xyz")
    db.commit()
    with psycopg.connect(url) as dba:
        if loaded:
            dba.execute("SELECT ag_catalog.agtype_build_list()")
        dba.execute("DROP EXTENSION age CASCADE")
    a, b = write_everything(db, workspace, "gone ")
    assert hop_of(db, a) == [b]
    assert db.execute("SELECT * FROM pgrag.check_graph()").fetchall() == []
    assert db.execute(REBUILD).fetchall() == [(0, 0)]
    db.commit()
    with psycopg.connect(url) as dba:
        dba.execute("TRUNCATE pgrag.relation CASCADE")
        write_everything(dba, workspace, "gone too ")
        dba.execute("CREATE EXTENSION age")
    with psycopg.connect(url) as fresh:
        a, b = write_everything(fresh, workspace, "back ")
        assert hop_of(fresh, a) == [b]
        assert one(fresh, "SELECT pgrag.graph_backend()") == "sql"
        problem, cure = fresh.execute("SELECT * FROM pgrag.check_graph()").fetchall()[0]
        assert problem == "AGE is there without the graph pgrag_graph"
        assert fresh.execute(cure).fetchall() == [(("9", "1"),)]
        assert one(fresh, "SELECT pgrag.graph_backend()") == "age"
        assert hop_of(fresh, a) == [b]
        assert_graph_is_the_tables(fresh)
        a, b = write_everything(fresh, workspace, "on ")
        assert_graph_is_the_tables(fresh)


def test_the_session_that_brings_age_back_goes_on(db: psycopg.Connection, url: str) -> None:
    """Its compiled hop knows the types of the AGE that is gone; the new graph makes it compile again."""
    workspace = add_workspace(db)
    a, b = write_everything(db, workspace, "before ")
    assert hop_of(db, a) == [b]
    db.execute("DROP EXTENSION age")
    db.execute("CREATE EXTENSION age")
    assert db.execute(REBUILD).fetchall() == [(2, 1)]
    assert hop_of(db, a) == [b]
    assert_graph_is_the_tables(db)


def test_age_comes_later(fresh_database: Callable[..., str]) -> None:
    url = fresh_database(age=False)
    with psycopg.connect(url) as db:
        workspace = add_workspace(db)
        a, b = write_everything(db, workspace, "plain ")
        assert hop_of(db, a) == [b]
        assert one(db, "SELECT pgrag.graph_installed()") is False
        assert db.execute(REBUILD).fetchall() == [(0, 0)]
        assert db.execute("SELECT * FROM pgrag.check_graph()").fetchall() == []
        db.execute("CREATE EXTENSION age")
        assert db.execute(REBUILD).fetchall() == [(2, 1)]
        assert_graph_is_the_tables(db)
        db.execute("UPDATE pgrag.setting SET graph_backend = 'auto'")
        db.commit()
    with psycopg.connect(url) as fresh:
        assert one(fresh, "SELECT pgrag.graph_backend()") == "age"
        assert hop_of(fresh, a) == [b]
        write_everything(fresh, workspace, "with ")
        assert_graph_is_the_tables(fresh)


def replay(db: psycopg.Connection, *files: str) -> None:
    """What a migration does with these files of sql/graph."""
    for file in files:
        db.execute((Path(str(sql_root())) / "graph" / file).read_bytes())


def test_a_replay_fills_a_graph_that_was_never_filled(db: psycopg.Connection) -> None:
    workspace = add_workspace(db)
    add_entities(db, workspace, "ab")
    db.execute("SELECT ag_catalog.drop_graph('pgrag_graph', true)")
    replay(db, "ensure_graph.sql")
    assert_graph_is_the_tables(db)
    db.execute('TRUNCATE pgrag_graph."Entity"')
    replay(db, "ensure_graph.sql")
    assert_graph_is_the_tables(db)


def test_a_replay_leaves_a_filled_graph_alone(db: psycopg.Connection) -> None:
    workspace = add_workspace(db)
    add_entities(db, workspace, "ab")
    before = db.execute('SELECT ctid::text, xmin::text FROM pgrag_graph."Entity"').fetchall()
    replay(db, "ensure_graph.sql", "triggers.sql", "neighbors_by_cypher.sql")
    assert db.execute('SELECT ctid::text, xmin::text FROM pgrag_graph."Entity"').fetchall() == before
    add_entities(db, workspace, "c")
    assert_graph_is_the_tables(db)


def test_a_replay_without_age(fresh_database: Callable[..., str]) -> None:
    with psycopg.connect(fresh_database(age=False)) as db:
        replay(db, "ensure_graph.sql", "triggers.sql", "neighbors_by_cypher.sql", "rebuild_graph.sql")
        workspace = add_workspace(db)
        a, b = write_everything(db, workspace, "")
        assert hop_of(db, a) == [b]


def test_a_graph_under_another_oid(db: psycopg.Connection, url: str) -> None:
    """After a dump and restore AGE's catalog holds the schema oid of the old database (apache/age#2503)."""
    workspace = add_workspace(db)
    a, b = write_everything(db, workspace, "")
    db.execute("SET LOCAL session_replication_role = replica")
    for table, column in (("ag_graph", "graphid"), ("ag_label", "graph")):
        db.execute(f"UPDATE ag_catalog.{table} SET {column} = 4242")
    db.execute("UPDATE pgrag.setting SET graph_backend = 'auto'")
    db.commit()
    with psycopg.connect(url) as fresh:
        assert one(fresh, "SELECT pgrag.graph_is_stale()") is True
        assert one(fresh, "SELECT pgrag.graph_backend()") == "sql"
        assert hop_of(fresh, a) == [b]
        problems = fresh.execute("SELECT * FROM pgrag.check_graph()").fetchall()
        assert [problem for problem, _ in problems] == [
            "AGE's catalog does not know the graph pgrag_graph any more, as after a restore"
        ]
        a, b = write_everything(fresh, workspace, "on ")
        assert fresh.execute(REBUILD).fetchall() == [(4, 1)]
        assert one(fresh, "SELECT pgrag.graph_is_stale()") is False
        assert_graph_is_the_tables(fresh)
        assert hop_of(fresh, a) == [b]


def test_a_graph_that_the_catalog_forgot(db: psycopg.Connection, url: str) -> None:
    """Restoring our two schemas alone brings the label tables without AGE's knowledge of them."""
    workspace = add_workspace(db)
    db.execute("SET LOCAL session_replication_role = replica")
    db.execute("DELETE FROM ag_catalog.ag_label")
    db.execute("DELETE FROM ag_catalog.ag_graph")
    db.execute("UPDATE pgrag.setting SET graph_backend = 'auto'")
    db.commit()
    with psycopg.connect(url) as fresh:
        a, b = write_everything(fresh, workspace, "")
        assert hop_of(fresh, a) == [b]
        assert one(fresh, "SELECT pgrag.graph_is_stale()") is True
        assert fresh.execute(REBUILD).fetchall() == [(2, 1)]
        assert_graph_is_the_tables(fresh)
