"""A process that is between two programs counts as starting; one that has ended does not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pgrag.embedded.cluster import is_starting

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")


def test_a_program_that_runs_is_not_starting() -> None:
    assert not is_starting(os.getpid())


def test_a_process_that_has_ended_is_not_starting() -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    assert not is_starting(ended.pid)


def test_a_zombie_is_not_starting() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    try:
        deadline = time.monotonic() + 5
        while Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert not is_starting(child)
    finally:
        os.waitpid(child, 0)


def test_a_process_without_words_is_starting() -> None:
    # Kernel threads have no words, as a process has none while its program is loaded.
    wordless = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit() and not words_of(each)]
    alive = [pid for pid in wordless if state_of(pid) not in ("Z", "X", "")]
    if not alive:
        pytest.skip("no process without words can be seen here")
    assert any(is_starting(pid) for pid in alive)


def words_of(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b"?"


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
