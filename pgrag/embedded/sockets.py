"""The folder that the server listens in: nobody but the server's user (and root) can enter it."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from pathlib import Path

from pgrag.embedded import account as accounts
from pgrag.embedded.account import Account
from pgrag.embedded.folders import make_folder
from pgrag.embedded.layout import Home, derived_name
from pgrag.errors import ServerError

PORT = 5432  # part of the socket's file name; nothing listens on the network
SOCKET_PATH_BYTES = 100  # the kernels allow 103 (macOS) or 107 (Linux)
PLAIN_PATH = re.compile(r"[^\x00-\x1f,\"'\\\ud800-\udfff]+")  # a comma separates hosts in a URL, folders in the setting


def socket_folder(home: Home) -> Path:
    """A new folder of the server's user alone, with a path short and plain enough for a socket."""
    if _fits(home.socket):
        discard_socket(home, home.socket)
        make_private(home.socket, home.account)
        return home.socket
    if home.account.is_other:
        folder = accounts.STATE / "sockets" / derived_name(home.path)
        make_folder(folder.parent, 0o755)
        discard_socket(home, folder)
        make_private(folder, home.account)
        return folder
    # mkdtemp makes a folder of a new name for us alone: nobody can have prepared it.
    places = (Path(tempfile.gettempdir()), Path("/tmp"))
    place = next((place for place in places if _fits(place / "pgrag-12345678")), None)
    if place is None:
        raise ServerError(f"the paths of {home.path} and {places[0]} are too long for a socket", hint="set TMPDIR=/tmp")
    return Path(tempfile.mkdtemp(prefix="pgrag-", dir=place))


def discard_socket(home: Home, folder: Path) -> None:
    """Removes the socket of a server that is gone, and its folder; what is not the server's stays."""
    try:
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == home.account.uid:
            for name in (f".s.PGSQL.{PORT}", f".s.PGSQL.{PORT}.lock"):
                (folder / name).unlink(missing_ok=True)
            folder.rmdir()
    except OSError:
        pass  # not there, or something else in it: a new server makes its own


def is_reachable(home: Home, folder: Path) -> bool:
    """Whether the socket is still there, in a folder of the server's user alone (cleaners of /tmp may remove it)."""
    try:
        found = folder.lstat()
        is_private = stat.S_ISDIR(found.st_mode) and found.st_uid == home.account.uid and not found.st_mode & 0o077
        return is_private and (folder / f".s.PGSQL.{PORT}").exists()
    except OSError:
        return False


def make_private(folder: Path, account: Account) -> None:
    """Makes a folder of the server's user alone."""
    folder.mkdir(0o700)
    folder.chmod(0o700)
    if account.is_other:
        os.chown(folder, account.uid, account.gid, follow_symlinks=False)


def _fits(folder: Path) -> bool:
    is_short = len(os.fsencode(folder / f".s.PGSQL.{PORT}")) <= SOCKET_PATH_BYTES
    return is_short and PLAIN_PATH.fullmatch(str(folder)) is not None
