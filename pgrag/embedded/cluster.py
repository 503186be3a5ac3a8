"""How a cluster is made, run and stopped; when, is `server`'s business.

The postmaster is started through a shell that ends at once. So it is nobody's child but init's, lives in a session
of its own, and neither a signal to the client's group nor the client's death reaches it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from pgrag.embedded.account import run
from pgrag.embedded.folders import write_file
from pgrag.embedded.layout import Home
from pgrag.embedded.sockets import discard_socket, make_private
from pgrag.errors import ServerError

SUPERUSER = "postgres"
# pg_trgm asks lc_ctype what a letter is: with C, no Chinese character is one, and matching names silently fails.
LC_CTYPE = "UTF-8" if sys.platform == "darwin" else "C.UTF-8"
LC_COLLATE = "C" if sys.platform == "darwin" else "C.UTF-8"
LOCALE = (
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    f"--lc-collate={LC_COLLATE}",
    f"--lc-ctype={LC_CTYPE}",
)
MEGABYTE = 1 << 20
BEGINNING = {  # in cluster/postgresql.conf, for the user to change
    "max_connections": "100",
    "log_checkpoints": "off",
    "log_min_error_statement": "panic",  # statements hold users' texts and vectors
}
# Left to itself, glibc gives memory back after each statement, and a session spends a fifth of a retrieval on taking it
# again. Other C libraries do not look.
MALLOC = {"MALLOC_TRIM_THRESHOLD_": "16777216", "MALLOC_TOP_PAD_": "1048576", "MALLOC_MMAP_THRESHOLD_": "4194304"}
START = '"$@" >>"$PGRAG_LOG" 2>&1 </dev/null & echo $!'
LOG_BYTES = 10_000_000
NO_PROCESS = (1 << 22) + 1  # above every process id of Linux and macOS


@dataclass(frozen=True)
class Postmaster:
    """What postmaster.pid says: the process, where it listens, and whether it takes connections."""

    pid: int
    socket_dir: Path
    is_ready: bool


def create(home: Home, programs: Path, fsync: bool) -> None:
    """Makes the cluster beside its place and moves it there whole, so that a killed initdb leaves none."""
    unfinished = home.path / "cluster.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    make_private(unfinished, home.account)
    options = [*LOCALE, "--auth-local=trust", "--auth-host=reject", "--no-instructions", f"--username={SUPERUSER}"]
    settings = {**BEGINNING, "shared_buffers": f"{shared_buffers(_memory_bytes())}MB"}
    options += [f"--set={name}={value}" for name, value in settings.items()]
    options += [] if fsync else ["--no-sync"]
    done = run(home.account, [programs / "initdb", *options, "-D", unfinished])
    if done.returncode != 0:
        raise ServerError(f"initdb in {home.path} failed: {_last_line(done.stderr)}")
    descriptor = os.open(unfinished / "postgresql.conf", os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "w") as conf:
        conf.write("\n# written by pgrag at each start of the server\ninclude '../server.conf'\n")
    unfinished.rename(home.cluster)


def shared_buffers(memory_bytes: int) -> int:
    """Megabytes of a new cluster's cache: a quarter of the memory, from 128 to 1024. It is taken only as it is used.

    A graph of 50,000 entities fills the most; a walk through a vector index that is not in it takes ten times as long.
    """
    return min(max(memory_bytes // 4 // MEGABYTE, 128), 1024)


def spawn(home: Home, programs: Path) -> int:
    """Starts the postmaster and returns its process id without waiting for it."""
    _open_log(home)
    command: list[str | Path] = ["/bin/sh", "-c", START, "sh", programs / "postgres", "-D", home.cluster]
    done = run(home.account, command, env={"PGRAG_LOG": str(home.log), **MALLOC})
    if not done.stdout.strip().isdigit():
        raise ServerError(f"PostgreSQL in {home.path} cannot be started: {_last_line(done.stderr)}")
    return int(done.stdout)


def postmaster(home: Home) -> Postmaster | None:
    """The server that runs on this cluster, or None. Raises ServerError when we may not know."""
    lines = _pid_file(home)
    if len(lines) < 5 or not is_postmaster(home, int(lines[0])):
        return None
    return Postmaster(int(lines[0]), Path(lines[4]), is_ready=len(lines) > 7 and lines[7].strip() == "ready")


def is_postmaster(home: Home, pid: int) -> bool:
    """Whether a process is the postmaster of this cluster, and not another that has got its number since."""
    return _command_line(pid).endswith(f"-D {home.cluster}")


def _memory_bytes() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def is_starting(pid: int) -> bool:
    """Whether a process is between two programs: while the kernel loads the new one it has no words yet.

    On a busy machine that takes long enough to be seen. A zombie has no words either, and is not starting.
    """
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X") and not _command_line(pid)


def bury(home: Home) -> None:
    """Makes the leavings of a killed server harmless; called under the lock, when no postmaster runs.

    PostgreSQL does not start while the process named in postmaster.pid exists, though it may be a zombie or another
    program by now: the number is replaced by an unused one. The rest of the file stays, by which PostgreSQL sees
    that backends of the killed server are still at work.
    """
    lines = _pid_file(home)
    if len(lines) >= 5:
        discard_socket(home, Path(lines[4]))
    if lines:
        path = home.cluster / "postmaster.pid"
        write_file(path, "\n".join([str(NO_PROCESS), *lines[1:]]) + "\n", 0o600)
        if home.account.is_other:
            os.chown(path, home.account.uid, home.account.gid, follow_symlinks=False)


def stop(home: Home, running: Postmaster) -> None:
    """Ends the server and its transactions, by force when it takes longer than a minute. Raises ServerError."""
    for number, patience in ((signal.SIGINT, 60.0), (signal.SIGQUIT, 20.0)):
        try:
            os.kill(running.pid, number)
        except ProcessLookupError:
            break
        except PermissionError:
            raise ServerError(
                f"the server in {home.path} belongs to another user", hint="stop it as that user"
            ) from None
        if _wait_until_gone(home, running.pid, patience):
            break
    else:
        raise ServerError(f"the server in {home.path} (process {running.pid}) does not stop", hint=f"see {home.log}")
    discard_socket(home, running.socket_dir)


def last_words(home: Home, pid: int) -> str:
    """The last error in the server's log; of this process, where it said any: others may be ending meanwhile."""
    with home.log.open(encoding="utf-8", errors="replace") as file:
        lines = file.read()[-20_000:].splitlines()
    fatal = [line for line in lines if "FATAL:" in line or "PANIC:" in line]
    own = [line for line in fatal if f"[{pid}]" in line]
    return (own or fatal or lines or ["it said nothing"])[-1]


def _open_log(home: Home) -> None:
    """Makes the log, of the server's user, and puts a long one aside."""
    if home.log.exists() and home.log.stat().st_size > LOG_BYTES:
        home.log.replace(home.log.with_suffix(".log.old"))
    descriptor = os.open(home.log, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        if home.account.is_other:
            os.fchown(descriptor, home.account.uid, home.account.gid)
    finally:
        os.close(descriptor)


def _pid_file(home: Home) -> list[str]:
    try:
        return (home.cluster / "postmaster.pid").read_text(errors="surrogateescape").splitlines()
    except FileNotFoundError:
        return []
    except PermissionError:
        raise ServerError(
            f"the cluster {home.cluster} belongs to another user",
            hint="run pgrag as that user, or name another folder with PGRAG_DATA_DIR",
        ) from None


def _command_line(pid: int) -> str:
    """The words of a process, or "" when there is none (a zombie has none either)."""
    if Path("/proc/self/cmdline").exists():
        try:
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes()).rstrip("\0").replace("\0", " ")
        except OSError:
            return ""
    told = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return told.stdout.strip()


def _wait_until_gone(home: Home, pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not is_postmaster(home, pid):
            return True
        time.sleep(0.02)
    return False


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]
