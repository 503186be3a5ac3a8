"""What a picture shows: the entities of the highest degree, in order, and the relations between them."""

from __future__ import annotations

import psycopg
import pytest
from support.graph_store import Row, add_entities, add_relations, add_workspace

COLUMNS = ["kind", "id", "name", "type", "description", "degree", "source_id", "target_id", "keywords", "weight"]


def picture(db: psycopg.Connection, max_nodes: int = 1000) -> list[Row]:
    found = db.execute("SELECT * FROM pgrag.graph_picture('w', %s)", (max_nodes,))
    assert [column.name for column in found.description or ()] == COLUMNS
    return found.fetchall()


@pytest.fixture
def graph(db: psycopg.Connection) -> dict[str, int]:
    """b in the middle of a, c and d; a and c related; e alone; another workspace beside."""
    workspace, other = add_workspace(db), add_workspace(db, "other")
    a, b, c, d, e = add_entities(db, workspace, "abcde", "letter")
    add_relations(db, other, [tuple(add_entities(db, other, "ab"))])
    ids = add_relations(db, workspace, [(c, a), (a, b), (b, c), (d, b)], ["x", "y"], 2.5)
    db.execute("UPDATE pgrag.entity SET description = 'about ' || name")
    db.execute("UPDATE pgrag.relation SET description = 'how'")
    return {"a": a, "b": b, "c": c, "d": d, "e": e} | dict(zip(("ca", "ab", "bc", "db"), ids, strict=True))


def node(graph: dict[str, int], name: str, degree: int) -> Row:
    return ("node", graph[name], name, "letter", f"about {name}", degree, None, None, None, None)


def edge(graph: dict[str, int], name: str) -> Row:
    return ("edge", graph[name], None, None, "how", None, graph[name[0]], graph[name[1]], ["x", "y"], 2.5)


def test_everything(db: psycopg.Connection, graph: dict[str, int]) -> None:
    nodes = [node(graph, "b", 3), node(graph, "a", 2), node(graph, "c", 2), node(graph, "d", 1), node(graph, "e", 0)]
    assert picture(db) == [*nodes, *(edge(graph, name) for name in ("ca", "ab", "bc", "db"))]


def test_the_foremost_entities_and_what_is_between_them(db: psycopg.Connection, graph: dict[str, int]) -> None:
    assert picture(db, 2) == [node(graph, "b", 3), node(graph, "a", 2), edge(graph, "ab")]
    assert picture(db, 1) == [node(graph, "b", 3)]


def test_an_empty_workspace(db: psycopg.Connection) -> None:
    add_workspace(db)
    assert picture(db) == []


@pytest.mark.parametrize(("arguments", "state"), [("'w', 0", "RG001"), ("'w', NULL", "RG001"), ("'nowhere'", "RG002")])
def test_wrong_arguments(db: psycopg.Connection, arguments: str, state: str) -> None:
    add_workspace(db)
    with pytest.raises(psycopg.Error) as raised:
        db.execute(f"SELECT * FROM pgrag.graph_picture({arguments})")
    assert raised.value.sqlstate == state
