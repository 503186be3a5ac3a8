"""Where a cluster is kept: any path will do, nobody's folders are opened, and what is not ours is not touched."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from support.embedded_servers import discard, modes, one

from pgrag import embedded
from pgrag.embedded import account as accounts
from pgrag.embedded.account import Account, can_enter, server_account
from pgrag.embedded.layout import find_home
from pgrag.errors import ServerError

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has a server's user of its own")


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@needs_root
def test_root_keeps_the_cluster_elsewhere_when_the_servers_user_cannot_enter(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    asked = private / "data"
    before = modes(private)
    server = embedded.start(asked, fsync=False)
    try:
        assert server.data_dir.parent == accounts.STATE / "clusters"
        assert [str(asked) in message and str(server.data_dir) in message for message in caplog.messages] == [True]
        assert modes(private) == before
        assert list(private.iterdir()) == []
        assert one(embedded.ensure_database(server), "SELECT 1") == 1
        private.chmod(0o755)
        tmp_path.chmod(0o755)
        assert embedded.start(asked) == server, "it stays where its data is"
        assert embedded.status(server.data_dir) == server, "by its own name too"
    finally:
        discard(asked)
    assert not server.data_dir.exists()


@needs_root
def test_root_makes_readable_folders_whatever_the_umask(public: Path) -> None:
    before, asked = modes(public), public / "new" / "newer"
    umask = os.umask(0o077)
    try:
        server = embedded.start(asked, fsync=False, age=False)
    finally:
        os.umask(umask)
    assert server.data_dir == asked
    assert modes(public) == before
    assert stat.S_IMODE(server.data_dir.stat().st_mode) == 0o755
    assert (server.data_dir / "cluster").stat().st_uid == server_account().uid
    discard(asked)


@needs_root
def test_a_cluster_that_the_servers_user_can_no_longer_enter_is_not_forgotten(public: Path) -> None:
    parent = public / "closed later"
    (parent / "data" / "cluster").mkdir(parents=True)
    (parent / "data" / ".pgrag-lock").write_text("1\n")
    (parent / "data" / "cluster" / "PG_VERSION").write_text("18\n")
    os.chown(parent / "data" / "cluster", server_account().uid, -1)
    parent.chmod(0o700)
    with pytest.raises(ServerError, match="can no longer enter"):
        embedded.start(parent / "data")


@needs_root
def test_the_kernel_is_asked_who_can_enter(tmp_path: Path, public: Path) -> None:
    assert can_enter(server_account(), public)
    assert not can_enter(server_account(), tmp_path)


@pytest.mark.parametrize("place", ["", "cluster"])
def test_a_cluster_of_an_older_postgresql_is_refused_with_the_cure(public: Path, place: str) -> None:
    folder = public / f"old {place}"
    (folder / place).mkdir(parents=True)
    (folder / place / "PG_VERSION").write_text("15\n")
    if place:
        (folder / ".pgrag-lock").write_text("1\n")
    before = tree(folder)
    with pytest.raises(ServerError, match=r"PostgreSQL 15.*older layout") as caught:
        embedded.start(folder)
    assert "pg_dumpall of PostgreSQL 15" in (caught.value.hint or "")
    assert tree(folder) == before


def test_a_folder_of_another_layout_is_refused_with_the_cure(public: Path) -> None:
    folder = public / "layout"
    folder.mkdir()
    (folder / ".pgrag-lock").write_text("0\n")
    with pytest.raises(ServerError, match="has layout 0"):
        embedded.start(folder)


@pytest.mark.parametrize("private", [False, True])
def test_a_folder_of_something_else_is_refused_and_left_alone(public: Path, tmp_path: Path, private: bool) -> None:
    folder = (tmp_path if private else public) / "letters"
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear Ada")
    for call in (embedded.start, embedded.stop, embedded.status):
        with pytest.raises(ServerError, match="not empty and not one of pgrag") as caught:
            call(folder)
        assert "PGRAG_DATA_DIR" in (caught.value.hint or "")
    assert tree(folder) == {"letter.txt": b"Dear Ada"}


def test_a_file_is_no_data_folder(public: Path) -> None:
    (public / "file").write_text("")
    with pytest.raises(ServerError, match="is a file"):
        embedded.start(public / "file")


def test_a_cluster_without_its_version_is_damaged(public: Path) -> None:
    folder = public / "damaged"
    (folder / "cluster").mkdir(parents=True)
    (folder / ".pgrag-lock").write_text("1\n")
    with pytest.raises(ServerError, match="damaged"):
        embedded.start(folder)


def test_a_link_in_place_of_the_lock_is_not_followed(public: Path) -> None:
    folder = public / "linked"
    folder.mkdir()
    (folder / ".pgrag-lock").symlink_to(public / "target")
    with pytest.raises(ServerError, match="cannot be used"):
        embedded.start(folder)
    assert not (public / "target").exists()


def test_asking_makes_nothing(public: Path) -> None:
    nowhere = public / "nowhere" / "at all"
    assert embedded.status(nowhere) is None
    assert embedded.stop(nowhere) is False
    assert not nowhere.parent.exists()


def test_a_link_to_a_folder_is_that_folder(public: Path) -> None:
    (public / "link").symlink_to(public / "folder")
    ourselves = Account(os.geteuid(), os.getegid(), is_other=False)
    assert find_home(public / "link", ourselves) == find_home(public / "folder", ourselves)
    shutil.rmtree(public / "folder", ignore_errors=True)


@needs_root
def test_root_is_told_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(accounts, "STATE", tmp_path / "file" / "state")
    with pytest.raises(ServerError, match=r"file/state cannot be used") as caught:
        embedded.start(tmp_path / "data")
    assert caught.value.hint == "run pgrag as an ordinary user"
