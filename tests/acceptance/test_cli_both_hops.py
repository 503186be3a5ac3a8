"""The main job through the command line, with the hop by Cypher and on a server without AGE: the same answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from acceptance.conftest import Cli

TEXT = "Alice met Bob in Paris. Bob knows Carol. Carol wrote a book."


@pytest.mark.usefixtures("openai_environment")
def test_from_file_to_answer_and_away(
    backend_url: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGRAG_DATABASE_URL", backend_url)
    monkeypatch.chdir(tmp_path)
    Path("book.txt").write_text(TEXT, encoding="utf-8")

    taken_in = cli("ingest", "book.txt")
    assert taken_in.code == 0, taken_in.err
    assert "1 documents ready" in taken_in.out

    for mode in ("local", "global", "hybrid", "mix", "naive"):
        answered = cli("query", "Who met Bob?", "--mode", mode, "--max-distance", "2")
        assert answered.code == 0, answered.err
        assert "[1] book.txt" in answered.out

    told = cli("query", "Who met Bob?", "--context-only", "--max-distance", "2")
    assert '"entity": "Alice"' in told.out

    assert cli("graph", "export", "--output", "graph.html").code == 0
    assert "Alice" in Path("graph.html").read_text(encoding="utf-8")
    assert cli("check").code == 0
    assert cli("delete", "book.txt", "--yes").code == 0
    assert cli("documents").out.strip() == "none"
