"""rebuild_graph makes the graph equal to the tables from any state; check_graph names each difference and its cure."""

from __future__ import annotations

import psycopg
import pytest
from support.graph_store import (
    add_entities,
    add_relations,
    add_workspace,
    assert_graph_is_the_tables,
    cypher,
    one,
    vertices,
)

CURE = "SELECT pgrag.rebuild_graph();"


@pytest.fixture
def graph(db: psycopg.Connection) -> tuple[list[int], list[int]]:
    """Entities and relations of two workspaces."""
    workspace, other = add_workspace(db), add_workspace(db, "other")
    ids = add_entities(db, workspace, "abcd")
    more = add_entities(db, other, "ab")
    relations = add_relations(db, workspace, [(ids[0], ids[1]), (ids[2], ids[1])])
    return ids + more, relations + add_relations(db, other, [(more[1], more[0])])


DAMAGE = {
    "entities without a vertex: 1": (
        'DELETE FROM pgrag_graph."Entity" WHERE ctid = (SELECT min(ctid) FROM pgrag_graph."Entity")'
    ),
    "vertices without an entity: 6": "DELETE FROM pgrag.entity",
    "vertices that differ from their entity: 2": "UPDATE pgrag.entity SET type = 'x' WHERE name = 'a'",
    "relations without an edge: 3": 'DELETE FROM pgrag_graph."RELATES"',
    "edges without a relation: 1": "DELETE FROM pgrag.relation WHERE id = (SELECT max(id) FROM pgrag.relation)",
    "edges that differ from their relation: 3": "UPDATE pgrag.relation SET weight = weight + 1",
    "edges that differ from their relation: 2": (
        "UPDATE pgrag.relation r SET source_id = r.target_id, target_id = r.source_id"
        " FROM pgrag.workspace w WHERE w.id = r.workspace_id AND w.name = 'w'"
    ),
}


@pytest.mark.parametrize("problem", DAMAGE)
def test_each_difference_is_named_and_cured(
    db: psycopg.Connection, graph: tuple[list[int], list[int]], problem: str
) -> None:
    assert db.execute("SELECT * FROM pgrag.check_graph()").fetchall() == []
    db.execute("SET LOCAL session_replication_role = replica")
    db.execute(DAMAGE[problem])
    db.execute("SET LOCAL session_replication_role = origin")
    assert (problem, CURE) in db.execute("SELECT * FROM pgrag.check_graph()").fetchall()
    if problem == "vertices without an entity: 6":
        db.execute("DELETE FROM pgrag.relation")
    db.execute(CURE)
    assert db.execute("SELECT * FROM pgrag.check_graph()").fetchall() == []


def test_rebuild_counts_what_there_is(db: psycopg.Connection, graph: tuple[list[int], list[int]]) -> None:
    found = db.execute("SELECT * FROM pgrag.rebuild_graph()")
    assert [column.name for column in found.description or ()] == ["vertices", "edges"]
    assert found.fetchall() == [(6, 3)]
    assert_graph_is_the_tables(db)
    db.execute("DELETE FROM pgrag.workspace")
    assert db.execute("SELECT * FROM pgrag.rebuild_graph()").fetchall() == [(0, 0)]


def test_rebuild_of_a_graph_without_labels_or_indexes(
    db: psycopg.Connection, graph: tuple[list[int], list[int]]
) -> None:
    made = one(
        db, "SELECT count(*) FROM pg_indexes WHERE schemaname = 'pgrag_graph' AND tablename IN ('Entity', 'RELATES')"
    )
    db.execute('DROP INDEX pgrag_graph."Entity_property_id_idx", pgrag_graph."RELATES_id_idx"')
    db.execute("SELECT pgrag.rebuild_graph()")
    assert made == 5
    assert (
        one(
            db,
            "SELECT count(*) FROM pg_indexes WHERE schemaname = 'pgrag_graph' AND tablename IN ('Entity', 'RELATES')",
        )
        == 5
    )
    db.execute("SELECT ag_catalog.drop_label('pgrag_graph', 'RELATES')")
    assert one(db, "SELECT pgrag.graph_installed()") is False
    add_entities(db, one(db, "SELECT min(id) FROM pgrag.workspace"), ["while it is broken"])
    assert db.execute("SELECT * FROM pgrag.rebuild_graph()").fetchall() == [(7, 3)]
    assert_graph_is_the_tables(db)


def test_rebuild_drops_what_cypher_wrote(db: psycopg.Connection, graph: tuple[list[int], list[int]]) -> None:
    cypher(db, "CREATE (n:Entity {id: 77, name: 'stray'}) RETURN n.id", "id")
    assert 77 in vertices(db)
    assert db.execute("SELECT problem FROM pgrag.check_graph()").fetchall() == [("vertices without an entity: 1",)]
    db.execute("SELECT pgrag.rebuild_graph()")
    assert_graph_is_the_tables(db)


def test_writers_wait_for_a_rebuild(db: psycopg.Connection, url: str) -> None:
    workspace = add_workspace(db)
    db.commit()
    db.execute("SELECT pgrag.rebuild_graph()")
    with psycopg.connect(url) as writer:
        writer.execute("SET lock_timeout = '200ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            add_entities(writer, workspace, "a")
        writer.rollback()
        db.commit()
        add_entities(writer, workspace, "a")
        assert_graph_is_the_tables(writer)


def test_a_rebuild_takes_in_what_was_written_while_it_waited(db: psycopg.Connection, url: str) -> None:
    workspace = add_workspace(db)
    db.execute("SELECT ag_catalog.drop_graph('pgrag_graph', true)")
    db.commit()
    add_entities(db, workspace, "ab")
    with psycopg.connect(url) as rebuilder:
        rebuilder.execute("SET lock_timeout = '200ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            rebuilder.execute("SELECT pgrag.rebuild_graph()")
        rebuilder.rollback()
        db.commit()
        assert rebuilder.execute("SELECT * FROM pgrag.rebuild_graph()").fetchall() == [(2, 0)]
        assert_graph_is_the_tables(rebuilder)
