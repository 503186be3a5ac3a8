"""An interchange folder is read whole, or refused with file, line and reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.graph_folders import chunk, document, entity, relation, write_graph

from pgrag.errors import ImportRefused
from pgrag.interchange.reading import read_folder

FILES = ("documents", "chunks", "entities", "relations")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is good."""
    return write_graph(
        tmp_path,
        entities=[entity("Ada", "c0"), entity("Bob", "c1")],
        relations=[relation("Ada", "Bob", "c0", "c1")],
        aliases=[{"alias": "Countess", "name": "Ada"}],
    )


def refused(folder: Path) -> str:
    with pytest.raises(ImportRefused) as caught:
        read_folder(folder, 8)
    return caught.value.message


def put(folder: Path, name: str, *lines: object) -> None:
    """Write a file; strings as they are, all else as JSON."""
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / f"{name}.jsonl").write_text("\n".join(text), encoding="utf-8")


def test_reads_every_file_with_its_line_numbers(folder: Path) -> None:
    graph = read_folder(folder, 8)
    assert [(number, line.id) for number, line in graph.documents()] == [(1, "book")]
    assert [(number, line.id) for number, line in graph.chunks()] == [(1, "c0"), (2, "c1"), (3, "c2")]
    assert [(number, line.name) for number, line in graph.entities()] == [(1, "Ada"), (2, "Bob")]
    assert [(number, line.source, line.weight) for number, line in graph.relations()] == [(1, "Ada", 1.0)]
    assert [(number, line.alias) for number, line in graph.aliases()] == [(1, "Countess")]
    assert graph.vectors == {}


def test_a_folder_without_aliases_has_none(folder: Path) -> None:
    (folder / "aliases.jsonl").unlink()
    assert list(read_folder(folder, 8).aliases()) == []


def test_what_the_format_does_not_name_is_ignored(folder: Path) -> None:
    put(folder, "entities", {**entity("Ada", {"chunk_id": "c0", "page": 3}), "rank": 7})
    assert [line.name for _, line in read_folder(folder, 8).entities()] == ["Ada"]


def test_a_byte_order_mark_and_windows_line_ends_are_no_matter(folder: Path) -> None:
    path = folder / "documents.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert [line.id for _, line in read_folder(folder, 8).documents()] == ["book"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert refused(tmp_path / "nowhere").endswith("is not a folder")


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(folder: Path, name: str) -> None:
    (folder / f"{name}.jsonl").unlink()
    assert refused(folder).startswith(f"{name}.jsonl cannot be read")


@pytest.mark.parametrize("name", [*FILES, "aliases"])
@pytest.mark.parametrize("bad", ["{", "", "nonsense", '{"id": "x"} {"id": "y"}', '{"a": "\\ud800"}'])
def test_bad_json(folder: Path, name: str, bad: str) -> None:
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    put(folder, name, *lines, bad, lines[0])
    message = refused(folder)
    assert message.startswith(f"{name}.jsonl, line {len(lines) + 1}: not JSON: ")
    assert "line 1" not in message.partition("not JSON")[2]


def test_bytes_that_are_no_utf8(folder: Path) -> None:
    (folder / "documents.jsonl").write_bytes(b'{"id": "\xff", "file_path": "x"}\n')
    assert refused(folder).startswith("documents.jsonl, line 1: not JSON: ")


def test_a_line_that_is_no_object(folder: Path) -> None:
    put(folder, "chunks", "[1]")
    assert refused(folder).startswith("chunks.jsonl, line 1: ")


