"""Which system user runs the server, and how a program is run as that user.

PostgreSQL refuses to run as root. An ordinary user is the server's user; root hands the server to the system user
`pgrag`, which owns the cluster and nothing else, and which nobody can log in as.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pgrag.embedded.folders import lock_file, make_folder
from pgrag.errors import ServerError

SYSTEM_USER = "pgrag"
STATE = Path("/var/lib/pgrag")
"""Where root keeps what the server's user has to reach: programs, AGE, clusters of unreachable data folders."""

# Nothing else of the caller's environment goes to the server: it may hold API keys, and PG* variables change programs.
PASSED_ON = ("PATH", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


@dataclass(frozen=True)
class Account:
    """The system user of the server; `is_other` when this process, being root, has to change to it."""

    uid: int
    gid: int
    is_other: bool


def server_account() -> Account:
    """Ourselves, or the system user `pgrag` (made when missing) for root. Raises ServerError."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), is_other=False)
    try:
        entry = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        entry = _make_system_user()
    return Account(entry.pw_uid, entry.pw_gid, is_other=True)


def run(
    account: Account, argv: Sequence[str | Path], env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a program as the server's user in a session of its own, so that a signal to our group spares it.

    Returns when it has ended, with its exit code, stdout and stderr. Raises OSError when there is no such program.
    """
    passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return subprocess.run(
        [str(word) for word in argv],
        user=account.uid if account.is_other else None,
        group=account.gid if account.is_other else None,
        extra_groups=[] if account.is_other else None,
        env={"PATH": os.defpath, **passed_on, "LC_ALL": "C", **(env or {})},
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        start_new_session=True,
        check=False,
    )


def can_enter(account: Account, folder: Path) -> bool:
    """Whether the server's user can enter a folder; asked of the kernel, which knows about ACLs too."""
    return run(account, ["/bin/sh", "-c", 'cd -- "$1"', "sh", folder]).returncode == 0


@contextmanager
def state_lock() -> Iterator[None]:
    """One process of root's at a time works on `STATE`. Raises ServerError where nothing can be kept there."""
    try:
        make_folder(STATE, 0o755)
        with lock_file(STATE / ".lock"):
            yield
    except OSError as error:
        raise ServerError(
            f"{STATE} cannot be used: {error.strerror}: {error.filename}", hint="run pgrag as an ordinary user"
        ) from error


def _make_system_user() -> pwd.struct_passwd:
    command = shutil.which("useradd") or "/usr/sbin/useradd"
    options = ["--system", "--user-group", "--no-create-home", "--home-dir", str(STATE), "--shell", "/usr/sbin/nologin"]
    try:
        done = subprocess.run([command, *options, SYSTEM_USER], capture_output=True, text=True, check=False)
        reason = done.stderr.strip()
    except OSError as error:
        reason = str(error)
    try:
        return pwd.getpwnam(SYSTEM_USER)  # also when another process made it meanwhile
    except KeyError:
        raise ServerError(
            f"PostgreSQL does not run as root, and the system user {SYSTEM_USER!r} cannot be made: {reason}",
            hint=f"make a system user {SYSTEM_USER!r}, or run pgrag as an ordinary user",
        ) from None
