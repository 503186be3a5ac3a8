"""keep_statistics and expect_many: the planner knows how large tables are while they grow, and what comes."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable

import psycopg
import pytest
from support.documents import Publisher, entity, relation


def counted(db: psycopg.Connection, table: str) -> float:
    ((rows,),) = db.execute("SELECT reltuples FROM pg_class WHERE oid = %s::regclass", (f"pgrag.{table}",)).fetchall()
    return float(rows)


def setting(db: psycopg.Connection, name: str) -> str:
    return db.execute("SELECT current_setting(%s)", (name,)).fetchone()[0]


def grow(db: psycopg.Connection, count: int) -> None:
    db.execute("INSERT INTO pgrag.workspace (name) VALUES ('w') ON CONFLICT DO NOTHING")
    db.execute(
        """
        INSERT INTO pgrag.entity (workspace_id, name, name_key, type, description)
        SELECT w.id, n::text, n::text, 't', repeat('d', 500)
          FROM pgrag.workspace w, generate_series(1, %s) n WHERE w.name = 'w' ON CONFLICT DO NOTHING
        """,
        (count,),
    )


def test_a_table_that_grew_fourfold_is_counted_anew_and_one_that_did_not_is_left(
    db: psycopg.Connection, url: str
) -> None:
    grow(db, 500)
    db.execute("SELECT pgrag.keep_statistics()")
    assert counted(db, "entity") == 500
    assert counted(db, "relation") <= 0
    grow(db, 1500)
    db.execute("SELECT pgrag.keep_statistics()")
    assert counted(db, "entity") == 500
    grow(db, 2500)
    db.execute("SELECT pgrag.keep_statistics()")
    assert counted(db, "entity") == 2500


def test_the_planner_finds_a_chunk_of_the_evidence_by_its_key(db: psycopg.Connection, url: str) -> None:
    """Without statistics each piece of evidence was compared with each chunk of the workspace."""
    publish = Publisher(db)
    for number in range(60):
        texts = [f"chunk {number} {place} " + "x" * 300 for place in range(5)]
        said = [entity(place, f"E{place}", "t", f"d {number} {place}") for place in range(5)]
        publish(f"d{number}", texts, said, [relation(0, "E0", "E1", ["k"], f"r {number}")])
    assert counted(db, "chunk") >= 40
    plan = json.dumps(
        db.execute(
            """
            EXPLAIN (FORMAT JSON)
            SELECT c.chunk_index FROM pgrag.entity_evidence v
              JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
             WHERE v.workspace_id = 1 AND v.entity_id = 1
            """
        ).fetchall()
    )
    assert "Join Filter" not in plan


def test_who_may_not_count_publishes_all_the_same(db: psycopg.Connection, url: str) -> None:
    role = f"counts_nothing_{uuid.uuid4().hex[:8]}"
    db.execute(f"CREATE ROLE {role}")
    db.execute(f"GRANT USAGE ON SCHEMA pgrag TO {role}")
    db.execute(f"GRANT EXECUTE ON FUNCTION pgrag.keep_statistics() TO {role}")
    grow(db, 500)
    notices: list[str] = []
    db.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
    db.execute(f"SET LOCAL ROLE {role}")
    db.execute("SELECT pgrag.keep_statistics()")
    db.execute("RESET ROLE")
    assert notices == []
    assert counted(db, "entity") <= 0
    db.rollback()  # a role belongs to the whole server


@pytest.mark.parametrize(
    ("records", "many", "plans", "loops", "scans"),
    [
        (10, False, "force_generic_plan", "on", "off"),
        (5000, True, "force_custom_plan", "off", "on"),
        (0, False, "auto", "on", "on"),
    ],
)
def test_the_planner_is_told_how_many_records_come(
    db: psycopg.Connection, records: int, many: bool, plans: str, loops: str, scans: str
) -> None:
    assert db.execute("SELECT pgrag.expect_many(%s)", (records,)).fetchone() == (many,)
    assert setting(db, "plan_cache_mode") == plans
    assert setting(db, "enable_nestloop") == loops
    assert setting(db, "enable_seqscan") == scans


def test_usual_again_after_a_publication(db: psycopg.Connection, publisher: Callable[..., None]) -> None:
    publisher("d", ["a"], [entity(0, "Ada", "t", "d")], [])
    assert (setting(db, "plan_cache_mode"), setting(db, "enable_seqscan")) == ("auto", "on")


@pytest.fixture
def publisher(db: psycopg.Connection) -> Publisher:
    return Publisher(db)
