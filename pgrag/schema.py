"""Bring a database to the state that this package needs: tables by alembic, behaviour by replaying sql/.

Two clocks: revisions change what holds data, once, in order; the files of sql/ are re-created each time, whole. All
of it is one transaction. This is the only module that alembic's env imports.
"""

from __future__ import annotations

import io
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from pgrag import db
from pgrag.errors import ConfigurationError, SchemaMismatch
from pgrag.installation import SchemaOptions, schema_options
from pgrag.settings import Settings
from pgrag.sqlfiles import alembic_root, sql_root

_INCLUDE = re.compile(r"^\\ir\s+(\S+)\s*$")
# alembic keeps the migration under way in a module of its own: one at a time in this process as well.
_ONE_AT_A_TIME = threading.Lock()
_TRY_LOCK = "SELECT pg_try_advisory_lock(hashtext('pgrag.migrate'))"


def migrate(url: str, options: SchemaOptions) -> None:
    """Bring the database at `url` to the newest revision, and replay sql/; safe to repeat and to run at once.

    Raises MissingExtension, DatabaseUnreachable, SchemaMismatch (the database is newer than this package).
    """
    config = _config(options)
    config.attributes["url"] = url
    with _ONE_AT_A_TIME, db.translated():
        command.upgrade(config, "head")


def migration_sql(options: SchemaOptions) -> str:
    """The script that `migrate` would run on an empty database, for `psql -1 -v ON_ERROR_STOP=1`."""
    config = _config(options)
    config.output_buffer = io.StringIO()
    with _ONE_AT_A_TIME:
        command.upgrade(config, "head", sql=True)
    return config.output_buffer.getvalue()


def head() -> str:
    """The newest revision that this package knows."""
    revision = ScriptDirectory(str(alembic_root())).get_current_head()
    if revision is None:
        raise ConfigurationError(f"no revisions in {alembic_root()}")
    return revision


def options(config: Config) -> SchemaOptions:
    """The options of this run: those of `migrate`, or for a bare `alembic upgrade` those of the environment."""
    given = config.attributes.get("options")
    if isinstance(given, SchemaOptions):
        return given
    return schema_options(Settings())


def setting_row(options: SchemaOptions) -> sa.Insert:
    """The one row of pgrag.setting."""
    table = sa.table(
        "setting",
        sa.column("embedding_model", sa.Text),
        sa.column("embedding_dimensions", sa.Integer),
        sa.column("tokenizer", sa.Text),
        sa.column("graph_backend", sa.Text),
        schema="pgrag",
    )
    return sa.insert(table).values(
        embedding_model=options.embedding_model,
        embedding_dimensions=options.embedding_dimensions,
        tokenizer=options.tokenizer,
        graph_backend=options.graph_backend,
    )


def prepare(context: MigrationContext) -> None:
    """Check the extensions, create schema pgrag when it is not there, put the extensions' schemas on the path."""
    _execute(context, (alembic_root() / "ensure_schema.sql").read_text())
    _execute(context, (sql_root() / "prelude.sql").read_text())


def run_file(context: MigrationContext, revision_file: str, *, dimensions: int) -> None:
    """Run the .sql file beside a revision's .py file."""
    text = Path(revision_file).with_suffix(".sql").read_text()
    _execute(context, text.replace("{dimensions}", str(int(dimensions))))


def targets_head(context: Any) -> bool:
    """False for `current`, `stamp`, downgrades, and upgrades to an older revision."""
    try:
        target = context.get_revision_argument()
    except KeyError:
        return False
    return target in ("head", "heads", head()) or target == (head(),)


def manifest() -> Iterator[Path]:
    """The files that sql/install.sql includes, in its order. psql reads the same list."""
    install = sql_root() / "install.sql"
    for line in install.read_text().splitlines():
        if match := _INCLUDE.match(line):
            yield install.parent / match.group(1)
        elif line.strip() and not line.startswith("--"):
            raise ConfigurationError(f"{install.name} holds a line that is neither \\ir nor a comment: {line!r}")


def replay(context: MigrationContext) -> None:
    """Re-create functions, views, triggers and grants inside the migration's transaction."""
    for file in manifest():
        _execute(context, file.read_text())


@contextmanager
def migration_connection(config: Config) -> Iterator[sa.Connection]:
    """A connection that holds the migrators' lock: one migrates at a time, the others wait their turn."""
    url = config.attributes.get("url") or Settings().database_url
    if url is None:
        raise ConfigurationError("no database to migrate", "set PGRAG_DATABASE_URL, or run pgrag migrate")
    engine = db.engine(url, pooled=False)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as guard:
        # Polled outside any transaction: a session that waits for the lock holds a snapshot, and
        # CREATE INDEX CONCURRENTLY waits for snapshots.
        while not guard.exec_driver_sql(_TRY_LOCK).scalar():
            time.sleep(0.1)
        with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection:
            _refuse_unknown_revision(connection)
            yield connection


def _refuse_unknown_revision(connection: sa.Connection) -> None:
    known = {revision.revision for revision in ScriptDirectory(str(alembic_root())).walk_revisions()}
    context = MigrationContext.configure(connection, opts={"version_table_schema": "pgrag"})
    for revision in context.get_current_heads():
        if revision not in known:
            raise SchemaMismatch(
                f"the database is at revision {revision}, this package knows up to {head()}",
                "upgrade the package: pip install --upgrade pgrag",
            )
    connection.rollback()


def _config(options: SchemaOptions) -> Config:
    config = Config()
    config.set_main_option("script_location", str(alembic_root()).replace("%", "%%"))
    config.attributes["options"] = options
    return config


def _execute(context: MigrationContext, script: str) -> None:
    """Run SQL as it stands: function bodies hold `%` and `:` of their own, which no layer may touch."""
    if context.as_sql:
        context.impl.static_output(script)
    else:
        assert context.connection is not None
        context.connection.exec_driver_sql(script, execution_options={"no_parameters": True})
