"""`ingest`, `import`, `documents`, `delete` from the command line: ids, paths, replacement, reports."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from support.graph_folders import entity, write_graph
from support.model_server import ModelServer
from support.tables import row_counts

from .conftest import Cli

Write = Callable[[str, str], Path]


def documents(cli: Cli, *args: str) -> dict[str, Any]:
    """What `documents --json` lists, by id."""
    listed = json.loads(cli("documents", "list", "--json", *args).out)
    return {each["document"]: each for each in listed}


# What is said


def test_a_folder_is_taken_in_and_each_file_reported(cli: Cli, write: Write) -> None:
    write("docs/a.txt", "Alice met Bob in Paris.")
    write("docs/deep/b.md", "# Carol\n\nCarol knows Dora.")
    write("docs/.hidden.txt", "not for us")
    write("docs/film.mp4", "not a text")
    result = cli("ingest", "docs")
    assert result.code == 0
    assert [line.split(":")[0] for line in result.out.splitlines()[:-1]] == ["a.txt", "deep/b.md"]
    assert result.out.splitlines()[-1].startswith("2 documents ready, 0 failed, in ")
    assert result.err.startswith("skipped: 1 ")
    assert "film.mp4" in result.err
    assert ".hidden" not in result.out + result.err


def test_json_is_all_there_is_on_stdout(cli: Cli, write: Write) -> None:
    write("a.txt", "Alice met Bob in Paris.")
    (write("bad.txt", "x").parent / "bad.txt").write_bytes(b"\xff")
    result = cli("ingest", "a.txt", "bad.txt", "--json")
    assert result.code == 1
    report = json.loads(result.out)
    assert [(each["id"], each["status"]) for each in report["documents"]] == [("a.txt", "ready"), ("bad.txt", "failed")]
    assert report["documents"][0]["chunks"] == 1
    assert result.err.count("\n") == 1


def test_again_costs_nothing_and_says_so(cli: Cli, write: Write, model_server: ModelServer) -> None:
    write("a.txt", "Alice met Bob in Paris.")
    cli("ingest", "a.txt")
    asked = model_server.count()
    result = cli("ingest", "a.txt")
    assert (result.code, result.out.splitlines()[0]) == (0, "a.txt: unchanged")
    assert model_server.count() == asked


def test_metadata_goes_to_every_file(cli: Cli, write: Write) -> None:
    write("docs/a.txt", "Alice met Bob.")
    write("docs/b.txt", "Carol met Dora.")
    cli("ingest", "docs", "--metadata", "year=1843", "--metadata", "title=a=b c", "--metadata", "none=")
    assert [each["metadata"] for each in documents(cli).values()] == [
        {"year": "1843", "title": "a=b c", "none": ""}
    ] * 2
    shown = cli("documents", "show", "a.txt").out
    assert "year=1843" in shown


@pytest.mark.parametrize("name", ["with spaces", 'o\'clock "quoted"', "技術底座", "a/b;--", "%s :x {y} [red]x[/red]"])
def test_a_workspace_may_have_any_name(cli: Cli, write: Write, name: str) -> None:
    write("a.txt", "Alice met Bob.")
    assert cli("ingest", "a.txt", "-w", name).code == 0
    assert list(documents(cli, "-w", name)) == ["a.txt"]
    assert name in cli("workspace", "list").out
    assert cli("query", "Who met Bob?", "-w", name, "--max-distance", 2).code == 0
    assert cli("graph", "export", "-w", name).code == 0
    assert cli("workspace", "delete", name, "--yes").out == f"deleted workspace {name} with 1 documents\n"
    assert cli("documents", "-w", name).code == 1


@pytest.mark.parametrize("name", ["[red]x[/red]", ":smile: a.txt", "line\nbreak", "技術.txt", "-dash", "a  b"])
def test_a_document_may_have_any_name(cli: Cli, rag: Any, here: Path, name: str) -> None:
    rag.ingest(["Alice met Bob."], ids=[name])
    line = cli("documents").out.splitlines()[1]
    assert line.startswith(" ".join(name.split()))
    assert list(documents(cli)) == [name]
    assert cli("delete", "--yes", "--", name).code == 0
    assert documents(cli) == {}


# Ids


def test_one_file_is_one_document_however_it_is_named(
    cli: Cli, write: Write, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("docs/a.txt", "Alice met Bob.")
    (here / "link").symlink_to(here / "docs")
    for name in ("docs/a.txt", path, "docs/../docs/a.txt", "docs", here / "docs", "link", "link/a.txt"):
        assert cli("ingest", name).code == 0
    monkeypatch.chdir(here / "docs")
    assert cli("ingest", ".").code == 0
    assert cli("ingest", "a.txt").out.splitlines()[0] == "a.txt: unchanged"
    assert list(documents(cli)) == ["a.txt"]


def test_root_says_where_ids_begin(cli: Cli, write: Write) -> None:
    write("a/README.md", "Alice met Bob.")
    write("b/README.md", "Carol met Dora.")
    assert cli("ingest", "a/README.md", "b", "--root", ".").code == 0
    assert list(documents(cli)) == ["a/README.md", "b/README.md"]


def test_two_files_of_one_id_in_a_run_are_refused_naming_both(cli: Cli, url: str, write: Write, here: Path) -> None:
    write("a/README.md", "Alice met Bob.")
    write("b/README.md", "Carol met Dora.")
    cli("workspace", "create", "w")
    before = row_counts(url)
    result = cli("ingest", "a", "b")
    assert (result.code, result.out) == (1, "")
    error, cure = result.err.splitlines()
    assert str(here / "a/README.md") in error
    assert str(here / "b/README.md") in error
    assert "--root" in cure
    assert row_counts(url) == before


def test_a_file_in_the_place_of_another_is_refused_naming_both(cli: Cli, url: str, write: Write, here: Path) -> None:
    write("a/README.md", "Alice met Bob.")
    write("b/README.md", "Carol met Dora.")
    assert cli("ingest", "a").code == 0
    before = row_counts(url)
    for content in ("Carol met Dora.", "Alice met Bob."):  # the same words make it no other file
        write("b/README.md", content)
        result = cli("ingest", "b")
        assert result.code == 1
        (failure,) = result.err.splitlines()
        assert str(here / "a/README.md") in failure
        assert str(here / "b/README.md") in failure
        assert "--replace" in failure
    assert row_counts(url) == before

    write("b/README.md", "Carol met Dora.")
    assert cli("ingest", "b", "--replace").code == 0
    assert list(documents(cli)) == ["README.md"]
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT content, source_path FROM pgrag.document").fetchone()
    assert row == ("Carol met Dora.", str(here / "b/README.md"))
    assert cli("ingest", "a").code == 1


def test_new_content_replaces_the_old(cli: Cli, url: str, write: Write) -> None:
    write("a.txt", "Alice met Bob in Paris.")
    cli("ingest", "a.txt")
    write("a.txt", "Carol met Dora in Rome.")
    assert cli("ingest", "a.txt").code == 0
    with psycopg.connect(url) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM pgrag.entity")}
    assert {"Carol", "Dora", "Rome"} <= names
    assert not {"Alice", "Bob", "Paris"} & names
    assert cli("check").code == 0


def test_a_root_that_does_not_hold_the_file(cli: Cli, write: Write) -> None:
    write("a/a.txt", "Alice met Bob.")
    write("b/b.txt", "Carol met Dora.")
    result = cli("ingest", "a", "--root", "b")
    assert result.code == 1
    assert "outside the root" in result.err
    assert cli("ingest", "a", "--root", "nowhere").code == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(cli: Cli, write: Write) -> None:
    write("a.txt", "Alice met Bob.").chmod(0)
    result = cli("ingest", "a.txt")
    assert result.code == 1
    assert "Permission denied" in result.err


# Looking and deleting


def test_documents_are_listed_and_shown(cli: Cli, rag: Any, here: Path) -> None:
    assert cli("documents").code == 1  # the workspace is not there yet
    rag.create_workspace()
    assert cli("documents").out == "none\n"
    rag.ingest(["Alice met Bob.", "Carol met Dora."], ids=["one", "two"], file_paths=["x.txt", "x.txt"])
    assert cli("documents").out == cli("documents", "list").out
    assert [line.split()[:3] for line in cli("documents").out.splitlines()[1:]] == [
        ["one", "ready", "1"],
        ["two", "ready", "1"],
    ]
    assert ["chunk_count", "1"] in [line.split() for line in cli("documents", "show", "one").out.splitlines()]
    assert [each["document"] for each in json.loads(cli("documents", "show", "x.txt", "--json").out)] == ["one", "two"]


def test_deleting_asks(cli: Cli, rag: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rag.ingest(["Alice met Bob."], ids=["one"])

    def answer(text: str) -> None:
        (here / "answer").write_text(text)
        monkeypatch.setattr("sys.stdin", (here / "answer").open())

    for said in ("n\n", "\n"):
        answer(said)
        result = cli("delete", "one")
        assert result.code == 1
        assert "Delete one and everything that only they said?" in result.err
        assert result.err.endswith("nothing was deleted\n")
    answer("")
    result = cli("delete", "one")
    assert result.code == 1
    assert "cure: --yes" in result.err
    answer("n\n")
    assert cli("workspace", "delete", "w").code == 1
    assert list(documents(cli)) == ["one"]
    answer("y\n")
    result = cli("delete", "one")
    assert (result.code, result.out) == (0, "deleted one\n")
    assert documents(cli) == {}


def test_deleting_takes_ids_and_paths_all_or_none(cli: Cli, rag: Any, here: Path) -> None:
    texts = ["Alice met Bob.", "Bob met Carol.", "Carol met Dora.", "Dora met Alice."]
    rag.ingest(texts, ids=["1", "2", "3", "4"], file_paths=["a.txt", "b.txt", "b.txt", "d.txt"])
    assert cli("delete", "--yes", "1", "nowhere").code == 1
    assert list(documents(cli)) == ["1", "2", "3", "4"]
    result = cli("delete", "--yes", "1", "b.txt", "2")
    assert (result.code, result.out) == (0, "deleted 1\ndeleted 2\ndeleted 3\n")
    assert list(documents(cli)) == ["4"]
    assert cli("check").code == 0


# Import


def test_a_graph_is_imported_whole(cli: Cli, here: Path) -> None:
    write_graph(here / "graph", entities=[entity("Alice", "c0")])
    result = cli("import", "graph", "-w", "imported")
    assert result.code == 0, result.err
    assert "imported in" in result.out
    assert cli("status").out.splitlines()[1].startswith("imported")
    report = json.loads(cli("import", "graph", "-w", "another", "--json").out)
    assert report["entities"] > 0


def test_a_graph_that_cannot_be_taken_names_file_and_line(cli: Cli, url: str, here: Path) -> None:
    write_graph(here / "graph", entities=[entity("Alice", "c0")])
    with (here / "graph" / "entities.jsonl").open("a") as entities:
        entities.write("no JSON\n")
    cli("workspace", "create", "w")
    before = row_counts(url)
    result = cli("import", "graph")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: ")
    assert "entities.jsonl" in result.err
    assert row_counts(url) == before
    missing = cli("import", "nowhere")
    assert missing.code == 1
    assert "nowhere" in missing.err
