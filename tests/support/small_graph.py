"""A graph small enough to write down: items with ids of our own choosing, put into a workspace by `store`.

Vectors are small whole numbers: half precision holds them exactly, so that the reference in `retrieval_reference` and
the database compute the very same distances. Degrees follow from the relations, as in the database.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

Vector = tuple[int, ...]
DIMENSIONS = 8


@dataclass(frozen=True)
class Document:
    """A document; `key` is the caller's id."""

    id: int
    key: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Chunk:
    """A passage of a document. Without a vector, it was not embedded yet."""

    id: int
    document_id: int
    index: int
    vector: Vector | None = None
    tokens: int = 10


@dataclass(frozen=True)
class Entity:
    """An entity and the chunks that speak of it. is_stated: in the order of `chunks`, as an import may state it."""

    id: int
    chunks: tuple[int, ...] = ()
    vector: Vector | None = None
    tokens: int = 10
    name: str = ""
    is_stated: bool = False

    @property
    def label(self) -> str:
        """The name, given or made up."""
        return self.name or f"Entity {self.id}"


@dataclass(frozen=True)
class Relation:
    """A relation and the chunks that speak of it. is_stated: as of an entity."""

    id: int
    source_id: int
    target_id: int
    weight: float = 1.0
    chunks: tuple[int, ...] = ()
    vector: Vector | None = None
    tokens: int = 10
    is_stated: bool = False


@dataclass(frozen=True)
class SmallGraph:
    """Everything of one workspace."""

    documents: Sequence[Document] = (Document(1, "a"),)
    chunks: Sequence[Chunk] = ()
    entities: Sequence[Entity] = ()
    relations: Sequence[Relation] = ()

    def degrees(self) -> Mapping[int, int]:
        """How many relations each entity is an end of."""
        return Counter(end for relation in self.relations for end in (relation.source_id, relation.target_id))

    def shifted(self, by: int) -> SmallGraph:
        """The same graph with other ids: an id is used once in a database, whatever the workspace."""
        return SmallGraph(
            [replace(d, id=d.id + by) for d in self.documents],
            [replace(c, id=c.id + by, document_id=c.document_id + by) for c in self.chunks],
            [replace(e, id=e.id + by, chunks=tuple(c + by for c in e.chunks), name=e.label) for e in self.entities],
            [
                replace(
                    r,
                    id=r.id + by,
                    source_id=r.source_id + by,
                    target_id=r.target_id + by,
                    chunks=tuple(c + by for c in r.chunks),
                )
                for r in self.relations
            ],
        )

    def store(self, connection: psycopg.Connection, workspace: str = "small") -> int:
        """Put it into a new workspace: its key. The caller commits."""
        created = "INSERT INTO pgrag.workspace (name) VALUES (%s) RETURNING id"
        row = connection.execute(created, (workspace,)).fetchone()
        assert row is not None
        workspace_id = int(row[0])
        cursor = connection.cursor()
        for table, columns, rows in self._rows():
            marks = ", ".join(["%s"] * (len(columns.split(",")) + 1))
            cursor.executemany(
                f"INSERT INTO pgrag.{table} (workspace_id, {columns}) OVERRIDING SYSTEM VALUE VALUES ({marks})",
                [(workspace_id, *values) for values in rows],
            )
        return workspace_id

    def _rows(self) -> list[tuple[str, str, list[tuple[Any, ...]]]]:
        items = {"chunk": self.chunks, "entity": self.entities, "relation": self.relations}
        vectors = [
            (
                f"{kind}_embedding",
                f"{kind}_id, embedding" + ("" if kind == "chunk" else ", text_hash"),
                [(x.id, str(list(x.vector)), *([] if kind == "chunk" else [""])) for x in found if x.vector],
            )
            for kind, found in items.items()
        ]
        return [
            (
                "document",
                "id, document_key, file_path, metadata",
                [(d.id, d.key, f"{d.key}.txt", Jsonb(dict(d.metadata))) for d in self.documents],
            ),
            (
                "chunk",
                "id, document_id, chunk_index, content, token_count",
                [(c.id, c.document_id, c.index, f"content {c.id}", c.tokens) for c in self.chunks],
            ),
            (
                "entity",
                "id, name, name_key, type, description, token_count",
                [(e.id, e.label, e.label.lower(), "thing", f"described {e.id}", e.tokens) for e in self.entities],
            ),
            (
                "relation",
                "id, source_id, target_id, weight, keywords, description, token_count",
                [
                    (r.id, r.source_id, r.target_id, r.weight, ["knows"], f"related {r.id}", r.tokens)
                    for r in self.relations
                ],
            ),
            (
                "entity_evidence",
                "entity_id, chunk_id, ordinal, name, name_key, stated_order",
                [(e.id, c, 0, e.label, e.label.lower(), place) for e in self.entities for c, place in _evidence(e)],
            ),
            (
                "relation_evidence",
                "relation_id, chunk_id, ordinal, source, target, source_key, target_key, stated_order",
                [
                    (r.id, c, 0, "x", "y", f"x{r.id}", f"y{r.id}", place)
                    for r in self.relations
                    for c, place in _evidence(r)
                ],
            ),
            *vectors,
        ]


