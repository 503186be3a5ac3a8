"""`pgrag db` on a server of its own, and what a wrong password gets: the one test file that starts a server."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from support.embedded_servers import discard, one
from support.processes import finish, pgrag

from .conftest import Cli


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Where the server of this module will keep its data; nothing is there yet."""
    parent = Path(tempfile.mkdtemp(prefix="pgrag-test-"))
    parent.chmod(0o755)
    yield parent / "data with spaces"
    discard(parent / "data with spaces")
    shutil.rmtree(parent)


@pytest.fixture
def data_dir(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PGRAG_DATA_DIR", str(folder))
    monkeypatch.setenv("PGRAG_REQUIRE_AGE", "1")
    return folder


def test_it_is_started_used_and_stopped(cli: Cli, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("db", "status").code == 1
    assert json.loads(cli("db", "status", "--json").out)["running"] is False
    assert cli("db", "stop").out == "it was not running\n"

    started = cli("db", "start")
    assert started.code == 0
    assert "with Apache AGE" in started.err
    url = started.out.strip()
    assert url.startswith("postgresql://")
    assert one(url, "SELECT current_database() || ' ' || current_user") == "pgrag postgres"

    assert cli("db", "start").out.strip() == cli("db", "url").out.strip() == url
    assert "running: PostgreSQL 18" in cli("db", "status").out
    told = json.loads(cli("db", "status", "--json").out)
    assert (told["running"], told["age"]) == (True, True)

    monkeypatch.setenv("PGRAG_MODELS", "offline")
    assert cli("migrate").code == 0  # without a URL every command finds this server
    assert one(url, "SELECT embedding_dimensions FROM pgrag.setting") == 384

    assert cli("db", "stop").out == "stopped\n"
    assert cli("db", "status").code == 1


def test_any_command_starts_it(cli: Cli, data_dir: Path) -> None:
    cli("db", "stop")
    code, out, err = finish(pgrag("workspace", "list"))
    assert (code, out) == (0, "none\n"), err
    assert cli("db", "status").code == 0


def test_a_wrong_password(cli: Cli, data_dir: Path) -> None:
    url = cli("db", "url").out.strip()
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("DROP ROLE IF EXISTS guarded")
        admin.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        rules = Path(str(one(url, "SHOW hba_file")))
        rules.write_text("local all guarded scram-sha-256\n" + rules.read_text())
        admin.execute("SELECT pg_reload_conf()")

    def status(password: str) -> str:
        return url.replace("postgres@", f"guarded:{quote(password)}@")

    with psycopg.connect(status("right")):
        pass  # so that it is the password that is wrong below
    for command in (("status",), ("migrate",), ("query", "Who?")):
        result = cli(*command, "--url", status("not-it-secret"))
        assert result.code == 1
        error, cure = result.err.splitlines()
        assert error.startswith("error: the database cannot be reached")
        assert "password authentication failed" in error
        assert "PGRAG_DATABASE_URL" in cure
        assert "not-it-secret" not in result.out + result.err


def test_a_data_folder_that_cannot_be_one(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PGRAG_DATA_DIR", str(tmp_path / "file"))
    for command in (("db", "start"), ("db", "url"), ("status",)):
        result = cli(*command)
        assert result.code == 1, result
        assert result.err.startswith("error: ")
        assert "Traceback" not in result.err
