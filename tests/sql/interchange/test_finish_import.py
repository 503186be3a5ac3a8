"""finish_import: what is said where is evidence, what is stated comes first, names and pairs that are one merge."""

from __future__ import annotations

import hashlib

import psycopg
import pytest
from support.import_staging import Staging, import_again


@pytest.fixture
def staging(db: psycopg.Connection) -> Staging:
    return Staging(db)


def entities(staging: Staging) -> dict[str, tuple[object, ...]]:
    """Name → type, description, description_source."""
    rows = staging.rows("SELECT name, type, description, description_source FROM pgrag.entity")
    return {row[0]: tuple(row[1:]) for row in rows}


def relations(staging: Staging) -> list[tuple[object, ...]]:
    """Source, target, keywords, description, weight; by id."""
    return staging.rows(
        "SELECT a.name, b.name, r.keywords, r.description, r.weight FROM pgrag.relation r"
        " JOIN pgrag.entity a ON a.id = r.source_id JOIN pgrag.entity b ON b.id = r.target_id ORDER BY r.id"
    )


def evidence(staging: Staging, table: str, columns: str) -> list[tuple[object, ...]]:
    """Chunk id and columns of evidence, by item and order."""
    return staging.rows(
        f"SELECT c.chunk_key, {columns} FROM pgrag.{table}_evidence v JOIN pgrag.chunk c ON c.id = v.chunk_id"
        f" ORDER BY v.{table}_id, v.stated_order"
    )


def test_counts_what_it_took_and_what_it_mended(staging: Staging) -> None:
    staging.entity("Ada", {"chunk": 0}, {"chunk": 0}, {"chunk": 1})
    staging.entity("ada", {"chunk": 2})
    staging.entity("Bob")
    staging.relation("Ada", "Bob", {"chunk": 0})
    staging.relation("Bob", "ADA", {"chunk": 1})
    staging.relation("Ada", "Cid", {"chunk": 1}, {"chunk": 1})
    staging.relation("Bob", "bob", {"chunk": 1})
    assert staging.finish() == {
        "documents": 1, "chunks": 3, "entities": 3, "relations": 2,
        "merged": 2, "created_endpoints": 1, "skipped_self_loops": 1, "repeated_chunk_ids": 2,
    }  # fmt: skip


def test_an_empty_import(staging: Staging) -> None:
    for table in ("documents", "chunks"):
        staging.connection.execute(f"DELETE FROM pgrag_import_{table}")
    assert set(staging.finish().values()) == {0}


def test_documents_and_chunks(staging: Staging) -> None:
    staging.rows("UPDATE pgrag_import_documents SET content = 'Full text.', metadata = '{\"year\": 1843}' RETURNING 1")
    staging.insert("documents", line=2, id="empty", file_path="e")
    staging.finish()
    digest = hashlib.sha256(b"Full text.").hexdigest()
    assert staging.rows(
        "SELECT document_key, file_path, content, content_hash, metadata, status, ready_at IS NOT NULL"
        " FROM pgrag.document ORDER BY id"
    ) == [
        ("book", "book.txt", "Full text.", digest, {"year": 1843}, "ready", True),
        ("empty", "e", None, None, {}, "ready", True),
    ]
    assert staging.rows("SELECT chunk_key, chunk_index, content, token_count FROM pgrag.chunk ORDER BY id") == [
        (f"c{i}", i, f"Text {i}.", 3) for i in range(3)
    ]


def test_chunks_bring_their_embeddings(staging: Staging) -> None:
    staging.connection.execute("UPDATE pgrag_import_chunks SET embedding = '[1,0,0,0,0,0,0,0]' WHERE line = 2")
    staging.finish()
    assert staging.rows(
        "SELECT c.chunk_key, e.embedding::text FROM pgrag.chunk_embedding e JOIN pgrag.chunk c ON c.id = e.chunk_id"
    ) == [("c1", "[1,0,0,0,0,0,0,0]")]


