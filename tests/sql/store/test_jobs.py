"""The queue: enqueue, claim, lease, release, fail; no document is worked on twice, none is lost."""

from __future__ import annotations

import psycopg
import pytest
from support.documents import Publisher, entity


@pytest.fixture
def queue(db: psycopg.Connection) -> Publisher:
    return Publisher(db)


def claim(db: psycopg.Connection, worker: str, lease: float = 30) -> str | None:
    row = db.execute("SELECT document FROM pgrag.claim_job('w', %s, NULL, %s)", (worker, lease)).fetchone()
    return None if row is None else row[0]


def status(db: psycopg.Connection, document: str = "d") -> tuple:
    row = db.execute(
        "SELECT d.status, d.error, j.state FROM pgrag.document d LEFT JOIN pgrag.job j ON j.document_id = d.id "
        "WHERE d.document_key = %s",
        (document,),
    ).fetchone()
    assert row is not None
    return row


def test_jobs_are_taken_in_their_order_each_once(db: psycopg.Connection, queue: Publisher) -> None:
    for document in ("b", "a"):
        queue.enqueue(document, "text")
    assert [claim(db, "one"), claim(db, "two"), claim(db, "three")] == ["b", "a", None]
    assert status(db, "a") == ("extracting", None, "working")


def test_a_job_under_way_is_passed_over_not_waited_for(url: str, db: psycopg.Connection, queue: Publisher) -> None:
    queue.enqueue("a", "text")
    queue.enqueue("b", "text")
    db.commit()
    with psycopg.connect(url) as other:
        assert claim(other, "one") == "a"
        db.execute("SET lock_timeout = '1s'")
        assert claim(db, "two") == "b"


def test_a_lease_that_ran_out_is_succeeded(db: psycopg.Connection, queue: Publisher) -> None:
    queue.enqueue("d", "text")
    assert claim(db, "dead", lease=-1) == "d"
    assert claim(db, "alive") == "d"
    assert db.execute("SELECT worker, attempts FROM pgrag.job").fetchone() == ("alive", 2)


def test_a_heartbeat_renews_the_lease_of_its_own_job_only(db: psycopg.Connection, queue: Publisher) -> None:
    queue.enqueue("d", "text")
    claim(db, "one", lease=-1)
    (job,) = db.execute("SELECT id FROM pgrag.job").fetchone() or ()
    assert db.execute("SELECT pgrag.renew_lease('w', %s, 'another')", (job,)).fetchone() == (False,)
    assert db.execute("SELECT pgrag.renew_lease('w', %s, 'one')", (job,)).fetchone() == (True,)
    assert claim(db, "two") is None


def test_an_interrupted_worker_gives_its_jobs_back(db: psycopg.Connection, queue: Publisher) -> None:
    queue.enqueue("d", "text")
    claim(db, "one")
    assert db.execute("SELECT pgrag.release_jobs('w', 'another')").fetchone() == (0,)
    assert db.execute("SELECT pgrag.release_jobs('w', 'one')").fetchone() == (1,)
    assert status(db) == ("pending", None, "queued")
    assert db.execute("SELECT attempts FROM pgrag.job").fetchone() == (0,)


def test_a_failed_job_says_why_and_is_taken_again_when_asked(db: psycopg.Connection, queue: Publisher) -> None:
    job = queue.claim("d", "text")
    assert db.execute("SELECT pgrag.fail_job('w', %s, 'me', 'it broke')", (job,)).fetchone() == (True,)
    assert status(db) == ("failed", "it broke", "failed")
    assert claim(db, "me") is None
    assert queue.enqueue("d", "text") == "queued"
    assert status(db) == ("pending", None, "queued")


def test_a_failed_new_version_leaves_the_document_ready(db: psycopg.Connection, queue: Publisher) -> None:
    queue("d", ["old"], [entity(0, "A", "t", "d")], [])
    job = queue.claim("d", "new")
    db.execute("SELECT pgrag.fail_job('w', %s, 'me', 'it broke')", (job,))
    assert status(db) == ("ready", "it broke", "failed")


def test_the_same_text_under_way_is_busy(db: psycopg.Connection, queue: Publisher) -> None:
    queue.claim("d", "text")
    assert queue.enqueue("d", "text") == "busy"
    assert queue.enqueue("d", "newer text") == "queued"


def test_a_newer_version_takes_the_place_of_one_under_way(db: psycopg.Connection, queue: Publisher) -> None:
    old = queue.claim("d", "old")
    queue.enqueue("d", "new")
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        queue.publish(old, ["old"], [], [])
    assert caught.value.sqlstate == "RG004"


def test_metadata_of_a_new_version_waits_for_it(db: psycopg.Connection, queue: Publisher) -> None:
    queue("d", ["old"], [], [])
    queue.enqueue("d", "new", metadata='{"v": 2}')
    assert db.execute("SELECT metadata FROM pgrag.document").fetchone() == ({},)
    (job,) = db.execute("SELECT job_id FROM pgrag.claim_job('w', 'me')").fetchone() or ()
    queue.publish(job, ["new"], [], [])
    assert db.execute("SELECT metadata FROM pgrag.document").fetchone() == ({"v": 2},)


def test_a_file_from_another_place_is_refused_naming_both(db: psycopg.Connection, queue: Publisher) -> None:
    queue.enqueue("readme.md", "text", source_path="/one/readme.md")
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        queue.enqueue("readme.md", "other", source_path="/two/readme.md")
    message = caught.value.diag.message_primary or ""
    assert caught.value.sqlstate == "RG001"
    assert "/one/readme.md" in message
    assert "/two/readme.md" in message
    assert queue.enqueue("readme.md", "other", source_path="/two/readme.md", replace=True) == "queued"
    assert queue.enqueue("readme.md", "third", source_path=None) == "queued"


@pytest.mark.parametrize("content", ["", "  \n\t\r "])
def test_an_empty_document_is_refused(db: psycopg.Connection, queue: Publisher, content: str) -> None:
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        queue.enqueue("d", content)
    assert caught.value.sqlstate == "RG001"


def test_a_job_that_is_being_ended_is_not_waited_for(url: str, db: psycopg.Connection, queue: Publisher) -> None:
    """Workers lock the job, then the document; enqueueing locks the document first: waiting would be a deadlock."""
    queue.claim("d", "text")
    db.commit()
    with psycopg.connect(url) as worker:
        worker.execute("SELECT FROM pgrag.job FOR UPDATE")
        db.execute("SET lock_timeout = '2s'")
        assert queue.enqueue("d", "newer text") == "busy"
        db.commit()
    assert queue.enqueue("d", "newer text") == "queued"
