"""publish_document: a version of a document becomes visible whole, and what only the old one said goes."""

from __future__ import annotations

import psycopg
import pytest
from support.documents import Publisher, entity, relation


@pytest.fixture
def publish(db: psycopg.Connection) -> Publisher:
    return Publisher(db)


def rows(db: psycopg.Connection, query: str) -> list[tuple]:
    return db.execute(query).fetchall()


def entities(db: psycopg.Connection) -> list[tuple]:
    return rows(db, 'SELECT name, type, description, degree FROM pgrag.entity ORDER BY name_key COLLATE "C"')


def test_everything_of_a_document_is_there_at_once(db: psycopg.Connection, publish: Publisher) -> None:
    publish(
        "d1",
        ["Ada met Charles."],
        [entity(0, "Ada", "person", "A mathematician."), entity(0, "Charles", "person", "An engineer.")],
        [relation(0, "Ada", "Charles", ["met"], "They met.")],
    )
    assert entities(db) == [("Ada", "person", "A mathematician.", 1), ("Charles", "person", "An engineer.", 1)]
    assert rows(db, "SELECT keywords, description, weight FROM pgrag.relation") == [(["met"], "They met.", 1.0)]
    assert rows(db, "SELECT status, content FROM pgrag.document") == [("ready", "Ada met Charles.")]
    assert rows(db, "SELECT count(*) FROM pgrag.chunk_embedding") == [(1,)]
    assert rows(db, "SELECT count(*) FROM pgrag.job") == [(0,)]
    assert rows(db, "SELECT corpus_version FROM pgrag.workspace") == [(1,)]


def test_spellings_that_differ_in_case_and_width_are_one_entity(db: psycopg.Connection, publish: Publisher) -> None:
    said = [entity(0, name, "organization", f"As {name}.") for name in ("OpenAI", "ＯｐｅｎＡＩ", "OPENAI", "OpenAI")]
    publish("d1", ["a"], said, [])
    publish("d2", ["b"], [entity(0, "OPENAI", "company", "Again.")], [])
    publish("d3", ["c"], [entity(0, "OPENAI", "company", "Again.")], [])
    ((name, kind, description, _),) = entities(db)
    assert name == "OPENAI"
    assert kind == "company"
    assert description == "As OpenAI.<SEP>As ＯｐｅｎＡＩ.<SEP>As OPENAI.<SEP>Again."


def test_a_pair_said_twice_in_one_chunk_is_one_piece_of_evidence(db: psycopg.Connection, publish: Publisher) -> None:
    said = [
        relation(0, "A", "B", ["k1"], "first", 2.0),
        relation(0, "B", "a", ["k2"], "second", 5.0),
        relation(1, "A", "B", ["k1"], "first", 1.0),
    ]
    publish("d1", ["one", "two"], [], said)
    assert rows(db, "SELECT keywords, description, weight FROM pgrag.relation") == [
        (["k1", "k2"], "first<SEP>second", 6.0)
    ]


def test_an_end_that_nobody_describes_is_unknown_until_somebody_does(
    db: psycopg.Connection, publish: Publisher
) -> None:
    publish(
        "d1", ["x"], [entity(0, "Ada", "person", "Someone.")], [relation(0, "Ada", "Engine", [], "Ada has an engine.")]
    )
    assert entities(db)[1] == ("Engine", "UNKNOWN", "Ada has an engine.", 1)
    publish("d2", ["y"], [entity(0, "engine", "artifact", "A machine.")], [])
    assert entities(db)[1][1:3] == ("artifact", "A machine.")


@pytest.mark.parametrize("bad", [relation(0, "A", "a", [], "itself"), relation(0, "A", "  ", [], "nothing")])
def test_self_loops_and_empty_ends_are_no_relations(db: psycopg.Connection, publish: Publisher, bad: dict) -> None:
    publish("d1", ["x"], [entity(0, "A", "t", "d")], [bad])
    assert rows(db, "SELECT count(*) FROM pgrag.relation") == [(0,)]


def test_a_new_version_replaces_the_old_one(db: psycopg.Connection, publish: Publisher) -> None:
    publish(
        "d1",
        ["old"],
        [entity(0, "Kept", "t", "old words"), entity(0, "Gone", "t", "d")],
        [relation(0, "Kept", "Gone", [], "r")],
    )
    publish("d1", ["new"], [entity(0, "Kept", "t", "new words")], [])
    assert entities(db) == [("Kept", "t", "new words", 0)]
    assert rows(db, "SELECT content FROM pgrag.chunk") == [("new",)]
    assert rows(db, "SELECT content, status FROM pgrag.document") == [("new", "ready")]


def test_the_same_content_again_is_a_no_op(db: psycopg.Connection, publish: Publisher) -> None:
    publish("d1", ["text"], [entity(0, "A", "t", "d")], [])
    assert publish.enqueue("d1", "text") == "unchanged"
    assert rows(db, "SELECT corpus_version FROM pgrag.workspace") == [(1,)]


