"""Merging moves evidence and loses none; undoing gives back, row for row, what was there before."""

from __future__ import annotations

import psycopg
import pytest
from support.documents import Publisher, entity, relation
from support.graph_rows import assert_sound, graph_rows


@pytest.fixture
def publish(db: psycopg.Connection) -> Publisher:
    made = Publisher(db)
    made(
        "carol",
        ["one", "two"],
        [
            entity(0, "Scrooge", "person", "A miser."),
            entity(1, "Ebenezer Scrooge", "person", "He reforms."),
            entity(1, "Marley", "ghost", "A partner."),
        ],
        [
            relation(0, "Scrooge", "Marley", ["partners"], "They were partners.", 2.0),
            relation(1, "Marley", "Ebenezer Scrooge", ["haunts"], "He haunts him.", 3.0),
            relation(1, "Scrooge", "Ebenezer Scrooge", ["same"], "One man."),
        ],
    )
    return made


def merge(db: psycopg.Connection, names: list[str], into: str, workspace: str = "w") -> None:
    db.execute("SELECT pgrag.merge_entities(%s, %s, %s)", (workspace, names, into))


def undo(db: psycopg.Connection, name: str, workspace: str = "w") -> None:
    db.execute("SELECT pgrag.unmerge_entity(%s, %s)", (workspace, name))


def entities(db: psycopg.Connection) -> list[tuple]:
    return db.execute(
        'SELECT name, type, description, degree FROM pgrag.entity ORDER BY name_key COLLATE "C"'
    ).fetchall()


def relations(db: psycopg.Connection) -> list[tuple]:
    return db.execute(
        "SELECT a.name, b.name, r.keywords, r.description, r.weight FROM pgrag.relation r "
        "JOIN pgrag.entity a ON a.id = r.source_id JOIN pgrag.entity b ON b.id = r.target_id ORDER BY 1, 2"
    ).fetchall()


def test_evidence_moves_relations_fuse_and_loops_vanish(db: psycopg.Connection, publish: Publisher) -> None:
    merge(db, ["scrooge"], "Ebenezer Scrooge")
    assert entities(db) == [
        ("Ebenezer Scrooge", "person", "A miser.<SEP>He reforms.", 1),
        ("Marley", "ghost", "A partner.", 1),
    ]
    assert relations(db) == [
        ("Ebenezer Scrooge", "Marley", ["haunts", "partners"], "They were partners.<SEP>He haunts him.", 5.0)
    ]
    assert db.execute("SELECT stale FROM pgrag.entity WHERE name = 'Ebenezer Scrooge'").fetchall() == [(True,)]
    assert_sound(db)


def test_merging_then_undoing_changes_nothing(db: psycopg.Connection, publish: Publisher) -> None:
    before = graph_rows(db)
    merge(db, ["Scrooge", "Marley"], "Ebenezer Scrooge")
    assert graph_rows(db) != before
    undo(db, "marley")
    undo(db, "SCROOGE")
    assert graph_rows(db) == before
    assert_sound(db)


def test_the_merge_may_make_a_new_name(db: psycopg.Connection, publish: Publisher) -> None:
    before = graph_rows(db)
    merge(db, ["Scrooge", "Ebenezer Scrooge"], "Mr. Scrooge")
    assert [name for name, *_ in entities(db)] == ["Marley", "Mr. Scrooge"]
    publish("more", ["three"], [entity(0, "scrooge", "person", "Again.")], [])
    db.execute("SELECT pgrag.delete_document('w', 'carol')")
    assert entities(db) == [("Mr. Scrooge", "person", "Again.", 0)]
    db.execute("SELECT pgrag.delete_document('w', 'more')")
    assert entities(db) == []
    publish("more", ["three"], [entity(0, "scrooge", "person", "Again.")], [])
    assert entities(db) == [("Mr. Scrooge", "person", "Again.", 0)]
    assert_sound(db)
    undo(db, "Scrooge")
    undo(db, "Ebenezer Scrooge")
    assert [name for name, *_ in entities(db)] == ["scrooge"]
    assert before


def test_a_merge_is_remembered_by_the_next_ingest(db: psycopg.Connection, publish: Publisher) -> None:
    merge(db, ["Scrooge"], "Ebenezer Scrooge")
    publish(
        "more", ["x"], [entity(0, "SCROOGE", "person", "Rich.")], [relation(0, "scrooge", "Fred", ["uncle"], "Kin.")]
    )
    assert [name for name, *_ in entities(db)] == ["Ebenezer Scrooge", "Fred", "Marley"]
    undo(db, "Scrooge")
    # Most often spelt so; the undoing sorts out what came meanwhile, too.
    assert [name for name, *_ in entities(db)] == ["Ebenezer Scrooge", "Fred", "Marley", "Scrooge"]
    assert ("scrooge", "Fred") in [(a.lower(), b) for a, b, *_ in relations(db)]
    assert_sound(db)


