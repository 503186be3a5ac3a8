"""require_dimensions lets embeddings of the database's dimensions pass, and NULL."""

from __future__ import annotations

import psycopg
import pytest


def test_the_right_dimensions_and_null_pass(db: psycopg.Connection) -> None:
    db.execute("SELECT pgrag.require_dimensions('[1,2,3,4,5,6,7,8]'), pgrag.require_dimensions(NULL)")


@pytest.mark.parametrize("dimensions", [1, 7, 9, 1536])
def test_others_are_an_embedding_mismatch_with_both_numbers_and_a_hint(db: psycopg.Connection, dimensions: int) -> None:
    with pytest.raises(psycopg.Error) as caught:
        db.execute("SELECT pgrag.require_dimensions(%s)", (str([1.0] * dimensions),))
    assert caught.value.sqlstate == "RG003"
    assert f"has {dimensions} dimensions, the database has 8" in (caught.value.diag.message_primary or "")
    assert "embedding_model" in (caught.value.diag.message_hint or "")


def test_dimensions_of_counts(db: psycopg.Connection) -> None:
    row = db.execute("SELECT pgrag.dimensions_of('[1,2,3]'), pgrag.dimensions_of(NULL)").fetchone()
    assert row == (3, None)
