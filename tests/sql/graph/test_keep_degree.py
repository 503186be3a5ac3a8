"""entity.degree is the number of relations at the entity, whoever writes relations, with and without AGE."""

from __future__ import annotations

import threading
from collections.abc import Callable

import psycopg
from support.graph_store import add_entities, add_relations, add_workspace, assert_degrees_are_right, one


def degrees(db: psycopg.Connection) -> list[int]:
    return [row[0] for row in db.execute("SELECT degree FROM pgrag.entity ORDER BY id")]


def star(db: psycopg.Connection, points: int) -> tuple[int, list[int], list[int]]:
    """A middle and its points: workspace, entities (the middle first), relations."""
    workspace = add_workspace(db)
    ids = add_entities(db, workspace, [f"e{i}" for i in range(points + 1)])
    turned = [(ids[0], point) if i % 2 else (point, ids[0]) for i, point in enumerate(ids[1:])]
    return workspace, ids, add_relations(db, workspace, turned)


def test_insert_and_delete(db: psycopg.Connection) -> None:
    _, _, relations = star(db, 4)
    assert degrees(db) == [4, 1, 1, 1, 1]
    db.execute("DELETE FROM pgrag.relation WHERE id = ANY (%s)", (relations[:3],))
    assert degrees(db) == [1, 0, 0, 0, 1]


def test_an_update_of_the_ends(db: psycopg.Connection) -> None:
    _, ids, relations = star(db, 3)
    db.execute("UPDATE pgrag.relation SET source_id = %s, target_id = %s WHERE id = %s", (ids[2], ids[3], relations[0]))
    assert degrees(db) == [2, 0, 2, 2]
    db.execute("UPDATE pgrag.relation SET source_id = target_id, target_id = source_id, weight = 3")
    assert degrees(db) == [2, 0, 2, 2]


def test_an_update_of_anything_else_writes_no_entity(db: psycopg.Connection) -> None:
    star(db, 3)
    before = db.execute("SELECT id, ctid::text FROM pgrag.entity ORDER BY id").fetchall()
    db.execute("UPDATE pgrag.relation SET weight = 3, description = 'x', keywords = '{y}'")
    assert db.execute("SELECT id, ctid::text FROM pgrag.entity ORDER BY id").fetchall() == before


def test_the_cascade_of_a_deleted_entity(db: psycopg.Connection) -> None:
    _, ids, _ = star(db, 3)
    db.execute("DELETE FROM pgrag.entity WHERE id = %s", (ids[1],))
    assert degrees(db) == [2, 1, 1]
    db.execute("DELETE FROM pgrag.entity WHERE id = %s", (ids[0],))
    assert degrees(db) == [0, 0]
    db.execute("DELETE FROM pgrag.workspace")
    assert degrees(db) == []


def test_truncate(db: psycopg.Connection) -> None:
    star(db, 3)
    db.execute("TRUNCATE pgrag.relation CASCADE")
    assert degrees(db) == [0, 0, 0, 0]


def test_workspaces_do_not_mix(db: psycopg.Connection) -> None:
    star(db, 2)
    other = add_workspace(db, "other")
    a, b = add_entities(db, other, ["a", "b"])
    add_relations(db, other, [(a, b)])
    assert degrees(db) == [2, 1, 1, 1, 1]


def test_without_age(fresh_database: Callable[..., str]) -> None:
    with psycopg.connect(fresh_database(age=False)) as db:
        _, ids, relations = star(db, 4)
        db.execute("DELETE FROM pgrag.relation WHERE id = %s", (relations[0],))
        db.execute("DELETE FROM pgrag.entity WHERE id = %s", (ids[-1],))
        assert degrees(db) == [2, 0, 1, 1]


def test_two_writers_at_one_hub(db: psycopg.Connection, url: str) -> None:
    """The second waits for the first and counts on from what it left: nothing is lost, nobody deadlocks."""
    workspace = add_workspace(db)
    hub, *points = add_entities(db, workspace, ["zz hub", *(f"p{i:02}" for i in range(20))])
    db.commit()
    errors: list[BaseException] = []

    def write(own: list[int]) -> None:
        try:
            with psycopg.connect(url) as connection:
                for point in own:
                    add_relations(
                        connection, workspace, [(hub, point), (own[0], own[1])] if point == own[2] else [(point, hub)]
                    )
                    connection.commit()
        except BaseException as error:
            errors.append(error)

    writers = [threading.Thread(target=write, args=(own,)) for own in (points[:10], points[10:])]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert errors == []
    assert one(db, "SELECT degree FROM pgrag.entity WHERE id = %s", hub) == 20
    assert_degrees_are_right(db)


def test_writers_of_the_same_entities_in_opposite_order_wait_and_do_not_deadlock(
    db: psycopg.Connection, url: str
) -> None:
    """Rows are locked by name, as publishing locks them: a writer that holds an early name is waited for, not raced."""
    workspace = add_workspace(db)
    z, a, m = add_entities(db, workspace, ["z", "a", "m"])
    db.commit()
    db.execute("UPDATE pgrag.entity SET description = 'held' WHERE id = %s", (a,))
    errors: list[BaseException] = []

    def link() -> None:
        try:
            with psycopg.connect(url) as connection:
                add_relations(connection, workspace, [(z, a), (z, m)])
        except BaseException as error:
            errors.append(error)

    second = threading.Thread(target=link)
    second.start()
    second.join(0.5)
    assert second.is_alive(), "it waits for the lock on a"
    db.execute("SET LOCAL lock_timeout = '2s'")
    db.execute("UPDATE pgrag.entity SET description = 'held too' WHERE id = ANY (%s)", ([z, m],))
    db.commit()
    second.join(10)
    assert errors == []
    assert_degrees_are_right(db)
