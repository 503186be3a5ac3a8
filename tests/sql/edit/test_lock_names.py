"""Who changes what names mean and who stores what was said wait for each other; publishers do not."""

from __future__ import annotations

import psycopg
import pytest
from support.documents import Publisher, entity
from support.graph_rows import assert_sound

MERGE = "SELECT pgrag.merge_entities('w', ARRAY['Ada'], 'Bob')"


@pytest.fixture
def two(url: str, db: psycopg.Connection) -> psycopg.Connection:
    """Workspace `w` is committed; the connection is a second one, impatient."""
    Publisher(db)("d", ["x"], [entity(0, name, "t", name) for name in ("Ada", "Bob")], [])
    db.commit()
    other = psycopg.connect(url)
    other.execute("SET lock_timeout = '150ms'")
    other.commit()
    return other


def test_a_merge_waits_for_a_publisher_and_finds_what_it_stored(
    db: psycopg.Connection, two: psycopg.Connection
) -> None:
    Publisher(db)("e", ["y"], [entity(0, "Ada", "t", "More.")], [])
    with pytest.raises(psycopg.errors.LockNotAvailable), two.transaction():
        two.execute(MERGE)
    db.commit()
    two.execute(MERGE)
    two.commit()
    assert db.execute("SELECT name, description FROM pgrag.entity").fetchall() == [("Bob", "Ada<SEP>Bob<SEP>More.")]
    assert_sound(db)
    two.close()


def test_a_publisher_waits_for_a_merge_and_goes_by_it(db: psycopg.Connection, two: psycopg.Connection) -> None:
    db.execute(MERGE)
    job = Publisher(two).claim("e", "y")
    two.commit()
    with pytest.raises(psycopg.errors.LockNotAvailable), two.transaction():
        Publisher(two).publish(job, ["y"], [entity(0, "Ada", "t", "More.")], [])
    db.commit()
    Publisher(two).publish(job, ["y"], [entity(0, "Ada", "t", "More.")], [])
    two.commit()
    assert db.execute("SELECT name FROM pgrag.entity").fetchall() == [("Bob",)]
    assert_sound(db)
    two.close()


def test_publishers_do_not_wait_for_each_other_for_names(db: psycopg.Connection, two: psycopg.Connection) -> None:
    db.execute("SELECT pgrag.lock_names(id) FROM pgrag.workspace")
    two.execute("SELECT pgrag.lock_names(id) FROM pgrag.workspace")
    with pytest.raises(psycopg.errors.LockNotAvailable), two.transaction():
        two.execute("SELECT pgrag.lock_names(id, true) FROM pgrag.workspace")
    two.close()
