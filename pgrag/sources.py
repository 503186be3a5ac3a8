"""Texts and files, as documents that can be taken in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pgrag.chunking import Mark
from pgrag.cleaning import sanitize_document
from pgrag.documents import DocumentReport, IngestReport, NewDocument
from pgrag.errors import BudgetExceeded, InvalidArgument, UnreadableFile
from pgrag.loaders import Part, find_files, load_entries
from pgrag.reading import content_hash

BETWEEN_PARTS = "\n\n"


def documents_of_texts(
    texts: str | Sequence[str],
    ids: Sequence[str] | None,
    file_paths: Sequence[str] | None,
    metadata: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None,
) -> list[NewDocument]:
    """Documents of strings. Without an id the digest of the text serves; one metadata mapping serves all.

    Raises InvalidArgument when the lists are of different lengths, or an id is given twice.
    """
    texts = [sanitize_document(text) for text in ((texts,) if isinstance(texts, str) else texts)]
    for name, values in (("ids", ids), ("file_paths", file_paths)):
        if values is not None and len(values) != len(texts):
            raise InvalidArgument(f"{len(texts)} texts, but {len(values)} {name}")
    each = [metadata] * len(texts) if metadata is None or isinstance(metadata, Mapping) else list(metadata)
    if len(each) != len(texts):
        raise InvalidArgument(f"{len(texts)} texts, but {len(each)} metadata")
    keys = list(ids) if ids is not None else [f"text-{content_hash(text)[:16]}" for text in texts]
    if ids is not None and len(set(keys)) != len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InvalidArgument(f"the id {twice!r} is given twice")
    paths = list(file_paths) if file_paths is not None else keys
    rows = zip(keys, texts, paths, each, strict=True)
    return [NewDocument(key, text, file_path=path, metadata=about) for key, text, path, about in rows]


@dataclass(frozen=True)
class Loaded:
    """Files as documents, and those that cannot be read, with the reason."""

    documents: tuple[NewDocument, ...]
    failed: tuple[DocumentReport, ...]
    skipped: tuple[Path, ...]


def documents_of_files(
    paths: Sequence[str | Path], root: str | Path | None, metadata: Mapping[str, Any] | None
) -> Loaded:
    """Files and folders as documents. One that cannot be read, or has the id of an earlier one, fails alone.

    Raises UnreadableFile for a path that is not there, InvalidArgument for two files of one id.
    """
    found = find_files([Path(path) for path in paths], Path(root) if root is not None else None)
    documents, failed = [], []
    homes: dict[str, str] = {}
    for file in found.files:
        for entry in load_entries(file.path, file.key):
            loaded = entry.loaded
            if not isinstance(loaded, UnreadableFile) and entry.id in homes:
                loaded = UnreadableFile(f"{file.path} holds a document {entry.id!r}, and so does {homes[entry.id]}")
            if isinstance(loaded, UnreadableFile):
                failed.append(DocumentReport(entry.id, "failed", error=str(loaded)))
                continue
            homes[entry.id] = str(file.path)
            content, marks = text_of_parts(loaded.parts)
            about = {**loaded.metadata, **(metadata or {})}
            documents.append(NewDocument(entry.id, content, entry.file_path, str(file.path), about or None, marks))
    return Loaded(tuple(documents), tuple(failed), found.skipped)


def with_files(error: BudgetExceeded, loaded: Loaded) -> BudgetExceeded:
    """The error, its report completed by the files that could not be read, and by those passed over."""
    if isinstance(error.report, IngestReport):
        error.report = error.report.including(loaded.failed, loaded.skipped)
    return error


def text_of_parts(parts: Sequence[Part]) -> tuple[str, tuple[Mark, ...]]:
    """The text of a file as it is stored, parts set apart by an empty line, and where each of their places begins.

    Each part is sanitized by itself, which changes its length, and so are the names of places. Blank parts are left
    out.
    """
    texts: list[str] = []
    marks: list[Mark] = []
    start = 0
    for part in parts:
        if text := sanitize_document(part.text):
            place = _storable(part.place)
            if place != (marks[-1].place if marks else {}):
                marks.append(Mark(start, place))
            texts.append(text)
            start += len(text) + len(BETWEEN_PARTS)
    return BETWEEN_PARTS.join(texts), tuple(marks)


def _storable(place: Mapping[str, object]) -> Mapping[str, object]:
    return {key: sanitize_document(value) if isinstance(value, str) else value for key, value in place.items()}
