"""check_import names the first line that cannot be taken, file by file; a strict one also what would be mended."""

from __future__ import annotations

import psycopg
import pytest
from support.import_staging import Staging, import_again

HERE = {"chunk": 0}


@pytest.fixture
def staging(db: psycopg.Connection) -> Staging:
    return Staging(db)


def verdict(staging: Staging, *, strict: bool = False) -> str | None:
    """The refusal, or None; the transaction goes on either way."""
    try:
        with staging.connection.transaction():
            staging.connection.execute("SELECT pgrag.check_import(%s, %s)", (staging.workspace, strict))
    except psycopg.Error as error:
        refusal = error
    else:
        return None
    assert refusal.sqlstate == "RG001"
    assert (refusal.diag.message_hint is not None) == strict
    return refusal.diag.message_primary


def test_a_good_import_is_found_good_and_nothing_is_written(staging: Staging) -> None:
    staging.entity("Ada", HERE)
    staging.entity("Bob", HERE)
    staging.relation("Ada", "Bob", HERE)
    assert verdict(staging) is None
    assert verdict(staging, strict=True) is None
    assert staging.rows("SELECT count(*) FROM pgrag.entity") == [(0,)]
    assert staging.rows("SELECT count(*) FROM pgrag.document") == [(0,)]


def test_the_workspace_need_not_be_there(staging: Staging) -> None:
    staging.workspace = "still to come"
    staging.entity("Ada", HERE)
    assert verdict(staging, strict=True) is None
    assert staging.rows("SELECT name FROM pgrag.workspace") == [("w",)]


def test_documents_and_chunks_of_the_workspace(staging: Staging) -> None:
    staging.finish()
    again = import_again(staging.connection, prefix="")
    assert verdict(again) == "documents.jsonl, line 1: document 'book' is in the workspace already"
    again.connection.execute("UPDATE pgrag_import_documents SET id = 'other'")
    assert verdict(again) == "chunks.jsonl, line 1: chunk 'c0' is in the workspace already"


def test_the_same_document_in_another_workspace_is_no_clash(staging: Staging) -> None:
    staging.finish()
    assert verdict(Staging(staging.connection, "elsewhere")) is None


@pytest.mark.parametrize(
    ("aliases", "line", "reason"),
    [
        ([("ADA", "Ada")], 1, "alias 'ADA' is the name itself"),
        ([("A", "Ada"), ("a", "Bob")], 2, "alias 'a' means another entity already"),
        ([("A", "B"), ("B", "C")], 1, "'B', which alias 'A' means, is an alias itself"),
        ([("Known", "Ada")], 1, "alias 'Known' means another entity already"),
        ([("New", "Known")], 1, "'Known', which alias 'New' means, is an alias itself"),
        ([("There", "Ada")], 1, "other aliases of the workspace mean 'There', so it cannot become an alias"),
        ([("Someone", "Ada")], 1, "alias 'Someone' is the name of an entity of the workspace"),
    ],
)
def test_aliases_that_do_not_resolve(staging: Staging, aliases: list[tuple[str, str]], line: int, reason: str) -> None:
    staging.alias("Known", "There")
    staging.entity("Someone", HERE)
    staging.finish()
    again = import_again(staging.connection)
    for alias, name in aliases:
        again.alias(alias, name)
    assert verdict(again) == f"aliases.jsonl, line {line}: {reason}"


def test_an_item_cannot_be_stored_under_the_key_of_an_alias(staging: Staging) -> None:
    staging.alias("Countess", "Ada")
    staging.entity("Ada", HERE)
    staging.entity("Countess", HERE, stored='{"key": "countess"}')
    assert verdict(staging) == "entities.jsonl, line 2: its key 'countess' is that of an alias"


def test_an_alias_that_is_known_or_said_twice_is_no_clash(staging: Staging) -> None:
    staging.alias("Known", "There")
    staging.finish()
    again = import_again(staging.connection)
    again.alias("KNOWN", "there")
    again.alias("known", "There")
    assert verdict(again) is None


def test_strict_refuses_lines_that_are_one(staging: Staging) -> None:
    staging.entity("Ada", HERE)
    staging.entity("Bob", HERE)
    staging.entity("ADA", HERE)
    assert verdict(staging) is None
    assert verdict(staging, strict=True) == "entities.jsonl, line 3: entity 'ADA' is the one of line 1"


def test_strict_refuses_pairs_that_are_one(staging: Staging) -> None:
    staging.entity("Ada", HERE)
    staging.entity("Bob", HERE)
    staging.relation("Ada", "Bob", HERE)
    staging.relation("BOB", "ada", HERE)
    assert verdict(staging) is None
    expected = "relations.jsonl, line 2: the relation of 'BOB' and 'ada' is the one of line 1"
    assert verdict(staging, strict=True) == expected


def test_strict_refuses_ends_that_nothing_describes(staging: Staging) -> None:
    staging.entity("Ada", HERE)
    staging.relation("Ada", "Bob", HERE)
    assert verdict(staging) is None
    assert verdict(staging, strict=True) == "relations.jsonl, line 1: 'Bob' is described nowhere"


def test_an_end_that_the_workspace_knows_is_described(staging: Staging) -> None:
    staging.entity("Bob", HERE)
    staging.finish()
    again = import_again(staging.connection)
    again.entity("Ada", HERE)
    again.relation("Ada", "BOB", HERE)
    assert verdict(again, strict=True) is None


def test_strict_refuses_self_loops(staging: Staging) -> None:
    staging.entity("Ada", HERE)
    staging.relation("Ada", "ＡＤＡ", HERE)
    assert verdict(staging) is None
    assert verdict(staging, strict=True) == "relations.jsonl, line 1: 'Ada' is related to itself"


def test_strict_refuses_repeated_chunks(staging: Staging) -> None:
    staging.entity("Ada", HERE, {"chunk": 1}, HERE)
    assert verdict(staging) is None
    assert verdict(staging, strict=True) == "entities.jsonl, line 1: chunk 'c0' is repeated in the evidence"


def test_strict_refuses_items_without_evidence(staging: Staging) -> None:
    staging.entity("Ada", HERE)
    staging.entity("Bob")
    assert verdict(staging) is None
    assert verdict(staging, strict=True) == "entities.jsonl, line 2: entity 'Bob' has no evidence"


def test_the_first_offender_is_named_file_by_file(staging: Staging) -> None:
    staging.relation("Ada", "Ada", HERE)
    staging.entity("Bob", HERE)
    staging.entity("Cid")
    staging.entity("bob", HERE)
    assert verdict(staging, strict=True) == "entities.jsonl, line 2: entity 'Cid' has no evidence"
