"""Read an interchange folder: every line checked by itself and against the others, before anything is written.

The files are read through twice, once to check and once to copy, and never held: what stays in memory is the ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pgrag.errors import ImportRefused
from pgrag.interchange.lines import AliasLine, ChunkLine, DocumentLine, EntityLine, Origin, RelationLine, SleepingLine
from pgrag.interchange.vectors import open_vectors
from pgrag.models.protocols import Vectors
from pgrag.tokens import Tokenizer

L = TypeVar("L", bound=BaseModel)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONGEST_QUOTE = 60


@dataclass(frozen=True)
class GraphFolder:
    """A folder whose lines were found good. `vectors` holds what embeddings there are, by the name of their file.

    origin: what made token counts and embeddings; None where the folder does not say.
    """

    path: Path
    vectors: Mapping[str, Vectors]
    origin: Origin | None = None

    def is_counted_by(self, tokenizer: Tokenizer) -> bool:
        """Whether the token counts in the lines are those of this tokenizer."""
        return self.origin is not None and self.origin.tokenizer == tokenizer.name

    def documents(self) -> Iterator[tuple[int, DocumentLine]]:
        """Line numbers from 1, and lines."""
        return _lines(self.path / "documents.jsonl", DocumentLine)

    def chunks(self) -> Iterator[tuple[int, ChunkLine]]:
        """Line numbers from 1, and lines."""
        return _lines(self.path / "chunks.jsonl", ChunkLine)

    def entities(self) -> Iterator[tuple[int, EntityLine]]:
        """Line numbers from 1, and lines."""
        return _lines(self.path / "entities.jsonl", EntityLine)

    def relations(self) -> Iterator[tuple[int, RelationLine]]:
        """Line numbers from 1, and lines."""
        return _lines(self.path / "relations.jsonl", RelationLine)

    def aliases(self) -> Iterator[tuple[int, AliasLine]]:
        """Line numbers from 1, and lines; nothing without that file."""
        return self._optional("aliases.jsonl", AliasLine)

    def sleeping(self) -> Iterator[tuple[int, SleepingLine]]:
        """Line numbers from 1, and lines; nothing without that file."""
        return self._optional("sleeping.jsonl", SleepingLine)

    def _optional(self, name: str, kind: type[L]) -> Iterator[tuple[int, L]]:
        path = self.path / name
        return _lines(path, kind) if path.exists() else iter(())


def read_folder(path: Path, dimensions: int, embedding_model: str | None = None) -> GraphFolder:
    """The folder, when every line and every embedding can be taken. Raises ImportRefused with file, line and reason.

    embedding_model: the database's; a folder whose embeddings are another's is refused.
    """
    if not path.is_dir():
        raise ImportRefused(f"{path} is not a folder", "name the folder that holds documents.jsonl")
    folder = GraphFolder(path, {})
    origin = _origin(path)
    documents = _check_documents(folder)
    chunks = _check_chunks(folder, documents)
    lines = {
        "chunks": len(chunks),
        "entities": _check_evidence("entities.jsonl", folder.entities(), chunks),
        "relations": _check_evidence("relations.jsonl", folder.relations(), chunks),
    }
    for _ in folder.aliases():
        pass
    for number, line in folder.sleeping():
        _require_known("sleeping.jsonl", number, line.chunk_id, chunks)
    found = {name: open_vectors(path / f"{name}.npy", rows, dimensions) for name, rows in lines.items()}
    vectors = {name: rows for name, rows in found.items() if rows is not None}
    if vectors and origin is not None and embedding_model not in (None, origin.embedding_model):
        raise ImportRefused(
            f"origin.json: embeddings of {origin.embedding_model}, the database holds those of {embedding_model}",
            "without the .npy files everything is embedded on import",
        )
    return GraphFolder(path, vectors, origin)


def _origin(path: Path) -> Origin | None:
    file = path / "origin.json"
    return _parse(file.name, 1, file.read_bytes(), Origin) if file.exists() else None


def _check_documents(folder: GraphFolder) -> Mapping[str, int]:
    seen: dict[str, int] = {}
    for number, document in folder.documents():
        if document.id in seen:
            raise _refusal("documents.jsonl", number, f"document {document.id!r} is that of line {seen[document.id]}")
        seen[document.id] = number
    return seen


def _check_chunks(folder: GraphFolder, documents: Mapping[str, int]) -> Mapping[str, int]:
    seen: dict[str, int] = {}
    places: dict[tuple[str, int], int] = {}
    for number, chunk in folder.chunks():
        place = (chunk.document_id, chunk.chunk_index)
        if chunk.id in seen:
            raise _refusal("chunks.jsonl", number, f"chunk {chunk.id!r} is that of line {seen[chunk.id]}")
        if chunk.document_id not in documents:
            raise _refusal("chunks.jsonl", number, f"unknown document_id {chunk.document_id!r}")
        if place in places:
            raise _refusal("chunks.jsonl", number, f"chunk_index {place[1]} is that of line {places[place]}")
        seen[chunk.id] = places[place] = number
    return seen


def _check_evidence(
    file: str, lines: Iterator[tuple[int, EntityLine | RelationLine]], chunks: Mapping[str, int]
) -> int:
    count = 0
    for number, line in lines:
        for piece in line.evidence:
            _require_known(file, number, piece.chunk_id, chunks)
        count += 1
    return count


def _require_known(file: str, number: int, chunk_id: str, chunks: Mapping[str, int]) -> None:
    if chunk_id not in chunks:
        raise _refusal(file, number, f"unknown chunk_id {chunk_id!r}")


def _lines(path: Path, kind: type[L]) -> Iterator[tuple[int, L]]:
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                yield number, _parse(path.name, number, line, kind)
    except OSError as error:
        raise ImportRefused(f"{path.name} cannot be read: {error.strerror}", f"it must be in {path.parent}") from error


def _parse(file: str, number: int, line: bytes, kind: type[L]) -> L:
    try:
        return kind.model_validate_json(line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line)
    except ValidationError as error:
        raise _refusal(file, number, _reason(error)) from error


def _reason(error: ValidationError) -> str:
    """What is wrong first, as `field: what, got value`."""
    first = error.errors(include_url=False)[0]
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "json_invalid":
        return re.sub(r"^Invalid JSON: (.*?)(?: at line 1 column (\d+))?$", r"not JSON: \1 (column \2)", message)
    message = message[:1].lower() + message[1:]
    field = ".".join(map(str, first["loc"]))
    got = "" if first["type"] == "missing" else f", got {_quote(first['input'])}"
    return f"{field}: {message}{got}" if field else f"{message}{got}"


def _quote(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"


def _refusal(file: str, number: int, reason: str) -> ImportRefused:
    return ImportRefused(f"{file}, line {number}: {reason}")
