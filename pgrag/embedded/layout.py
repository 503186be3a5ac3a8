"""What a data folder holds, where it really is, and who may work on it at a time.

    HOME/.pgrag-lock     held while a server is set up, started or stopped; its content is the layout's number
    HOME/cluster/        PostgreSQL's own data, of the server's user alone
    HOME/server.conf     settings written at each start; cluster/postgresql.conf includes it
    HOME/server.log      what the server says
    HOME/socket/         where it listens; elsewhere when this path is too long for a socket

For an ordinary user HOME is the folder asked for. For root it may lie where the server's user cannot enter (/root,
somebody's home): no folder is opened for that, the cluster is kept below /var/lib/pgrag instead.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from pgrag.embedded import account as accounts
from pgrag.embedded.account import Account, can_enter, state_lock
from pgrag.embedded.binaries import MAJOR
from pgrag.embedded.folders import lock_file, make_folder
from pgrag.errors import ServerError

log = logging.getLogger(__name__)

LAYOUT = "1"
LOCK = ".pgrag-lock"
BYSTANDERS = {"lost+found", ".DS_Store"}
ELSEWHERE = "name another folder with PGRAG_DATA_DIR"


@dataclass(frozen=True)
class Home:
    """A data folder and the user that its server runs as."""

    path: Path
    account: Account

    @property
    def lock(self) -> Path:
        return self.path / LOCK

    @property
    def cluster(self) -> Path:
        return self.path / "cluster"

    @property
    def conf(self) -> Path:
        return self.path / "server.conf"

    @property
    def log(self) -> Path:
        return self.path / "server.log"

    @property
    def socket(self) -> Path:
        return self.path / "socket"


def find_home(data_dir: Path, account: Account) -> Home:
    """Where the cluster of this data folder is, or would be; nothing is made.

    Raises ServerError when the folder asked for holds something else.
    """
    asked = data_dir.expanduser().resolve()
    check_folder(asked)
    if not account.is_other or (asked / "cluster").exists():
        return Home(asked, account)
    kept = accounts.STATE / "clusters" / derived_name(asked)
    if not kept.exists() and can_enter(account, _nearest_existing(asked)):
        return Home(asked, account)
    check_folder(kept)
    return Home(kept, account)


def make_home(data_dir: Path, account: Account) -> Home:
    """The home of this data folder, made when it is not there. Raises ServerError."""
    with state_lock() if account.is_other else nullcontext():
        home = find_home(data_dir, account)
        if not home.lock.exists() and home.path != data_dir.expanduser().resolve():
            log.warning("the server's user cannot enter %s: its cluster is kept in %s", data_dir, home.path)
        try:
            make_folder(home.path, 0o755 if account.is_other else 0o700)
        except OSError as error:
            raise ServerError(
                f"the data folder {home.path} cannot be made: {error.strerror}", hint=ELSEWHERE
            ) from error
    return home


def check_folder(folder: Path) -> None:
    """Raises ServerError, with the cure, when a folder holds anything but our own layout of this version."""
    try:
        if not folder.exists():
            return
        names = {entry.name for entry in folder.iterdir()} - BYSTANDERS
        _check_content(folder, names)
    except NotADirectoryError:
        raise ServerError(f"the data folder {folder} is a file", hint=ELSEWHERE) from None
    except PermissionError:
        raise ServerError(
            f"the data folder {folder} belongs to another user", hint=f"run pgrag as that user, or {ELSEWHERE}"
        ) from None
    except OSError as error:
        raise ServerError(f"the data folder {folder} cannot be used: {error.strerror}: {error.filename}") from error


def _check_content(folder: Path, names: set[str]) -> None:
    if "PG_VERSION" in names:
        found = (folder / "PG_VERSION").read_text().strip()
        raise ServerError(
            f"the data folder {folder} is itself a PostgreSQL {found} cluster, which is an older layout",
            hint=_how_to_move(found),
        )
    if names and LOCK not in names:
        raise ServerError(f"the data folder {folder} is not empty and not one of pgrag", hint=ELSEWHERE)
    layout = (folder / LOCK).read_text().strip() if names else ""
    if layout not in ("", LAYOUT):  # empty: made, and killed before it was written
        raise ServerError(
            f"the data folder {folder} has layout {layout}, and this version of pgrag reads layout {LAYOUT}",
            hint=f"use the version of pgrag that made it, or {ELSEWHERE}",
        )


def check_cluster(home: Home) -> None:
    """Raises ServerError, with the cure, unless the cluster is one that our programs and our user can run."""
    try:
        found = (home.cluster / "PG_VERSION").read_text().strip()
        owner = home.cluster.stat().st_uid
    except PermissionError:
        found, owner = MAJOR, -1
    except OSError:
        raise ServerError(f"the cluster {home.cluster} is damaged: no PG_VERSION in it", hint=ELSEWHERE) from None
    if found != MAJOR:
        raise ServerError(
            f"the cluster {home.cluster} is of PostgreSQL {found}, an older layout, and this is PostgreSQL {MAJOR}",
            hint=_how_to_move(found),
        )
    if owner != home.account.uid:
        raise ServerError(
            f"the cluster {home.cluster} belongs to another user than the server's",
            hint=f"run pgrag as that user, or {ELSEWHERE}",
        )
    if home.account.is_other and not can_enter(home.account, home.cluster):
        raise ServerError(
            f"the server's user can no longer enter {home.cluster}",
            hint=f"move {home.path} to where the system user {accounts.SYSTEM_USER!r} can enter, or {ELSEWHERE}",
        )


@contextmanager
def locked(home: Home) -> Iterator[None]:
    """One process, and one thread of it, at a time works on a home; the others wait."""
    try:
        with lock_file(home.lock) as descriptor:
            if os.fstat(descriptor).st_size == 0:
                os.write(descriptor, f"{LAYOUT}\n".encode())
            yield
    except OSError as error:
        raise ServerError(
            f"the data folder {home.path} cannot be used: {error.strerror}: {error.filename}",
            hint=f"run pgrag as the folder's owner, or {ELSEWHERE}",
        ) from error


def _nearest_existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.exists())


def derived_name(folder: Path) -> str:
    """A short name that tells folders apart: what of the path reads well, and a digest of all of it."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", str(folder)).strip("-")[-24:].strip("-")
    return f"{readable}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]}"


def _how_to_move(version: str) -> str:
    return (
        f"dump it with pg_dumpall of PostgreSQL {version}, {ELSEWHERE}, start that and load the dump with psql; "
        "or remove the folder when its data is not wanted"
    )
