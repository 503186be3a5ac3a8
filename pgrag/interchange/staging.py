"""What is copied into the temporary tables of an import, row by row, in the order of the lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat

from pgrag.flow import Flow, copy
from pgrag.interchange.lines import EntityLine, RelationLine
from pgrag.interchange.reading import GraphFolder
from pgrag.interchange.vectors import wire_rows
from pgrag.models.protocols import Vectors
from pgrag.tokens import Tokenizer

Row = tuple[object, ...]
Told = Callable[[Iterator[Row]], Iterator[Row]]

_DOCUMENT = {
    "line": "int4",
    "id": "text",
    "file_path": "text",
    "source_path": "text",
    "content": "text",
    "metadata": "jsonb",
}
_CHUNK = {
    "line": "int4",
    "id": "text",
    "local_id": "bool",
    "document_id": "text",
    "chunk_index": "int4",
    "content": "text",
    "metadata": "jsonb",
    "token_count": "int4",
    "embedding": "bytea",
}
_ALIAS = {
    "line": "int4",
    "alias": "text",
    "name": "text",
    "name_is_key": "bool",
    "alias_key": "text",
    "key": "text",
    "kept": "jsonb",
}
_ITEM = {
    "description": "text",
    "description_source": "text",
    "has_evidence": "bool",
    "stored": "jsonb",
    "token_count": "int4",
    "embedding": "bytea",
}
_ENTITY = {"line": "int4", "name": "text", "type": "text", **_ITEM}
_RELATION = {"line": "int4", "source": "text", "target": "text", "keywords": "text[]", "weight": "float8", **_ITEM}
_PLACE = {"ordinal": "int4", "stated_order": "int4"}
_ENTITY_PIECE = {
    "line": "int4",
    "place": "int4",
    "chunk_id": "text",
    "name": "text",
    "type": "text",
    "description": "text",
    "kind": "text",
    "key": "text",
    **_PLACE,
}
_TOLD = {
    "chunk_id": "text",
    "source": "text",
    "target": "text",
    "keywords": "text[]",
    "weight": "float8",
    "description": "text",
    "source_key": "text",
    "target_key": "text",
    **_PLACE,
}
_RELATION_PIECE = {"line": "int4", "place": "int4", **_TOLD}
_SLEEPING = {"line": "int4", **_TOLD}


def stage(folder: GraphFolder, chunks: Iterator[Row], tokenizer: Tokenizer, told: Told = iter) -> Flow[None]:
    """Copy a folder, with these rows for its chunks, into the tables that `begin_import` made.

    told: passes rows on, and counts them for whoever watches.
    """
    tables: Sequence[tuple[str, Mapping[str, str], Iterator[Row]]] = (
        ("documents", _DOCUMENT, _documents(folder)),
        ("chunks", _CHUNK, chunks),
        ("aliases", _ALIAS, _aliases(folder)),
        ("entities", _ENTITY, _entities(folder, tokenizer)),
        ("entity_evidence", _ENTITY_PIECE, _entity_evidence(folder)),
        ("relations", _RELATION, _relations(folder, tokenizer)),
        ("relation_evidence", _RELATION_PIECE, _relation_evidence(folder)),
        ("sleeping", _SLEEPING, _sleeping(folder)),
    )
    for name, columns, rows in tables:
        yield from copy(f"pgrag_import_{name}", columns, told(rows))


def chunk_rows(folder: GraphFolder, tokenizer: Tokenizer, vectors: Vectors) -> Iterator[Row]:
    """The chunks with what is theirs; vectors float32 (chunks, dimensions)."""
    counted = folder.is_counted_by(tokenizer)
    for (number, chunk), vector in zip(folder.chunks(), wire_rows(vectors), strict=True):
        tokens = chunk.token_count if counted else None
        tokens = tokenizer.count(chunk.content) if tokens is None else tokens
        place = chunk.document_id, chunk.chunk_index
        yield number, chunk.id, chunk.local_id, *place, chunk.content, chunk.metadata, tokens, vector


def bare_chunk_rows(folder: GraphFolder) -> Iterator[Row]:
    """The chunks with only what can clash: enough to check an import."""
    for number, chunk in folder.chunks():
        yield number, chunk.id, chunk.local_id, chunk.document_id, chunk.chunk_index, "", None, 0, None


def evidence_weights(line: RelationLine) -> Sequence[float]:
    """The weight of each piece: its own where each states one, else an even share of the line's, one share a chunk.

    The shares of the distinct chunks, added up in order, give the stated weight exactly: the last carries the rounding.
    """
    own = [piece.weight for piece in line.evidence if piece.weight is not None]
    if len(own) == len(line.evidence):
        return own
    chunks = list(dict.fromkeys(piece.chunk_id for piece in line.evidence))
    shares = dict.fromkeys(chunks, line.weight / len(chunks))
    so_far = 0.0
    for chunk in chunks[:-1]:
        so_far += shares[chunk]
    shares[chunks[-1]] = line.weight - so_far
    return [shares[piece.chunk_id] for piece in line.evidence]


def _documents(folder: GraphFolder) -> Iterator[Row]:
    for number, line in folder.documents():
        yield number, line.id, line.file_path, line.source_path, line.content, line.metadata


def _aliases(folder: GraphFolder) -> Iterator[Row]:
    for number, line in folder.aliases():
        yield number, line.alias, line.name, line.name_is_key, line.alias_key, line.key, line.kept


def _entities(folder: GraphFolder, tokenizer: Tokenizer) -> Iterator[Row]:
    count = _Counter(folder, tokenizer)
    for (number, line), vector in zip(folder.entities(), _vectors(folder, "entities"), strict=False):
        kind = line.type.strip() or "UNKNOWN"
        prompt = {"entity": line.name, "type": kind, "description": line.description}
        yield number, line.name, kind, *_item(line), count(line, prompt, vector), vector


def _relations(folder: GraphFolder, tokenizer: Tokenizer) -> Iterator[Row]:
    count = _Counter(folder, tokenizer)
    for (number, line), vector in zip(folder.relations(), _vectors(folder, "relations"), strict=False):
        prompt = {"entity1": line.source, "entity2": line.target, "description": line.description}
        tokens = count(line, prompt, vector)
        yield number, line.source, line.target, list(line.keywords), line.weight, *_item(line), tokens, vector


def _item(line: EntityLine | RelationLine) -> Row:
    source = None if line.description_source == "imported" else line.description_source
    stored = None if line.stored is None else line.stored.model_dump(exclude_none=True)
    return line.description, source, bool(line.evidence), stored


def _vectors(folder: GraphFolder, name: str) -> Iterator[bytes | None]:
    vectors = folder.vectors.get(name)
    return repeat(None) if vectors is None else wire_rows(vectors)


class _Counter:
    """Tokens of lines in the prompt: as an export counted them, or else counted beside an embedding.

    A refresh counts all others.
    """

    def __init__(self, folder: GraphFolder, tokenizer: Tokenizer) -> None:
        self._is_counted, self._tokenizer = folder.is_counted_by(tokenizer), tokenizer

    def __call__(self, line: EntityLine | RelationLine, prompt: Mapping[str, str], vector: bytes | None) -> int | None:
        if self._is_counted and line.stored is not None and line.stored.token_count is not None:
            return line.stored.token_count
        return None if vector is None else self._tokenizer.count(json.dumps(prompt, ensure_ascii=False) + "\n")


def _entity_evidence(folder: GraphFolder) -> Iterator[Row]:
    for number, line in folder.entities():
        for place, piece in enumerate(line.evidence):
            kind = (piece.type or "").strip() or None
            said = piece.chunk_id, piece.name, kind, piece.description or "", piece.kind, piece.key
            yield number, place, *said, piece.ordinal, piece.stated_order


def _relation_evidence(folder: GraphFolder) -> Iterator[Row]:
    for number, line in folder.relations():
        for place, (piece, weight) in enumerate(zip(line.evidence, evidence_weights(line), strict=True)):
            said = (
                piece.chunk_id,
                piece.source,
                piece.target,
                list(piece.keywords or ()),
                weight,
                piece.description or "",
            )
            yield number, place, *said, piece.source_key, piece.target_key, piece.ordinal, piece.stated_order


def _sleeping(folder: GraphFolder) -> Iterator[Row]:
    for number, line in folder.sleeping():
        said = line.chunk_id, line.source, line.target, list(line.keywords), line.weight, line.description
        yield number, *said, line.source_key, line.target_key, line.ordinal, line.stated_order
