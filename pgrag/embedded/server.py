"""The server of a data folder: joined when it runs, started when it does not.

Nothing is remembered but what PostgreSQL itself keeps: postmaster.pid says which process runs and where it listens,
the server says its version and whether it finds AGE. So a client that is killed leaves nothing behind that is wrong.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import psycopg

from pgrag.embedded import cluster
from pgrag.embedded.account import server_account
from pgrag.embedded.age import check_dispensable, find_age, give_up
from pgrag.embedded.binaries import programs
from pgrag.embedded.conf import configure
from pgrag.embedded.layout import Home, check_cluster, find_home, locked, make_home
from pgrag.embedded.sockets import PORT, is_reachable, socket_folder
from pgrag.errors import ServerError

READY_SECONDS = 120.0
"""Recovery after a crash may take a while."""
OLD_BACKENDS_SECONDS = 30.0


@dataclass(frozen=True)
class Server:
    """A running server; `data_dir` is where the cluster really is, `age` whether the server finds AGE's library."""

    data_dir: Path
    socket_dir: Path
    port: int
    age: bool
    version: str

    def url(self, database: str = "pgrag") -> str:
        """The libpq URL of a database, for the superuser."""
        host = quote(str(self.socket_dir), safe="")
        return f"postgresql://{cluster.SUPERUSER}@/{quote(database, safe='')}?host={host}&port={self.port}"


def start(data_dir: Path, *, fsync: bool = True, age: bool = True) -> Server:
    """The running server of a data folder; it is made and started when it is not.

    `fsync=False` gives up safety against power cuts for speed (tests). `fsync` and `age` matter to the process that
    starts the server, not to those that join it. Raises ServerError.
    """
    home = make_home(data_dir, server_account())
    with locked(home):
        if home.cluster.exists():
            check_cluster(home)
        server = _join(home) or _launch(home, fsync, age)
    if age and not server.age:  # whoever started it has said so
        check_dispensable("the server that runs was started without it (pgrag db stop, then start it again)")
    return server


def stop(data_dir: Path) -> bool:
    """Ends the server of a data folder, whoever uses it; False when it was not running. Raises ServerError."""
    home = find_home(data_dir, server_account())
    if not home.lock.exists():
        return False
    with locked(home):
        running = cluster.postmaster(home)
        if running is not None:
            cluster.stop(home, running)
    return running is not None


def status(data_dir: Path) -> Server | None:
    """The server of a data folder, None when none takes connections. Starts nothing. Raises ServerError."""
    home = find_home(data_dir, server_account())
    running = cluster.postmaster(home)
    if running is None or not running.is_ready or not is_reachable(home, running.socket_dir):
        return None
    try:
        return _ask(home, running)
    except psycopg.OperationalError:
        return None


def _join(home: Home) -> Server | None:
    running = cluster.postmaster(home)
    if running is None:
        return None
    server = _wait_until_ready(home, running.pid)
    if server is None and cluster.is_postmaster(home, running.pid):
        cluster.stop(home, running)  # it runs, but nobody can reach it any more
    return server


def _launch(home: Home, fsync: bool, age: bool) -> Server:
    binaries = programs(home.account)
    files = find_age(home) if age else None
    if not home.cluster.exists():
        cluster.create(home, binaries, fsync)
    cluster.bury(home)
    socket_dir = socket_folder(home)
    configure(home, socket_dir, fsync, files)
    server = _spawn(home, binaries)
    refusal = _refusal_of_age(server) if files else None
    if refusal is None:
        return server
    give_up(refusal)
    configure(home, socket_dir, fsync, None)
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute("SELECT pg_reload_conf()")
    return replace(server, age=False)


def _spawn(home: Home, binaries: Path) -> Server:
    """Starts the server; while backends of a killed one are still ending, tries again."""
    deadline = time.monotonic() + OLD_BACKENDS_SECONDS
    while True:
        pid = cluster.spawn(home, binaries)
        server = _wait_until_ready(home, pid)
        if server is not None:
            return server
        reason = cluster.last_words(home, pid)
        if "pre-existing shared memory block" not in reason or time.monotonic() > deadline:
            raise ServerError(f"PostgreSQL in {home.path} does not start: {reason}", hint=f"see {home.log}")
        time.sleep(0.5)


def _wait_until_ready(home: Home, pid: int) -> Server | None:
    """The server once it takes connections; None when it has ended, or when its socket is gone."""
    deadline = time.monotonic() + READY_SECONDS
    while cluster.is_postmaster(home, pid) or cluster.is_starting(pid):
        running = cluster.postmaster(home)
        if running is not None and running.is_ready:
            if not is_reachable(home, running.socket_dir):
                return None
            try:
                return _ask(home, running)
            except psycopg.OperationalError as error:
                reason = str(error).strip()
        else:
            reason = "it is still starting up"
        if time.monotonic() > deadline:
            raise ServerError(f"PostgreSQL in {home.path} takes no connections: {reason}", hint=f"see {home.log}")
        time.sleep(0.02)
    return None


def _ask(home: Home, running: cluster.Postmaster) -> Server:
    known = Server(home.path, running.socket_dir, PORT, age=False, version="")
    with psycopg.connect(known.url("postgres"), autocommit=True, connect_timeout=10) as connection:
        has_age = connection.execute("SELECT count(*) FROM pg_available_extensions WHERE name = 'age'").fetchone()
        version = connection.info.parameter_status("server_version") or ""
    return replace(known, age=has_age == (1,), version=version)


def _refusal_of_age(server: Server) -> str | None:
    """Why the library does not load; None when it does. A wrong library may say so only then."""
    try:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            connection.execute("LOAD 'age'")
    except psycopg.Error as error:
        return str(error).strip()
    return None
