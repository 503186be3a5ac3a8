"""Bring your own extraction: a graph from SQL alone, the same when given again, gone with its documents."""

from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest
from support.documents import Publisher, array_of, entity, relation, vector_of
from support.graph_rows import assert_sound, graph_rows

ENTITIES = [("Ada", "person", "A mathematician."), ("Engine", "machine", "It computes.")]


@pytest.fixture
def w(db: psycopg.Connection) -> psycopg.Connection:
    db.execute("SELECT pgrag.create_workspace('w')")
    return db


def call(db: psycopg.Connection, function: str, *args: Any, workspace: str = "w") -> list[tuple]:
    given = [json.dumps(each) if isinstance(each, list) else each for each in args]
    marks = "".join(", %s" for _ in given)
    return db.execute(f"SELECT * FROM pgrag.{function}(%s{marks})", (workspace, *given)).fetchall()


def refused(db: psycopg.Connection, function: str, *args: Any, workspace: str = "w") -> psycopg.Error:
    before = graph_rows(db)
    with pytest.raises(psycopg.Error) as caught, db.transaction():
        call(db, function, *args, workspace=workspace)
    assert graph_rows(db) == before
    return caught.value


def build(db: psycopg.Connection, document: str = "d", words: str = "one") -> dict[str, list[tuple]]:
    call(db, "upsert_document", document, f"{words} two")
    texts = [f"{words} of {document}", f"two of {document}"]
    chunks = call(
        db,
        "upsert_chunks",
        document,
        [{"chunk_index": i, "content": text, "token_count": 3} for i, text in enumerate(texts)],
        array_of([vector_of(text) for text in texts]),
    )
    first, second = (key for _, key in chunks)
    rows = [{"chunk_id": first, "name": n, "type": t, "description": d} for n, t, d in ENTITIES]
    said = call(db, "upsert_entities", [*rows, {"chunk_id": second, "name": "ADA", "description": "A countess."}])
    bound = call(
        db,
        "upsert_relations",
        [
            {"chunk_id": second, "source": "ada", "target": "Byron", "keywords": ["kin"], "description": "Her father."},
            {"chunk_id": second, "source": "Ada", "target": "Engine", "weight": 2.5},
            {"chunk_id": second, "source": "Ada", "target": "ADA"},
        ],
    )
    return {"chunks": chunks, "entities": said, "relations": bound}


def test_ids_come_out_row_by_row(w: psycopg.Connection) -> None:
    made = build(w)
    assert [index for index, _ in made["chunks"]] == [0, 1]
    ids = dict(made["entities"])
    assert list(ids) == [1, 2, 3]
    assert ids[1] == ids[3] != ids[2]
    assert [ordinal for ordinal, _ in made["relations"]] == [1, 2, 3]
    assert made["relations"][2][1] is None
    assert_sound(w)


def test_it_gives_what_publishing_the_same_gives(w: psycopg.Connection) -> None:
    build(w)
    Publisher(w, "published")(
        "d",
        ["one of d", "two of d"],
        [*(entity(0, *each) for each in ENTITIES), entity(1, "ADA", "", "A countess.")],
        [relation(1, "ada", "Byron", ["kin"], "Her father."), relation(1, "Ada", "Engine", [], "", 2.5)],
    )
    mine, theirs = graph_rows(w), graph_rows(w, "published")
    assert mine["entities"] == theirs["entities"]
    assert mine["relations"] == theirs["relations"]


def test_the_same_again_changes_nothing(w: psycopg.Connection) -> None:
    made = build(w)
    before = graph_rows(w)
    assert build(w) == made
    assert graph_rows(w) == before


def test_deleting_the_document_deletes_exactly_what_it_said(w: psycopg.Connection) -> None:
    build(w, "a")
    before = graph_rows(w)
    build(w, "b")
    call(w, "delete_document", "b")
    assert graph_rows(w) == before
    assert_sound(w)


def test_a_chunk_of_another_text_loses_what_was_said_of_the_old_one(w: psycopg.Connection) -> None:
    made = build(w)
    again = call(w, "upsert_chunks", "d", [{"chunk_index": 1, "content": "something else"}])
    assert again == made["chunks"][1:]
    names = [row[0] for row in w.execute("SELECT name FROM pgrag.entity ORDER BY name")]
    assert names == ["Ada", "Engine"]
    assert w.execute("SELECT count(*) FROM pgrag.relation").fetchone() == (0,)
    assert w.execute("SELECT count(*) FROM pgrag.chunk_embedding").fetchone() == (1,)


def test_embeddings_can_come_later(w: psycopg.Connection) -> None:
    call(w, "upsert_document", "d")
    rows = [{"chunk_index": 0, "content": "x"}]
    (made,) = call(w, "upsert_chunks", "d", rows)
    assert [row[0] for row in w.execute("SELECT problem FROM pgrag.check_installation()")]
    assert call(w, "upsert_chunks", "d", rows, array_of([vector_of("x")])) == [made]
    assert_sound(w)


