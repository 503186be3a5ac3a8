"""Kept replies: good for one corpus version, for a time, and for so many."""

from __future__ import annotations

import psycopg
import pytest


@pytest.fixture
def workspace(db: psycopg.Connection) -> int:
    row = db.execute("SELECT pgrag.create_workspace('w')").fetchone()
    assert row is not None
    return int(row[0])


def keep(db: psycopg.Connection, key: str, version: int | None, **more: object) -> bool:
    named = "".join(f", {name} => %({name})s" for name in more)
    row = db.execute(
        f"SELECT pgrag.keep_reply('w', 'answer', %(key)s, '{{\"text\": 1}}', %(version)s{named})",
        {"key": key, "version": version, **more},
    ).fetchone()
    assert row is not None
    return bool(row[0])


def find(db: psycopg.Connection, key: str, kind: str = "answer") -> object:
    row = db.execute("SELECT value FROM pgrag.cached_reply('w', %s, %s)", (kind, key)).fetchone()
    assert row is not None
    return row[0]


def test_a_reply_is_found_by_its_key_and_kind(db: psycopg.Connection, workspace: int) -> None:
    assert keep(db, "k", 0)
    assert find(db, "k") == {"text": 1}
    assert find(db, "another") is None
    assert find(db, "k", "keywords") is None


def test_a_change_of_the_corpus_makes_it_stale(db: psycopg.Connection, workspace: int) -> None:
    keep(db, "k", 0)
    db.execute("SELECT pgrag.bump_version(%s)", (workspace,))
    assert find(db, "k") is None


def test_what_was_answered_from_an_older_corpus_is_not_kept(db: psycopg.Connection, workspace: int) -> None:
    db.execute("SELECT pgrag.bump_version(%s)", (workspace,))
    assert not keep(db, "k", 0)
    assert db.execute("SELECT count(*) FROM pgrag.query_cache").fetchone() == (0,)


def test_a_reply_without_a_version_outlives_changes(db: psycopg.Connection, workspace: int) -> None:
    keep(db, "k", None)
    db.execute("SELECT pgrag.bump_version(%s)", (workspace,))
    assert find(db, "k") == {"text": 1}


def test_it_expires(db: psycopg.Connection, workspace: int) -> None:
    keep(db, "k", 0, ttl_seconds=-1)
    assert find(db, "k") is None


def test_the_oldest_go_when_there_are_too_many(db: psycopg.Connection, workspace: int) -> None:
    for n in range(5):
        keep(db, f"k{n}", 0, max_rows=3)
        db.execute("UPDATE pgrag.query_cache SET created_at = created_at - interval '1 minute'")
    left = db.execute("SELECT key FROM pgrag.query_cache ORDER BY created_at").fetchall()
    assert left == [("k2",), ("k3",), ("k4",)]


def test_clearing_forgets_replies_and_leaves_extractions(db: psycopg.Connection, workspace: int) -> None:
    keep(db, "k", 0)
    db.execute("SELECT pgrag.keep_extraction('w', 'hash', 'model', 'digest', '{}')")
    assert db.execute("SELECT pgrag.clear_cache('w')").fetchone() == (1,)
    assert db.execute("SELECT count(*) FROM pgrag.extraction").fetchone() == (1,)


def test_a_reader_keeps_nothing_and_gets_no_error(db: psycopg.Connection, workspace: int) -> None:
    db.execute("CREATE ROLE test_only_reads")
    db.execute("GRANT USAGE ON SCHEMA pgrag TO test_only_reads")
    db.execute("GRANT SELECT ON ALL TABLES IN SCHEMA pgrag TO test_only_reads")
    db.execute("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgrag TO test_only_reads")
    db.execute("SET LOCAL ROLE test_only_reads")
    assert not keep(db, "k", 0)
    db.execute("SELECT pgrag.record_usage('w', 'answer', 'm', 1)")
    assert find(db, "k") is None
    db.execute("RESET ROLE")
    assert db.execute("SELECT count(*) FROM pgrag.model_usage").fetchone() == (0,)


def test_an_extraction_is_kept_once_by_text_model_and_prompt(db: psycopg.Connection, workspace: int) -> None:
    for reply in ('{"n": 1}', '{"n": 2}'):
        db.execute("SELECT pgrag.keep_extraction('w', 'hash', 'model', 'digest', %s)", (reply,))
    find_it = "SELECT reply FROM pgrag.kept_extractions('w', ARRAY['hash', 'other'], %s, %s)"
    assert db.execute(find_it, ("model", "digest")).fetchall() == [({"n": 1},)]
    assert db.execute(find_it, ("another", "digest")).fetchall() == []
    assert db.execute(find_it, ("model", "another")).fetchall() == []
