"""From the rows of `retrieve` to the context that a model reads: pure.

Lines are JSON as `pgrag.entity_line` and `pgrag.relation_line` of the database write them, for it is their tokens
that the budgets of entities and relations were cut by. Documents get their reference numbers by how many of the
chunks are theirs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pgrag import prompts
from pgrag.options import QueryOptions
from pgrag.rows import Context, ContextChunk, ContextEntity, ContextRelation, Keywords, Reference, Retrieved
from pgrag.tokens import Tokenizer

# Room for what the chat format adds to the messages.
BUFFER_TOKENS = 200


@dataclass(frozen=True)
class Found:
    """What one call of `retrieve` returned, by kind, in final order."""

    entities: tuple[ContextEntity, ...]
    relations: tuple[ContextRelation, ...]
    chunks: tuple[ContextChunk, ...]


def sort_out(rows: Iterable[Retrieved]) -> Found:
    """The rows of `retrieve` as values, each kind in its order."""
    ordered = sorted(rows, key=lambda row: row.ordinal)
    return Found(
        tuple(_entity(row) for row in ordered if row.kind == "entity"),
        tuple(_relation(row) for row in ordered if row.kind == "relation"),
        tuple(_chunk(row) for row in ordered if row.kind == "chunk"),
    )


def build(question: str, found: Found, keywords: Keywords, options: QueryOptions, tokenizer: Tokenizer) -> Context:
    """The context with as many of the chunks, from the first, as the rest of `max_total_tokens` has room for."""
    available = options.max_total_tokens - _fixed_tokens(question, found, options, tokenizer) - BUFFER_TOKENS
    kept = _fitting(found.chunks[: options.chunk_top_k], available, tokenizer)
    while True:
        context = _assemble(found, kept, keywords, options, tokenizer)
        prompt = prompts.answer_system(context.text, options)
        total = tokenizer.count(prompt) + tokenizer.count(question) + BUFFER_TOKENS
        if total <= options.max_total_tokens or not kept:
            return context
        kept = kept[:-1]


def build_ranked(
    question: str,
    ranked: Sequence[ContextChunk | ContextRelation],
    keywords: Keywords,
    options: QueryOptions,
    tokenizer: Tokenizer,
) -> Context:
    """The context of one list, best first: as much of it as `max_total_tokens` has room for."""
    count = len(ranked)
    while True:
        kept = ranked[:count]
        found = Found((), tuple(item for item in kept if isinstance(item, ContextRelation)), ())
        chunks = tuple(item for item in kept if isinstance(item, ContextChunk))
        context = _assemble(found, chunks, keywords, options, tokenizer)
        prompt = prompts.answer_system(context.text, options)
        excess = tokenizer.count(prompt) + tokenizer.count(question) + BUFFER_TOKENS - options.max_total_tokens
        if excess <= 0 or not count:
            return context
        while count and excess > 0:
            count -= 1
            excess -= tokenizer.count(_ranked_line(ranked[count]))


def _ranked_line(item: ContextChunk | ContextRelation) -> str:
    return _chunk_line(item) if isinstance(item, ContextChunk) else _triple_line(item)


def _fixed_tokens(question: str, found: Found, options: QueryOptions, tokenizer: Tokenizer) -> int:
    text = _text(found, (), (), options)
    return tokenizer.count(prompts.answer_system(text, options)) + tokenizer.count(question)


def _fitting(chunks: Sequence[ContextChunk], available: int, tokenizer: Tokenizer) -> tuple[ContextChunk, ...]:
    """The longest run of chunks, from the first, whose lines fit; reference lines are weighed by the caller."""
    used = 0
    for place, chunk in enumerate(chunks):
        used += tokenizer.count(_chunk_line(replace(chunk, reference_id="00")) + "\n")
        if used > available:
            return tuple(chunks[:place])
    return tuple(chunks)


def _assemble(
    found: Found, kept: tuple[ContextChunk, ...], keywords: Keywords, options: QueryOptions, tokenizer: Tokenizer
) -> Context:
    chunks, references = number_references(kept)
    if not (found.entities or found.relations or chunks):
        return Context(keywords=keywords)
    text = _text(found, chunks, references, options)
    return Context(found.entities, found.relations, chunks, references, text, tokenizer.count(text), keywords)


def number_references(chunks: Sequence[ContextChunk]) -> tuple[tuple[ContextChunk, ...], tuple[Reference, ...]]:
    """Chunks with the numbers of their documents, and the documents: most chunks first, then by first place."""
    counts = Counter(chunk.file_path for chunk in chunks if chunk.file_path)
    numbers = {path: str(place) for place, (path, _) in enumerate(counts.most_common(), start=1)}
    documents = {chunk.file_path: chunk.document_id for chunk in reversed(chunks)}
    references = tuple(
        Reference(number, path, documents[path], _places(chunks, path)) for path, number in numbers.items()
    )
    numbered = tuple(replace(chunk, reference_id=numbers.get(chunk.file_path, "")) for chunk in chunks)
    return numbered, references


def _places(chunks: Sequence[ContextChunk], file_path: str) -> tuple[Mapping[str, Any], ...]:
    """Where in a file the chunks stand, in the order of the file."""
    inside = sorted((chunk for chunk in chunks if chunk.file_path == file_path), key=lambda chunk: chunk.chunk_index)
    places: list[Mapping[str, Any]] = []
    for chunk in inside:
        if chunk.metadata and chunk.metadata not in places:
            places.append(chunk.metadata)
    return tuple(places)


def _text(found: Found, chunks: Sequence[ContextChunk], references: Sequence[Reference], options: QueryOptions) -> str:
    as_triples = options.mode == "weighted"
    return prompts.context(
        with_graph=options.mode != "naive",
        entity_lines=[_entity_line(entity) for entity in found.entities],
        relation_lines=[(_triple_line if as_triples else _relation_line)(relation) for relation in found.relations],
        as_triples=as_triples,
        chunk_lines=[_chunk_line(chunk) for chunk in chunks],
        reference_lines=[f"[{reference.reference_id}] {reference.label}" for reference in references],
    )


def _entity_line(entity: ContextEntity) -> str:
    return _json(entity=entity.name, type=entity.type, description=entity.description)


def _relation_line(relation: ContextRelation) -> str:
    return _json(entity1=relation.source, entity2=relation.target, description=relation.description)


def _triple_line(relation: ContextRelation) -> str:
    parts = (relation.source, ", ".join(relation.keywords), relation.target)
    return _json(triple=" - ".join(part for part in parts if part), description=relation.description)


def _chunk_line(chunk: ContextChunk) -> str:
    if section := chunk.metadata.get("section"):
        return _json(reference_id=chunk.reference_id, section=section, content=chunk.content)
    return _json(reference_id=chunk.reference_id, content=chunk.content)


def _json(**fields: str) -> str:
    return json.dumps(fields, ensure_ascii=False)


def _entity(row: Retrieved) -> ContextEntity:
    item = row.item
    return ContextEntity(
        row.id,
        item["name"],
        item["type"],
        item["description"],
        item["degree"],
        row.token_count,
        row.source,
        row.distance,
    )


def _relation(row: Retrieved) -> ContextRelation:
    item = row.item
    return ContextRelation(
        row.id,
        item["source"],
        item["target"],
        tuple(item["keywords"]),
        item["description"],
        float(item["weight"]),
        item["rank"],
        row.token_count,
        row.source,
        row.distance,
    )


def _chunk(row: Retrieved) -> ContextChunk:
    item = row.item
    return ContextChunk(
        row.id,
        item["content"],
        item["document_id"],
        item["file_path"],
        item["chunk_index"],
        row.token_count,
        row.source,
        row.distance,
        metadata=item.get("metadata", {}),
    )
