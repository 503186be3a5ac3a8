"""What is pending, what failed and is tried again, and what is forgotten."""

from __future__ import annotations

import hashlib
import json

import psycopg
import pytest
from support.documents import Publisher, entity


@pytest.fixture
def queue(db: psycopg.Connection) -> Publisher:
    return Publisher(db)


def fail(db: psycopg.Connection, queue: Publisher, document: str) -> None:
    job = queue.claim(document, f"text of {document}")
    db.execute("SELECT pgrag.fail_job('w', %s, 'me', 'it broke')", (job,))


def retried(db: psycopg.Connection, documents: list[str] | None = None) -> set[str]:
    return {row[0] for row in db.execute("SELECT pgrag.retry_documents('w', %s)", (documents,))}


def pending(db: psycopg.Connection, workspace: str | None = None) -> list[tuple]:
    return db.execute("SELECT * FROM pgrag.pending_work(%s)", (workspace,)).fetchall()


def refused(db: psycopg.Connection, query: str, *arguments: object) -> str | None:
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        db.execute(query.encode(), arguments)
    return caught.value.sqlstate


# retry_documents


def test_what_failed_is_queued_again_with_all_its_attempts(db: psycopg.Connection, queue: Publisher) -> None:
    fail(db, queue, "a")
    fail(db, queue, "b")
    queue.enqueue("c", "text")
    assert retried(db) == {"a", "b"}
    assert retried(db) == set()
    assert db.execute("SELECT DISTINCT status, error FROM pgrag.document").fetchall() == [("pending", None)]
    assert db.execute("SELECT DISTINCT state, attempts, worker FROM pgrag.job").fetchall() == [("queued", 0, None)]


def test_only_those_that_are_named_by_id_or_path(db: psycopg.Connection, queue: Publisher) -> None:
    fail(db, queue, "a")
    fail(db, queue, "b")
    db.execute("UPDATE pgrag.document SET file_path = 'the path' WHERE document_key = 'b'")
    assert retried(db, ["the path"]) == {"b"}
    assert retried(db, []) == set()


def test_a_failed_new_version_of_a_ready_document_is_tried_again(db: psycopg.Connection, queue: Publisher) -> None:
    queue("d", ["old"], [entity(0, "A", "t", "d")], [])
    fail(db, queue, "d")
    assert retried(db) == {"d"}
    assert db.execute("SELECT status, error FROM pgrag.document").fetchone() == ("ready", None)


def test_a_document_that_is_not_there_is_named(db: psycopg.Connection, queue: Publisher) -> None:
    fail(db, queue, "a")
    assert refused(db, "SELECT pgrag.retry_documents('w', %s)", ["a", "nobody"]) == "RG006"
    assert db.execute("SELECT state FROM pgrag.job").fetchone() == ("failed",)


# pending_work


def test_nothing_pending_is_no_row(db: psycopg.Connection, queue: Publisher) -> None:
    assert pending(db) == []
    assert refused(db, "SELECT pgrag.pending_work('nowhere')") == "RG002"


def test_jobs_are_counted_by_whether_they_can_be_taken(db: psycopg.Connection, queue: Publisher) -> None:
    for document in "abc":
        queue.enqueue(document, "text")
    db.execute("SELECT pgrag.claim_job('w', 'alive', ARRAY['a'])")
    db.execute("SELECT pgrag.claim_job('w', 'dead', ARRAY['b'], -1)")
    fail(db, queue, "d")
    assert pending(db) == [("w", 2, 1, False)]


def test_the_workspace_that_waited_longest_comes_first(db: psycopg.Connection) -> None:
    for workspace in ("late", "early"):
        Publisher(db, workspace).enqueue("d", "text")
    db.execute(
        "UPDATE pgrag.job SET created_at = created_at - interval '1 hour' "
        "WHERE workspace_id = pgrag.workspace_id('early')"
    )
    assert [row[0] for row in pending(db)] == ["early", "late"]
    assert [row[0] for row in pending(db, "late")] == ["late"]


def test_vectors_to_be_made_anew_are_pending(db: psycopg.Connection, queue: Publisher) -> None:
    queue("d", ["text"], [entity(0, "A", "t", "d")], [])
    assert pending(db) == [("w", 0, 0, True)]


# release_jobs


def test_a_worker_gives_back_what_its_lanes_hold_in_every_workspace(db: psycopg.Connection) -> None:
    for workspace in ("one", "two"):
        queue = Publisher(db, workspace)
        queue.claim("a", "text", worker="me/1")
        queue.enqueue("b", "text")
        db.execute("SELECT pgrag.claim_job(%s, 'me2/1', ARRAY['b'])", (workspace,))
    assert db.execute("SELECT pgrag.release_jobs(NULL, 'me')").fetchone() == (2,)
    assert db.execute("SELECT DISTINCT worker FROM pgrag.job WHERE state = 'working'").fetchall() == [("me2/1",)]


# enqueue_document


def test_the_same_text_keeps_its_job_and_its_attempts(db: psycopg.Connection, queue: Publisher) -> None:
    queue.enqueue("d", "text")
    db.execute("SELECT pgrag.claim_job('w', 'dead', NULL, -1)")
    before = db.execute("SELECT id, attempts FROM pgrag.job").fetchone()
    assert queue.enqueue("d", "text", metadata='{"a": 1}') == "queued"
    assert db.execute("SELECT id, attempts FROM pgrag.job").fetchone() == before
    assert db.execute("SELECT state, worker, metadata FROM pgrag.job").fetchone() == ("queued", None, {"a": 1})
    assert queue.enqueue("d", "newer text") == "queued"
    assert db.execute("SELECT attempts FROM pgrag.job").fetchone() == (0,)


