"""`pgrag` without its start-up: a process that has imported everything, and forks for each command.

The examples of the documentation call `pgrag` a hundred times, and nine tenths of such a call is Python importing. Here
each call still is a process with the caller's arguments, folder, environment and files, and ends with an exit code.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from pathlib import Path

# Not `pgrag.cli`: its consoles ask the environment how wide they are as they are imported.
IMPORTED = ("alembic.command", "typer.main", "typer.rich_utils", "rich.live", "rich.progress", "rich.table")
IMPORTED += ("pgrag.client", "pgrag.schema", "pgrag.models.offline", "pgrag.embedded")
STANDARD_FILES = 3  # input, output, errors
SHIM = """#!/bin/sh
exec '{python}' -I -S '{script}' call '{address}' "$@"
"""


class WarmCommand:
    """A folder with a command `pgrag` that is served by a process of ours, until it is closed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        address = folder / "socket"
        shim = folder / "pgrag"
        shim.write_text(SHIM.format(python=sys.executable, script=__file__, address=address))
        shim.chmod(0o755)
        command = [sys.executable, __file__, "serve", str(address)]
        self._server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        assert self._server.stdout is not None
        assert self._server.stdout.readline() == b"ready\n"

    def close(self) -> None:
        """End the process."""
        self._server.kill()
        self._server.communicate()


def serve(address: str) -> None:
    """Answer calls, each in a process of its own."""
    for name in IMPORTED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who answer
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _answer(connection)
            connection.close()


def _answer(connection: socket.socket) -> None:
    """Run one command, say how it ended, and end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, files, _, _ = socket.recv_fds(connection, 1, STANDARD_FILES)
    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    # Made anew, as Python does at its start: what the old ones knew of their files (can one seek in it?) is past.
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    with connection.makefile("r", encoding="utf-8") as told:
        call = json.loads(told.readline())
    os.chdir(call["folder"])
    os.environ.clear()
    os.environ.update(call["environment"])
    sys.argv = ["pgrag", *call["arguments"]]
    connection.sendall(bytes([_run()]))
    os._exit(0)


def _run() -> int:
    """The exit code of `pgrag`."""
    from pgrag.cli import main

    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def call(address: str, arguments: list[str]) -> int:
    """Have a command run with our files, folder and environment: its exit code; 1 when it was killed."""
    told = {"arguments": arguments, "folder": str(Path.cwd()), "environment": dict(os.environ)}
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [b" "], range(STANDARD_FILES))
        connection.sendall(json.dumps(told).encode() + b"\n")
        code = connection.recv(1)
    return code[0] if code else 1


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    sys.exit(call(sys.argv[2], sys.argv[3:]))
