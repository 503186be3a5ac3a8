"""Who may do what: writers and readers who own nothing, an owner who is no superuser, and roles without AGE."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from support.graph_store import (
    add_entities,
    add_relations,
    add_workspace,
    assert_degrees_are_right,
    assert_graph_is_the_tables,
    one,
)

from pgrag.sqlfiles import sql_root


@pytest.fixture
def roles(db: psycopg.Connection) -> psycopg.Connection:
    """reads, writes and owns: `owns` has the schema and everything in it, the others what grants.sql gives."""
    for role in ("reads", "writes", "owns"):
        db.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
    for item in db.execute(
        "SELECT format('TABLE pgrag.%I', relname) FROM pg_class"
        " WHERE relnamespace = 'pgrag'::regnamespace AND relkind = 'r'"
        " UNION ALL SELECT 'FUNCTION ' || oid::regprocedure FROM pg_proc WHERE pronamespace = 'pgrag'::regnamespace"
    ).fetchall():
        db.execute(f"ALTER {item[0]} OWNER TO owns")
    db.execute("ALTER SCHEMA pgrag OWNER TO owns")
    db.execute("GRANT USAGE ON SCHEMA pgrag TO reads, writes")
    db.execute("GRANT SELECT ON ALL TABLES IN SCHEMA pgrag TO reads, writes")
    db.execute("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgrag TO writes")
    db.execute("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgrag TO reads, writes")
    return db


def hand_over(db: psycopg.Connection) -> None:
    """What the DBA runs: a superuser's rebuild makes the graph, gives it to the owner, and the others their rights."""
    db.execute("SELECT ag_catalog.drop_graph('pgrag_graph', true)")
    db.execute("SELECT pgrag.rebuild_graph()")


def write(db: psycopg.Connection) -> tuple[int, int]:
    workspace = add_workspace(db)
    a, b, c = add_entities(db, workspace, "abc")
    add_relations(db, workspace, [(a, b), (b, c)])
    db.execute("UPDATE pgrag.entity SET type = 'x' WHERE id = %s", (a,))
    db.execute("UPDATE pgrag.relation SET weight = 2")
    db.execute("DELETE FROM pgrag.entity WHERE id = %s", (c,))
    return a, b


def test_a_writer_writes_the_graph_along(roles: psycopg.Connection) -> None:
    db = roles
    hand_over(db)
    db.execute("SET LOCAL ROLE writes")
    a, b = write(db)
    assert one(db, "SELECT pgrag.graph_backend()") == "age"
    assert [row[2] for row in db.execute("SELECT * FROM pgrag.neighbors('w', %s)", ([a],))] == [b]
    assert_graph_is_the_tables(db)


def test_a_reader_reads_it_and_no_more(roles: psycopg.Connection) -> None:
    db = roles
    hand_over(db)
    a, b = write(db)
    db.execute("SET LOCAL ROLE reads")
    assert one(db, "SELECT pgrag.graph_backend()") == "age"
    assert [row[2] for row in db.execute("SELECT * FROM pgrag.neighbors('w', %s)", ([a],))] == [b]
    assert db.execute("SELECT * FROM pgrag.check_graph()").fetchall() == []
    with pytest.raises(psycopg.errors.InsufficientPrivilege), db.transaction():
        db.execute('DELETE FROM pgrag_graph."Entity"')


def test_a_reader_without_rights_on_the_graph_goes_by_join(roles: psycopg.Connection) -> None:
    db = roles
    workspace = add_workspace(db)
    a, b = add_entities(db, workspace, "ab")
    add_relations(db, workspace, [(a, b)])
    db.execute("SET LOCAL ROLE reads")
    db.execute("SET LOCAL pgrag.graph_backend = 'auto'")
    assert one(db, "SELECT pgrag.graph_backend()") == "sql"
    assert [row[2] for row in db.execute("SELECT * FROM pgrag.neighbors('w', %s)", ([a],))] == [b]
    db.execute("SET LOCAL pgrag.graph_backend = 'age'")
    with pytest.raises(psycopg.Error, match="the role reads may not read the graph pgrag_graph") as raised:
        db.execute("SELECT * FROM pgrag.neighbors('w', %s)", ([a],))
    assert raised.value.sqlstate == "RG005"
    assert "GRANT USAGE ON SCHEMA ag_catalog, pgrag_graph TO reads" in str(raised.value.diag.message_hint)


def test_a_writer_without_rights_on_the_graph_is_refused(roles: psycopg.Connection) -> None:
    """Better than a graph that silently falls behind: the error names what is missing."""
    roles.execute("SET LOCAL ROLE writes")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="ag_catalog"):
        write(roles)


def test_a_writer_needs_no_rights_where_there_is_no_graph(roles: psycopg.Connection) -> None:
    roles.execute("DROP EXTENSION age CASCADE")
    roles.execute("SET LOCAL ROLE writes")
    write(roles)
    assert_degrees_are_right(roles)