def test_rows_without_a_chunk_are_made_by_hand(w: psycopg.Connection) -> None:
    call(w, "upsert_entities", [{"name": "Ada", "type": "person", "description": "Stated."}])
    call(w, "upsert_relations", [{"source": "Ada", "target": "Byron", "keywords": ["kin"], "weight": 3}])
    before = graph_rows(w)
    build(w)
    assert w.execute("SELECT description FROM pgrag.entity WHERE name_key = 'ada'").fetchall() == [
        ("Stated.<SEP>A mathematician.<SEP>A countess.",)
    ]
    call(w, "delete_document", "d")
    assert graph_rows(w)["relations"] == before["relations"]
    assert [row[:2] for row in graph_rows(w)["entities"]] == [["ada", "Ada"], ["byron", "Byron"]]
    assert_sound(w)


def test_names_go_through_aliases(w: psycopg.Connection) -> None:
    build(w)
    call(w, "rename_entity", "Ada", "Ada Lovelace")
    (_, key), *_ = call(w, "upsert_entities", [{"name": "ada"}])
    assert w.execute("SELECT name FROM pgrag.entity WHERE id = %s", (key,)).fetchone() == ("Ada Lovelace",)


def test_what_is_stored_wants_embeddings_and_gets_them(w: psycopg.Connection) -> None:
    build(w)
    pending = w.execute("SELECT kind, id, text_hash, embedded_text, line FROM pgrag.refresh_pending('w')").fetchall()
    assert [row[0] for row in pending] == ["entity"] * 3 + ["relation"] * 2
    stored = w.execute(
        "SELECT pgrag.store_refreshed('w', %s, %s, %s, %s, %s)",
        (
            [row[1] for row in pending if row[0] == "entity"],
            [row[1] for row in pending if row[0] == "relation"],
            [row[2] for row in pending],
            array_of([vector_of(row[3]) for row in pending]),
            [1] * len(pending),
        ),
    ).fetchone()
    assert stored == (5,)
    found = w.execute("SELECT name FROM pgrag.search_entities('w', %s, 1)", (vector_of(pending[0][3]),)).fetchall()
    assert found == [("Ada",)]


def test_an_ingest_of_the_same_text_finds_it_unchanged(w: psycopg.Connection) -> None:
    build(w)
    assert Publisher(w).enqueue("d", "one two") == "unchanged"
    assert Publisher(w).enqueue("d", "another") == "queued"
    assert refused(w, "upsert_document", "d").sqlstate == "RG004"


def test_what_is_null_stays(w: psycopg.Connection) -> None:
    call(w, "upsert_document", "d", "text", "path.txt", '{"a": 1}')
    call(w, "upsert_document", "d")
    row = w.execute("SELECT content, file_path, metadata, status FROM pgrag.document").fetchone()
    assert row == ("text", "path.txt", {"a": 1}, "ready")


@pytest.mark.parametrize(
    ("function", "args", "sqlstate", "word"),
    [
        ("upsert_document", [" "], "RG001", "id"),
        ("upsert_document", ["x", "t", None, "[1]"], "RG001", "object"),
        ("upsert_chunks", ["nothing", []], "RG006", "nothing"),
        ("upsert_chunks", ["d", [{"content": "x"}]], "RG001", "chunk_index"),
        ("upsert_chunks", ["d", [{"chunk_index": -1, "content": "x"}]], "RG001", "-1"),
        ("upsert_chunks", ["d", [{"chunk_index": 0}]], "RG001", "content"),
        ("upsert_chunks", ["d", [{"chunk_index": 5, "content": "x"}] * 2], "RG001", "5"),
        ("upsert_chunks", ["d", [{"chunk_index": 5, "content": "x"}], "{}"], "RG001", "0 embeddings"),
        ("upsert_chunks", ["d", [{"chunk_index": 5, "content": "x"}], '{"[1,2]"}'], "RG003", "2"),
        ("upsert_chunks", ["d", "7"], "RG001", "list"),
        ("upsert_entities", [None], "RG001", "list"),
        ("upsert_entities", [["x"]], "RG001", "objects"),
        ("upsert_entities", [[{"name": "A"}, {"name": " "}]], "RG001", "name"),
        ("upsert_entities", [[{"type": "A"}]], "RG001", "name"),
        ("upsert_entities", [[{"name": 7}]], "RG001", "name"),
        ("upsert_entities", [[{"name": "A", "chunk_id": 0}]], "RG001", "chunk_id"),
        ("upsert_entities", [[{"name": "A", "chunk_id": "x"}]], "RG001", "chunk_id"),
        ("upsert_relations", [[{"source": "A"}]], "RG001", "target"),
        ("upsert_relations", [[{"source": "A", "target": "B", "keywords": "k"}]], "RG001", "keywords"),
        ("upsert_relations", [[{"source": "A", "target": "B", "keywords": [1]}]], "RG001", "keywords"),
        ("upsert_relations", [[{"source": "A", "target": "B", "weight": -1}]], "RG001", "weight"),
        ("upsert_relations", [[{"source": "A", "target": "B", "weight": "1"}]], "RG001", "weight"),
    ],
)
def test_what_cannot_be_taken_is_refused_whole(
    w: psycopg.Connection, function: str, args: list, sqlstate: str, word: str
) -> None:
    build(w)
    error = refused(w, function, *args)
    assert error.sqlstate == sqlstate
    assert word in (error.diag.message_primary or "")
    assert refused(w, function, *args, workspace="nowhere").sqlstate == "RG002"
