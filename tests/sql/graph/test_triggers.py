"""The graph follows the tables in the same transaction, whatever writes them; so do degrees."""

from __future__ import annotations

import random

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.graph_store import (
    Row,
    add_entities,
    add_relations,
    add_workspace,
    assert_graph_is_the_tables,
    edges,
    one,
    vertices,
)


def small_graph(db: psycopg.Connection) -> tuple[int, list[int], list[int]]:
    """a - b, b - c, a - c, and d alone: workspace, entities, relations."""
    workspace = add_workspace(db)
    ids = add_entities(db, workspace, ["a", "b", "c", "d"])
    a, b, c, _ = ids
    return workspace, ids, add_relations(db, workspace, [(a, b), (c, b), (a, c)])


def test_an_insert(db: psycopg.Connection) -> None:
    workspace, (a, b, c, d), (ab, cb, ac) = small_graph(db)
    assert vertices(db) == {
        entity: {"id": entity, "workspace": workspace, "name": name, "type": "thing"}
        for entity, name in zip((a, b, c, d), "abcd", strict=True)
    }
    known = {"workspace": workspace, "keywords": ["knows"], "weight": 1.0}
    assert edges(db) == {
        ab: (a, b, {"id": ab, **known}),
        cb: (c, b, {"id": cb, **known}),
        ac: (a, c, {"id": ac, **known}),
    }
    assert_graph_is_the_tables(db)


def test_an_update_of_what_the_graph_holds(db: psycopg.Connection) -> None:
    _, (a, b, _, d), (ab, *_) = small_graph(db)
    db.execute("UPDATE pgrag.entity SET name = 'Ä', name_key = 'ä', type = 'place' WHERE id = %s", (a,))
    db.execute('UPDATE pgrag.relation SET keywords = \'{likes,"so \\"so\\""}\', weight = 2.5 WHERE id = %s', (ab,))
    assert vertices(db)[a]["name"] == "Ä"
    assert vertices(db)[a]["type"] == "place"
    assert edges(db)[ab][2]["keywords"] == ["likes", 'so "so"']
    assert edges(db)[ab][2]["weight"] == 2.5
    db.execute("UPDATE pgrag.relation SET source_id = %s WHERE id = %s", (d, ab))
    assert edges(db)[ab][:2] == (d, b)
    assert_graph_is_the_tables(db)


def row_versions(db: psycopg.Connection) -> list[Row]:
    return db.execute(
        'SELECT id::text, ctid::text FROM pgrag_graph."Entity" UNION ALL'
        ' SELECT id::text, ctid::text FROM pgrag_graph."RELATES" ORDER BY 1'
    ).fetchall()


def test_an_update_of_anything_else_leaves_the_graph_alone(db: psycopg.Connection) -> None:
    small_graph(db)
    before = row_versions(db)
    db.execute("UPDATE pgrag.entity SET description = 'x', token_count = 7, stale = false, name = name")
    db.execute("UPDATE pgrag.relation SET description = 'x', token_count = 7, weight = weight, keywords = keywords")
    assert row_versions(db) == before
    assert_graph_is_the_tables(db)


def test_an_update_of_many_rows_touches_the_changed_ones_alone(db: psycopg.Connection) -> None:
    _, (a, *_), _ = small_graph(db)
    before = set(row_versions(db))
    db.execute("UPDATE pgrag.entity SET type = CASE WHEN id = %s THEN 'place' ELSE type END", (a,))
    assert len(before - set(row_versions(db))) == 1
    assert_graph_is_the_tables(db)


def test_a_delete_takes_the_relations_along(db: psycopg.Connection) -> None:
    _, (a, b, c, d), (_, cb, _) = small_graph(db)
    db.execute("DELETE FROM pgrag.entity WHERE id = %s", (a,))
    assert set(vertices(db)) == {b, c, d}
    assert set(edges(db)) == {cb}
    assert_graph_is_the_tables(db)
    db.execute("DELETE FROM pgrag.relation")
    assert edges(db) == {}
    assert_graph_is_the_tables(db)


def test_deleting_a_workspace_leaves_the_others(db: psycopg.Connection) -> None:
    workspace, *_ = small_graph(db)
    other = add_workspace(db, "other")
    kept = add_entities(db, other, ["a", "b"])
    add_relations(db, other, [(kept[0], kept[1])])
    db.execute("DELETE FROM pgrag.workspace WHERE id = %s", (workspace,))
    assert set(vertices(db)) == set(kept)
    assert_graph_is_the_tables(db)


def test_truncate(db: psycopg.Connection) -> None:
    _, ids, _ = small_graph(db)
    db.execute("TRUNCATE pgrag.relation CASCADE")
    assert set(vertices(db)) == set(ids)
    assert edges(db) == {}
    assert_graph_is_the_tables(db)
    add_relations(db, one(db, "SELECT min(workspace_id) FROM pgrag.entity"), [(ids[0], ids[1])])
    db.execute("TRUNCATE pgrag.entity RESTART IDENTITY CASCADE")
    assert vertices(db) == {}
    assert edges(db) == {}
    small_graph_again = add_entities(db, one(db, "SELECT min(id) FROM pgrag.workspace"), ["again"])
    assert set(vertices(db)) == set(small_graph_again)
    assert_graph_is_the_tables(db)


