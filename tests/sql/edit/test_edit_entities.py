"""One entity by hand: created, edited, reset, renamed, deleted."""

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
        [entity(0, "Scrooge", "person", "A miser."), entity(0, "Marley", "ghost", "A partner.")],
        [relation(0, "Scrooge", "Marley", ["partners"], "They were partners.")],
        with_vectors=True,
    )
    return made


def call(db: psycopg.Connection, function: str, *args: object) -> object:
    marks = ", ".join(["%s"] * len(args))
    row = db.execute(f"SELECT pgrag.{function}('w', {marks})", args).fetchone()
    assert row is not None
    return row[0]


def refused(db: psycopg.Connection, function: str, *args: object) -> psycopg.Error:
    before = graph_rows(db)
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        call(db, function, *args)
    assert graph_rows(db) == before
    return caught.value


def entities(db: psycopg.Connection) -> list[tuple]:
    return db.execute(
        'SELECT name, type, description, description_source FROM pgrag.entity ORDER BY name_key COLLATE "C"'
    ).fetchall()


def version(db: psycopg.Connection) -> int:
    (value,) = db.execute("SELECT corpus_version FROM pgrag.workspace WHERE name = 'w'").fetchone() or (0,)
    return int(value)


# create


def test_what_a_hand_made_stays_without_documents(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "create_entity", " Fan ", "person", "The sister.")
    made = entities(db)[0]
    assert made[:3] == ("Fan", "person", "The sister.")
    publish("more", ["x"], [entity(0, "FAN", "ghost", "Said.")], [])
    assert entities(db)[0][:3] == ("Fan", "person", "The sister.<SEP>Said.")
    db.execute("SELECT pgrag.delete_document('w', 'more')")
    assert entities(db)[0] == made
    assert_sound(db)


def test_a_name_alone_makes_an_entity(db: psycopg.Connection, publish: Publisher) -> None:
    before = version(db)
    call(db, "create_entity", "Fan")
    assert entities(db)[0][:3] == ("Fan", "UNKNOWN", "")
    assert version(db) == before + 1
    assert [row[0] for row in db.execute("SELECT embedded_text FROM pgrag.refresh_pending('w')")] == ["Fan\n"]


@pytest.mark.parametrize("name", ["SCROOGE", "", "  ", None])
def test_a_name_that_is_taken_or_blank_is_refused(db: psycopg.Connection, publish: Publisher, name: str) -> None:
    assert refused(db, "create_entity", name).sqlstate == "RG001"


def test_an_alias_is_a_taken_name(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "merge_entities", ["Scrooge"], "Marley")
    assert "Scrooge" in (refused(db, "create_entity", "Scrooge").diag.message_primary or "")


# edit and reset


def test_an_edit_wins_until_it_is_reset(db: psycopg.Connection, publish: Publisher) -> None:
    before = graph_rows(db)
    call(db, "edit_entity", "scrooge", None, "A reformed man.")
    assert entities(db)[1] == ("Scrooge", "person", "A reformed man.", "manual")
    call(db, "edit_entity", "scrooge", "character", None)
    assert entities(db)[1] == ("Scrooge", "character", "A reformed man.", "manual")
    call(db, "reset_entity", "Scrooge")
    assert graph_rows(db) == before


def test_an_edit_survives_reingest_and_the_deletion_of_what_it_shares(
    db: psycopg.Connection, publish: Publisher
) -> None:
    call(db, "edit_entity", "Scrooge", "character", "By hand.")
    publish("other", ["x"], [entity(0, "Scrooge", "person", "Says the other.")], [])
    publish("carol", ["changed"], [entity(0, "Scrooge", "person", "A new version.")], [])
    assert entities(db)[0] == ("Scrooge", "character", "By hand.", "manual")
    db.execute("SELECT pgrag.delete_document('w', 'carol')")
    assert entities(db) == [("Scrooge", "character", "By hand.", "manual")]
    call(db, "reset_entity", "Scrooge")
    assert entities(db) == [("Scrooge", "person", "Says the other.", "joined")]
    assert_sound(db)


def test_what_is_edited_is_stale_and_counted(db: psycopg.Connection, publish: Publisher) -> None:
    before = version(db)
    call(db, "edit_entity", "Scrooge", None, "New.")
    pending = db.execute("SELECT kind, embedded_text FROM pgrag.refresh_pending('w')").fetchall()
    assert pending == [("entity", "Scrooge\nNew.")]
    assert version(db) == before + 1


@pytest.mark.parametrize(
    ("args", "sqlstate"),
    [
        (("Scrooge", None, None), "RG001"),
        (("Scrooge", " ", None), "RG001"),
        (("nobody", "t", None), "RG008"),
        ((None, "t", None), "RG001"),
    ],
)
def test_what_cannot_be_edited_is_refused(
    db: psycopg.Connection, publish: Publisher, args: tuple, sqlstate: str
) -> None:
    assert refused(db, "edit_entity", *args).sqlstate == sqlstate


# rename


def test_a_renamed_entity_is_still_found_by_its_old_name(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "rename_entity", "Scrooge", "Ebenezer Scrooge")
    publish("more", ["x"], [entity(0, "SCROOGE", "person", "Again.")], [])
    assert [name for name, *_ in entities(db)] == ["Ebenezer Scrooge", "Marley"]
    assert call(db, "edit_entity", "scrooge", None, "x") == call(db, "edit_entity", "ebenezer scrooge", None, "y")
    assert_sound(db)


