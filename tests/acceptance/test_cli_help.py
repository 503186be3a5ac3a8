"""`--help` helps: every command says what it does, with examples and defaults; the reference pages say the same."""

from __future__ import annotations

import importlib.util
import re
import shlex
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
import typer.main
from pydantic_core import PydanticUndefined
from support.processes import finish, pgrag

from pgrag import QueryOptions, Settings, __version__
from pgrag.cli import app
from pgrag.cli.query_options import ModeName, PickMethod
from pgrag.models.retrying import Patience
from pgrag.options import ChunkPickMethod, Mode

from .conftest import Cli

ROOT = Path(__file__).parents[2]
# What contract and README promise.
PROMISED = (
    *("db start", "db stop", "db status", "db url", "migrate", "check", "ingest", "query", "search", "status"),
    *("documents list", "documents show", "delete", "graph export", "import", "export"),
    "cache clear",
    *("workspace list", "workspace create", "workspace delete"),
    *("entity show", "entity list", "entity create", "entity edit", "entity reset", "entity rename", "entity merge"),
    *("entity unmerge", "entity delete", "entity duplicates"),
    *("relation show", "relation create", "relation edit", "relation reset", "relation delete"),
)
NAMED_OTHERWISE = {
    "low_level_keywords": "--low-level-keyword",
    "high_level_keywords": "--high-level-keyword",
    "relation_keywords": "--relation-keyword",
    "enable_rerank": "--rerank",
    "conversation_history": "--history",
    "use_cache": "--cache",
}


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_cli_reference", ROOT / "scripts" / "make_cli_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ALL = {" ".join(path[1:]): command for path, command in generator().commands(typer.main.get_command(app))}


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal on which no help text is folded."""
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setenv("TERMINAL_WIDTH", "400")


def test_what_is_promised_is_there() -> None:
    assert set(PROMISED) <= set(ALL)


@pytest.mark.parametrize("name", ["", *ALL])
def test_every_command_helps(cli: Cli, wide: None, name: str) -> None:
    result = cli(*name.split(), "--help")
    assert result.code == 0
    assert result.err == ""
    assert "Usage: pgrag" in result.out
    if name and not hasattr(ALL[name], "commands"):
        assert "Examples:" in result.out
        first_line = ALL[name].help.split("\n")[0]
        assert first_line.endswith(".")
        assert first_line in result.out
        for option in ALL[name].params:
            shown = option.metavar if option.param_type_name == "argument" else option.opts[0]
            assert shown in result.out
            assert option.help, f"{option.name} is not explained"


@pytest.mark.parametrize("name", [name for name in ALL if not hasattr(ALL[name], "commands")])
def test_every_example_is_a_command_that_there_is(name: str) -> None:
    for example in ALL[name].epilog.split("\n\n")[1:]:
        mine = [part for part in re.split(r"[|(]", example.removeprefix("$ ")) if part.strip().startswith("pgrag")]
        assert mine, example
        words = shlex.split(mine[0].replace(')"', ""))[1:]
        assert " ".join(words).startswith(name), example
        known = {spelling for param in ALL[name].params for spelling in (*param.opts, *param.secondary_opts)}
        assert {word for word in words if word.startswith("-")} <= known, example


def test_no_command_helps_as_well(cli: Cli) -> None:
    for group in ([], ["db"], ["workspace"], ["graph"], ["cache"]):
        result = cli(*group)
        assert "Usage: pgrag" in result.out + result.err


def test_its_name_is_the_same_however_it_is_started(wide: None) -> None:
    code, out, _ = finish(pgrag("--help"))  # `python -m pgrag --help`
    assert code == 0
    assert "Usage: pgrag [OPTIONS]" in out


def test_the_version(cli: Cli) -> None:
    assert cli("--version").out == f"pgrag {__version__}\n"


@pytest.mark.parametrize(
    "args",
    [
        ("nonsense",),
        ("query",),
        ("query", "Who?", "--mode", "nonsense"),
        ("query", "Who?", "--top-k", "0"),
        ("query", "Who?", "--top-k", "many"),
        ("query", "Who?", "--max-distance", "3"),
        ("query", "Who?", "--max-distance", "nan"),
        ("query", "Who?", "--filter", "[1]"),
        ("query", "Who?", "--filter", "{"),
        ("query", "Who?", "--stream", "--json"),
        ("query", "Who?", "--context-only", "--prompt-only"),
        ("query", "Who?", "--history", "nowhere.json"),
        ("ingest",),
        ("ingest", "x.txt", "--metadata", "nonsense"),
        ("ingest", "x.txt", "--metadata", "=x"),
        ("documents", "list", "-w", " "),
        ("documents", "-w", "x", "list"),
        ("workspace", "create", " "),
        ("graph", "export", "--format", "pdf"),
        ("status", "--nonsense"),
    ],
)
def test_wrong_usage_is_2(cli: Cli, args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRAG_DATABASE_URL", "postgresql://127.0.0.1:1/nobody-is-asked")
    result = cli(*args)
    assert (result.code, result.out) == (2, "")
    assert "Usage: pgrag" in result.err
    assert "Traceback" not in result.err


# The query options are those of Python


def option_of(field: str) -> Any:
    wanted = NAMED_OTHERWISE.get(field, "--" + field.replace("_", "-"))
    (option,) = [each for each in ALL["query"].params if wanted in each.opts]
    return option


@pytest.mark.parametrize("field", [field.name for field in fields(QueryOptions)])
def test_every_query_option_is_on_the_command_line_with_its_default(field: str) -> None:
    default = option_of(field).default
    expected = getattr(QueryOptions(), field)
    if field == "top_k":  # its default depends on the mode
        assert default is None
        assert "40" in option_of(field).help
        assert str(QueryOptions(mode="weighted").top_k) in option_of(field).help
    else:
        assert (default or None) == (expected or None) if expected in ((), None) else default == expected


def test_the_words_are_those_of_python() -> None:
    assert {each.value for each in ModeName} == set(get_args(Mode))
    assert {each.value for each in PickMethod} == set(get_args(ChunkPickMethod))
    for mode in ModeName:
        assert f"{mode.value}:" in option_of("mode").help


# The pages


def test_the_reference_is_what_the_commands_say() -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text()
    assert page == generator().reference(), "run scripts/make_cli_reference.py"


@pytest.mark.parametrize("name", ALL)
def test_the_reference_has_every_option_of_the_help(cli: Cli, wide: None, name: str) -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text()
    section = page.partition(f"\n## `pgrag {name}`\n")[2].partition("\n## ")[0]
    assert section
    listed = set(re.findall(r"^│ +(--[a-z-]+)", cli(*name.split(), "--help").out, re.MULTILINE)) - {"--help"}
    for option in listed:
        assert re.search(rf"`{option}[ `]", section), option


def test_the_settings_page_has_every_setting_with_its_default() -> None:
    page = (ROOT / "docs" / "reference" / "settings.md").read_text()
    rows = {
        name: default.strip(" `")
        for name, default in re.findall(r"^\| `(PGRAG_\w+)` \| ([^|]+) \| [^|]+ \|$", page, re.MULTILINE)
    }
    assert set(rows) == {f"PGRAG_{name.upper()}" for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        stated = rows[f"PGRAG_{name.upper()}"]
        if field.default in (None, PydanticUndefined):
            assert stated, name
        elif isinstance(field.default, int | float):
            assert float(stated) == field.default
        else:
            assert stated == field.default


def test_the_settings_page_tells_how_patient_we_are() -> None:
    page = (ROOT / "docs" / "reference" / "settings.md").read_text()
    assert f"tried {Patience().tries} times" in page
    assert Patience().first_wait == 0.5


def test_the_settings_page_explains_the_choices() -> None:
    page = (ROOT / "docs" / "reference" / "settings.md").read_text()
    for name, field in Settings.model_fields.items():
        (row,) = re.findall(rf"^\| `PGRAG_{name.upper()}` .*$", page, re.MULTILINE)
        for choice in get_args(field.annotation):
            if isinstance(choice, str):
                assert f"`{choice}`" in row, f"{name}: {choice}"
