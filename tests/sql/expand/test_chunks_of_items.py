"""chunks_of_entities and chunks_of_relations: who owns a chunk, how often it occurs, who counts as an item."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.types.json import Jsonb
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph

SAID = {1: (51, 52), 2: (52, 53), 3: (52,), 4: (), 5: (54, 51), 6: (55,)}
GRAPH = SmallGraph(
    documents=[Document(1, "a", {"year": 2000}), Document(2, "b", {"year": 2020})],
    chunks=[*(Chunk(50 + n, 1, n) for n in range(1, 5)), Chunk(55, 2, 0)],
    entities=[Entity(id_, chunks) for id_, chunks in SAID.items()],
    relations=[Relation(id_ + 20, id_, id_ % 6 + 1, chunks=chunks) for id_, chunks in SAID.items()],
)
Row = tuple[int, int, int, int]


@pytest.fixture
def small(db: psycopg.Connection) -> psycopg.Connection:
    GRAPH.store(db)
    return db


def of_entities(connection: psycopg.Connection, entity_ids: list[int] | None, filter: object = None) -> list[Row]:
    """Rows (item, item_count, chunk_id, occurrence)."""
    return connection.execute(
        "SELECT x.item, x.item_count, x.chunk_id, x.occurrence FROM pgrag.workspace w,"
        " pgrag.chunks_of_entities(w.id, %s, %s) x WHERE w.name = 'small' ORDER BY 1, 3",
        (entity_ids, None if filter is None else Jsonb(filter)),
    ).fetchall()


def of_relations(
    connection: psycopg.Connection,
    entity_ids: list[int] | None,
    excluded: list[int] | None = None,
    filter: object = None,
) -> list[Row]:
    """Likewise, of the relations that are said in the same chunks."""
    return connection.execute(
        "SELECT x.item, x.item_count, x.chunk_id, x.occurrence FROM pgrag.workspace w,"
        " pgrag.chunks_of_relations(w.id, %s, %s, %s) x WHERE w.name = 'small' ORDER BY 1, 3",
        (
            None if entity_ids is None else [id_ + 20 for id_ in entity_ids],
            excluded,
            None if filter is None else Jsonb(filter),
        ),
    ).fetchall()


def test_the_earliest_owns_a_chunk_and_counts_are_of_all(small: psycopg.Connection) -> None:
    assert of_entities(small, [1, 2, 3]) == [(1, 3, 51, 1), (1, 3, 52, 3), (2, 3, 53, 1)]
    assert of_entities(small, [3, 2, 1]) == [(1, 3, 52, 3), (2, 3, 53, 1), (3, 3, 51, 1)]


def test_an_entity_whose_chunks_are_owned_counts_one_without_evidence_does_not(small: psycopg.Connection) -> None:
    assert of_entities(small, [4, 1, 3, 2]) == [(1, 3, 51, 1), (1, 3, 52, 3), (3, 3, 53, 1)]
    assert of_entities(small, [4]) == []


def test_a_relation_left_without_chunks_is_no_item(small: psycopg.Connection) -> None:
    assert of_relations(small, [4, 1, 3, 2]) == [(1, 2, 51, 1), (1, 2, 52, 3), (2, 2, 53, 1)]
    assert of_relations(small, [1, 3]) == [(1, 1, 51, 1), (1, 1, 52, 2)]


def test_excluded_chunks_are_neither_listed_nor_counted(small: psycopg.Connection) -> None:
    assert of_relations(small, [1, 2, 3], [52]) == [(1, 2, 51, 1), (2, 2, 53, 1)]
    assert of_relations(small, [1, 5, 2], [51, 52]) == [(1, 2, 54, 1), (2, 2, 53, 1)]
    assert of_relations(small, [3], [52]) == []


def test_a_filter_leaves_chunks_of_matching_documents(small: psycopg.Connection) -> None:
    assert of_entities(small, [6, 1, 3], {"year": 2000}) == [(1, 2, 51, 1), (1, 2, 52, 2)]
    assert of_entities(small, [6, 1], {"year": 2020}) == [(1, 1, 55, 1)]
    assert of_relations(small, [6, 1, 3], None, {"year": 2000}) == [(1, 1, 51, 1), (1, 1, 52, 2)]


def test_a_stated_order_places_the_chunks_of_an_item(db: psycopg.Connection) -> None:
    """A chunk has its place in the evidence of the item that owns it; equal ones where nobody stated an order."""
    chunks = {1: (3, 1, 2), 2: (2, 5, 4), 3: (4, 6)}
    graph = SmallGraph(
        chunks=[Chunk(n, 1, n) for n in range(1, 7)],
        entities=[Entity(id_, said, is_stated=id_ != 3) for id_, said in chunks.items()],
        relations=[Relation(id_ + 20, id_, id_ % 3 + 1, chunks=chunks[id_], is_stated=id_ != 3) for id_ in chunks],
    )
    workspace_id = graph.store(db)
    for call, ids in (("chunks_of_entities", [3, 1, 2]), ("chunks_of_relations", [23, 21, 22])):
        ranked = f"SELECT chunk_id, rank() OVER (ORDER BY place) FROM pgrag.{call}(%s, %s) ORDER BY 2, 1"
        rows = db.execute(ranked, (workspace_id, ids)).fetchall()
        assert rows == [(4, 1), (6, 1), (3, 3), (1, 4), (2, 5), (5, 6)], call


def test_nothing_of_nothing(small: psycopg.Connection) -> None:
    assert of_entities(small, []) == of_entities(small, None) == of_entities(small, [999]) == []
    assert of_relations(small, []) == of_relations(small, None) == of_relations(small, [999]) == []
