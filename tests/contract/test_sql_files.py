"""sql/ is a manual: one object a file, a comment on each, all in the load order, nothing outside our schema."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from pgrag import __version__, schema
from pgrag.sqlfiles import sql_root

SPECIAL = {
    "prelude.sql",
    "retired.sql",
    "stale_functions.sql",
    "grants.sql",
    "ensure_graph.sql",
    "triggers.sql",
    "chunk_triggers.sql",
}
BY_HAND = {"extensions.sql", "roles.sql"}
OBJECTS = [file for file in schema.manifest() if file.name not in SPECIAL]


def test_every_file_is_in_the_load_order() -> None:
    listed = set(schema.manifest())
    there = {file for file in sql_root().rglob("*.sql") if file.name not in BY_HAND | {"install.sql"}}
    assert there == listed


@pytest.mark.parametrize("file", OBJECTS, ids=lambda file: file.stem)
def test_a_file_holds_the_object_of_its_name_and_begins_with_its_story(file: Path) -> None:
    text = file.read_text()
    made = set(re.findall(r"CREATE (?:OR REPLACE )?(?:FUNCTION|VIEW|PROCEDURE) pgrag\.(\w+)", text))
    assert made == {file.stem}
    assert text.startswith("-- ")
    assert len(text.splitlines()) <= 150


def test_every_function_has_a_comment(db: psycopg.Connection) -> None:
    bare = db.execute(
        "SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = 'pgrag'::regnamespace "
        "AND obj_description(p.oid, 'pg_proc') IS NULL"
    ).fetchall()
    assert bare == []


def test_every_table_and_column_has_a_comment(db: psycopg.Connection) -> None:
    bare = db.execute(
        "SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 "
        "WHERE c.relnamespace = 'pgrag'::regnamespace AND c.relkind = 'r' AND c.relname <> 'alembic_version' "
        "AND NOT a.attisdropped AND (col_description(c.oid, a.attnum) IS NULL OR obj_description(c.oid) IS NULL)"
    ).fetchall()
    assert bare == []


def test_workspace_id_leads_every_key_of_a_workspace_table(db: psycopg.Connection) -> None:
    loose = db.execute(
        "SELECT k.conrelid::regclass::text, k.conname FROM pg_constraint k "
        "WHERE k.connamespace = 'pgrag'::regnamespace AND k.contype IN ('p', 'u', 'f') "
        "AND k.conrelid::regclass::text NOT IN ('pgrag.workspace', 'pgrag.setting', 'pgrag.alembic_version') "
        "AND (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = k.conkey[1]) "
        "<> 'workspace_id'"
    ).fetchall()
    assert loose == []


def test_pinned_functions_end_their_path_with_pg_temp(db: psycopg.Connection) -> None:
    loose = db.execute(
        "SELECT p.oid::regprocedure::text, s.setting FROM pg_proc p, unnest(p.proconfig) AS s(setting) "
        "WHERE p.pronamespace = 'pgrag'::regnamespace AND s.setting LIKE 'search_path=%%' "
        "AND s.setting NOT LIKE '%%pg_temp'"
    ).fetchall()
    assert loose == []
    unpinned = db.execute(
        "SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang "
        "WHERE p.pronamespace = 'pgrag'::regnamespace AND l.lanname = 'plpgsql' "
        "AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS s(setting) WHERE s.setting LIKE 'search_path=%%')"
    ).fetchall()
    assert unpinned == []


def test_every_door_that_searches_looks_as_far_around(db: psycopg.Connection) -> None:
    """hnsw.ef_search is set once, in prelude.sql; a door takes it over with SET … FROM CURRENT."""
    found = db.execute(
        "SELECT s.setting, count(*) FROM pg_proc p, unnest(p.proconfig) AS s(setting) "
        "WHERE p.pronamespace = 'pgrag'::regnamespace AND s.setting LIKE 'hnsw.ef_search=%%' GROUP BY 1"
    ).fetchall()
    assert [setting for setting, _ in found] == ["hnsw.ef_search=160"]
    assert found[0][1] >= 4


def test_no_function_runs_as_its_owner(db: psycopg.Connection) -> None:
    assert (
        db.execute("SELECT proname FROM pg_proc WHERE pronamespace = 'pgrag'::regnamespace AND prosecdef").fetchall()
        == []
    )


def test_tables_never_need_a_function_of_sql(db: psycopg.Connection) -> None:
    """Revisions are frozen, functions are not: a default or check that calls one would break the two clocks."""
    needed = db.execute(
        "SELECT d.objid, p.proname FROM pg_depend d JOIN pg_proc p ON p.oid = d.refobjid "
        "AND p.pronamespace = 'pgrag'::regnamespace WHERE d.refclassid = 'pg_proc'::regclass "
        "AND d.classid IN ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass)"
    ).fetchall()
    assert needed == []


def test_nothing_is_made_in_public(db: psycopg.Connection) -> None:
    made = db.execute(
        "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace "
        "UNION ALL SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS "
        "(SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')"
    ).fetchall()
    assert made == []


def test_only_graph_speaks_cypher() -> None:
    for file in schema.manifest():
        if file.parent.name != "graph":
            assert "cypher(" not in file.read_text(), file


def test_the_schema_version_is_the_package_version(db: psycopg.Connection) -> None:
    assert db.execute("SELECT pgrag.schema_version()").fetchone() == (__version__,)