def _evidence(item: Entity | Relation) -> list[tuple[int, int | None]]:
    """The chunks of an item, each with its place where that is stated."""
    return [(chunk_id, place if item.is_stated else None) for place, chunk_id in enumerate(item.chunks)]


def random_graph(rng: random.Random) -> SmallGraph:
    """A graph with ties on purpose: few distinct vectors, weights and token counts, and ids that are in no order."""
    documents = [
        Document(key_id, key, {"year": rng.choice([2020, 2021]), "tags": ["x"]})
        for key_id, key in zip(rng.sample(range(1, 50), 4), ["b", "a", "B", "é"], strict=True)
    ]
    chunk_ids = rng.sample(range(1, 900), rng.randint(1, 24))
    chunks = [
        Chunk(id_, documents[n % 4].id, n // 4, _vector(rng) if rng.random() < 0.9 else None, rng.randint(5, 40))
        for n, id_ in enumerate(chunk_ids)
    ]
    entities = [
        Entity(
            id_,
            _some(rng, chunk_ids),
            _vector(rng) if rng.random() < 0.9 else None,
            rng.choice([5, 10, 30]),
            is_stated=rng.random() < 0.5,
        )
        for id_ in rng.sample(range(1, 900), rng.randint(1, 22))
    ]
    names = [entity.id for entity in entities]
    pairs = {tuple(sorted(rng.sample(names, 2))) for _ in range(rng.randint(0, 40)) if len(names) > 1}
    relations = [
        Relation(
            id_,
            *rng.sample(pair, 2),
            weight=float(rng.randint(1, 3)),
            chunks=_some(rng, chunk_ids),
            vector=_vector(rng) if rng.random() < 0.9 else None,
            tokens=rng.choice([5, 10, 30]),
            is_stated=rng.random() < 0.5,
        )
        for id_, pair in zip(rng.sample(range(1, 900), len(pairs)), sorted(pairs), strict=True)
    ]
    return SmallGraph(documents, chunks, entities, relations)


def random_question(rng: random.Random) -> Vector:
    """An embedding to ask with; some are the same as an item's."""
    return _vector(rng)


def _vector(rng: random.Random) -> Vector:
    while not any(vector := tuple(rng.choice([-1, 0, 0, 1, 2]) for _ in range(DIMENSIONS))):
        pass
    return vector


def _some(rng: random.Random, chunk_ids: Sequence[int]) -> tuple[int, ...]:
    return tuple(rng.sample(list(chunk_ids), min(len(chunk_ids), rng.choice([0, 1, 1, 2, 3, 7]))))
