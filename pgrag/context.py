"""From the rows of `retrieve` to the context that a model reads: pure.

Lines are JSON as `pgrag.entity_line` and `pgrag.relation_line` of the database write them, for it is their tokens
that the budgets of entities and relations were cut by. Documents get their reference numbers by how many of the
chunks are theirs.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pgrag import prompts
from pgrag.options import QueryOptions
from pgrag.rows import Context, ContextChunk, ContextEntity, ContextRelation, Keywords, Reference, Retrieved
from pgrag.tokens import Tokenizer

# Kept free of chunks: room for the list of references, and for what the chat format adds to the messages.
BUFFER_TOKENS = 200
Item = TypeVar("Item")


@dataclass(frozen=True)
class Found:
    """What one call of `retrieve` returned, by kind, in final order. False when it is nothing."""

    entities: tuple[ContextEntity, ...] = ()
    relations: tuple[ContextRelation, ...] = ()
    chunks: tuple[ContextChunk, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entities or self.relations or self.chunks)


def sort_out(rows: Iterable[Retrieved]) -> Found:
    """The rows of `retrieve` as values, each kind in its order."""
    ordered = sorted(rows, key=lambda row: row.ordinal)
    return Found(
        tuple(_entity(row) for row in ordered if row.kind == "entity"),
        tuple(_relation(row) for row in ordered if row.kind == "relation"),
        tuple(_chunk(row) for row in ordered if row.kind == "chunk"),
    )


def build(question: str, found: Found, keywords: Keywords, options: QueryOptions, tokenizer: Tokenizer) -> Context:
    """The context that fits into `max_total_tokens` beside the rest of the prompt and the question.

    As many of the chunks, from the first, as the graph leaves room for. A graph that does not fit by itself is cut too:
    relations go before entities. The context is empty when there is no room for anything.
    """
    asked = tokenizer.count(question)

    def prompt_tokens(context: str) -> int:
        return tokenizer.count(prompts.answer_system(context, options)) + asked

    graph = _graph_within(replace(found, chunks=()), options, prompt_tokens)
    room = options.max_total_tokens - prompt_tokens(_text(graph, (), (), options)) - BUFFER_TOKENS
    kept = replace(graph, chunks=_fitting(found.chunks[: options.chunk_top_k], room, tokenizer))
    while kept:
        context = _assemble(kept, keywords, options, tokenizer)
        if prompt_tokens(context.text) <= options.max_total_tokens:
            return context
        kept = _shortened(kept)
    return Context(keywords=keywords)


def _graph_within(graph: Found, options: QueryOptions, prompt_tokens: Callable[[str], int]) -> Found:
    """The graph, or, when that is too much, entities and then relations, each from the first, by their token counts."""
    if prompt_tokens(_text(graph, (), (), options)) <= options.max_total_tokens:
        return graph
    room = options.max_total_tokens - prompt_tokens(_text(Found(), (), (), options))
    entities = _longest_run(graph.entities, [entity.token_count for entity in graph.entities], room)
    room -= sum(entity.token_count for entity in entities)
    relations = _longest_run(graph.relations, [relation.token_count for relation in graph.relations], room)
    return Found(entities, relations)


def _fitting(chunks: Sequence[ContextChunk], room: int, tokenizer: Tokenizer) -> tuple[ContextChunk, ...]:
    """The longest run of chunks, from the first, whose lines fit; the list of references is not counted."""
    lines = (_chunk_line(replace(chunk, reference_id="00")) + "\n" for chunk in chunks)
    return _longest_run(chunks, map(tokenizer.count, lines), room)


def _longest_run(items: Sequence[Item], counts: Iterable[int], room: int) -> tuple[Item, ...]:
    """As many of the items, from the first, as there is room for the sum of their counts."""
    sums = itertools.accumulate(counts)
    return tuple(item for item, _ in itertools.takewhile(lambda pair: pair[1] <= room, zip(items, sums, strict=False)))


def _shortened(found: Found) -> Found:
    """Without the last chunk; without any, without the last relation, then entity."""
    if found.chunks:
        return replace(found, chunks=found.chunks[:-1])
    if found.relations:
        return replace(found, relations=found.relations[:-1])
    return replace(found, entities=found.entities[:-1])


def _assemble(found: Found, keywords: Keywords, options: QueryOptions, tokenizer: Tokenizer) -> Context:
    chunks, references = number_references(found.chunks)
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
    return prompts.context(
        with_graph=options.mode != "naive",
        entity_lines=[_entity_line(entity) for entity in found.entities],
        relation_lines=[_relation_line(relation) for relation in found.relations],
        chunk_lines=[_chunk_line(chunk) for chunk in chunks],
        reference_lines=[f"[{reference.reference_id}] {reference.label}" for reference in references],
    )


def _entity_line(entity: ContextEntity) -> str:
    return _json(entity=entity.name, type=entity.type, description=entity.description)


def _relation_line(relation: ContextRelation) -> str:
    return _json(entity1=relation.source, entity2=relation.target, description=relation.description)


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