def test_what_is_new_is_found_by_its_vector_at_once(db: psycopg.Connection, publish: Publisher) -> None:
    said = [entity(0, "A", "t", "d1"), entity(0, "B", "t", "d2")]
    publish("d1", ["x"], said, [relation(0, "A", "B", ["k"], "r")], with_vectors=True)
    assert rows(db, "SELECT count(*) FROM pgrag.entity WHERE stale") == [(0,)]
    assert rows(db, "SELECT count(*) FROM pgrag.relation WHERE stale") == [(0,)]
    assert rows(db, "SELECT count(*) FROM pgrag.entity_embedding") == [(2,)]
    assert rows(db, "SELECT count(*) FROM pgrag.relation_embedding") == [(1,)]


def test_what_changed_is_stale_and_keeps_its_old_vector(db: psycopg.Connection, publish: Publisher) -> None:
    publish("d1", ["x"], [entity(0, "A", "t", "one")], [], with_vectors=True)
    publish("d2", ["y"], [entity(0, "A", "t", "two")], [], with_vectors=True)
    assert rows(db, "SELECT description, stale FROM pgrag.entity") == [("one<SEP>two", True)]
    assert rows(db, "SELECT count(*) FROM pgrag.entity_embedding") == [(1,)]
    pending = rows(db, "SELECT kind, embedded_text FROM pgrag.refresh_pending('w')")
    assert pending == [("entity", "A\none<SEP>two")]


def test_order_of_arrival_does_not_matter(db: psycopg.Connection, publish: Publisher) -> None:
    publish("b", ["x"], [entity(0, "A", "t2", "from b")], [])
    publish("a", ["y"], [entity(0, "A", "t1", "from a")], [])
    ((_, kind, description, _),) = entities(db)
    assert (kind, description) == ("t1", "from a<SEP>from b")


def test_a_worker_that_lost_its_job_publishes_nothing(db: psycopg.Connection, publish: Publisher) -> None:
    job = publish.claim("d1", "text")
    db.execute("UPDATE pgrag.job SET worker = 'another'")
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        publish.publish(job, ["text"], [], [])
    assert caught.value.sqlstate == "RG004"
    assert rows(db, "SELECT count(*) FROM pgrag.chunk") == [(0,)]


def test_readers_see_all_or_nothing(db: psycopg.Connection, url: str, publish: Publisher) -> None:
    job = publish.claim("d1", "text")
    db.commit()
    with psycopg.connect(url, autocommit=True) as reader:
        publish.publish(job, ["text"], [entity(0, "A", "t", "d")], [])
        seen = reader.execute(
            "SELECT (SELECT count(*) FROM pgrag.chunk), (SELECT count(*) FROM pgrag.entity)"
        ).fetchone()
        assert seen == (0, 0)
        db.commit()
        seen = reader.execute(
            "SELECT (SELECT count(*) FROM pgrag.chunk), (SELECT count(*) FROM pgrag.entity)"
        ).fetchone()
        assert seen == (1, 1)


def test_aliases_are_consulted(db: psycopg.Connection, publish: Publisher) -> None:
    publish("d1", ["x"], [entity(0, "William Shakespeare", "person", "A poet.")], [])
    db.execute(
        "INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key) "
        "SELECT id, 'the bard', 'The Bard', 'william shakespeare' FROM pgrag.workspace"
    )
    publish(
        "d2",
        ["y"],
        [entity(0, "the Bard", "person", "Wrote Hamlet.")],
        [relation(0, "The Bard", "Hamlet", [], "wrote")],
    )
    assert [name for name, *_ in entities(db)] == ["Hamlet", "William Shakespeare"]


def test_an_alias_said_often_does_not_rename_the_entity(db: psycopg.Connection, publish: Publisher) -> None:
    publish("d1", ["x"], [entity(0, "Ebenezer Scrooge", "person", "A miser.")], [])
    db.execute(
        "INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key) "
        "SELECT id, 'scrooge', 'Scrooge', 'ebenezer scrooge' FROM pgrag.workspace"
    )
    for document in ("d2", "d3"):
        publish(document, ["y"], [entity(0, "Scrooge", "person", "Reforms.")], [])
    assert [name for name, *_ in entities(db)] == ["Ebenezer Scrooge"]


def test_renaming_by_majority_makes_the_relations_stale(db: psycopg.Connection, publish: Publisher) -> None:
    publish("d1", ["x"], [entity(0, "ada", "p", "d")], [relation(0, "ada", "B", [], "r")], with_vectors=True)
    publish("d2", ["y"], [entity(0, "Ada", "p", "d")], [])
    publish("d3", ["z"], [entity(0, "Ada", "p", "d")], [])
    assert [name for name, *_ in entities(db)] == ["Ada", "B"]
    assert rows(db, "SELECT stale FROM pgrag.relation") == [(True,)]


def test_the_first_document_may_be_a_dense_one(url: str) -> None:
    """The planner knows nothing of empty tables, and would compare each name with each."""
    said = [entity(number // 7, f"Name {number}", "person", f"text {number}") for number in range(400)]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET statement_timeout = '20s'")
        Publisher(connection)("d", [f"chunk {number}" for number in range(60)], said, [])
        assert connection.execute("SELECT count(*) FROM pgrag.entity").fetchone() == (400,)
