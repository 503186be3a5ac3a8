"""One relation by hand: created, edited, reset, deleted; pairs have no direction, names go through aliases."""

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
        ["one"],
        [entity(0, name, "person", f"{name}.") for name in ("Scrooge", "Marley", "Fan")],
        [relation(0, "Scrooge", "Marley", ["partners"], "They were partners.", 2.0)],
    )
    return made


def call(db: psycopg.Connection, function: str, *args: object) -> None:
    marks = ", ".join(["%s"] * len(args))
    db.execute(f"SELECT pgrag.{function}('w', {marks})", args)


def refused(db: psycopg.Connection, function: str, *args: object) -> psycopg.Error:
    before = graph_rows(db)
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        call(db, function, *args)
    assert graph_rows(db) == before
    return caught.value


def relations(db: psycopg.Connection) -> list[tuple]:
    return db.execute(
        "SELECT a.name, b.name, r.keywords, r.description, r.weight FROM pgrag.relation r "
        "JOIN pgrag.entity a ON a.id = r.source_id JOIN pgrag.entity b ON b.id = r.target_id ORDER BY 1, 2"
    ).fetchall()


def test_what_a_hand_related_stays_as_it_was_made(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "create_relation", "Scrooge", "Fan", [" kin ", "kin", "love"], "Siblings.", 4.0)
    made = ("Scrooge", "Fan", ["kin", "love"], "Siblings.", 4.0)
    assert made in relations(db)
    publish("more", ["x"], [], [relation(0, "Fan", "Scrooge", ["home"], "She fetched him.", 7.0)])
    assert ("Scrooge", "Fan", ["home", "kin", "love"], "Siblings.<SEP>She fetched him.", 7.0) in relations(db)
    db.execute("SELECT pgrag.delete_document('w', 'more')")
    assert made in relations(db)
    assert_sound(db)


def test_it_keeps_its_ends(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "create_relation", "Scrooge", "Fan")
    db.execute("SELECT pgrag.delete_document('w', 'carol')")
    assert relations(db) == [("Scrooge", "Fan", [], "", 1.0)]
    assert_sound(db)
    call(db, "delete_relation", "Fan", "Scrooge")
    assert db.execute("SELECT count(*) FROM pgrag.entity").fetchone() == (0,)


@pytest.mark.parametrize(
    ("args", "sqlstate", "word"),
    [
        (("Scrooge", "scrooge"), "RG001", "itself"),
        (("Marley", "Scrooge"), "RG001", "related already"),
        (("Scrooge", "nobody"), "RG008", "nobody"),
        (("", "Fan"), "RG001", "blank"),
        (("Scrooge", "Fan", [], None, -1), "RG001", "-1"),
        (("Scrooge", "Fan", [], None, float("nan")), "RG001", "NaN"),
        (("Scrooge", "Fan", [], None, float("inf")), "RG001", "Infinity"),
    ],
)
def test_what_cannot_be_related_is_refused(
    db: psycopg.Connection, publish: Publisher, args: tuple, sqlstate: str, word: str
) -> None:
    error = refused(db, "create_relation", *args)
    assert error.sqlstate == sqlstate
    assert word in (error.diag.message_primary or "")


def test_ends_that_were_merged_are_one(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "merge_entities", ["Fan"], "Scrooge")
    assert refused(db, "create_relation", "Fan", "Scrooge").sqlstate == "RG001"
    call(db, "edit_relation", "Fan", "Marley", ["through an alias"], None, None)
    assert relations(db)[0][2] == ["through an alias"]


def test_an_edit_wins_until_it_is_reset(db: psycopg.Connection, publish: Publisher) -> None:
    before = graph_rows(db)
    call(db, "edit_relation", "Marley", "Scrooge", ["b", "a", "b"], "By hand.", 0)
    assert relations(db) == [("Scrooge", "Marley", ["a", "b"], "By hand.", 0.0)]
    publish("other", ["x"], [], [relation(0, "Scrooge", "Marley", ["more"], "Said.", 5.0)])
    db.execute("SELECT pgrag.delete_document('w', 'other')")
    assert relations(db) == [("Scrooge", "Marley", ["a", "b"], "By hand.", 0.0)]
    call(db, "reset_relation", "Scrooge", "Marley")
    assert graph_rows(db) == before
    assert_sound(db)


@pytest.mark.parametrize(
    ("args", "sqlstate"),
    [
        (("Scrooge", "Marley", None, None, None), "RG001"),
        (("Scrooge", "Marley", None, None, -2), "RG001"),
        (("Scrooge", "Fan", None, "x", None), "RG009"),
        (("Scrooge", "nobody", None, "x", None), "RG008"),
    ],
)
def test_what_cannot_be_edited_is_refused(
    db: psycopg.Connection, publish: Publisher, args: tuple, sqlstate: str
) -> None:
    assert refused(db, "edit_relation", *args).sqlstate == sqlstate


def test_a_deleted_relation_comes_back_with_nothing_old(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "delete_relation", "marley", "scrooge")
    assert relations(db) == []
    assert db.execute("SELECT count(*) FROM pgrag.entity").fetchone() == (3,)
    publish("later", ["x"], [], [relation(0, "Marley", "Scrooge", ["new"], "New.", 1.0)])
    assert relations(db) == [("Marley", "Scrooge", ["new"], "New.", 1.0)]
    assert_sound(db)


def test_deleting_forgets_what_a_merge_kept_of_it(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "create_relation", "Scrooge", "Fan", ["kin"], "Siblings.")
    call(db, "merge_entities", ["Scrooge"], "Marley")
    assert ("Marley", "Fan") in [(a, b) for a, b, *_ in relations(db)] or ("Fan", "Marley") in [
        (a, b) for a, b, *_ in relations(db)
    ]
    call(db, "delete_relation", "Marley", "Fan")
    assert relations(db) == []
    call(db, "unmerge_entity", "Scrooge")
    assert relations(db) == [("Scrooge", "Marley", ["partners"], "They were partners.", 2.0)]
    assert_sound(db)


def test_details_tell_everything(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "edit_relation", "Marley", "Scrooge", None, "By hand.", None)
    row = db.execute(
        "SELECT source, target, description, weight, by_hand, edited, documents, chunk_count "
        "FROM pgrag.relation_details('w', 'marley', 'scrooge')"
    ).fetchone()
    assert row == ("Scrooge", "Marley", "By hand.", 2.0, False, ["description"], ["carol"], 1)
