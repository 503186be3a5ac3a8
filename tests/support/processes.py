"""Commands in processes of their own: what can only be seen from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO, Any


def pgrag(*args: object, **more: Any) -> subprocess.Popen[str]:
    """`pgrag ARGS…`, begun, with the environment of this process."""
    command = [sys.executable, "-m", "pgrag", *map(str, args)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": dict(os.environ)}
    return subprocess.Popen(command, **(pipes | more))


def finish(process: subprocess.Popen[str], timeout: float = 60) -> tuple[int, str, str]:
    """Its exit code, and the rest of what it said."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"still running after {timeout} s; it said {out!r} and {err!r}") from None
    return process.returncode, out, err


def wait_until(happened: Callable[[], object], timeout: float = 60) -> None:
    """Return once it has happened."""
    deadline = time.monotonic() + timeout
    while not happened():
        assert time.monotonic() < deadline, f"not within {timeout} s"
        time.sleep(0.05)


def read_line(stream: IO[str] | None) -> str:
    """The next line, when it comes."""
    assert stream is not None
    return stream.readline()
