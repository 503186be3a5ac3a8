"""Which way the hop goes: the setting, the session's override, and what stands in the way of Cypher."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from support.graph_store import add_entities, add_relations, add_workspace, one


def backend(db: psycopg.Connection) -> str:
    return str(one(db, "SELECT pgrag.graph_backend()"))


def refusal(db: psycopg.Connection, query: str = "SELECT pgrag.graph_backend()") -> tuple[str, str, str]:
    """SQLSTATE, message and hint of the error that the query ends in."""
    with pytest.raises(psycopg.Error) as raised, db.transaction():
        db.execute(query)
    shown = raised.value.diag
    return str(shown.sqlstate), str(shown.message_primary), str(shown.message_hint)


@pytest.mark.parametrize(("wish", "way"), [("auto", "age"), ("age", "age"), ("sql", "sql")])
def test_the_setting_and_the_override(db: psycopg.Connection, wish: str, way: str) -> None:
    db.execute("UPDATE pgrag.setting SET graph_backend = %s", (wish,))
    assert backend(db) == way
    db.execute("SET LOCAL pgrag.graph_backend = 'sql'")
    assert backend(db) == "sql"
    db.execute("SET LOCAL pgrag.graph_backend = 'auto'")
    assert backend(db) == "age"
    db.execute("SET LOCAL pgrag.graph_backend = ''")
    assert backend(db) == way


def test_the_hop_goes_the_way_that_is_said(db: psycopg.Connection) -> None:
    """A vertex that the tables do not know is seen by Cypher alone."""
    workspace = add_workspace(db)
    a, b = add_entities(db, workspace, "ab")
    (ab,) = add_relations(db, workspace, [(a, b)])
    db.execute("SET LOCAL session_replication_role = replica")
    db.execute("DELETE FROM pgrag.relation")
    for wish, rows in (("age", [(a, ab, b)]), ("sql", []), ("auto", [(a, ab, b)])):
        db.execute("SELECT set_config('pgrag.graph_backend', %s, true)", (wish,))
        assert db.execute("SELECT * FROM pgrag.neighbors_of(%s, %s)", (workspace, [a])).fetchall() == rows


def test_an_unknown_backend(db: psycopg.Connection) -> None:
    db.execute("SET LOCAL pgrag.graph_backend = 'neo4j'")
    assert refusal(db)[:2] == ("RG001", "unknown graph backend 'neo4j'")


def test_without_age(fresh_database: Callable[..., str]) -> None:
    with psycopg.connect(fresh_database(age=False)) as db:
        assert backend(db) == "sql"
        db.execute("SET LOCAL pgrag.graph_backend = 'auto'")
        assert backend(db) == "sql"
        db.execute("SET LOCAL pgrag.graph_backend = 'age'")
        state, message, hint = refusal(db)
        assert state == "RG005"
        assert message == "graph_backend is age, a hop by Cypher, but AGE is not in this database"
        assert "CREATE EXTENSION age" in hint
        assert "pgrag.rebuild_graph()" in hint
        add_workspace(db)
        assert refusal(db, "SELECT * FROM pgrag.neighbors('w', '{1}')")[0] == "RG005"


def test_without_the_graph(db: psycopg.Connection) -> None:
    db.execute("SELECT ag_catalog.drop_graph('pgrag_graph', true)")
    db.execute("SET LOCAL pgrag.graph_backend = 'auto'")
    assert backend(db) == "sql"
    db.execute("SET LOCAL pgrag.graph_backend = 'age'")
    assert refusal(db) == (
        "RG005",
        "graph_backend is age, a hop by Cypher, but AGE is there without the graph pgrag_graph",
        "SELECT pgrag.rebuild_graph();",
    )


def test_callers_under_row_level_security_go_by_join(db: psycopg.Connection) -> None:
    """The graph has no policies: Cypher would show them what the tables hide."""
    workspace, hidden = add_workspace(db), add_workspace(db, "hidden")
    a, b = add_entities(db, workspace, "ab")
    c, d = add_entities(db, hidden, "cd")
    add_relations(db, workspace, [(a, b)])
    add_relations(db, hidden, [(c, d)])
    db.execute("CREATE ROLE tenant")
    db.execute("GRANT USAGE ON SCHEMA pgrag TO tenant")
    db.execute("GRANT SELECT ON ALL TABLES IN SCHEMA pgrag TO tenant")
    db.execute("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgrag TO tenant")
    db.execute("SELECT pgrag.grant_graph()")
    for table in ("entity", "relation"):
        db.execute(f"ALTER TABLE pgrag.{table} ENABLE ROW LEVEL SECURITY")
        db.execute(f"CREATE POLICY own ON pgrag.{table} TO tenant USING (workspace_id = {workspace})")
    assert backend(db) == "age"
    db.execute("SET LOCAL ROLE tenant")
    for wish in ("auto", "age"):
        db.execute("SELECT set_config('pgrag.graph_backend', %s, true)", (wish,))
        assert backend(db) == "sql"
        assert len(db.execute("SELECT * FROM pgrag.neighbors('w', %s)", ([a],)).fetchall()) == 1
        assert db.execute("SELECT * FROM pgrag.neighbors('hidden', %s)", ([c],)).fetchall() == []
