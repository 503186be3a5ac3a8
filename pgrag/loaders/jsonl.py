"""JSONL: every line is a document of its own, an object with its text as `text` or `content`.

`id` (a string or a whole number) is the document's id; without it the id is the file's and the number of the line.
`file_path` is the path it is shown under, `metadata` an object; `title`, `author` and `created` are read as those of
other kinds of files. Other fields are ignored, blank lines too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pgrag.errors import UnreadableFile
from pgrag.loaders.loaded import Entry, LoadedFile, Part, properties

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TEXT_FIELDS = ("text", "content")


def load_jsonl(path: Path, key: str, content: bytes) -> Iterator[Entry]:
    """The documents, in order. A bad line is an entry with its reason, under the id `key#line`.

    Raises UnreadableFile, with the first reason, where there are lines and all of them are bad.
    """
    entries = list(_entries(path, key, content.removeprefix(_BYTE_ORDER_MARK)))
    if not entries:
        raise UnreadableFile(f"{path} is empty")
    if all(isinstance(entry.loaded, UnreadableFile) for entry in entries):
        first = entries[0].loaded
        assert isinstance(first, UnreadableFile)
        raise UnreadableFile(first.message if len(entries) == 1 else f"no line is a document: {first.message}")
    return iter(entries)


def _entries(path: Path, key: str, content: bytes) -> Iterator[Entry]:
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            by_place = f"{key}#{number}"
            try:
                yield _entry(_object(line), by_place)
            except ValueError as error:
                yield Entry(by_place, by_place, UnreadableFile(f"{path}, line {number}: {error}"))


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode(), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} (column {error.colno})") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: byte {error.start} cannot be decoded") from None
    except RecursionError:
        raise ValueError("not JSON that can be read: it is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError(f"not an object, but {type(value).__name__}")
    return value


def _entry(line: Mapping[str, Any], by_place: str) -> Entry:
    text = next((line[name] for name in _TEXT_FIELDS if line.get(name) is not None), None)
    if not isinstance(text, str):
        raise ValueError("it has no text: neither `text` nor `content` is a string")
    if not text.strip():
        raise ValueError("its text is empty")
    metadata = line.get("metadata")
    if metadata is not None and not isinstance(metadata, dict):
        raise ValueError(f"`metadata` is not an object, but {type(metadata).__name__}")
    own_id = _name(line, "id") or by_place
    about = {**_properties(line), **_storable("metadata", metadata or {})}
    return Entry(own_id, _name(line, "file_path") or own_id, LoadedFile((Part(text),), about))


def _properties(line: Mapping[str, Any]) -> Mapping[str, object]:
    title, author, created = (line.get(name) for name in ("title", "author", "created"))
    return properties(*(value if isinstance(value, str) else None for value in (title, author, created)))


def _name(line: Mapping[str, Any], field: str) -> str | None:
    value = line.get(field)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"`{field}` is not a string that says something")
    return str(_storable(field, value))


def _storable(field: str, value: Any) -> Any:
    """The value. PostgreSQL stores neither NUL characters nor half a sign of UTF-16."""
    text = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in text.replace("\\\\", "") or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError(f"`{field}` holds a NUL character or half a sign of UTF-16")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"not JSON: {name} is no number")
