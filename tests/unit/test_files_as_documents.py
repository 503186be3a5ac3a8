"""Files as documents: one each, or one a line, and each failure alone."""

from __future__ import annotations

from pathlib import Path

from support.book_files import workbook

from pgrag.documents import NewDocument
from pgrag.sources import documents_of_files


def test_a_file_a_document(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(workbook({"Costs": [["gear"]]}))
    (tmp_path / "b.pdf").write_bytes(b"no pdf")
    (tmp_path / "c.png").write_bytes(b"")
    loaded = documents_of_files([tmp_path], None, {"author": "given", "year": 1843})
    (document,) = loaded.documents
    assert (document.id, document.file_path, document.source_path) == ("a.xlsx", "a.xlsx", str(tmp_path / "a.xlsx"))
    assert document.content == "| gear |\n| --- |"
    assert document.metadata is not None
    assert {"author": "given", "year": 1843}.items() <= document.metadata.items()  # what is given outdoes the file
    (failed,) = loaded.failed
    assert (failed.id, failed.status) == ("b.pdf", "failed")
    assert str(tmp_path / "b.pdf") in str(failed.error)
    assert loaded.skipped == (tmp_path / "c.png",)


def test_a_line_a_document_and_a_bad_line_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"text": "One."}\nnonsense\n{"id": "own", "content": "Two.", "metadata": {"year": 1791}}\n')
    loaded = documents_of_files([tmp_path], None, {"by": "Ada"})
    assert loaded.documents == (
        NewDocument("notes.jsonl#1", "One.", "notes.jsonl#1", str(path), {"by": "Ada"}),
        NewDocument("own", "Two.", "own", str(path), {"by": "Ada", "year": 1791}),
    )
    assert [(each.id, each.error) for each in loaded.failed] == [
        ("notes.jsonl#2", f"{path}, line 2: not JSON: Expecting value (column 1)")
    ]


def test_the_second_of_one_id_fails(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "x", "text": "One."}\n{"id": "x", "text": "Two."}\n')
    (tmp_path / "b.jsonl").write_text('{"id": "x", "text": "Three."}\n{"id": "c.txt", "text": "Four."}\n')
    (tmp_path / "c.txt").write_text("Five.")
    loaded = documents_of_files([tmp_path], None, None)
    assert [(each.id, each.content) for each in loaded.documents] == [("x", "One."), ("c.txt", "Four.")]
    assert [each.error for each in loaded.failed] == [
        f"{tmp_path / 'a.jsonl'} holds a document 'x', and so does {tmp_path / 'a.jsonl'}",
        f"{tmp_path / 'b.jsonl'} holds a document 'x', and so does {tmp_path / 'a.jsonl'}",
        f"{tmp_path / 'c.txt'} holds a document 'c.txt', and so does {tmp_path / 'b.jsonl'}",
    ]