def test_copy(db: psycopg.Connection) -> None:
    workspace = add_workspace(db)
    with db.cursor().copy("COPY pgrag.entity (workspace_id, name, name_key, type) FROM STDIN") as copy:
        for i in range(500):
            copy.write_row((workspace, f"E{i}", f"e{i}", "thing"))
    ids = [row[0] for row in db.execute("SELECT id FROM pgrag.entity ORDER BY id")]
    with db.cursor().copy("COPY pgrag.relation (workspace_id, source_id, target_id, keywords) FROM STDIN") as copy:
        for i in range(1, 500):
            copy.write_row((workspace, ids[i // 7], ids[i], ["a", "b"]))
    assert len(vertices(db)) == 500
    assert len(edges(db)) == 499
    assert_graph_is_the_tables(db)


def test_upserts_fire_for_what_they_did(db: psycopg.Connection) -> None:
    workspace, (a, *_), (ab, *_) = small_graph(db)
    db.execute(
        "INSERT INTO pgrag.entity (workspace_id, name, name_key, type)"
        " VALUES (%(w)s, 'A', 'a', 'new'), (%(w)s, 'E', 'e', 'new')"
        " ON CONFLICT (workspace_id, name_key) DO UPDATE SET name = excluded.name, type = excluded.type",
        {"w": workspace},
    )
    assert vertices(db)[a]["name"] == "A"
    assert {v["name"] for v in vertices(db).values()} == {"A", "b", "c", "d", "E"}
    db.execute(
        "MERGE INTO pgrag.relation r USING (VALUES (1)) v ON true"
        " WHEN MATCHED AND r.id = %s THEN UPDATE SET weight = 9 WHEN MATCHED THEN DELETE",
        (ab,),
    )
    assert {relation: edge[2]["weight"] for relation, edge in edges(db).items()} == {ab: 9.0}
    assert_graph_is_the_tables(db)


def test_a_rollback_leaves_the_graph_as_it_was(db: psycopg.Connection) -> None:
    workspace, (_, b, *_), (ab, *_) = small_graph(db)
    before = vertices(db), edges(db)
    with db.transaction() as transaction:
        db.execute("UPDATE pgrag.relation SET weight = 5 WHERE id = %s", (ab,))
        db.execute("DELETE FROM pgrag.entity WHERE id = %s", (b,))
        add_entities(db, workspace, ["never"])
        db.execute("TRUNCATE pgrag.relation CASCADE")
        assert (vertices(db), edges(db)) != before
        raise psycopg.Rollback(transaction)
    assert (vertices(db), edges(db)) == before
    assert_graph_is_the_tables(db)


def test_others_see_the_graph_change_with_the_tables(db: psycopg.Connection, url: str) -> None:
    _, (a, *_), _ = small_graph(db)
    with psycopg.connect(url, autocommit=True) as reader:
        assert reader.execute("SELECT * FROM pgrag.neighbors_by_cypher(1, %s)", ([a],)).fetchall() == []
        db.commit()
        assert len(reader.execute("SELECT * FROM pgrag.neighbors_by_cypher(1, %s)", ([a],)).fetchall()) == 2
        assert_graph_is_the_tables(reader)


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=NAMES, kind=NAMES, keywords=st.lists(NAMES, max_size=4), weight=st.floats(0, 1e12))
def test_any_text_and_weight(db: psycopg.Connection, name: str, kind: str, keywords: list[str], weight: float) -> None:
    workspace = add_workspace(db)
    db.execute(
        "INSERT INTO pgrag.entity (workspace_id, name, name_key, type)"
        " VALUES (%(w)s, %(n)s, 'x', %(t)s), (%(w)s, 'y', 'y', %(t)s)",
        {"w": workspace, "n": name, "t": kind},
    )
    a, b = (row[0] for row in db.execute("SELECT id FROM pgrag.entity ORDER BY id"))
    add_relations(db, workspace, [(a, b)], keywords, weight)
    assert_graph_is_the_tables(db)
    db.rollback()


@pytest.mark.parametrize("seed", range(6))
def test_a_random_history(db: psycopg.Connection, seed: int) -> None:
    rng = random.Random(seed)
    workspaces = [add_workspace(db, name) for name in ("w", "v")]
    most = 0
    for step in range(40):
        workspace = rng.choice(workspaces)
        ids = [
            row[0]
            for row in db.execute("SELECT id FROM pgrag.entity WHERE workspace_id = %s ORDER BY id", (workspace,))
        ]
        some = rng.sample(ids, min(len(ids), rng.randint(1, 4)))
        match rng.choice(
            ["entities", "entities", "relations", "relations", "rename", "weigh", "turn", "drop", "unlink"]
        ):
            case "entities":
                add_entities(db, workspace, [f"{step}.{i}" for i in range(rng.randint(0, 6))])
            case "relations":
                pairs = {tuple(sorted(rng.sample(ids, 2))) for _ in range(rng.randint(0, 8)) if len(ids) > 1}
                known = {tuple(sorted(pair)) for pair in db.execute("SELECT source_id, target_id FROM pgrag.relation")}
                add_relations(
                    db, workspace, [(b, a) if rng.random() < 0.5 else (a, b) for a, b in sorted(pairs - known)]
                )
            case "rename":
                db.execute("UPDATE pgrag.entity SET name = name || '!', stale = true WHERE id = ANY (%s)", (some,))
            case "weigh":
                db.execute("UPDATE pgrag.relation SET weight = weight + 1 WHERE source_id = ANY (%s)", (some,))
            case "turn":
                db.execute(
                    "UPDATE pgrag.relation SET source_id = target_id, target_id = source_id WHERE target_id = ANY (%s)",
                    (some,),
                )
            case "drop":
                db.execute("DELETE FROM pgrag.entity WHERE id = ANY (%s)", (some[:1],))
            case "unlink":
                db.execute("DELETE FROM pgrag.relation WHERE target_id = ANY (%s)", (some,))
        most = max(most, one(db, "SELECT count(*) FROM pgrag.relation"))
        if step % 8 == 0:
            assert_graph_is_the_tables(db)
    assert_graph_is_the_tables(db)
    assert most > 2