def test_a_stated_description_is_kept_as_given(staging: Staging) -> None:
    staging.entity("Ada", {"chunk": 0}, description="A countess,\n\n  and more. ")
    staging.relation("Ada", "Bob", {"chunk": 0}, description=" They met. ")
    staging.finish()
    assert staging.rows("SELECT stated_description FROM pgrag.entity WHERE name = 'Ada'") == [
        ("A countess,\n\n  and more. ",)
    ]
    assert entities(staging)["Ada"] == ("person", "A countess,\n\n  and more.", "imported")
    assert relations(staging)[0][3] == "They met."


def test_it_is_one_fragment_first_in_order(staging: Staging) -> None:
    staging.entity(
        "Ada", {"chunk": 2, "description": "Second."}, {"chunk": 0, "description": "Third."}, description="First."
    )
    staging.relation("Ada", "Bob", {"chunk": 1, "description": "More."}, description="Stated.")
    staging.finish()
    assert entities(staging)["Ada"][1] == "First.<SEP>Second.<SEP>Third."
    assert relations(staging)[0][3] == "Stated.<SEP>More."


def test_it_lives_as_long_as_any_evidence_does(staging: Staging) -> None:
    staging.insert("documents", line=2, id="second", file_path="s")
    staging.insert("chunks", line=4, id="c3", document_id="second", chunk_index=0, content="Text.", token_count=1)
    staging.entity("Ada", {"chunk": 0}, {"chunk": 3}, description="Stated.")
    staging.finish()
    staging.rows("SELECT pgrag.delete_document('w', 'book')")
    assert entities(staging)["Ada"] == ("person", "Stated.", "imported")
    staging.rows("SELECT pgrag.delete_document('w', 'second')")
    assert entities(staging) == {}


def test_evidence_keeps_its_order_whatever_the_chunks(staging: Staging) -> None:
    staging.entity("Ada", *({"chunk": n, "description": f"d{n}", "type": f"t{n}", "name": "ADA"} for n in (2, 0, 1)))
    staging.finish()
    assert evidence(staging, "entity", "v.name, v.type, v.description, v.kind, v.stated_order, v.ordinal") == [
        ("c2", "ADA", "t2", "d2", "described", 0, 0),
        ("c0", "ADA", "t0", "d0", "described", 1, 1),
        ("c1", "ADA", "t1", "d1", "described", 2, 2),
    ]


def test_a_chunk_repeated_in_one_item_counts_once(staging: Staging) -> None:
    staging.entity(
        "Ada",
        {"chunk": 0, "description": "one"},
        {"chunk": 1, "description": "two"},
        {"chunk": 0, "description": "three", "type": "late"},
    )
    staging.relation(
        "Ada",
        "Bob",
        {"chunk": 0, "weight": 2.0, "keywords": ["b"], "description": "x"},
        {"chunk": 0, "weight": 5.0, "keywords": ["a"], "description": "y"},
    )
    assert staging.finish()["repeated_chunk_ids"] == 2
    assert evidence(staging, "entity", "v.type, v.description, v.kind")[:2] == [
        ("c0", "late", "one<SEP>three", "described"),
        ("c1", None, "two", "described"),
    ]
    assert evidence(staging, "relation", "v.weight, v.keywords, v.description") == [("c0", 5.0, ["a", "b"], "x<SEP>y")]
    assert relations(staging)[0][4] == 5.0


def test_names_that_fold_to_one_are_merged_in_line_order(staging: Staging) -> None:
    staging.entity("Ada", {"chunk": 2, "description": "b"}, type="person", description="First.")
    later = {"chunk": 0, "description": "c"}, {"chunk": 2, "description": "d"}
    staging.entity("ＡＤＡ", *later, type="x", description="a")
    assert staging.finish()["merged"] == 1
    assert staging.rows("SELECT name_key, stated_type, stated_description FROM pgrag.entity") == [
        ("ada", "person", "First.<SEP>a")
    ]
    assert evidence(staging, "entity", "v.name, v.description, v.stated_order") == [
        ("c2", "Ada", "b<SEP>d", 0),
        ("c0", "ＡＤＡ", "c", 1),
    ]
    assert entities(staging)["Ada"][1] == "First.<SEP>a<SEP>b<SEP>d<SEP>c"


