"""One embedded server for each process of the run, a template for each kind of database, a clone for each test.

`PGRAG_TEST_SERVER_URL` names a server to use instead (its superuser: databases are made and dropped).
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import psycopg
import pytest
from support.databases import TestServer

from pgrag import embedded

# What has to pass must not depend on luck; on a developer's machine the search goes on.
hypothesis.settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session")
def server() -> Iterator[TestServer]:
    """The server of this run. With the embedded one, AGE is a must: tests never silently cover only the fallback."""
    given = os.environ.get("PGRAG_TEST_SERVER_URL")
    if given:
        yield TestServer(given)
        return
    os.environ.setdefault("PGRAG_REQUIRE_AGE", "1")
    base = os.environ.get("PGRAG_TEST_DATA_DIR", Path(__file__).parent.parent / ".cache" / "test-server")
    data_dir = Path(base) / os.environ.get("PYTEST_XDIST_WORKER", "alone")
    running = embedded.start(data_dir, fsync=False)
    yield TestServer(running.url("postgres"))
    embedded.stop(data_dir)


@pytest.fixture
def fresh_database(server: TestServer) -> Iterator[Callable[..., str]]:
    """Makes databases, dropped after the test: `fresh_database(dimensions=8, migrated=True, age=True)` → url."""
    made: list[str] = []

    def make(*, dimensions: int = 8, migrated: bool = True, age: bool = True) -> str:
        name = f"test_{uuid.uuid4().hex[:12]}"
        made.append(name)
        return server.create(name, dimensions=dimensions, migrated=migrated, age=age)

    yield make
    for name in made:
        server.drop(name)


@pytest.fixture
def url(fresh_database: Callable[..., str]) -> str:
    """The URL of a migrated database of the test's own, with embeddings of 8 dimensions and AGE."""
    return fresh_database()


@pytest.fixture(scope="session")
def shared_url(server: TestServer) -> Iterator[str]:
    """A migrated database that many tests look at, and that none may change for good."""
    name = f"test_shared_{uuid.uuid4().hex[:8]}"
    yield server.create(name, dimensions=8, migrated=True, age=True)
    server.drop(name)


@pytest.fixture
def db(request: pytest.FixtureRequest) -> Iterator[psycopg.Connection]:
    """A connection to a migrated database, rolled back at the end.

    A test that commits asks for `url` too: it then has a database of its own.
    """
    if "url" in request.fixturenames:
        with psycopg.connect(request.getfixturevalue("url")) as own:
            yield own
        return
    connection = psycopg.connect(request.getfixturevalue("shared_url"))
    try:
        yield RolledBack(connection)
    finally:
        connection.close()


class RolledBack:
    """A connection that cannot commit: the database belongs to other tests as well."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def commit(self) -> None:
        raise AssertionError("this database is shared: a test that commits asks for the fixture `url` too")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.fixture
def offline_url(fresh_database: Callable[..., str]) -> str:
    """The URL of a migrated database of the test's own, with embeddings of the offline model's 384 dimensions."""
    return fresh_database(dimensions=384)


@pytest.fixture(params=["age", "sql"])
def backend_url(request: pytest.FixtureRequest, fresh_database: Callable[..., str]) -> str:
    """The same test on a database whose one hop goes by Cypher, and on one without AGE at all."""
    return fresh_database(age=request.param == "age")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the machine reaches a test."""
    for name in list(os.environ):
        if name.startswith(("PGRAG_", "OPENAI_")) and not name.startswith(("PGRAG_TEST_", "PGRAG_REQUIRE_")):
            monkeypatch.delenv(name)
