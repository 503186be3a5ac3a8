"""Runs the examples of one document as a reader would: in one folder, one psql session and one Python session."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from .markdown_examples import Example

SHELL_SECONDS = 110
_END_OF_BLOCK = "-- end of block --"
_WHOLE = re.compile(r"(;|\\\w+[^\n]*)\s*\Z")  # ends with a semicolon, or with a command of psql


class Psql:
    """A psql session that ends at the first error."""

    def __init__(self, url: str, folder: Path) -> None:
        self._process = subprocess.Popen(
            ["psql", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", url],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, block: str) -> str:
        """What psql prints for a block. Raises AssertionError when it ends there, and for half a statement."""
        assert _WHOLE.search(block), f"the last statement does not end:\n{block}"
        source, output = self._process.stdin, self._process.stdout
        assert source is not None
        assert output is not None
        source.write(f"{block}\n\\echo {_END_OF_BLOCK}\n")
        source.flush()
        printed = []
        for line in output:
            if line.rstrip("\n") == _END_OF_BLOCK:
                return "".join(printed)
            printed.append(line)
        raise AssertionError(f"psql ended:\n{''.join(printed)}")

    def close(self) -> None:
        """End the session."""
        self._process.communicate(timeout=30)


class DocumentRunner:
    """Examples of one document, one after the other. `database_url` is asked for when the first SQL comes."""

    def __init__(self, document: Path, folder: Path, database_url: Callable[[], str]) -> None:
        self._document = document
        self._folder = folder
        self._database_url = database_url
        self._psql: Psql | None = None
        self._names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, example: Example) -> str:
        """What the example prints. Raises what it raises; AssertionError for a command that fails."""
        return {"bash": self._run_bash, "python": self._run_python, "sql": self._run_sql}[example.language](example)

    def close(self) -> None:
        """End what was begun."""
        if self._psql is not None:
            self._psql.close()

    def _run_bash(self, example: Example) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", example.code],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SHELL_SECONDS,
        )
        assert done.returncode == 0, f"exit {done.returncode}:\n{done.stdout}"
        return done.stdout

    def _run_python(self, example: Example) -> str:
        printed = io.StringIO()
        # Empty lines before it: a traceback then names the line of the document.
        code = compile("\n" * example.line + example.code, str(self._document), "exec")
        with redirect_stdout(printed):
            exec(code, self._names)
        return printed.getvalue()

    def _run_sql(self, example: Example) -> str:
        if self._psql is None:
            self._psql = Psql(self._database_url(), self._folder)
        return self._psql.run(example.code)
