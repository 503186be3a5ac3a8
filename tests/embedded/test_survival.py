"""The server outlives its clients, and a killed server starts again with everything that was committed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from support.embedded_servers import discard, kill, one, postmaster_pid

from pgrag import embedded
from pgrag.embedded import Server

CLIENT = """
import sys, time
from pathlib import Path
from pgrag import embedded
server = embedded.start(Path(sys.argv[1]), fsync=False)
print(embedded.ensure_database(server), flush=True)
time.sleep(60 if sys.argv[2] == "stay" else 0)
"""


def client(data_dir: Path, what: str) -> subprocess.Popen[str]:
    """Another process that starts or joins the server, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(data_dir), what], stdout=subprocess.PIPE, text=True, start_new_session=True
    )


@pytest.fixture(scope="module")
def survivor(public: Path) -> Iterator[Server]:
    """A server whose first client was killed with its whole process group, holding a table of 100 rows."""
    data_dir = public / "survivor"
    first = client(data_dir, "stay")
    assert first.stdout is not None
    url = first.stdout.readline().strip()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = on")  # which fsync=False turns off
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 100) AS n")
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    server = embedded.status(data_dir)
    assert server is not None
    yield server
    discard(data_dir)


def rows_kept(server: Server) -> object:
    return one(server.url(), "SELECT count(*)::int FROM kept")


def restarted(server: Server) -> Server:
    return embedded.start(server.data_dir)


def test_kill_9_of_the_client_that_started_it_leaves_it_running(survivor: Server) -> None:
    assert rows_kept(survivor) == 100
    assert embedded.start(survivor.data_dir) == survivor


def test_kill_9_of_the_server_then_start_recovers(survivor: Server) -> None:
    pid = postmaster_pid(survivor.url())
    kill(pid)
    assert embedded.status(survivor.data_dir) is None
    server = restarted(survivor)
    assert rows_kept(server) == 100
    assert postmaster_pid(server.url()) != pid
    assert one(server.url(), "SHOW fsync") == "on"


def test_kill_9_while_a_backend_is_still_at_work(survivor: Server) -> None:
    """The backend does not notice for two seconds; PostgreSQL refuses to start beside it, and start waits."""
    loop = "WHILE clock_timestamp() < t + '2 s' LOOP END LOOP"
    busy = f"DO $$ DECLARE t timestamptz := clock_timestamp(); BEGIN {loop}; END $$"

    def work() -> None:
        with suppress(psycopg.OperationalError), psycopg.connect(survivor.url(), autocommit=True) as connection:
            connection.execute(busy.encode())

    worker = threading.Thread(target=work)
    worker.start()
    deadline = time.monotonic() + 10
    at_work = "SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE 'DO%' AND state = 'active'"
    while one(survivor.url(), at_work) == 0 and time.monotonic() < deadline:
        time.sleep(0.02)
    kill(postmaster_pid(survivor.url()))
    assert rows_kept(restarted(survivor)) == 100
    worker.join()
    assert "pre-existing shared memory block" in (survivor.data_dir / "server.log").read_text()


@pytest.mark.parametrize("stranger", ["ours", "another program"])
def test_a_process_id_that_now_belongs_to_another_program(survivor: Server, stranger: str) -> None:
    """After a reboot, or in a new container, the number in postmaster.pid may be anybody's."""
    pid_file = survivor.data_dir / "cluster" / "postmaster.pid"
    kill(postmaster_pid(survivor.url()))
    other = subprocess.Popen(["sleep", "60"], user=pid_file.owner())
    lines = pid_file.read_text().splitlines()
    lines[0] = str(os.getpid() if stranger == "ours" else other.pid)
    pid_file.write_text("\n".join(lines) + "\n")
    try:
        assert embedded.status(survivor.data_dir) is None
        assert embedded.stop(survivor.data_dir) is False
        assert rows_kept(restarted(survivor)) == 100
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_server_whose_socket_was_cleaned_away_is_started_anew(survivor: Server) -> None:
    pid = postmaster_pid(survivor.url())
    shutil.rmtree(survivor.socket_dir)
    assert embedded.status(survivor.data_dir) is None
    server = restarted(survivor)
    assert rows_kept(server) == 100
    assert postmaster_pid(server.url()) != pid


def test_stop_says_whether_it_was_running(survivor: Server) -> None:
    assert embedded.stop(survivor.data_dir) is True
    assert embedded.status(survivor.data_dir) is None
    assert embedded.stop(survivor.data_dir) is False
    assert not survivor.socket_dir.exists()
    assert rows_kept(restarted(survivor)) == 100


def test_two_processes_start_it_at_once(data_dir: Path) -> None:
    """On a folder where an initdb was killed before."""
    data_dir.mkdir(mode=0o755)
    (data_dir / ".pgrag-lock").touch()
    (data_dir / "cluster.unfinished").mkdir()
    (data_dir / "cluster.unfinished" / "PG_VERSION").write_text("18\n")
    clients = [client(data_dir, "go") for _ in range(2)]
    urls = [process.communicate(timeout=60)[0].strip() for process in clients]
    assert [process.returncode for process in clients] == [0, 0]
    assert urls[0] == urls[1]
    assert one(urls[0], "SELECT count(*)::int FROM pg_extension") == 4
