"""Write docs/reference/cli.md from the commands themselves: `python scripts/make_cli_reference.py`.

A test holds the file against what this would write, and against `--help` of every command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from pgrag.cli import app

TARGET = Path(__file__).resolve().parent.parent / "docs" / "reference" / "cli.md"
_HEAD = """# Command line

<!-- Written by scripts/make_cli_reference.py; run it again after a change of pgrag/cli/. -->

`pgrag COMMAND …`, also `python -m pgrag COMMAND …`. Every command answers to `--help`.

- Results go to stdout, progress, warnings and failures to stderr. With `--json`, stdout holds JSON and nothing else.
- Exit codes: 0 done; 1 failed, with one line that says what and, where it is known, a second with the cure; 2 wrong
  usage; 130 interrupted by Ctrl-C and 143 ended by SIGTERM, with what was finished kept and what was under way given
  back.
- Where the database and the models are is said by the environment: [settings](settings.md).
- `pgrag --verbose COMMAND …` shows on stderr what happens, `pgrag --version` prints the version.
"""


def commands(command: Any, path: tuple[str, ...] = ("pgrag",)) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group below this one, with the words that call it."""
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        yield (*path, name), inner
        yield from commands(inner, (*path, name))


def reference() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *(_section(path, command) for path, command in commands(typer.main.get_command(app)))])


def _section(path: tuple[str, ...], command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and "--help" not in one.opts]
    inner = " COMMAND" if hasattr(command, "commands") else ""
    usage = " ".join([*path, *(_usage(argument) for argument in arguments)]) + inner + (" [OPTIONS]" if options else "")
    parts = [f"## `{' '.join(path)}`", f"`{usage}`", _prose(command.help or "")]
    if arguments or options:
        rows = [f"| `{_usage(one)}` | {_prose(one.help)} | |" for one in arguments]
        rows += [f"| {_names(one)} | {_prose(one.help or '')} | {_default(one)} |" for one in options]
        parts.append("\n".join(["| | meaning | default |", "|---|---|---|", *rows]))
    if command.epilog:
        shown = command.epilog.split("\n\n")[1:]
        parts.append("\n".join(["```console", *shown, "```"]))
    return "\n\n".join(parts) + "\n"


def _usage(argument: Any) -> str:
    return f"{argument.metavar}{'…' if argument.nargs == -1 else ''}"


def _names(option: Any) -> str:
    value = "" if option.is_flag else f" {option.metavar or 'TEXT'}"
    return ", ".join(f"`{name}{value}`" for name in (*option.opts, *option.secondary_opts))


def _default(option: Any) -> str:
    value = option.default
    if value is None or value is False or value == ():
        return ""
    if option.is_flag:
        return f"`{option.opts[0]}`"
    return f"`{getattr(value, 'value', value)}`"


def _prose(text: str) -> str:
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text).replace(r"\[", "[").replace("|", r"\|").strip()


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
    print(TARGET.name)