def test_merges_can_be_undone_in_any_order(db: psycopg.Connection, publish: Publisher) -> None:
    before = graph_rows(db)
    merge(db, ["Scrooge"], "Ebenezer Scrooge")
    in_between = graph_rows(db)
    merge(db, ["Ebenezer Scrooge"], "Marley")
    undo(db, "Ebenezer Scrooge")
    assert graph_rows(db) == in_between
    merge(db, ["Ebenezer Scrooge"], "Marley")
    undo(db, "Scrooge")
    undo(db, "Ebenezer Scrooge")
    assert graph_rows(db) == before
    assert_sound(db)


def test_what_was_made_by_hand_follows_and_comes_back(db: psycopg.Connection, publish: Publisher) -> None:
    db.execute("SELECT pgrag.create_entity('w', 'Fan', 'person', 'The sister.')")
    db.execute("SELECT pgrag.create_relation('w', 'Scrooge', 'Fan', '{kin}', 'Brother and sister.', 4)")
    db.execute("SELECT pgrag.edit_relation('w', 'Scrooge', 'Marley', description => 'Edited.', weight => 9)")
    db.execute("SELECT pgrag.edit_entity('w', 'Scrooge', description => 'By hand.')")
    before = graph_rows(db)
    merge(db, ["Scrooge"], "Ebenezer Scrooge")
    assert relations(db) == [
        ("Ebenezer Scrooge", "Fan", ["kin"], "Brother and sister.", 4.0),
        ("Ebenezer Scrooge", "Marley", ["haunts", "partners"], "Edited.", 9.0),
    ]
    assert entities(db)[0][2] == "By hand.<SEP>A miser.<SEP>He reforms."
    merge(db, ["Fan"], "Marley")
    assert_sound(db)
    undo(db, "Scrooge")
    undo(db, "Fan")
    assert graph_rows(db) == before
    assert_sound(db)


def test_a_relation_by_hand_outlives_the_documents_of_merged_ends(db: psycopg.Connection, publish: Publisher) -> None:
    db.execute("SELECT pgrag.create_entity('w', 'Fan')")
    db.execute("SELECT pgrag.create_relation('w', 'Scrooge', 'Fan', '{kin}')")
    merge(db, ["Scrooge"], "Ebenezer Scrooge")
    db.execute("SELECT pgrag.delete_document('w', 'carol')")
    assert relations(db) == [("Ebenezer Scrooge", "Fan", ["kin"], "", 1.0)]
    assert_sound(db)
    undo(db, "Scrooge")
    assert relations(db) == [("Scrooge", "Fan", ["kin"], "", 1.0)]
    assert [name for name, *_ in entities(db)] == ["Fan", "Scrooge"]
    assert_sound(db)


def test_an_edited_relation_is_reset_after_the_merge(db: psycopg.Connection, publish: Publisher) -> None:
    db.execute("SELECT pgrag.edit_relation('w', 'Scrooge', 'Marley', '{k}', 'Edited.', 9)")
    merge(db, ["Scrooge"], "Ebenezer Scrooge")
    db.execute("SELECT pgrag.reset_relation('w', 'Marley', 'Scrooge')")
    assert relations(db)[0][2:] == (["haunts", "partners"], "They were partners.<SEP>He haunts him.", 5.0)
    assert_sound(db)


def test_merging_again_changes_nothing(db: psycopg.Connection, publish: Publisher) -> None:
    merge(db, ["Scrooge"], "Ebenezer Scrooge")
    before = graph_rows(db)
    version = db.execute("SELECT corpus_version FROM pgrag.workspace").fetchone()
    merge(db, ["Scrooge", "Ebenezer Scrooge"], "scrooge")
    assert graph_rows(db) == before
    assert db.execute("SELECT corpus_version FROM pgrag.workspace").fetchone() == version


def test_other_workspaces_are_left_alone(db: psycopg.Connection, publish: Publisher) -> None:
    other = Publisher(db, "other")
    other("d", ["x"], [entity(0, "Scrooge", "t", "d"), entity(0, "Ebenezer Scrooge", "t", "e")], [])
    before = graph_rows(db, "other")
    merge(db, ["Scrooge"], "Ebenezer Scrooge")
    assert graph_rows(db, "other") == before


@pytest.mark.parametrize(
    ("names", "into", "sqlstate", "word"),
    [
        (["nobody"], "Scrooge", "RG008", "nobody"),
        (["Scrooge", "nobody"], "New", "RG008", "nobody"),
        ([], "Scrooge", "RG001", "names"),
        (["Scrooge"], "  ", "RG001", "blank"),
        ([" "], "Scrooge", "RG001", "blank"),
        (["Scrooge"], None, "RG001", "blank"),
    ],
)
def test_what_cannot_be_merged_is_refused(
    db: psycopg.Connection, publish: Publisher, names: list[str], into: str, sqlstate: str, word: str
) -> None:
    before = graph_rows(db)
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        merge(db, names, into)
    assert caught.value.sqlstate == sqlstate
    assert word in (caught.value.diag.message_primary or "")
    assert graph_rows(db) == before


@pytest.mark.parametrize(("name", "sqlstate"), [("Scrooge", "RG008"), ("nobody", "RG008"), ("", "RG001")])
def test_what_was_not_merged_cannot_be_undone(
    db: psycopg.Connection, publish: Publisher, name: str, sqlstate: str
) -> None:
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        undo(db, name)
    assert caught.value.sqlstate == sqlstate
