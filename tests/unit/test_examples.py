"""The examples that come with the project: a book without its distributor's licence, and a graph of it."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pgrag.interchange.reading import read_folder

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
BOOK = EXAMPLES / "corpus" / "a_christmas_carol.txt"
GRAPH = EXAMPLES / "graphs" / "a_christmas_carol"


@pytest.fixture
def convert_graphrag(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, loaded from its file: examples are no package."""
    spec = importlib.util.spec_from_file_location("convert_graphrag", EXAMPLES / "graphs" / "convert_graphrag.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "convert_graphrag", module)  # dataclasses look for their module there
    spec.loader.exec_module(module)
    return module


def test_the_book_is_whole_and_nothing_but_the_book() -> None:
    text = BOOK.read_text(encoding="utf-8")
    assert text.startswith("  A CHRISTMAS CAROL\n")
    assert text.endswith("God bless Us, Every One!\n\n[Illustration]\n")
    assert "PREFACE" in text
    assert [line for line in text.splitlines() if line.startswith("STAVE ")] == [
        "STAVE ONE",
        "STAVE TWO",
        "STAVE THREE",
        "STAVE FOUR",
        "STAVE FIVE",
    ]
    for word in ("Gutenberg", "eBook", "trademark", "\ufeff", "pgdp"):
        assert word.lower() not in text.lower()


def test_the_graph_is_in_the_interchange_format_and_says_nothing_of_the_licence() -> None:
    graph = read_folder(GRAPH, 384)
    assert len(list(graph.chunks())) == 38
    assert len(list(graph.entities())) == 485
    assert len(list(graph.relations())) == 899
    assert "gutenberg" not in "".join(path.read_text(encoding="utf-8").lower() for path in GRAPH.glob("*.jsonl"))
    assert sum(path.stat().st_size for path in GRAPH.iterdir()) < 3_000_000


def test_both_say_where_they_come_from() -> None:
    for folder in (BOOK.parent, GRAPH):
        text = (folder / "PROVENANCE.md").read_text(encoding="utf-8")
        assert "6dad6d2b059589624035714d8dcfde94ecc0a5fb" in text
        assert "public domain" in text
    assert "MIT License" in (GRAPH / "PROVENANCE.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("SCROOGE", "Scrooge"),
        ("GHOST OF CHRISTMAS PAST", "Ghost of Christmas Past"),
        ("THE END OF IT", "The End of It"),
        ("J. B. LIPPINCOTT COMPANY", "J. B. Lippincott Company"),
        ("MR. FEZZIWIG", "Mr. Fezziwig"),
        ("SCROOGE'S NEPHEW (FRED)", "Scrooge's Nephew (Fred)"),
        ("COUNTING-HOUSE", "Counting-House"),
        ("RAG-AND-BONE SHOP", "Rag-and-Bone Shop"),
        ("HENRY VIII", "Henry VIII"),
        ("LOUIS XIV OF FRANCE", "Louis XIV of France"),
        ("SEXTÓN", "Sextón"),
        ("A", "A"),
    ],
)
def test_names_get_the_case_of_titles(convert_graphrag: ModuleType, name: str, readable: str) -> None:
    assert convert_graphrag.readable(name) == readable


START, END = "*** START OF THE PROJECT GUTENBERG EBOOK X ***", "*** END OF THE PROJECT GUTENBERG EBOOK X ***"
UNITS = {
    "u0": f"title: x.txt.\nThe Licence Shop.\n{START}\n\n\nProduced by A Proofreader\n\n\nADA LOVED NUMBERS.",
    "u1": f"title: x.txt.\nBob wrote to Ada. The end.\n{END}\nGive to the Foundation.",
    "u2": f"title: x.txt.\n The end.\n{END}\nGive to the Foundation. More of it.",
    "u3": "title: x.txt.\nEven more of the licence.",
}


def entity(title: str, *units: str, description: str = "Known.") -> dict[str, Any]:
    return {"title": title, "type": "PERSON", "description": description, "text_unit_ids": list(units)}


def relation(source: str, target: str, *units: str) -> dict[str, Any]:
    met = {"source": source, "target": target, "description": "They met.", "weight": 7.0}
    return {**met, "text_unit_ids": list(units)}


@pytest.fixture
def converted(convert_graphrag: ModuleType, tmp_path: Path) -> dict[str, list[Any]]:
    """A made-up index, converted: the objects of each file."""
    index = {
        "documents": [{"id": "d", "title": "x.txt"}],
        "text_units": [{"id": unit, "text": text} for unit, text in UNITS.items()],
        "entities": [
            entity("ADA", "u0", "u1", "u2", description="Loves numbers.\n\nKnown to Project Gutenberg."),
            entity("BOB", "u1"),
            entity("FOUNDATION", "u1", "u2", "u3"),
            entity("LICENCE SHOP", "u0"),
            entity("DONORS", "u3"),
        ],
        "relationships": [relation("BOB", "ADA", "u1"), relation("FOUNDATION", "ADA", "u1"), relation("A", "B", "u3")],
    }
    for name, records in index.items():
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    convert_graphrag.convert(tmp_path, tmp_path / "out", "book")
    read_folder(tmp_path / "out", 8)
    return {path.stem: convert_graphrag.read(path) for path in (tmp_path / "out").glob("*.jsonl")}


def test_units_become_chunks_without_header_and_licence(converted: dict[str, list[Any]]) -> None:
    assert converted["documents"] == [{"id": "book", "file_path": "book"}]
    assert converted["chunks"] == [
        {"id": "book#0", "document_id": "book", "chunk_index": 0, "content": "ADA LOVED NUMBERS."},
        {"id": "book#1", "document_id": "book", "chunk_index": 1, "content": "Bob wrote to Ada. The end.\n"},
    ]


def test_what_only_the_licence_speaks_of_goes_with_it(converted: dict[str, list[Any]]) -> None:
    assert converted["entities"] == [
        {
            "name": "Ada",
            "type": "person",
            "description": "Loves numbers.",
            "evidence": [{"chunk_id": "book#0"}, {"chunk_id": "book#1"}],
        },
        {"name": "Bob", "type": "person", "description": "Known.", "evidence": [{"chunk_id": "book#1"}]},
    ]


def test_relations_keep_their_weight_and_get_no_made_up_keywords(converted: dict[str, list[Any]]) -> None:
    (only,) = converted["relations"]
    assert (only["source"], only["target"], only["keywords"], only["weight"]) == ("Bob", "Ada", [], 7.0)
