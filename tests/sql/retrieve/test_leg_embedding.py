"""pgrag.leg_embedding: which embedding walks which leg of which mode."""

from __future__ import annotations

import psycopg
import pytest

QUERY, LOW, HIGH = "[1]", "[2]", "[3]"


@pytest.mark.parametrize(
    ("mode", "low", "high", "legs"),
    [
        ("local", LOW, HIGH, (LOW, None, None)),
        ("local", None, HIGH, (QUERY, None, None)),
        ("global", LOW, HIGH, (None, HIGH, None)),
        ("global", LOW, None, (None, QUERY, None)),
        ("hybrid", LOW, HIGH, (LOW, HIGH, None)),
        ("hybrid", None, None, (QUERY, QUERY, None)),
        ("hybrid", LOW, None, (LOW, None, None)),
        ("hybrid", None, HIGH, (None, HIGH, None)),
        ("mix", LOW, HIGH, (LOW, HIGH, QUERY)),
        ("mix", None, None, (QUERY, QUERY, QUERY)),
        ("mix", None, HIGH, (None, HIGH, QUERY)),
        ("naive", LOW, HIGH, (None, None, QUERY)),
    ],
)
def test_each_mode(
    db: psycopg.Connection, mode: str, low: str | None, high: str | None, legs: tuple[str | None, ...]
) -> None:
    found = db.execute(
        "SELECT array_agg(pgrag.leg_embedding(leg, %s, %s, %s, %s)::text ORDER BY place) "
        "FROM unnest(ARRAY['local', 'global', 'vector']) WITH ORDINALITY AS l (leg, place)",
        (mode, QUERY, low, high),
    ).fetchone()
    assert found == (list(legs),)
