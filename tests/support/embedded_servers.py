"""What tests of embedded servers ask of them, and how they end them."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import psycopg

from pgrag import embedded
from pgrag.embedded.account import STATE, server_account
from pgrag.embedded.layout import find_home


def discard(data_dir: Path) -> None:
    """Stops the server of a data folder and removes what is kept of it, wherever that is."""
    embedded.stop(data_dir)
    home = find_home(data_dir, server_account())
    if home.path == data_dir.resolve() or home.path.parent == STATE / "clusters":
        shutil.rmtree(home.path, ignore_errors=True)


def one(url: str, query: str) -> object:
    """The one value that a query gives."""
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


def postmaster_pid(url: str) -> int:
    """The postmaster's process id, as the server tells it."""
    pid = one(url, "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int")
    assert isinstance(pid, int)
    return pid


def kill(pid: int) -> None:
    """kill -9 of one process."""
    os.kill(pid, signal.SIGKILL)


def modes(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """Mode, owner and group of every folder on the way to this one."""
    there = [place for place in (folder, *folder.parents) if place.exists()]
    return {place: (place.stat().st_mode, place.stat().st_uid, place.stat().st_gid) for place in there}
