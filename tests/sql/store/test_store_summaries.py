"""Long joined descriptions want a summary; a summary stays as long as it is one of what the evidence says."""

from __future__ import annotations

import psycopg
import pytest
from support.documents import Publisher, entity, relation

DESCRIPTIONS = [f"what passage {number} says" for number in range(8)]


@pytest.fixture
def publish(db: psycopg.Connection) -> Publisher:
    made = Publisher(db)
    for number, text in enumerate(DESCRIPTIONS):
        said = [entity(0, "Ada", "person", text), entity(0, "Bob", "person", "b")]
        made(f"d{number}", [f"text {number}"], said, [relation(0, "Ada", "Bob", ["k"], text)])
    return made


def wanting(db: psycopg.Connection) -> list[tuple]:
    return db.execute(
        "SELECT kind, id, name, description, text_hash FROM pgrag.refresh_pending('w') WHERE wants = 'summary'"
    ).fetchall()


def store(db: psycopg.Connection, rows: list[tuple], summary: str | None) -> int:
    found = db.execute(
        "SELECT pgrag.store_summaries('w', %s, %s, %s, %s::text[])",
        ([r[0] for r in rows], [r[1] for r in rows], [r[4] for r in rows], [summary] * len(rows)),
    ).fetchone()
    assert found is not None
    return int(found[0])


def described(db: psycopg.Connection) -> list[tuple]:
    return db.execute(
        "SELECT description, description_source, stale, unsummarized FROM pgrag.entity WHERE name = 'Ada'"
        " UNION ALL SELECT description, description_source, stale, unsummarized FROM pgrag.relation"
    ).fetchall()


def test_eight_descriptions_want_a_summary(db: psycopg.Connection, publish: Publisher) -> None:
    joined = "<SEP>".join(DESCRIPTIONS)
    assert [(row[0], row[2], row[3]) for row in wanting(db)] == [
        ("entity", "Ada", joined),
        ("relation", "Ada - Bob", joined),
    ]


def test_a_summary_takes_the_place_of_the_descriptions(db: psycopg.Connection, publish: Publisher) -> None:
    assert store(db, wanting(db), "In short.") == 2
    assert described(db) == [("In short.", "summarized", True, False)] * 2
    assert wanting(db) == []


def test_without_a_summary_the_descriptions_stand(db: psycopg.Connection, publish: Publisher) -> None:
    assert store(db, wanting(db), None) == 2
    assert described(db) == [("<SEP>".join(DESCRIPTIONS), "joined", True, False)] * 2
    assert wanting(db) == []


def test_what_changed_meanwhile_keeps_its_descriptions(db: psycopg.Connection, publish: Publisher) -> None:
    rows = wanting(db)
    publish("e", ["more"], [entity(0, "Ada", "person", "one more")], [])
    assert store(db, rows, "In short.") == 1
    assert [row[0] for row in wanting(db)] == ["entity"]


def test_a_summary_goes_with_the_evidence_it_was_made_of(db: psycopg.Connection, publish: Publisher) -> None:
    store(db, wanting(db), "In short.")
    publish("same", ["again"], [entity(0, "Ada", "person", DESCRIPTIONS[0])], [])
    assert described(db)[0][:2] == ("In short.", "summarized")
    db.execute("SELECT pgrag.delete_document('w', 'd3')")
    rest = [text for number, text in enumerate(DESCRIPTIONS) if number != 3]
    assert described(db) == [("<SEP>".join(rest), "joined", True, False)] * 2


def test_summaries_are_kept_by_content_model_and_prompt(db: psycopg.Connection) -> None:
    Publisher(db)
    for text in ("first", "second"):
        db.execute("SELECT pgrag.keep_summary('w', 'hash', 'model', 'digest', %s)", (text,))
    kept = "SELECT content_hash, summary FROM pgrag.kept_summaries('w', ARRAY['hash', 'other'], %s, 'digest')"
    assert db.execute(kept, ("model",)).fetchall() == [("hash", "first")]
    assert db.execute(kept, ("another",)).fetchall() == []


@pytest.mark.parametrize(
    ("text", "may"),
    [("x" * 5000, False), ("a<SEP>b", False), ("a<SEP>" + "b" * 1200, True), ("<SEP>".join("abcdefgh"), True)],
)
def test_may_need_summary(db: psycopg.Connection, text: str, may: bool) -> None:
    assert db.execute("SELECT pgrag.may_need_summary(%s)", (text,)).fetchone() == (may,)
