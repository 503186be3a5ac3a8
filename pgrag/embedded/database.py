"""What a database of pgrag begins with: the right locale, the extensions and the roles."""

from __future__ import annotations

import psycopg
from psycopg import sql

from pgrag.embedded import cluster
from pgrag.embedded.age import give_up
from pgrag.embedded.server import Server
from pgrag.errors import ServerError
from pgrag.sqlfiles import sql_root

LOCK = 0x7067726167  # "pgrag": one process at a time prepares databases of a server
CREATE = sql.SQL(
    "CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'"
    f" LC_COLLATE '{cluster.LC_COLLATE}' LC_CTYPE '{cluster.LC_CTYPE}'"
)


def ensure_database(server: Server, name: str = "pgrag") -> str:
    """The URL of a database with extensions and roles, made when it is not there; any number may ask at once.

    Raises ServerError, also when PGRAG_REQUIRE_AGE=1 and AGE is there but cannot be created.
    """
    try:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            if connection.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
                connection.execute(CREATE.format(name=sql.Identifier(name)))
            _furnish(server, name)
    except psycopg.Error as error:
        raise ServerError(f"the database {name!r} cannot be prepared: {error}") from error
    return server.url(name)


def _furnish(server: Server, name: str) -> None:
    """Runs the two files that a DBA runs on a server of their own; both may be run again."""
    warnings: list[str] = []
    admin = sql_root() / "admin"
    with psycopg.connect(server.url(name), autocommit=True) as connection:
        connection.add_notice_handler(
            lambda notice: warnings.append(notice.message_primary or "") if notice.severity == "WARNING" else None
        )
        for file in ("extensions.sql", "roles.sql"):
            connection.execute((admin / file).read_bytes())
        has_age = connection.execute("SELECT FROM pg_extension WHERE extname = 'age'").fetchone() is not None
    if server.age and not has_age:
        give_up("; ".join(warnings) or "CREATE EXTENSION age failed")
