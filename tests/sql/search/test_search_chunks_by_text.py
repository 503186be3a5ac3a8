"""search_chunks_by_text: words in any script, rare ones first, without a model; and the language of a workspace."""

from __future__ import annotations

import math
from collections.abc import Sequence

import psycopg
import pytest

TEXTS = [
    "Scrooge was better than his word. The ghost was gone.",
    "The ghost of Christmas past. The ghost speaks, and the ghost goes.",
    "The market of the city.",
    "MLOps 的核心技術底座包括：持續集成、模型監控。",
    "模型註冊表和監控系統。",
]


def store(connection: psycopg.Connection, texts: Sequence[str] = TEXTS, workspace: str = "small") -> None:
    """A document for each text, in order; those of even number have the metadata {"even": true}."""
    connection.execute("INSERT INTO pgrag.workspace (name) VALUES (%s)", (workspace,))
    for n, text in enumerate(texts):
        connection.execute(
            "WITH d AS (INSERT INTO pgrag.document (workspace_id, document_key, file_path, metadata)"
            " SELECT w.id, %(k)s, %(k)s || '.txt', %(m)s FROM pgrag.workspace w WHERE w.name = %(w)s"
            " RETURNING workspace_id, id)"
            " INSERT INTO pgrag.chunk (workspace_id, document_id, chunk_index, content, token_count)"
            " SELECT workspace_id, id, 0, %(t)s, 7 FROM d",
            {"k": f"d{n}", "m": '{"even": true}' if n % 2 == 0 else "{}", "t": text, "w": workspace},
        )


def found(connection: psycopg.Connection, query: str, top_k: int = 20, filter: str | None = None) -> list[str]:
    call = "SELECT document_id FROM pgrag.search_chunks_by_text('small', %s, %s, %s)"
    return [row[0] for row in connection.execute(call, (query, top_k, filter))]


def test_its_columns(db: psycopg.Connection) -> None:
    store(db)
    store(db, workspace="elsewhere")
    rows = db.execute("SELECT * FROM pgrag.search_chunks_by_text('small', 'SCROOGE')")
    assert [column.name for column in rows.description or ()] == [
        "id", "document_id", "file_path", "chunk_index", "content", "token_count", "score",
    ]  # fmt: skip
    ((_, *row),) = rows.fetchall()
    assert row == ["d0", "d0.txt", 0, TEXTS[0], 7, 1]


def test_rare_words_count_more_and_all_words_one(db: psycopg.Connection) -> None:
    store(db)
    rows = db.execute("SELECT document_id, score FROM pgrag.search_chunks_by_text('small', 'the market ghost')")
    the, market, ghost = (math.log(1 + 3 / chunks) for chunks in (3, 1, 2))
    total = the + market + ghost
    assert rows.fetchall() == [
        ("d2", pytest.approx((the + market) / total)),
        ("d1", pytest.approx((the + ghost) / total)),
        ("d0", pytest.approx((the + ghost) / total)),
    ]
    assert found(db, "market nowhereatall") == ["d2"]
    row = db.execute("SELECT score FROM pgrag.search_chunks_by_text('small', 'market nowhereatall')").fetchone()
    assert row == (1,), "what no chunk holds tells none from another"


def test_ties_go_by_how_often_and_then_by_id(db: psycopg.Connection) -> None:
    store(db, ["ghost", "ghost ghost ghost", "ghost", "market"])
    assert found(db, "ghost") == ["d1", "d0", "d2"]
    assert found(db, "ghost", 1) == ["d1"]
    assert found(db, "ghost", 1000) == ["d1", "d0", "d2"]


def test_words_without_spaces(db: psycopg.Connection) -> None:
    store(db)
    assert found(db, "技術底座是什麼？") == ["d3"]
    assert found(db, "監控") == ["d4", "d3"] or found(db, "監控") == ["d3", "d4"]
    assert found(db, "ＭＬＯＰＳ") == ["d3"]
    assert found(db, "註冊表")[0] == "d4"


def test_a_filter(db: psycopg.Connection) -> None:
    store(db)
    assert found(db, "ghost", filter='{"even": true}') == ["d0"]
    assert found(db, "ghost", filter="{}") == ["d1", "d0"]
    assert found(db, "ghost", filter='{"even": 1}') == []


