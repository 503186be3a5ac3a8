"""The demo, from beginning to end on a server of its own, with a shorter book and a smaller graph."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from pgrag import embedded

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, short_data_dir: Path) -> ModuleType:
    monkeypatch.setenv("PGRAG_DATA_DIR", str(short_data_dir))
    spec = importlib.util.spec_from_file_location("demo", DEMO)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    book = tmp_path / "a_short_carol.txt"
    book.write_text("Old Fezziwig danced with Mrs. Fezziwig. Scrooge's nephew said that Christmas was good.")
    monkeypatch.setattr(module, "CORPUS", book)
    monkeypatch.setattr(module, "GRAPH", small_graph(tmp_path / "graph"))
    monkeypatch.setattr(module, "PICTURE", tmp_path / "out" / "graph.html")
    return module


@pytest.fixture
def short_data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


def small_graph(folder: Path) -> Path:
    folder.mkdir()
    evidence = [{"chunk_id": "c1"}]
    rows = {
        "documents": [{"id": "carol", "file_path": "carol.txt"}],
        "chunks": [
            {"id": "c1", "document_id": "carol", "chunk_index": 0, "content": "Tiny Tim is Bob Cratchit's son."}
        ],
        "entities": [
            {"name": name, "type": "person", "description": f"{name} is a Cratchit.", "evidence": evidence}
            for name in ("Tiny Tim", "Bob Cratchit")
        ],
        "relations": [
            {
                "source": "Bob Cratchit",
                "target": "Tiny Tim",
                "keywords": ["son"],
                "description": "Tiny Tim is Bob Cratchit's son.",
                "weight": 1,
                "evidence": evidence,
            }
        ],
    }
    for name, lines in rows.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_it_runs_twice_and_says_what_to_type_next(
    demo: ModuleType, short_data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        demo.main()
        first = capsys.readouterr().out
        demo.main()
        again = capsys.readouterr().out
    finally:
        embedded.stop(short_data_dir)
    assert "Fezziwig" in first
    assert "[1] a_short_carol.txt" in first
    assert "Tiny Tim is Bob Cratchit's son." in first
    assert "Type next:" in first
    assert "pgrag_demo_offline" in first
    assert demo.PICTURE.read_text(encoding="utf-8").startswith("<!")
    assert "unchanged since the last run" in again
    assert again.count("kept from the last run") == 3
