"""JSONL: a document a line, and bad lines alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.errors import UnreadableFile
from pgrag.loaders.jsonl import load_jsonl
from pgrag.loaders.loaded import Entry, LoadedFile, Part

PATH = Path("/notes/a.jsonl")
GOOD = b'{"text": "good"}'
WORD = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=8).filter(str.strip)


def entries(*lines: bytes | dict[str, Any]) -> list[Entry]:
    content = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    return list(load_jsonl(PATH, "a.jsonl", content))


def test_a_document_a_line() -> None:
    assert entries(
        {"id": "one", "text": "Text.", "metadata": {"year": 1843}, "title": "T", "author": "A", "other": 1},
        b"  ",
        {"content": "Content.", "id": None, "metadata": None, "title": 3},
        {"id": 7, "file_path": "from/here.txt", "text": "a\u2028b"},
    ) == [
        Entry("one", "one", LoadedFile((Part("Text."),), {"title": "T", "author": "A", "year": 1843})),
        Entry("a.jsonl#3", "a.jsonl#3", LoadedFile((Part("Content."),), {})),
        Entry("7", "from/here.txt", LoadedFile((Part("a\u2028b"),), {})),
    ]


def test_a_byte_order_mark_and_carriage_returns() -> None:
    assert [entry.id for entry in entries(b"\xef\xbb\xbf" + GOOD + b"\r", GOOD + b"\r", b"\r")] == [
        "a.jsonl#1",
        "a.jsonl#2",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON: Expecting property name enclosed in double quotes (column 2)"),
        (b"\xff", "not UTF-8: byte 0 cannot be decoded"),
        (b"[" * 100_000, "not JSON that can be read: it is nested too deeply"),
        (b'{"text": NaN}', "not JSON: NaN is no number"),
        (b'{"text": ' + b"1" * 5000 + b"}", "Exceeds the limit"),
        (b'["text"]', "not an object, but list"),
        (b"{}", "it has no text: neither `text` nor `content` is a string"),
        (b'{"text": 5}', "it has no text"),
        (b'{"text": " \\n"}', "its text is empty"),
        (b'{"text": "a", "metadata": [1]}', "`metadata` is not an object, but list"),
        (b'{"text": "a", "id": " "}', "`id` is not a string that says something"),
        (b'{"text": "a", "id": true}', "`id` is not a string that says something"),
        (b'{"text": "a", "id": "x\\u0000"}', "`id` holds a NUL character"),
        (b'{"text": "a", "metadata": {"k\\ud800": 1}}', "`metadata` holds a NUL character or half a sign"),
        (b'{"text": "a", "file_path": 1.5}', "`file_path` is not a string"),
    ],
)
def test_a_bad_line_fails_alone(line: bytes, reason: str) -> None:
    first, bad, last = entries(GOOD, line, GOOD)
    assert isinstance(first.loaded, LoadedFile)
    assert isinstance(last.loaded, LoadedFile)
    assert isinstance(bad.loaded, UnreadableFile)
    assert bad.id == "a.jsonl#2"
    assert bad.loaded.message.startswith(f"{PATH}, line 2: ")
    assert reason in bad.loaded.message


def test_no_good_line_is_one_failure() -> None:
    with pytest.raises(UnreadableFile, match=r"^/notes/a.jsonl, line 2: not JSON"):
        entries(b"", b"nonsense")
    with pytest.raises(UnreadableFile, match=r"^no line is a document: /notes/a.jsonl, line 1: not JSON"):
        entries(*[b"nonsense"] * 1000)
    with pytest.raises(UnreadableFile, match="is empty"):
        entries(b"", b" \r")


def test_a_backslash_before_u0000_is_text() -> None:
    (entry,) = entries({"text": "a", "metadata": {"k": "\\u0000"}})
    assert entry.loaded == LoadedFile((Part("a"),), {"k": "\\u0000"})


@given(st.lists(st.tuples(WORD, WORD, st.dictionaries(WORD, WORD, max_size=3)), min_size=1, max_size=5))
def test_documents_come_back(documents: list[tuple[str, str, dict[str, str]]]) -> None:
    lines = [{"id": key, "text": text, "metadata": about} for key, text, about in documents]
    assert entries(*lines) == [Entry(key, key, LoadedFile((Part(text),), about)) for key, text, about in documents]
