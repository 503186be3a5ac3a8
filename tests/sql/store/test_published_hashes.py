"""Which texts are published: what an estimate asks."""

from __future__ import annotations

import hashlib

import psycopg
import pytest


def test_only_what_is_ready_has_a_hash(db: psycopg.Connection) -> None:
    db.execute("SELECT pgrag.create_workspace('w')")
    for key, status in (("ready", "ready"), ("waiting", "pending")):
        db.execute(
            "INSERT INTO pgrag.document (workspace_id, document_key, file_path, content, content_hash, status)"
            " VALUES (pgrag.workspace_id('w'), %s, %s, 'text', %s, %s)",
            (key, key, hashlib.sha256(b"text").hexdigest(), status),
        )
    rows = db.execute("SELECT * FROM pgrag.published_hashes('w', ARRAY['ready', 'waiting', 'unknown'])").fetchall()
    assert rows == [("ready", hashlib.sha256(b"text").hexdigest())]


def test_an_unknown_workspace_is_an_error(db: psycopg.Connection) -> None:
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        db.execute("SELECT * FROM pgrag.published_hashes('nowhere', '{}')")
    assert caught.value.sqlstate == "RG002"
