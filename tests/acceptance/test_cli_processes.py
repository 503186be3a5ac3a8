"""What can only be seen from outside the process: Ctrl-C, closed pipes, what is imported when, other locales."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from support.book_files import pdf
from support.model_server import ModelServer
from support.processes import finish, pgrag, read_line, wait_until
from support.tables import row_counts

import pgrag as package
from pgrag import PgRAG

Write = Callable[[str, str], Path]
READERS = ("pypdf", "lxml", "docx", "pptx", "openpyxl")
HEAVY = ("sqlalchemy", "alembic", "psycopg", "openai", "numpy", "pydantic", "tiktoken", *READERS)


def one(url: str, query: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


@pytest.fixture(autouse=True)
def one_request_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRAG_MAX_GLEANING", "0")


# Ctrl-C


def test_ctrl_c_gives_the_jobs_back(url: str, write: Write, model_server: ModelServer) -> None:
    for number in range(6):
        write(f"docs/{number}.txt", f"Alice met Bob in Town{number}.")
    model_server.hang_next(500)
    process = pgrag("ingest", "docs")
    wait_until(lambda: model_server.count("extract") >= 4)
    assert one(url, "SELECT count(*) FROM pgrag.job WHERE state = 'working'") == 6

    process.send_signal(signal.SIGINT)
    code, out, err = finish(process, timeout=10)
    assert code == 130
    assert out == ""
    assert err == "interrupted; what was finished stays, run the same command again to go on\n"
    assert one(url, "SELECT string_agg(DISTINCT state, ',') FROM pgrag.job") == "queued"
    assert one(url, "SELECT count(*) FROM pgrag.job") == 6
    assert one(url, "SELECT max(attempts) FROM pgrag.job") == 0
    assert one(url, "SELECT count(*) FROM pgrag.chunk") == 0


def test_what_was_interrupted_goes_on(url: str, write: Write, model_server: ModelServer) -> None:
    write("docs/a.txt", "Alice met Bob.")
    write("docs/b.txt", "Carol met Dora.")
    model_server.hang_next(1, kind="embeddings")
    process = pgrag("ingest", "docs")
    # Both are extracted, one of them waits for its vectors.
    wait_until(lambda: model_server.count("extract") == 2 and one(url, "SELECT count(*) FROM pgrag.chunk") == 1)
    process.send_signal(signal.SIGINT)
    assert finish(process, timeout=10)[0] == 130

    model_server.forget()
    code, out, err = finish(pgrag("ingest", "docs"))
    assert code == 0, err
    assert "2 documents ready" in out or "unchanged" in out
    assert model_server.count("extract") == 0
    with PgRAG(url, workspace="w") as rag:
        assert [each.status for each in rag.documents()] == ["ready", "ready"]


def test_ctrl_c_at_a_question(here: Path, url: str, rag: PgRAG, model_server: ModelServer) -> None:
    rag.ingest(["Alice met Bob."], ids=["a"])
    before = row_counts(url)
    model_server.hang_next(500)
    process = pgrag("query", "Who met Bob?")
    wait_until(lambda: model_server.count("keywords"))
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process, timeout=10)
    assert (code, out) == (130, "")
    assert err.startswith("interrupted")
    assert row_counts(url) == before


def test_status_is_watched_until_ctrl_c(here: Path, url: str, rag: PgRAG) -> None:
    rag.create_workspace()
    process = pgrag("status", "--watch", "--json")
    first, second = read_line(process.stdout), read_line(process.stdout)
    assert json.loads(first) == json.loads(second)
    assert json.loads(first)[0]["workspace"] == "w"
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process, timeout=10)
    assert (code, err) == (0, "")


# Pipes


@pytest.mark.parametrize("command", ["documents list", "documents list --json", "migrate --sql"])
def test_a_closed_pipe_is_no_failure(here: Path, url: str, rag: PgRAG, command: str) -> None:
    rag.ingest([f"Document {number}." for number in range(8)], ids=[f"{number}" * 200 for number in range(8)])
    assert read_by_head(command) == (0, "")


def test_a_closed_pipe_of_help_says_nothing(here: Path) -> None:
    _, err = read_by_head("query --help")  # the exit code is typer's
    assert err == ""


def read_by_head(command: str) -> tuple[int, str]:
    """The exit code and stderr of `pgrag COMMAND | head -n 1`."""
    script = f"set -o pipefail; {sys.executable} -m pgrag {command} | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert len(done.stdout.splitlines()) == 1
    return done.returncode, done.stderr


def test_a_pipe_gets_each_row_on_a_line(here: Path, url: str, rag: PgRAG) -> None:
    rag.ingest(["Alice."], ids=["long id " * 40])
    code, out, _ = finish(pgrag("documents"))
    assert code == 0
    assert len(out.splitlines()) == 2
    assert ("long id " * 40).strip() in out


def test_another_encoding_is_no_failure(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert finish(pgrag("workspace", "create", "技術"))[0] == 0
    code, out, err = finish(pgrag("workspace", "list", "--json"))
    assert (code, err) == (0, "")
    assert json.loads(out)[0]["workspace"] == "技術"


def test_what_is_odd_in_a_pdf_is_not_printed(here: Path, model_server: ModelServer) -> None:
    (here / "odd.pdf").write_bytes(pdf("Alice met Bob.").replace(b"startxref\n", b"startxref\n9"))
    code, out, err = finish(pgrag("ingest", "odd.pdf"))
    assert (code, err) == (0, "")
    assert out.startswith("odd.pdf: 1 chunks")


# What is imported


def imported_by(*args: str) -> set[str]:
    """The heavy packages that a command has imported at its end."""
    script = f"""
import sys
from pgrag.cli import main
sys.argv = ["pgrag", *{args!r}]
try:
    main()
except SystemExit:
    pass
print(*sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "args", [("--help",), ("query", "--help"), ("ingest", "--help"), ("--version",), ("nonsense",)]
)
def test_help_imports_nothing_heavy(here: Path, args: tuple[str, ...]) -> None:
    assert imported_by(*args) <= {"pydantic"}  # which some versions of typer import themselves


def test_a_look_at_the_embedded_server_needs_no_sqlalchemy(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRAG_DATA_DIR", str(here / "nothing"))
    assert imported_by("db", "status") & {"sqlalchemy", "alembic", "openai", "tiktoken"} == set()


def test_looking_needs_no_model_and_no_alembic(here: Path, url: str) -> None:
    assert imported_by("documents") & {"alembic", "openai", *READERS} == set()


def test_every_public_name_is_there_at_first_use() -> None:
    assert {"__version__", *package._HOME_OF} == set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name).__doc__ or name == "__version__"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = package.nonsense
