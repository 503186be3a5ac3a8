"""match_entities: exact, prefix, contains, similar, in any script, wildcards taken literally."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import sql


def store(connection: psycopg.Connection, *names: str, workspace: str = "small") -> None:
    connection.execute("INSERT INTO pgrag.workspace (name) VALUES (%s)", (workspace,))
    for name in names:
        connection.execute(
            "INSERT INTO pgrag.entity (workspace_id, name, name_key, type)"
            " SELECT w.id, %(n)s, pgrag.name_key(%(n)s), 'thing' FROM pgrag.workspace w WHERE w.name = %(w)s",
            {"n": name, "w": workspace},
        )


def matches(connection: psycopg.Connection, name: str, top_k: int = 10) -> list[tuple[str, str]]:
    rows = connection.execute("SELECT name, match FROM pgrag.match_entities('small', %s, %s)", (name, top_k))
    return [(found, match) for found, match in rows]


def test_the_kinds_in_their_order(db: psycopg.Connection) -> None:
    store(db, "Scrooge and Marley", "Ebenezer Scrooge", "Scrooge", "Scroge", "Tiny Tim", "Scrooge's nephew")
    store(db, "Scrooge", workspace="elsewhere")
    assert matches(db, "scrooge") == [
        ("Scrooge", "exact"),
        ("Scrooge's nephew", "prefix"),
        ("Scrooge and Marley", "prefix"),
        ("Ebenezer Scrooge", "contains"),
        ("Scroge", "similar"),
    ]


def test_its_columns_and_scores(db: psycopg.Connection) -> None:
    store(db, "Scrooge", "Scrooge & Co", "Old Scrooge", "Scroge")
    found = db.execute("SELECT * FROM pgrag.match_entities('small', 'Scrooge')")
    assert [column.name for column in found.description or ()] == ["id", "name", "type", "match", "score"]
    rows = found.fetchall()
    assert [row[2] for row in rows] == ["thing"] * 4
    assert rows[0][4] == 1
    assert rows[1][4] == pytest.approx(7 / 12)
    assert rows[2][4] == pytest.approx(7 / 11)
    assert 0.3 <= rows[3][4] < 1


def test_names_are_folded(db: psycopg.Connection) -> None:
    store(db, "Ａｐｐｌｅ Inc", "ÉCOLE")
    assert matches(db, "  aPPle inc ") == [("Ａｐｐｌｅ Inc", "exact")]
    assert matches(db, "école") == [("ÉCOLE", "exact")]


def test_any_script(db: psycopg.Connection) -> None:
    store(db, "林黛玉", "黛玉葬花", "贾宝玉", "Москва", "القاهرة")
    assert matches(db, "黛玉") == [("黛玉葬花", "prefix"), ("林黛玉", "contains")]
    assert matches(db, "贾宝玉") == [("贾宝玉", "exact")]
    assert matches(db, "моск") == [("Москва", "prefix")]
    assert matches(db, "القاهر") == [("القاهرة", "prefix")]
    assert matches(db, "玉") == [("林黛玉", "contains"), ("贾宝玉", "contains"), ("黛玉葬花", "contains")]


@pytest.mark.parametrize("name", ["100%", "a_b", "c\\d", "%", "_", "\\", "%%", "a\\_b"])
def test_wildcards_stand_for_themselves(db: psycopg.Connection, name: str) -> None:
    store(db, f"x{name}y", "100 percent", "axb", "cd", "plain")
    assert [found for found, match in matches(db, name) if match in ("exact", "prefix", "contains")] == [f"x{name}y"]


def test_an_alias_is_exact(db: psycopg.Connection) -> None:
    store(db, "International Business Machines", "IBMX")
    db.execute(
        "INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key)"
        " SELECT id, 'ibm', 'IBM', 'international business machines' FROM pgrag.workspace WHERE name = 'small'"
    )
    assert matches(db, "IBM") == [("International Business Machines", "exact"), ("IBMX", "prefix")]


def test_ties_go_by_name_then_id_and_top_k_cuts(db: psycopg.Connection) -> None:
    store(db, "bard", "bare", "Bark", "bar none")
    assert matches(db, "bar", 3) == [("bard", "prefix"), ("bare", "prefix"), ("Bark", "prefix")]
    assert matches(db, "bar", 1) == [("bard", "prefix")]
    assert matches(db, "zzz") == []


@pytest.mark.parametrize(
    ("arguments", "state"),
    [
        ("'nowhere', 'x'", "RG002"),
        ("NULL, 'x'", "RG002"),
        ("'small', '  '", "RG001"),
        ("'small', NULL", "RG001"),
        ("'small', 'x', 0", "RG001"),
        ("'small', 'x', NULL", "RG001"),
    ],
)
def test_arguments_are_checked(db: psycopg.Connection, arguments: str, state: str) -> None:
    store(db, "x")
    with pytest.raises(psycopg.Error) as caught:
        db.execute(sql.SQL("SELECT * FROM pgrag.match_entities({})").format(sql.SQL(arguments)))
    assert caught.value.sqlstate == state