@pytest.mark.parametrize(
    "query", ["it's", "a\\b ghost\\", "'; DROP TABLE pgrag.chunk; --", "& | ! ( ) <-> :*", "ghost:*", "'"]
)
def test_operators_are_only_text(db: psycopg.Connection, query: str) -> None:
    store(db)
    assert found(db, query) in ([], ["d1", "d0"])


def test_a_query_of_10_kb_and_one_without_words(db: psycopg.Connection) -> None:
    store(db)
    assert found(db, "ghost " + "verylongword " * 800)[0] == "d1"
    assert found(db, " ".join(f"word{n}" for n in range(50)) + " ghost") == [], "the first 50 words are looked for"
    assert found(db, "?!") == []


def test_only_the_rarest_words_bring_chunks(db: psycopg.Connection) -> None:
    """With a bound of 3: ghost brings 2 chunks, the brings 3 more; alone it brings the first 3 of 4."""
    store(db, ["the ghost", "the ghost", "the", "the"])
    db.execute(
        "CREATE OR REPLACE FUNCTION pgrag.exact_scan_rows() RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE"
        " BEGIN ATOMIC SELECT 3; END"
    )
    assert found(db, "the ghost") == ["d0", "d1"]
    assert len(found(db, "the")) == 3


def test_the_language_of_a_workspace(db: psycopg.Connection) -> None:
    store(db)
    store(db, workspace="elsewhere")
    before = db.execute("SELECT corpus_version FROM pgrag.workspace WHERE name = 'small'").fetchone()
    assert found(db, "ghosts") == []
    assert db.execute("SELECT pgrag.set_text_language('small', 'english')").fetchone() == (5,)
    assert db.execute("SELECT corpus_version FROM pgrag.workspace WHERE name = 'small'").fetchone() != before
    assert found(db, "ghosts") == ["d1", "d0"]
    assert found(db, "the") == [], "a stop word"
    elsewhere = "SELECT count(*) FROM pgrag.search_chunks_by_text('elsewhere', %s)"
    assert [db.execute(elsewhere, (word,)).fetchone() for word in ("ghosts", "the")] == [(0,), (3,)]
    db.execute("UPDATE pgrag.chunk SET content = 'haunting' WHERE content LIKE 'Scrooge%%'")
    assert found(db, "haunted") == ["d0"], "what is written from now on is in the language too"
    db.execute("SELECT pgrag.set_text_language('small', NULL)")
    assert found(db, "haunted") == []
    assert db.execute("SELECT settings FROM pgrag.workspace WHERE name = 'small'").fetchone() == ({},)


def test_a_language_of_ones_own(db: psycopg.Connection) -> None:
    store(db)
    db.execute('CREATE TEXT SEARCH CONFIGURATION public."My Own" (COPY = pg_catalog.german)')
    db.execute("SELECT pgrag.set_text_language('small', 'public.My Own')")
    assert found(db, "ghosten") == ["d1", "d0"]
    db.execute("SELECT set_config('search_path', '', true)")
    assert found(db, "ghosten") == ["d1", "d0"]


@pytest.mark.parametrize(
    ("call", "state", "said"),
    [
        ("search_chunks_by_text('nowhere', 'x')", "RG002", "nowhere"),
        ("search_chunks_by_text('small', ' ')", "RG001", "query must not be blank"),
        ("search_chunks_by_text('small', NULL)", "RG001", "query must not be blank"),
        ("search_chunks_by_text('small', 'x', 0)", "RG001", "top_k must be at least 1, got 0"),
        ("search_chunks_by_text('small', 'x', NULL)", "RG001", "top_k must be at least 1, got NULL"),
        ("search_chunks_by_text('small', 'x', 1, '[1]')", "RG001", "filter must be a JSON object"),
        ("set_text_language('nowhere', 'english')", "RG002", "nowhere"),
        ("set_text_language('small', 'klingon')", "RG001", "unknown language 'klingon'"),
    ],
)
def test_arguments_are_checked(db: psycopg.Connection, call: str, state: str, said: str) -> None:
    store(db)
    with pytest.raises(psycopg.Error) as caught:
        db.execute(f"SELECT * FROM pgrag.{call}")
    assert caught.value.sqlstate == state
    assert said in str(caught.value)
