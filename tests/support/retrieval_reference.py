"""LightRAG 1.5.7's retrieval in plain Python, step by step as it goes about it, over a SmallGraph.

Written from the specification, with loops and lists where the database has joins and windows: an independent second
opinion. Where LightRAG leaves an order to chance, ours is stated: distance, then id; for evidence whose order no import
states document_key, chunk_index.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from support.small_graph import Chunk, Entity, Relation, SmallGraph, Vector


@dataclass(frozen=True)
class Question:
    """The arguments of pgrag.retrieve."""

    mode: str
    query: Vector | None = None
    low: Vector | None = None
    high: Vector | None = None
    top_k: int = 40
    chunk_top_k: int = 20
    max_entity_tokens: int = 6000
    max_relation_tokens: int = 8000
    max_distance: float = 0.8
    related_chunk_number: int = 5
    chunk_pick_method: str = "vector"
    max_chunks: int | None = None
    filter: Mapping[str, Any] | None = None


@dataclass
class Found:
    """What retrieve returns: ids in order, with the source of each."""

    entities: list[tuple[int, str]] = field(default_factory=list)
    relations: list[tuple[int, str]] = field(default_factory=list)
    chunks: list[tuple[int, str]] = field(default_factory=list)


def cosine_distance(a: Vector, b: Vector) -> float:
    """As pgvector computes it: whole numbers are exact up to the last division."""
    dot = float(sum(x * y for x, y in zip(a, b, strict=True)))
    norms = float(sum(x * x for x in a)) * float(sum(y * y for y in b))
    return 1.0 - max(-1.0, min(1.0, dot / math.sqrt(norms)))


class Reference:
    """Asks one graph questions."""

    def __init__(self, graph: SmallGraph) -> None:
        self.graph = graph
        self.chunks = {chunk.id: chunk for chunk in graph.chunks}
        self.entities = {entity.id: entity for entity in graph.entities}
        self.relations = {relation.id: relation for relation in graph.relations}
        self.documents = {document.id: document for document in graph.documents}
        self.degree = graph.degrees()

    def retrieve(self, question: Question) -> Found:
        """The whole pipeline."""
        low, high = self._levels(question)
        local_entities = self._search(self.entities.values(), low, question.top_k, question)
        local_relations = self._relations_at(local_entities, question)
        global_relations = self._search(self.relations.values(), high, question.top_k, question)
        global_entities = self._ends_of(global_relations, question)
        vector = question.query if question.mode in ("mix", "naive") else None
        vector_chunks = self._search(self.chunks.values(), vector, question.chunk_top_k, question)
        entities = alternate({"local": local_entities, "global": global_entities})
        relations = alternate({"local": local_relations, "global": global_relations})
        entities = cut(entities, self.entities, question.max_entity_tokens)
        relations = cut(relations, self.relations, question.max_relation_tokens)
        entity_chunks = self._entity_chunks([self.entities[id_] for id_, _ in entities], question)
        relation_chunks = self._relation_chunks([self.relations[id_] for id_, _ in relations], entity_chunks, question)
        chunks = alternate({"vector": vector_chunks, "entity": entity_chunks, "relation": relation_chunks})
        most = question.chunk_top_k if question.max_chunks is None else question.max_chunks or len(chunks)
        return Found(entities, relations, chunks[:most])

    def _levels(self, question: Question) -> tuple[Vector | None, Vector | None]:
        low, high, query = question.low, question.high, question.query
        if question.mode == "local":
            return low or query, None
        if question.mode == "global":
            return None, high or query
        if question.mode == "naive":
            return None, None
        return (query, query) if low is None and high is None else (low, high)

    def _search(
        self, items: Iterable[Entity | Relation | Chunk], vector: Vector | None, k: int, question: Question
    ) -> list[int]:
        if vector is None:
            return []
        hits = [
            (cosine_distance(vector, item.vector), item.id)
            for item in items
            if item.vector is not None and self._is_admitted(item, question)
        ]
        return [id_ for distance, id_ in sorted(hits)[:k] if distance < question.max_distance]

    def _is_admitted(self, item: Entity | Relation | Chunk, question: Question) -> bool:
        if question.filter is None:
            return True
        chunk_ids = [item.id] if isinstance(item, Chunk) else item.chunks
        return any(self._chunk_is_admitted(chunk_id, question) for chunk_id in chunk_ids)

    def _chunk_is_admitted(self, chunk_id: int, question: Question) -> bool:
        metadata = self.documents[self.chunks[chunk_id].document_id].metadata
        return question.filter is None or all(metadata.get(key) == value for key, value in question.filter.items())

    def _relations_at(self, entity_ids: Sequence[int], question: Question) -> list[int]:
        seen: dict[int, int] = {}
        for place, entity_id in enumerate(entity_ids):
            for relation in self.graph.relations:
                if entity_id in (relation.source_id, relation.target_id):
                    seen.setdefault(relation.id, place)
        admitted = [id_ for id_ in seen if self._is_admitted(self.relations[id_], question)]
        return sorted(admitted, key=lambda id_: (-self.rank(id_), -self.relations[id_].weight, seen[id_], id_))

    def rank(self, relation_id: int) -> int:
        """The degrees of both ends together."""
        relation = self.relations[relation_id]
        return self.degree[relation.source_id] + self.degree[relation.target_id]

    def _ends_of(self, relation_ids: Sequence[int], question: Question) -> list[int]:
        seen: list[int] = []
        for relation in (self.relations[id_] for id_ in relation_ids):
            for end in sorted((relation.source_id, relation.target_id), key=lambda end: self.entities[end].label):
                if end not in seen:
                    seen.append(end)
        return [id_ for id_ in seen if self._is_admitted(self.entities[id_], question)]

    def _evidence(self, item: Entity | Relation, question: Question) -> list[int]:
        admitted = [id_ for id_ in item.chunks if self._chunk_is_admitted(id_, question)]
        return admitted if item.is_stated else sorted(admitted, key=self._evidence_order)

    def _evidence_order(self, chunk_id: int) -> tuple[bytes, int]:
        chunk = self.chunks[chunk_id]
        return self.documents[chunk.document_id].key.encode(), chunk.index

    def _entity_chunks(self, entities: Sequence[Entity], question: Question) -> list[int]:
        items = [chunks for entity in entities if (chunks := self._evidence(entity, question))]
        return self._pick(own(items), question)

    def _relation_chunks(
        self, relations: Sequence[Relation], entity_chunks: Sequence[int], question: Question
    ) -> list[int]:
        items = [[id_ for id_ in self._evidence(r, question) if id_ not in entity_chunks] for r in relations]
        return self._pick([chunks for chunks in own(items) if chunks], question)

    def _pick(self, items: list[list[int]], question: Question) -> list[int]:
        if question.chunk_pick_method == "vector" and question.query is not None:
            most = int(question.related_chunk_number * len(items) / 2)
            vectors = {id_: self.chunks[id_].vector for chunks in items for id_ in chunks}
            by_distance = sorted((cosine_distance(question.query, v), id_) for id_, v in vectors.items() if v)
            if picked := [id_ for _, id_ in by_distance[:most]]:
                return picked
        return poll(items, question.related_chunk_number)


def own(items: list[list[int]]) -> list[list[int]]:
    """Each chunk in the list of the first item that has it, chunks of more items first."""
    occurrence: dict[int, int] = defaultdict(int)
    kept: list[list[int]] = []
    for chunks in items:
        mine = []
        for chunk_id in chunks:
            occurrence[chunk_id] += 1
            if occurrence[chunk_id] == 1:
                mine.append(chunk_id)
        kept.append(mine)
    return [sorted(mine, key=lambda chunk_id: -occurrence[chunk_id]) for mine in kept]


def poll(items: list[list[int]], most: int, least: int = 1) -> list[int]:
    """Linear gradient polling: quotas falling from `most` to `least`, what is left over to the earliest with chunks."""
    if not items or most <= 0:
        return []
    if len(items) == 1:
        return items[0][:most]
    quotas = [round(most - i / (len(items) - 1) * (most - least)) for i in range(len(items))]
    picked, used, left = [], [], 0
    for chunks, quota in zip(items, quotas, strict=True):
        picked += chunks[:quota]
        used.append(min(quota, len(chunks)))
        left += quota - used[-1]
    for _ in range(left):
        for i, chunks in enumerate(items):
            if used[i] < len(chunks):
                picked.append(chunks[used[i]])
                used[i] += 1
                break
    return picked


def alternate(lists: Mapping[str, Sequence[int]]) -> list[tuple[int, str]]:
    """Round robin over the lists, the first seen kept, with the name of its list."""
    seen: dict[int, str] = {}
    for i in range(max(map(len, lists.values()), default=0)):
        for name, ids in lists.items():
            if i < len(ids):
                seen.setdefault(ids[i], name)
    return list(seen.items())


def cut(
    ranked: Sequence[tuple[int, str]], items: Mapping[int, Entity] | Mapping[int, Relation], max_tokens: int
) -> list[tuple[int, str]]:
    """The longest prefix whose tokens fit."""
    kept, tokens = [], 0
    for id_, name in ranked:
        tokens += items[id_].tokens
        if tokens > max_tokens:
            break
        kept.append((id_, name))
    return kept