def test_its_relations_are_embedded_anew(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "rename_entity", "Scrooge", "Ebenezer")
    pending = db.execute("SELECT embedded_text FROM pgrag.refresh_pending('w')").fetchall()
    assert pending == [("Ebenezer\nA miser.",), ("partners\tEbenezer\nMarley\nThey were partners.",)]


def test_deleting_its_source_removes_a_renamed_entity(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "rename_entity", "Scrooge", "Ebenezer Scrooge")
    db.execute("SELECT pgrag.delete_document('w', 'carol')")
    assert entities(db) == []
    publish("carol", ["one"], [entity(0, "Scrooge", "person", "A miser.")], [])
    assert [name for name, *_ in entities(db)] == ["Ebenezer Scrooge"]
    assert_sound(db)


def test_renaming_back_leaves_no_trace(db: psycopg.Connection, publish: Publisher) -> None:
    before = graph_rows(db)
    call(db, "rename_entity", "Scrooge", "Ebenezer Scrooge")
    call(db, "rename_entity", "Scrooge", "Scrooge")
    assert graph_rows(db) == before


def test_renaming_back_keeps_together_what_was_said_meanwhile(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "rename_entity", "Scrooge", "Ebenezer")
    publish("more", ["x"], [entity(0, "Ebenezer", "person", "Meanwhile.")], [])
    call(db, "rename_entity", "Ebenezer", "Scrooge")
    assert entities(db)[1][:3] == ("Scrooge", "person", "A miser.<SEP>Meanwhile.")
    assert_sound(db)


def test_another_spelling_of_its_own_name_is_a_name(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "rename_entity", "Scrooge", "SCROOGE")
    assert [name for name, *_ in entities(db)] == ["Marley", "SCROOGE"]
    assert db.execute("SELECT count(*) FROM pgrag.entity_alias").fetchone() == (0,)


def test_a_name_that_means_something_else_is_refused_with_the_way_out(
    db: psycopg.Connection, publish: Publisher
) -> None:
    publish("more", ["x"], [entity(0, "Jacob", "ghost", "g"), entity(0, "Fan", "p", "f")], [])
    assert "erge" in (refused(db, "rename_entity", "Scrooge", "marley").diag.message_hint or "")
    call(db, "merge_entities", ["Jacob"], "Marley")
    assert "erge" in (refused(db, "rename_entity", "Scrooge", "Jacob").diag.message_hint or "")
    assert "unmerge_entity" in (refused(db, "rename_entity", "Marley", "Jacob").diag.message_hint or "")
    assert refused(db, "rename_entity", "nobody", "x").sqlstate == "RG008"
    assert refused(db, "rename_entity", "Scrooge", " ").sqlstate == "RG001"
    call(db, "rename_entity", "Scrooge", "Ebenezer")
    assert "back" in (refused(db, "unmerge_entity", "Scrooge").diag.message_hint or "")


# delete


def test_a_deleted_entity_takes_its_evidence_and_relations_along(db: psycopg.Connection, publish: Publisher) -> None:
    publish(
        "other",
        ["x"],
        [entity(0, "Scrooge", "person", "More.")],
        [relation(0, "Scrooge", "Ebenezer", ["same"], "One man.")],
    )
    call(db, "merge_entities", ["Ebenezer"], "Scrooge")
    assert call(db, "delete_entity", "ebenezer") == 1
    assert entities(db) == [("Marley", "ghost", "A partner.", "joined")]
    for table in ("relation", "relation_evidence", "entity_alias"):
        assert db.execute(f"SELECT count(*) FROM pgrag.{table}").fetchone() == (0,), table
    assert_sound(db)


def test_it_comes_back_with_nothing_old(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "delete_entity", "Scrooge")
    publish("later", ["new"], [entity(0, "Scrooge", "person", "New words.")], [])
    assert entities(db)[1][:3] == ("Scrooge", "person", "New words.")
    chunks = db.execute(
        "SELECT c.content FROM pgrag.entity_evidence v JOIN pgrag.chunk c ON c.id = v.chunk_id "
        "WHERE v.name_key = 'scrooge'"
    ).fetchall()
    assert chunks == [("new",)]


def test_an_unknown_one_is_named(db: psycopg.Connection, publish: Publisher) -> None:
    assert "nobody" in (refused(db, "delete_entity", "nobody").diag.message_primary or "")


def test_details_tell_everything(db: psycopg.Connection, publish: Publisher) -> None:
    call(db, "edit_entity", "Scrooge", "character", None)
    call(db, "rename_entity", "Scrooge", "Ebenezer")
    call(db, "merge_entities", ["Marley"], "Ebenezer")
    row = db.execute(
        "SELECT name, type, degree, by_hand, edited, aliases, documents, chunk_count, stale "
        "FROM pgrag.entity_details('w', 'marley')"
    ).fetchone()
    assert row == ("Ebenezer", "character", 0, False, ["name", "type"], ["Marley", "Scrooge"], ["carol"], 1, True)
    listed = db.execute("SELECT name, degree FROM pgrag.list_entities('w')").fetchall()
    assert listed == [("Ebenezer", 0)]
