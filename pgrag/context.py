"""From the rows of `retrieve` to the context that a model reads: pure.

Lines are JSON as `pgrag.entity_line` and `pgrag.relation_line` of the database write them, for it is their tokens
that the budgets of entities and relations were cut by. Documents get their reference numbers by how many of the
chunks are theirs.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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


Ranked = Sequence[ContextChunk | ContextRelation]
"""What one call of `retrieve_weighted` returned: one list, best first."""


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
    kept = replace(found, chunks=found.chunks[: options.chunk_top_k])
    room = Room(options, tokenizer, tokenizer.count(question))
    if room.after(_show(kept, options)) < BUFFER_TOKENS:
        kept = _cut(kept, room)
    return _told(kept, keywords, options, tokenizer)


def build_ranked(
    question: str, ranked: Ranked, keywords: Keywords, options: QueryOptions, tokenizer: Tokenizer
) -> Context:
    """The context of one list, best first: as much of it as `max_total_tokens` has room for."""
    room = Room(options, tokenizer, tokenizer.count(question))
    kept = of_one_list(ranked)
    while kept and (left := room.after(_show(kept, options)) - BUFFER_TOKENS) < 0:
        while ranked and left < 0:
            left += tokenizer.count(_ranked_line(ranked[-1]))
            ranked = ranked[:-1]
        kept = of_one_list(ranked)
    return _told(kept, keywords, options, tokenizer)


def of_one_list(ranked: Ranked) -> Found:
    """One list by kinds, each in its order."""
    return Found(
        relations=tuple(item for item in ranked if isinstance(item, ContextRelation)),
        chunks=tuple(item for item in ranked if isinstance(item, ContextChunk)),
    )


def _ranked_line(item: ContextChunk | ContextRelation) -> str:
    return _chunk_line(item) if isinstance(item, ContextChunk) else _triple_line(item)


def _told(kept: Found, keywords: Keywords, options: QueryOptions, tokenizer: Tokenizer) -> Context:
    if not kept:
        return Context(keywords=keywords)
    chunks, references = number_references(kept.chunks)
    text = _text(kept, chunks, references, options)
    return Context(kept.entities, kept.relations, chunks, references, text, tokenizer.count(text), keywords)


@dataclass(frozen=True)
class Room:
    """What `max_total_tokens` has room for, beside the rest of the prompt and a question of so many tokens."""

    options: QueryOptions
    tokenizer: Tokenizer
    question_tokens: int

    def after(self, context: str) -> int:
        """How many tokens are left when the prompt shows this context; below 0: it is too much."""
        prompt = self.tokenizer.count(prompts.answer_system(context, self.options))
        return self.options.max_total_tokens - prompt - self.question_tokens


def _cut(found: Found, room: Room) -> Found:
    """The graph and the chunks that it leaves room for; of a graph that is too long, what fits, and no chunk."""
    graph = replace(found, chunks=())
    left = room.after(_show(graph, room.options))
    if left < 0:
        kept = _leading(graph, room)
    else:
        kept = replace(graph, chunks=_fitting(found.chunks, left - BUFFER_TOKENS, room.tokenizer))
    while kept and room.after(_show(kept, room.options)) < 0:
        kept = _shortened(kept)
    return kept


def _leading(graph: Found, room: Room) -> Found:
    """Entities, then relations, from the first, by their token counts: no relation is shown where an entity is not."""
    items: tuple[ContextEntity | ContextRelation, ...] = (*graph.entities, *graph.relations)
    left = room.after(_show(Found(), room.options))
    count = len(_longest_run(items, [item.token_count for item in items], left))
    return Found(graph.entities[:count], graph.relations[: max(0, count - len(graph.entities))])


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


def _show(found: Found, options: QueryOptions) -> str:
    """The context as the model reads it."""
    return _text(found, *number_references(found.chunks), options)


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