LINES: dict[str, dict[str, Any]] = {
    "documents": document(),
    "chunks": chunk(),
    "entities": dict(entity("Ada", "c0")),
    "relations": dict(relation("Ada", "Bob", "c0")),
    "aliases": {"alias": "Countess", "name": "Ada"},
}


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, line in LINES.items() for field in line])
def test_a_missing_field(folder: Path, name: str, field: str) -> None:
    line = {key: value for key, value in LINES[name].items() if key != field}
    put(folder, name, line)
    assert refused(folder) == f"{name}.jsonl, line 1: {field}: field required"


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, line in LINES.items() for field in line])
def test_a_field_of_another_type(folder: Path, name: str, field: str) -> None:
    put(folder, name, {**LINES[name], field: True})
    message = refused(folder)
    assert message.startswith(f"{name}.jsonl, line 1: {field}: ")
    assert message.endswith("got True")


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("documents", {"metadata": [1]}, "metadata: input should be an object, got [1]"),
        ("documents", {"id": "  "}, "id: is blank, got '  '"),
        ("documents", {"id": "x" * 2001}, "id: is longer than 2000 bytes, got 'xxx"),
        ("chunks", {"chunk_index": -1}, "chunk_index: input should be greater than or equal to 0, got -1"),
        ("chunks", {"chunk_index": 2**31}, "chunk_index: input should be less than or equal to 2147483647"),
        ("chunks", {"chunk_index": "0"}, "chunk_index: input should be a valid integer, got '0'"),
        ("entities", {"name": "\t"}, "name: is blank"),
        ("entities", {"evidence": [{}]}, "evidence.0.chunk_id: field required"),
        ("entities", {"evidence": [{"chunk_id": "c0", "name": ""}]}, "evidence.0.name: is blank, got ''"),
        ("entities", {"description_source": "guessed"}, "description_source: "),
        ("relations", {"keywords": "one, two"}, "keywords: input should be a valid array, got 'one, two'"),
        ("relations", {"weight": "3"}, "weight: input should be a valid number, got '3'"),
        ("relations", {"weight": float("nan")}, "weight: input should be a finite number, got nan"),
        ("relations", {"weight": float("inf")}, "weight: input should be a finite number, got inf"),
        ("relations", {"evidence": [{"chunk_id": "c0", "weight": "1"}]}, "evidence.0.weight: "),
    ],
)
def test_a_field_that_makes_no_sense(folder: Path, name: str, change: dict[str, Any], reason: str) -> None:
    put(folder, name, {**LINES[name], **change})
    assert refused(folder).startswith(f"{name}.jsonl, line 1: {reason}")


@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("documents", {"content": "a\0b"}, "content"),
        ("documents", {"metadata": {"k": ["a\0b"]}}, "metadata"),
        ("documents", {"metadata": {"a\0b": 1}}, "metadata"),
        ("documents", {"metadata": {"k": "\\\0"}}, "metadata"),
        ("chunks", {"content": "a\0b"}, "content"),
        ("entities", {"description": "a\0b"}, "description"),
        ("entities", {"evidence": [{"chunk_id": "c0", "description": "a\0b"}]}, "evidence.0.description"),
        ("relations", {"keywords": ["a", "b\0"]}, "keywords.1"),
    ],
)
def test_nul_characters(folder: Path, name: str, change: dict[str, Any], field: str) -> None:
    put(folder, name, {**LINES[name], **change})
    assert refused(folder).startswith(f"{name}.jsonl, line 1: {field}: holds a NUL character")


def test_a_backslash_before_u0000_is_no_nul(folder: Path) -> None:
    put(folder, "documents", document(content="\\u0000", metadata={"k": "\\u0000", "\\\\u0000": 1}))
    assert [line.content for _, line in read_folder(folder, 8).documents()] == ["\\u0000"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_metadata_that_jsonb_cannot_hold(folder: Path, number: str) -> None:
    put(folder, "documents", '{"id": "book", "file_path": "x", "metadata": {"n": [' + number + "]}}")
    assert refused(folder).startswith("documents.jsonl, line 1: metadata: holds a number")


def test_a_document_given_twice(folder: Path) -> None:
    put(folder, "documents", document(), document("other"), document())
    assert refused(folder) == "documents.jsonl, line 3: document 'book' is that of line 1"


def test_a_chunk_given_twice(folder: Path) -> None:
    put(folder, "chunks", chunk("c0", 0), chunk("c0", 1))
    assert refused(folder) == "chunks.jsonl, line 2: chunk 'c0' is that of line 1"


def test_a_place_in_a_document_taken_twice(folder: Path) -> None:
    put(folder, "documents", document(), document("other"))
    put(folder, "chunks", chunk("c0", 0), chunk("c1", 0, document_id="other"), chunk("c2", 0))
    assert refused(folder) == "chunks.jsonl, line 3: chunk_index 0 is that of line 1"


def test_a_chunk_of_an_unknown_document(folder: Path) -> None:
    put(folder, "chunks", chunk("c0", 0), chunk("c1", 0, document_id="other"))
    assert refused(folder) == "chunks.jsonl, line 2: unknown document_id 'other'"


@pytest.mark.parametrize("name", ["entities", "relations"])
def test_evidence_of_an_unknown_chunk(folder: Path, name: str) -> None:
    put(folder, name, LINES[name], {**LINES[name], "evidence": [{"chunk_id": "c1"}, {"chunk_id": "c9"}]})
    assert refused(folder) == f"{name}.jsonl, line 2: unknown chunk_id 'c9'"