def test_the_owner_refills_what_the_dba_made(roles: psycopg.Connection) -> None:
    db = roles
    hand_over(db)
    db.execute("SET LOCAL ROLE owns")
    write(db)
    assert db.execute("SELECT * FROM pgrag.rebuild_graph()").fetchall() == [(2, 1)]
    db.execute("TRUNCATE pgrag.entity CASCADE")
    assert_graph_is_the_tables(db)


def refusal(db: psycopg.Connection) -> tuple[str, str]:
    """Message and hint of the RG005 that a rebuild ends in."""
    with pytest.raises(psycopg.Error) as raised, db.transaction():
        db.execute("SELECT pgrag.rebuild_graph()")
    assert raised.value.sqlstate == "RG005"
    return str(raised.value.diag.message_primary), str(raised.value.diag.message_hint)


def test_an_owner_who_may_not_make_the_graph_gets_the_command(roles: psycopg.Connection) -> None:
    db = roles
    database = db.info.dbname
    db.execute("SET LOCAL ROLE owns")
    message, hint = refusal(db)
    assert message == "the role owns may not make the graph pgrag_graph: it has no USAGE on the schema ag_catalog"
    assert f"As a superuser, in the database {database}: SELECT pgrag.rebuild_graph();" in hint
    db.execute("RESET ROLE")
    db.execute("GRANT USAGE ON SCHEMA ag_catalog TO owns")
    db.execute("SET LOCAL ROLE owns")
    assert refusal(db)[0].endswith("the schema pgrag_graph belongs to another role")
    db.execute("RESET ROLE")
    db.execute("SELECT ag_catalog.drop_graph('pgrag_graph', true)")
    db.execute("SET LOCAL ROLE owns")
    assert refusal(db)[0].endswith(f"it has no CREATE on the database {database}")
    db.execute("RESET ROLE")
    db.execute(sql.SQL("GRANT CREATE ON DATABASE {} TO owns").format(sql.Identifier(database)))
    db.execute("SET LOCAL ROLE owns")
    assert db.execute("SELECT * FROM pgrag.rebuild_graph()").fetchall() == [(0, 0)]


def test_a_replay_by_such_an_owner_warns_and_goes_on(roles: psycopg.Connection) -> None:
    db = roles
    db.execute("SELECT ag_catalog.drop_graph('pgrag_graph', true)")
    db.execute("SET LOCAL ROLE owns")
    heard: list[tuple[str, str]] = []
    db.add_notice_handler(lambda said: heard.append((str(said.message_primary), str(said.message_hint))))
    db.execute((Path(str(sql_root())) / "graph" / "ensure_graph.sql").read_bytes())
    assert len(heard) == 1
    assert "may not make the graph pgrag_graph" in heard[0][0]
    assert "SELECT pgrag.rebuild_graph();" in heard[0][1]


def test_a_tenant_may_not_rebuild_from_the_rows_it_sees(roles: psycopg.Connection) -> None:
    db = roles
    hand_over(db)
    db.execute("ALTER TABLE pgrag.entity ENABLE ROW LEVEL SECURITY")
    db.execute("SET LOCAL ROLE writes")
    assert refusal(db)[0].endswith("row-level security hides entities or relations from it")
    assert db.execute("SELECT cure FROM pgrag.check_graph()").fetchall() == [("Ask as the owner of pgrag.entity.",)]
    db.execute("RESET ROLE")
    db.execute("ALTER TABLE pgrag.entity FORCE ROW LEVEL SECURITY")
    db.execute("CREATE POLICY everything ON pgrag.entity TO owns USING (true)")
    db.execute("SET LOCAL ROLE owns")
    db.execute("SELECT pgrag.rebuild_graph()")
    assert db.execute("SELECT * FROM pgrag.check_graph()").fetchall() == []


def test_grants_made_later_reach_the_graph_by_grant_graph(roles: psycopg.Connection) -> None:
    db = roles
    db.execute("CREATE ROLE late")
    db.execute("GRANT SELECT ON pgrag.entity TO late")
    db.execute("GRANT SELECT, DELETE ON pgrag.relation TO late")
    db.execute("SELECT pgrag.grant_graph()")
    rights = "SELECT has_table_privilege('late', %s, %s)"
    assert [one(db, rights, 'pgrag_graph."Entity"', right) for right in ("SELECT", "INSERT", "DELETE")] == [
        True,
        False,
        False,
    ]
    assert [one(db, rights, 'pgrag_graph."RELATES"', right) for right in ("SELECT", "INSERT", "DELETE")] == [
        True,
        False,
        True,
    ]
    assert one(db, "SELECT has_schema_privilege('late', 'ag_catalog', 'USAGE')")
    assert one(db, "SELECT has_schema_privilege('late', 'pgrag_graph', 'USAGE')")


def test_grant_graph_without_a_graph(fresh_database: Callable[..., str]) -> None:
    with psycopg.connect(fresh_database(age=False)) as db:
        db.execute("SELECT pgrag.grant_graph()")
