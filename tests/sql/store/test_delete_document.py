"""Deleting is exact: what is left is what the other documents alone would have made."""

from __future__ import annotations

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.documents import Publisher, entity, relation

NAMES = ["Ada", "ADA", "Bob", "Carol", "Dora"]
SHAPE = (
    "SELECT e.name, e.type, e.description, e.degree, NULL::text[], NULL::float8 FROM pgrag.entity e "
    "JOIN pgrag.workspace w ON w.id = e.workspace_id WHERE w.name = %(w)s "
    "UNION ALL SELECT a.name, b.name, r.description, 0, r.keywords, r.weight "
    "FROM pgrag.relation r JOIN pgrag.workspace w ON w.id = r.workspace_id "
    "JOIN pgrag.entity a ON a.id = r.source_id JOIN pgrag.entity b ON b.id = r.target_id WHERE w.name = %(w)s "
    "ORDER BY 1, 2, 3"
)


def shape(db: psycopg.Connection, workspace: str) -> list[tuple]:
    return db.execute(SHAPE, {"w": workspace}).fetchall()


records = st.tuples(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(["person", "place"]), st.sampled_from("xyz")), max_size=4
    ),
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from("pq")), max_size=4),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(documents=st.dictionaries(st.sampled_from("abcde"), records, min_size=2, max_size=4), data=st.data())
def test_what_is_left_is_what_the_others_make_alone(
    db: psycopg.Connection, documents: dict[str, tuple], data: st.DataObject
) -> None:
    gone = data.draw(st.sampled_from(sorted(documents)))
    with db.transaction(force_rollback=True):
        all_of_them, others = Publisher(db, "all"), Publisher(db, "others")
        for key, (entities, relations) in documents.items():
            said = [entity(0, name, kind, text) for name, kind, text in entities]
            bound = [relation(0, source, target, [text], text) for source, target, text in relations]
            all_of_them(key, [f"text of {key}"], said, bound)
            if key != gone:
                others(key, [f"text of {key}"], said, bound)
        db.execute("SELECT pgrag.delete_document('all', %s)", (gone,))
        assert shape(db, "all") == shape(db, "others")
        assert db.execute("SELECT * FROM pgrag.check_installation()").fetchall() == []


def test_a_document_is_deleted_by_id_or_by_path(db: psycopg.Connection) -> None:
    publish = Publisher(db)
    for key in ("one", "two", "three"):
        publish.enqueue(key, key, file_path="same.txt" if key != "one" else "other.txt")
    assert db.execute("SELECT pgrag.delete_document('w', 'one')").fetchall() == [("one",)]
    assert db.execute("SELECT pgrag.delete_document('w', 'same.txt')").fetchall() == [("three",), ("two",)]


def test_an_unknown_document_is_named(db: psycopg.Connection) -> None:
    Publisher(db)
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        db.execute("SELECT pgrag.delete_document('w', 'nobody')")
    assert caught.value.sqlstate == "RG006"
    assert "nobody" in (caught.value.diag.message_primary or "")


def test_deleting_changes_the_corpus_version(db: psycopg.Connection) -> None:
    publish = Publisher(db)
    publish("d", ["x"], [], [])
    db.execute("SELECT pgrag.delete_document('w', 'd')")
    assert db.execute("SELECT corpus_version FROM pgrag.workspace WHERE name = 'w'").fetchone() == (2,)


def test_other_workspaces_are_left_alone(db: psycopg.Connection) -> None:
    mine, theirs = Publisher(db, "mine"), Publisher(db, "theirs")
    for publish in (mine, theirs):
        publish("d", ["x"], [entity(0, "A", "t", "d")], [])
    db.execute("SELECT pgrag.delete_document('mine', 'd')")
    assert shape(db, "mine") == []
    assert len(shape(db, "theirs")) == 1
