"""Files of every kind from the command line: taken in, asked about, and each failure alone and in one sentence."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from support.book_files import one_of_each, pdf

from .conftest import Cli


def test_a_folder_with_a_file_of_every_kind(cli: Cli, here: Path) -> None:
    for suffix, content in one_of_each().items():
        (here / f"ada{suffix}").write_bytes(content)
    (here / "ada.jsonl").write_text('{"text": "Ada met Bob."}\n{"id": "own", "content": "Carol met Dora."}\n')
    result = cli("ingest", ".", "--json")
    assert (result.code, result.err) == (0, "")
    assert {each["id"]: each["status"] for each in json.loads(result.out)["documents"]} == {
        **{f"ada{suffix}": "ready" for suffix in one_of_each()},
        "ada.jsonl#1": "ready",
        "own": "ready",
    }
    (listed,) = [each for each in json.loads(cli("documents", "--json").out) if each["document"] == "ada.pdf"]
    assert (listed["metadata"]["title"], listed["metadata"]["author"]) == ("Engines", "Ada")
    assert cli("ingest", ".").out.count("unchanged") == len(one_of_each()) + 2


def test_the_reference_of_a_line_is_its_own(cli: Cli, here: Path) -> None:
    lines = ['{"text": "Ada met Bob.", "file_path": "letters/1.txt"}', '{"id": "own", "text": "Carol met Dora."}']
    (here / "letters.jsonl").write_text("\n".join(lines))
    assert cli("ingest", "letters.jsonl").code == 0
    found = cli("query", "Who met whom?", "--mode", "naive", "--max-distance", "2", "--context-only")
    assert "letters/1.txt" in found.out
    assert "own" in found.out


def test_each_failure_is_one_sentence_and_holds_up_no_other(cli: Cli, here: Path) -> None:
    (here / "good.csv").write_text("name,met\nAda,Bob\n")
    (here / "locked.pdf").write_bytes(pdf("secret", password="open"))
    (here / "scan.pdf").write_bytes(pdf(""))
    (here / "torn.docx").write_bytes(one_of_each()[".docx"][:999])
    (here / "lines.jsonl").write_text('nonsense\n{"text": "Ada met Bob."}\n')
    result = cli("ingest", ".")
    assert result.code == 1
    assert "2 documents ready, 4 failed" in result.out
    said = result.err.splitlines()
    assert len(said) == 4
    for name, reason in {
        "locked.pdf": "is encrypted",
        "scan.pdf": "has no text",
        "torn.docx": "is damaged",
        "lines.jsonl, line 1": "not JSON",
    }.items():
        assert [line for line in said if name in line and reason in line], (name, result.err)


def test_a_missing_library_says_what_to_install(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.pdf").write_bytes(pdf("text"))
    monkeypatch.setitem(sys.modules, "pypdf", None)
    result = cli("ingest", "a.pdf")
    assert result.code == 1
    assert "pip install 'pgrag[files]'" in result.err
    assert len(result.err.splitlines()) == 1