def test_pairs_that_fold_to_one_are_merged_whatever_their_direction(staging: Staging) -> None:
    staging.relation("Bob", "Ada", {"chunk": 1, "weight": 2.0}, keywords=["z", "a"], description="First.")
    staging.relation("ADA", "BOB", {"chunk": 0, "weight": 3.0}, keywords=["m"], description="Second.")
    assert staging.finish()["merged"] == 1
    assert [row[2:] for row in relations(staging)] == [(["a", "m", "z"], "First.<SEP>Second.", 5.0)]
    assert evidence(staging, "relation", "v.source, v.target, v.stated_order") == [
        ("c1", "Bob", "Ada", 0),
        ("c0", "ADA", "BOB", 1),
    ]
    assert staging.rows("SELECT e.name_key FROM pgrag.relation r JOIN pgrag.entity e ON e.id = source_id") == [("bob",)]


def test_an_undescribed_end_is_created_with_what_the_relation_says(staging: Staging) -> None:
    staging.entity("Ada", {"chunk": 0}, description="Known.")
    staging.relation("Ada", "Bob", {"chunk": 1}, {"chunk": 2, "description": "said here"}, description="They met.")
    assert staging.finish()["created_endpoints"] == 1
    assert entities(staging)["Bob"] == ("UNKNOWN", "They met.", "joined")
    ends = staging.rows("SELECT id FROM pgrag.entity WHERE name = 'Bob'")
    assert evidence(staging, "entity", "v.entity_id, v.kind, v.description")[1:] == [
        ("c1", ends[0][0], "endpoint", "They met."),
        ("c2", ends[0][0], "endpoint", "said here"),
    ]


def test_an_end_of_relations_without_evidence_is_kept_as_well(staging: Staging) -> None:
    staging.relation("Ada", "Bob", description="They met.")
    staging.finish()
    assert entities(staging)["Bob"] == ("UNKNOWN", "They met.", "imported")
    by_hand = staging.rows("SELECT by_hand FROM pgrag.entity UNION ALL SELECT by_hand FROM pgrag.relation")
    assert by_hand == [(True,)] * 3


def test_items_without_evidence_are_kept_as_made_by_hand(staging: Staging) -> None:
    staging.entity("Ada", description="Alone.", type="x")
    staging.entity("Bob", {"chunk": 0})
    staging.relation("Ada", "Bob", description="Told.", keywords=["k"], weight=7.5)
    staging.finish()
    assert entities(staging)["Ada"] == ("x", "Alone.", "imported")
    assert relations(staging) == [("Ada", "Bob", ["k"], "Told.", 7.5)]
    assert staging.rows("SELECT name, by_hand FROM pgrag.entity ORDER BY name") == [("Ada", True), ("Bob", False)]
    staging.rows("SELECT pgrag.delete_document('w', 'book')")
    assert relations(staging) == [("Ada", "Bob", ["k"], "Told.", 7.5)]


def test_self_loops_leave_nothing(staging: Staging) -> None:
    staging.relation("Ada", "ADA", {"chunk": 0})
    assert staging.finish()["skipped_self_loops"] == 1
    assert entities(staging) == {}
    assert relations(staging) == []


@pytest.mark.parametrize("name", ["1", "12", "1843", "٣", "0.5"])
def test_names_of_digits_are_not_dropped(staging: Staging, name: str) -> None:
    staging.entity(name, {"chunk": 0})
    staging.relation(name, "Ada", {"chunk": 0})
    staging.finish()
    assert set(entities(staging)) == {name, "Ada"}


