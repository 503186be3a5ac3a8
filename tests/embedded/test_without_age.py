"""Where AGE is not wanted or cannot be had: the server works without, says so once, or refuses when it is a must."""

from __future__ import annotations

import logging
import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.embedded_servers import discard, one

from pgrag import embedded
from pgrag.embedded import Server, age, debian
from pgrag.embedded import account as accounts
from pgrag.embedded.binaries import MAJOR
from pgrag.embedded.layout import make_home
from pgrag.errors import ServerError


@pytest.fixture
def no_apt(monkeypatch: pytest.MonkeyPatch, public: Path) -> Iterator[Path]:
    """A machine without apt, on which AGE was never fetched and need not be; nothing was said yet."""
    empty = Path(tempfile.mkdtemp(dir=public))
    empty.chmod(0o755)
    state = empty / "state"
    state.mkdir()
    for programs in accounts.STATE.glob("postgresql-*"):
        (state / programs.name).symlink_to(programs)
    monkeypatch.setattr(accounts, "STATE", state)
    monkeypatch.setenv("XDG_CACHE_HOME", str(empty / "cache"))
    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.delenv("PGRAG_REQUIRE_AGE", raising=False)
    monkeypatch.setattr(age, "_failure", None)
    monkeypatch.setattr(age, "_said", False)
    yield empty
    discard(empty / "data")


def extensions(server: Server) -> object:
    return one(embedded.ensure_database(server), "SELECT array_agg(extname::text ORDER BY extname) FROM pg_extension")


def test_age_is_not_wanted(data_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Even where it is a must for those who want it; who joins and wants it is told the cure."""
    running = embedded.start(data_dir, fsync=False, age=False)
    assert not running.age
    assert extensions(running) == ["pg_trgm", "plpgsql", "vector"]
    assert caplog.messages == []
    with pytest.raises(ServerError, match="started without it") as caught:
        embedded.start(data_dir)
    assert "pgrag db stop" in str(caught.value)
    embedded.stop(data_dir)
    again = embedded.start(data_dir, fsync=False)
    assert again.age
    assert extensions(again) == ["age", "pg_trgm", "plpgsql", "vector"]


def test_age_cannot_be_had_and_is_said_once(
    no_apt: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whoever starts the server, not by everybody who joins it."""
    running = embedded.start(no_apt / "data", fsync=False)
    assert not running.age
    assert extensions(running) == ["pg_trgm", "plpgsql", "vector"]
    monkeypatch.setattr(age, "_said", False)  # as in another process
    assert embedded.start(no_apt / "data") == running
    said = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(said) == 1
    assert "no apt-get" in said[0].getMessage()


def test_age_cannot_be_had_and_is_a_must(no_apt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRAG_REQUIRE_AGE", "1")
    with pytest.raises(ServerError, match=r"required .PGRAG_REQUIRE_AGE=1.*no apt-get"):
        embedded.start(no_apt / "data", fsync=False)


def test_a_library_that_does_not_load(no_apt: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As after a change of the C library, or a half-written disk: the server goes on without it."""
    cache = age._cache(make_home(no_apt / "data", accounts.server_account()))
    broken = cache / f"{MAJOR}-glibc{platform.libc_ver()[1]}-{platform.machine()}"
    (broken / "share" / "extension").mkdir(parents=True)
    (broken / "share" / "extension" / "age.control").write_text("default_version = '1.8.0'\nmodule_pathname = 'age'\n")
    (broken / "lib").mkdir()
    (broken / "lib" / "age.so").write_bytes(b"\x7fELF and nothing more")
    running = embedded.start(no_apt / "data", fsync=False)
    assert not running.age
    assert extensions(running) == ["pg_trgm", "plpgsql", "vector"]
    assert embedded.status(no_apt / "data") == running
    said = [message for message in caplog.messages if "without Apache AGE" in message]
    assert len(said) == 1
    assert "age.so" in said[0]


def test_the_reason_names_the_missing_keyring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(debian, "KEYRING", tmp_path / "keyring.gpg")
    with pytest.raises(debian.Unavailable, match=r"keyring\.gpg"):
        debian.fetch("postgresql-18-age", ("sid",), tmp_path)
