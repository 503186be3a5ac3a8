"""Looking after a database from the command line: `migrate`, `check`, `status`, `workspace`, `cache`, `graph`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from support.model_server import ModelServer
from support.tables import row_counts

from pgrag import PgRAG, __version__
from pgrag.embedded.account import server_account
from pgrag.embedded.binaries import programs

from .conftest import Cli

Fresh = Callable[..., str]


@pytest.fixture
def filled(rag: PgRAG, here: Path) -> PgRAG:
    rag.ingest(["Alice met Bob in Paris. Bob knows Carol."], ids=["one"])
    return rag


def spoil(url: str, *statements: str) -> None:
    """Change the database as no function of ours would."""
    with psycopg.connect(url) as connection:
        connection.execute("SET search_path = ag_catalog, pgrag, public")
        connection.execute("SELECT ag_catalog.agtype_build_list()")
        for statement in statements:
            connection.execute(statement.encode())


# migrate


def test_a_bare_database_is_migrated_and_then_left_alone(cli: Cli, here: Path, fresh_database: Fresh) -> None:
    url = fresh_database(migrated=False)
    for _ in range(2):
        result = cli("migrate", "--url", url)
        assert (result.code, result.out) == (0, "the database is up to date\n")
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT embedding_model, embedding_dimensions FROM pgrag.setting").fetchone()
    assert row == ("scripted-embedding", 8)
    assert cli("check", "--url", url).out == "nothing is wrong\n"


@pytest.mark.parametrize("runner", ["psql", "psycopg"])
def test_the_script_does_the_same(cli: Cli, here: Path, fresh_database: Fresh, runner: str) -> None:
    """One script, as psql reads it and as a driver sends it: one simple query of many statements."""
    url = fresh_database(migrated=False)
    result = cli("migrate", "--sql")
    assert (result.code, result.err) == (0, "")
    if runner == "psql":
        psql = [programs(server_account()) / "psql", "-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", "-"]
        done = subprocess.run(psql, input=result.out, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
    else:
        with psycopg.connect(url) as connection:
            connection.execute(result.out.encode())
    assert cli("check", "--url", url).out == "nothing is wrong\n"
    (here / "a.txt").write_text("Alice met Bob.")
    assert cli("ingest", "a.txt", "--url", url).code == 0
    assert cli("migrate", "--url", url).code == 0


def test_the_script_needs_no_database(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRAG_DATABASE_URL", "postgresql://127.0.0.1:1/x")
    monkeypatch.setenv("PGRAG_DATA_DIR", "/nowhere")
    result = cli("migrate", "--sql")
    assert result.code == 0
    assert "halfvec(8)" in result.out
    assert f"'{__version__}'" in result.out


# check


def test_nothing_is_wrong(cli: Cli, filled: PgRAG) -> None:
    assert (cli("check").code, cli("check").out) == (0, "nothing is wrong\n")
    assert json.loads(cli("check", "--json").out) == []


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ('DELETE FROM pgrag_graph."Entity" WHERE ctid = (SELECT min(ctid) FROM pgrag_graph."Entity")', "graph"),
        ('DELETE FROM pgrag_graph."RELATES"', "graph"),
        ("UPDATE pgrag.entity SET degree = degree + 7 WHERE name = 'Bob'", "degree"),
        ("DROP TABLE IF EXISTS nothing; DELETE FROM pgrag.entity_evidence; DELETE FROM pgrag.relation", "evidence"),
    ],
)
def test_what_is_wrong_is_said_and_mended(cli: Cli, url: str, filled: PgRAG, statement: str, word: str) -> None:
    spoil(url, statement)
    result = cli("check")
    assert result.code == 1
    assert word in result.out
    assert "cure" in result.out
    assert "Traceback" not in result.err
    problems = json.loads(cli("check", "--json").out)
    assert problems
    assert all(each["problem"] and each["cure"] for each in problems)

    mended = cli("check", "--fix")
    assert (mended.code, mended.out) == (0, "nothing is wrong\n"), mended
    assert mended.err
    assert cli("check").code == 0


def test_what_cannot_be_mended_stays_said(cli: Cli, url: str, filled: PgRAG) -> None:
    spoil(url, "DELETE FROM pgrag.chunk_embedding")
    result = cli("check", "--fix")
    assert result.code == 1
    assert "1 chunks of workspace 'w' have no embedding" in result.out
    assert "ingest their documents again" in result.out


# status


def test_status_tells_how_much_there_is(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    model_server.fail_next(1, status=401)
    filled.ingest(["Carol met Dora."], ids=["bad"])
    (info,) = json.loads(cli("status", "--json").out)
    assert (info["workspace"], info["documents"], info["ready_documents"], info["failed_documents"]) == ("w", 2, 1, 1)
    head, row = cli("status").out.splitlines()
    assert head.split() == [
        *("workspace", "documents", "ready", "failed", "chunks", "entities", "relations", "stale", "version")
    ]
    assert row.split()[:5] == ["w", "2", "1", "1", "1"]
    assert cli("workspace", "list").out == cli("status").out
    assert cli("workspace", "list", "--json").out == cli("status", "--json").out


# workspace


def test_workspaces_come_and_go(cli: Cli, url: str, here: Path) -> None:
    before = row_counts(url)
    assert cli("workspace", "list").out == "none\n"
    for _ in range(2):
        assert cli("workspace", "create", "new").out == "workspace new is there\n"
    assert [each["workspace"] for each in json.loads(cli("workspace", "list", "--json").out)] == ["new"]
    assert cli("workspace", "delete", "new", "--yes").out == "deleted workspace new with 0 documents\n"
    assert row_counts(url) == before


def test_deleting_a_workspace_leaves_the_others(cli: Cli, url: str, filled: PgRAG, here: Path) -> None:
    before = row_counts(url)
    (here / "a.txt").write_text("Alice met Bob in Paris.")
    cli("ingest", "a.txt", "-w", "other")
    cli("query", "Who?", "-w", "other", "--max-distance", 2)
    assert cli("workspace", "delete", "other", "-y").out == "deleted workspace other with 1 documents\n"
    assert row_counts(url) == before
    assert cli("check").code == 0


# cache


def test_the_cache_is_cleared_of_one_workspace(cli: Cli, filled: PgRAG, model_server: ModelServer) -> None:
    cli("query", "Who met Bob?", "--max-distance", 2)
    cli("workspace", "create", "other")
    assert cli("cache", "clear", "-w", "other").out == "0 entries forgotten\n"
    assert cli("cache", "clear").out == "2 entries forgotten\n"  # the answer and its keywords
    model_server.forget()
    cli("query", "Who met Bob?", "--max-distance", 2)
    assert (model_server.count("keywords"), model_server.count("text")) == (1, 1)


# graph


def test_the_graph_is_written_as_a_page(cli: Cli, filled: PgRAG, here: Path) -> None:
    result = cli("graph", "export")
    assert (result.code, result.out) == (0, "w.html\n")
    assert "4 of 4 entities" in result.err
    page = (here / "w.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "Alice" in page
    assert cli("graph", "export", "--format", "html", "-o", "deep/down/x.html").out == "deep/down/x.html\n"
    assert (here / "deep/down/x.html").read_text(encoding="utf-8") == page
    assert cli("graph", "export", "-o", "-").out.strip() == page.strip()
    assert "1 of 4 entities" in cli("graph", "export", "--max-nodes", 1).err


def test_a_page_that_cannot_be_written(cli: Cli, filled: PgRAG, here: Path) -> None:
    (here / "file").write_text("")
    result = cli("graph", "export", "-o", "file/x.html")
    assert result.code == 1
    (line,) = result.err.splitlines()
    assert line.startswith("error: ")
    assert "file" in line
