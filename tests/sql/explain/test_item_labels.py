"""pgrag.item_labels: names of entities, ends of relations, places of chunks."""

from __future__ import annotations

import psycopg
import pytest
from support.small_graph import Chunk, Entity, Relation, SmallGraph

GRAPH = SmallGraph(
    chunks=[Chunk(21, 1, 3)],
    entities=[Entity(1, name="Marley"), Entity(2, name="Scrooge")],
    relations=[Relation(11, 1, 2)],
)


def labels(connection: psycopg.Connection, *items: tuple[str, int]) -> list[tuple[str, int, str]]:
    kinds, ids = [kind for kind, _ in items], [id_ for _, id_ in items]
    return connection.execute("SELECT * FROM pgrag.item_labels('small', %s, %s)", (kinds, ids)).fetchall()


def test_each_kind_in_the_order_given(db: psycopg.Connection) -> None:
    GRAPH.shifted(500).store(db, "elsewhere")
    GRAPH.store(db)
    assert labels(db, ("chunk", 21), ("relation", 11), ("entity", 2), ("entity", 1)) == [
        ("chunk", 21, "a.txt #3"),
        ("relation", 11, "Marley - Scrooge"),
        ("entity", 2, "Scrooge"),
        ("entity", 1, "Marley"),
    ]


def test_what_is_not_there_has_no_row(db: psycopg.Connection) -> None:
    GRAPH.shifted(500).store(db, "elsewhere")
    GRAPH.store(db)
    assert labels(db, ("entity", 501), ("chunk", 1), ("relation", 21), ("thing", 1)) == []
    assert labels(db) == []


def test_an_unknown_workspace(db: psycopg.Connection) -> None:
    with pytest.raises(psycopg.Error) as asked:
        labels(db, ("entity", 1))
    assert asked.value.sqlstate == "RG002"