def test_aliases_are_stored_and_resolve_the_names_of_the_import(staging: Staging) -> None:
    staging.alias("Countess", "Ada")
    staging.entity("Ada", {"chunk": 0}, {"chunk": 1})
    staging.relation("COUNTESS", "Bob", {"chunk": 0})
    staging.relation("Ada", "countess", {"chunk": 0})
    assert staging.finish()["skipped_self_loops"] == 1
    assert [row[:2] for row in relations(staging)] == [("Ada", "Bob")]
    assert staging.rows("SELECT alias_key, alias, canonical_key FROM pgrag.entity_alias") == [
        ("countess", "Countess", "ada")
    ]


def test_a_stated_type_wins_and_unknown_states_nothing(staging: Staging) -> None:
    said = {"chunk": 0, "type": "said"}
    staging.entity("Ada", said, type="stated")
    staging.entity("Bob", said, type="UNKNOWN")
    staging.entity("Cid", {"chunk": 0}, type="UNKNOWN")
    staging.finish()
    types = {name: row[0] for name, row in entities(staging).items()}
    assert types == {"Ada": "stated", "Bob": "said", "Cid": "UNKNOWN"}


def test_an_import_adds_to_what_the_workspace_has(staging: Staging) -> None:
    staging.entity("Ada", {"chunk": 0}, description="First.")
    staging.entity("Bob", {"chunk": 0}, description="")
    staging.relation("Ada", "Bob", {"chunk": 0, "weight": 2.0}, keywords=["b"], description="One.")
    staging.finish()
    again = import_again(staging.connection)
    again.entity("ADA", {"chunk": 1}, description="Second.", description_source="manual")
    again.relation("bob", "ada", {"chunk": 1, "weight": 3.0}, keywords=["a"], description="Two.")
    assert again.finish() == {
        "documents": 1, "chunks": 3, "entities": 2, "relations": 1,
        "merged": 0, "created_endpoints": 0, "skipped_self_loops": 0, "repeated_chunk_ids": 0,
    }  # fmt: skip
    assert entities(again)["Ada"][1:] == ("First.<SEP>Second.", "imported")
    assert relations(again) == [("Ada", "Bob", ["a", "b"], "One.<SEP>Two.", 5.0)]


def test_the_corpus_version_grows_by_one(staging: Staging) -> None:
    before = staging.rows("SELECT corpus_version FROM pgrag.workspace")[0][0]
    staging.entity("Ada", {"chunk": 0})
    staging.finish()
    assert staging.rows("SELECT corpus_version FROM pgrag.workspace") == [(before + 1,)]


def test_the_graph_follows(staging: Staging) -> None:
    staging.entity("Ada", {"chunk": 0})
    staging.relation("Ada", "Bob", {"chunk": 0}, {"chunk": 1})
    staging.finish()
    assert staging.rows("SELECT problem FROM pgrag.check_graph()") == []
    assert staging.rows("SELECT degree FROM pgrag.entity") == [(1,), (1,)]


def test_what_cannot_be_taken_is_refused(staging: Staging) -> None:
    staging.finish()
    again = import_again(staging.connection, prefix="")
    with pytest.raises(psycopg.Error, match=r"documents.jsonl, line 1: document 'book' is in the workspace") as caught:
        again.finish()
    assert caught.value.sqlstate == "RG001"


def test_strict_refuses_what_would_be_mended(staging: Staging) -> None:
    staging.entity("Ada")
    with pytest.raises(psycopg.Error, match=r"entities.jsonl, line 1: entity 'Ada' has no evidence"):
        staging.finish(strict=True)


def test_an_unknown_workspace(staging: Staging) -> None:
    staging.workspace = "nowhere"
    with pytest.raises(psycopg.Error) as caught:
        staging.finish()
    assert caught.value.sqlstate == "RG002"
