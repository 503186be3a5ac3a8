"""What is copied into the temporary tables of an import, row by row, in the order of the lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from pgrag.calls import as_json, as_vector
from pgrag.flow import Flow, copy
from pgrag.interchange.lines import RelationLine
from pgrag.interchange.reading import GraphFolder
from pgrag.models.protocols import Vectors
from pgrag.tokens import Tokenizer

Row = tuple[object, ...]
_ITEM = ("description", "description_source", "has_evidence", "token_count", "embedding")


def stage(folder: GraphFolder, chunks: Iterator[Row], tokenizer: Tokenizer) -> Flow[None]:
    """Copy a folder, with these rows for its chunks, into the tables that `begin_import` made."""
    yield from copy("pgrag_import_documents", ("line", "id", "file_path", "content", "metadata"), _documents(folder))
    yield from copy(
        "pgrag_import_chunks",
        ("line", "id", "document_id", "chunk_index", "content", "token_count", "embedding"),
        chunks,
    )
    yield from copy("pgrag_import_aliases", ("line", "alias", "name"), _aliases(folder))
    yield from copy("pgrag_import_entities", ("line", "name", "type", *_ITEM), _entities(folder, tokenizer))
    yield from copy(
        "pgrag_import_entity_evidence",
        ("line", "place", "chunk_id", "name", "type", "description"),
        _entity_evidence(folder),
    )
    yield from copy(
        "pgrag_import_relations",
        ("line", "source", "target", "keywords", "weight", *_ITEM),
        _relations(folder, tokenizer),
    )
    yield from copy(
        "pgrag_import_relation_evidence",
        ("line", "place", "chunk_id", "source", "target", "keywords", "weight", "description"),
        _relation_evidence(folder),
    )


def chunk_rows(folder: GraphFolder, tokenizer: Tokenizer, vectors: Vectors) -> Iterator[Row]:
    """The chunks with what is theirs; vectors float32 (chunks, dimensions)."""
    for number, chunk in folder.chunks():
        tokens, vector = tokenizer.count(chunk.content), as_vector(vectors[number - 1].tolist())
        yield number, chunk.id, chunk.document_id, chunk.chunk_index, chunk.content, tokens, vector


def bare_chunk_rows(folder: GraphFolder) -> Iterator[Row]:
    """The chunks with only what can clash: enough to check an import."""
    for number, chunk in folder.chunks():
        yield number, chunk.id, chunk.document_id, chunk.chunk_index, "", 0, None


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
    for number, document in folder.documents():
        metadata = None if document.metadata is None else as_json(document.metadata)
        yield number, document.id, document.file_path, document.content, metadata


def _aliases(folder: GraphFolder) -> Iterator[Row]:
    for number, line in folder.aliases():
        yield number, line.alias, line.name


def _entities(folder: GraphFolder, tokenizer: Tokenizer) -> Iterator[Row]:
    vectors = folder.vectors.get("entities")
    for number, line in folder.entities():
        kind = line.type.strip() or "UNKNOWN"
        prompt = {"entity": line.name, "type": kind, "description": line.description}
        item = _item(line.description, line.description_source, bool(line.evidence), number, vectors, prompt, tokenizer)
        yield number, line.name, kind, *item


def _relations(folder: GraphFolder, tokenizer: Tokenizer) -> Iterator[Row]:
    vectors = folder.vectors.get("relations")
    for number, line in folder.relations():
        prompt = {"entity1": line.source, "entity2": line.target, "description": line.description}
        item = _item(line.description, line.description_source, bool(line.evidence), number, vectors, prompt, tokenizer)
        yield number, line.source, line.target, list(line.keywords), line.weight, *item


def _item(
    description: str,
    source: str | None,
    has_evidence: bool,
    number: int,
    vectors: Vectors | None,
    prompt: dict[str, str],
    tokenizer: Tokenizer,
) -> Row:
    """The columns of _ITEM. Tokens are counted only beside an embedding; a refresh counts all others."""
    source = None if source == "imported" else source
    if vectors is None:
        return description, source, has_evidence, None, None
    tokens = tokenizer.count(json.dumps(prompt, ensure_ascii=False) + "\n")
    return description, source, has_evidence, tokens, as_vector(vectors[number - 1].tolist())


def _entity_evidence(folder: GraphFolder) -> Iterator[Row]:
    for number, line in folder.entities():
        for place, piece in enumerate(line.evidence):
            kind = (piece.type or "").strip() or None
            yield number, place, piece.chunk_id, piece.name, kind, piece.description or ""


def _relation_evidence(folder: GraphFolder) -> Iterator[Row]:
    for number, line in folder.relations():
        for place, (piece, weight) in enumerate(zip(line.evidence, evidence_weights(line), strict=True)):
            keywords = list(piece.keywords or ())
            said = piece.source, piece.target, keywords, weight, piece.description or ""
            yield number, place, piece.chunk_id, *said
