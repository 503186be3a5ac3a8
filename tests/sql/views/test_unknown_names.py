"""What is unknown is an error, not an empty result, whichever way the planner goes, in an empty database too."""

from __future__ import annotations

import psycopg
import pytest


@pytest.mark.parametrize("join", ["nestloop", "hashjoin", "mergejoin"])
@pytest.mark.parametrize(
    ("call", "state"),
    [
        ("entity_details('w', 'nobody')", "RG008"),
        ("entity_details('nowhere', 'nobody')", "RG002"),
        ("relation_details('w', 'nobody', 'nothing')", "RG008"),
        ("relation_details('nowhere', 'nobody', 'nothing')", "RG002"),
        ("refresh_pending('nowhere')", "RG002"),
    ],
)
def test_an_unknown_name_is_an_error_by_every_plan(db: psycopg.Connection, call: str, state: str, join: str) -> None:
    with db.transaction(force_rollback=True):
        db.execute("SELECT pgrag.create_workspace('w')")
        for other in {"nestloop", "hashjoin", "mergejoin"} - {join}:
            db.execute(f"SELECT set_config('enable_{other}', 'off', true)")
        with pytest.raises(psycopg.Error) as refusal:
            db.execute(f"SELECT * FROM pgrag.{call}")
        assert refusal.value.sqlstate == state
