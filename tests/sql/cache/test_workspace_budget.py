"""The ledger: what was asked of models for each document, and how much may be asked for a workspace."""

from __future__ import annotations

import psycopg
import pytest


@pytest.fixture
def workspace(db: psycopg.Connection) -> str:
    db.execute("SELECT pgrag.create_workspace('w'), pgrag.create_workspace('other')")
    return "w"


def record(db: psycopg.Connection, workspace: str, document: str | None, role: str, sent: int, received: int) -> None:
    db.execute("SELECT pgrag.record_usage(%s, %s, 'm', 1, 2, %s, %s, %s)", (workspace, role, sent, received, document))


def budget(db: psycopg.Connection, workspace: str) -> tuple[object, ...]:
    row = db.execute("SELECT max_tokens, spent_tokens FROM pgrag.workspace_budget(%s)", (workspace,)).fetchone()
    assert row is not None
    return row


def test_a_new_workspace_has_no_budget_and_has_spent_nothing(db: psycopg.Connection, workspace: str) -> None:
    assert budget(db, workspace) == (None, 0)


def test_all_roles_are_spent_and_none_of_another_workspace(db: psycopg.Connection, workspace: str) -> None:
    record(db, "w", "d", "extract", 10, 5)
    record(db, "w", None, "answer", 7, 1)
    record(db, "other", "d", "extract", 1000, 1000)
    assert budget(db, workspace) == (None, 23)


def test_a_budget_is_set_and_taken_away_and_other_settings_stay(db: psycopg.Connection, workspace: str) -> None:
    db.execute("""UPDATE pgrag.workspace SET settings = '{"colour": "red"}' WHERE name = 'w'""")
    for most in (2**40, 0, None):
        db.execute("SELECT pgrag.set_workspace_budget('w', %s)", (most,))
        assert budget(db, workspace) == (most, 0)
    assert db.execute("SELECT settings FROM pgrag.workspace WHERE name = 'w'").fetchone() == ({"colour": "red"},)


@pytest.mark.parametrize(("name", "most", "code"), [("w", -1, "RG001"), ("nowhere", 1, "RG002")])
def test_what_makes_no_sense_is_refused(
    db: psycopg.Connection, workspace: str, name: str, most: int, code: str
) -> None:
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        db.execute("SELECT pgrag.set_workspace_budget(%s, %s)", (name, most))
    assert caught.value.sqlstate == code


def test_the_view_adds_up_by_document_role_and_model(db: psycopg.Connection, workspace: str) -> None:
    for _ in range(2):
        record(db, "w", "d", "extract", 10, 5)
    record(db, "w", "d", "embed", 7, 0)
    rows = db.execute(
        "SELECT document, role, model, calls, cached, prompt_tokens, completion_tokens, tokens FROM pgrag.usage_stats"
        " WHERE workspace = 'w' ORDER BY role"
    ).fetchall()
    assert rows == [("d", "embed", "m", 1, 2, 7, 0, 7), ("d", "extract", "m", 2, 4, 20, 10, 30)]