# delete_document and what was kept


def keep(db: psycopg.Connection, *texts: str) -> None:
    for text in texts:
        digest = hashlib.sha256(text.encode()).hexdigest()
        db.execute("SELECT pgrag.keep_extraction('w', %s, 'm', 'p', %s)", (digest, json.dumps({"of": text})))


def kept(db: psycopg.Connection) -> set[str]:
    return {row[0] for row in db.execute("SELECT reply ->> 'of' FROM pgrag.extraction")}


def test_deleting_keeps_what_was_paid_for(db: psycopg.Connection, queue: Publisher) -> None:
    queue("a", ["one", "shared"], [], [])
    keep(db, "one", "shared")
    db.execute("SELECT pgrag.delete_document('w', 'a')")
    assert kept(db) == {"one", "shared"}


def test_deleting_can_forget_it_except_what_others_share(db: psycopg.Connection, queue: Publisher) -> None:
    queue("a", ["one", "shared"], [], [])
    queue("b", ["shared", "two"], [], [])
    keep(db, "one", "shared", "two", "of no document")
    db.execute("SELECT pgrag.delete_document('w', 'a', false)")
    assert kept(db) == {"shared", "two", "of no document"}
    db.execute("SELECT pgrag.delete_document('w', 'b', keep_extractions => false)")
    assert kept(db) == {"of no document"}


def test_another_workspace_shares_nothing(db: psycopg.Connection, queue: Publisher) -> None:
    queue("a", ["one"], [], [])
    Publisher(db, "other")("a", ["one"], [], [])
    keep(db, "one")
    db.execute("SELECT pgrag.delete_document('w', 'a', false)")
    assert kept(db) == set()


# forget


def test_only_what_is_older_is_forgotten(db: psycopg.Connection, queue: Publisher) -> None:
    keep(db, "old", "new")
    db.execute(
        "UPDATE pgrag.extraction SET created_at = created_at - interval '2 days' WHERE reply = '{\"of\": \"old\"}'"
    )
    db.execute("SELECT pgrag.record_usage('w', 'extract', 'm', 1)")
    assert db.execute("SELECT pgrag.forget('w', 'extractions', '1 day')").fetchone() == (1,)
    assert kept(db) == {"new"}
    db.execute("SELECT pgrag.keep_summary('w', 'hash', 'm', 'p', 'a summary')")
    assert db.execute("SELECT pgrag.forget('w', 'summaries', '1 day')").fetchone() == (0,)
    assert db.execute("SELECT pgrag.forget('w', 'summaries', '0')").fetchone() == (1,)
    assert db.execute("SELECT pgrag.forget('w', 'usage', '1 day')").fetchone() == (0,)
    assert db.execute("SELECT pgrag.forget('w', 'usage', '0')").fetchone() == (1,)
    assert db.execute("SELECT pgrag.forget('w', 'extractions', '0')").fetchone() == (1,)


@pytest.mark.parametrize(
    ("kind", "age"), [("documents", "1 day"), ("usage", "-1 day"), (None, "1 day"), ("usage", None)]
)
def test_what_cannot_be_forgotten_is_refused(
    db: psycopg.Connection, queue: Publisher, kind: str | None, age: str | None
) -> None:
    assert refused(db, "SELECT pgrag.forget('w', %s, %s::interval)", kind, age) == "RG001"


# document_details, list_documents


def test_the_details_of_a_document(db: psycopg.Connection, queue: Publisher) -> None:
    queue("d", ["one", "two"], [entity(0, "A", "t", "x"), entity(1, "B", "t", "y")], [])
    for calls in (2, 3):
        db.execute("SELECT pgrag.record_usage('w', 'extract', 'm', %s, 1, 10, 5, 'd')", (calls,))
    row = db.execute(
        "SELECT document, status, chunk_count, entity_count, relation_count, job_state, usage "
        "FROM pgrag.document_details('w', 'd')"
    ).fetchone()
    usage = {"extract": {"calls": 5, "cached": 2, "prompt_tokens": 20, "completion_tokens": 10}}
    assert row == ("d", "ready", 2, 2, 0, None, usage)


def test_the_details_of_all_documents_of_a_path(db: psycopg.Connection, queue: Publisher) -> None:
    for document in ("b", "a"):
        queue.enqueue(document, "text", file_path="the path")
    found = db.execute("SELECT document, job_state, usage FROM pgrag.document_details('w', 'the path')").fetchall()
    assert found == [("a", "queued", {}), ("b", "queued", {})]
    assert refused(db, "SELECT * FROM pgrag.document_details('w', 'nobody')") == "RG006"


def test_failed_means_the_last_attempt(db: psycopg.Connection, queue: Publisher) -> None:
    queue("old version is ready", ["old"], [], [])
    for document in ("never ready", "old version is ready"):
        fail(db, queue, document)
    queue("sound", ["text"], [], [])
    listed = "SELECT document FROM pgrag.list_documents('w', %s)"
    assert db.execute(listed, ("failed",)).fetchall() == [("never ready",), ("old version is ready",)]
    assert db.execute(listed, ("ready",)).fetchall() == [("old version is ready",), ("sound",)]
    assert refused(db, listed, "asleep") == "RG001"
