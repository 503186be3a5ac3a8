"""Graphs in the interchange format, imported as a client does it: whole or not at all, and nothing stale behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from support.graph_folders import Importer, chunk, document, entity, importer, relation, write_graph

from pgrag import AsyncPgRAG
from pgrag.errors import ImportRefused, ModelTimeout
from pgrag.interchange import ImportReport
from pgrag.models.hashing import hashed_embeddings
from pgrag.models.scripted import ScriptedModels

CAROL = Path(__file__).resolve().parent.parent.parent / "examples" / "graphs" / "a_christmas_carol"
ENTITIES = "SELECT * FROM pgrag.entity e, pgrag.entity_embedding v WHERE v.entity_id = e.id ORDER BY e.id"
Look = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels()


@pytest.fixture
def run(url: str, models: ScriptedModels) -> Importer:
    return importer(url, models=models)


@pytest.fixture
def look(url: str) -> Iterator[Look]:
    """Rows of a query, seen from a connection of its own."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield lambda query: connection.execute(query).fetchall()


def rows_of_every_table(look: Look) -> dict[str, int]:
    tables = [row[0] for row in look("SELECT tablename FROM pg_tables WHERE schemaname IN ('pgrag', 'pgrag_graph')")]
    schema = {"Entity": "pgrag_graph", "RELATES": "pgrag_graph", "_ag_label_vertex": "pgrag_graph"}
    schema["_ag_label_edge"] = "pgrag_graph"
    return {name: look(f'SELECT count(*) FROM {schema.get(name, "pgrag")}."{name}"')[0][0] for name in tables}


def require_sound(look: Look) -> None:
    """What holds after every import: all embedded, derived as if anew, the graph equal to the tables."""
    assert look("SELECT problem FROM pgrag.check_graph()") == []
    for kind in ("entity", "relation"):
        assert look(f"SELECT count(*) FROM pgrag.{kind} WHERE stale OR token_count = 0") == [(0,)]
    for kind in ("chunk", "entity", "relation"):
        assert look(f"SELECT count(*) FROM pgrag.{kind}") == look(f"SELECT count(*) FROM pgrag.{kind}_embedding")
    miscounted = look(
        "SELECT e.name FROM pgrag.entity e"
        " WHERE e.degree <> (SELECT count(*) FROM pgrag.relation r WHERE e.id IN (r.source_id, r.target_id))"
    )
    assert miscounted == []
    before = look(ENTITIES)
    look(
        "SELECT pgrag.settle(w.id, (SELECT array_agg(id) FROM pgrag.entity), (SELECT array_agg(id) FROM"
        " pgrag.relation)) FROM pgrag.workspace w"
    )
    assert look(ENTITIES) == before
    assert look("SELECT count(*) FROM pgrag.relation WHERE stale") == [(0,)]


def test_the_graph_that_an_llm_made_of_a_christmas_carol(run: Importer, look: Look) -> None:
    report = run(CAROL)
    assert (report.documents, report.chunks, report.entities, report.relations) == (1, 38, 511, 861)
    assert (report.merged, report.created_endpoints, report.skipped_self_loops) == (38, 26, 0)
    assert (report.repeated_chunk_ids, report.refreshed) == (2, 511 + 861)
    require_sound(look)
    assert look("SELECT documents, chunks, entities, relations, stale_items FROM pgrag.workspace_stats") == [
        (1, 38, 511, 861, 0)
    ]
    assert look("SELECT name, type, left(description, 11) FROM pgrag.entity WHERE name_key = 'tiny tim'") == [
        ("Tiny Tim", "person", "Tiny Tim is")
    ]
    assert look("SELECT name, type FROM pgrag.entity WHERE type = 'UNKNOWN' ORDER BY name LIMIT 2") == [
        ("Belle's Husband", "UNKNOWN"),
        ("Blind Men", "UNKNOWN"),
    ]
    assert look("SELECT count(*) FROM pgrag.chunk WHERE content ~* 'gutenberg'") == [(0,)]
    neighbors, degree = look(
        "SELECT (SELECT count(*) FROM pgrag.neighbors('w', ARRAY[e.id])), e.degree"
        " FROM pgrag.entity e WHERE e.name_key = 'bob cratchit'"
    )[0]
    assert neighbors == degree > 30


def test_what_has_no_vector_is_embedded_and_what_has_one_is_not(
    run: Importer, look: Look, models: ScriptedModels, tmp_path: Path
) -> None:
    given = np.eye(8, dtype=np.float32)
    folder = write_graph(
        tmp_path,
        entities=[entity("Ada", "c0"), entity("Bob", "c1")],
        relations=[relation("Ada", "Bob", "c0")],
        vectors={"chunks": given[:3], "entities": given[3:5]},
    )
    report = run(folder)
    assert report.refreshed == 1
    assert [text for texts in models.embeddings for text in texts] == ["\tAda\nBob\nAda knows Bob."]
    assert look("SELECT embedding::text FROM pgrag.chunk_embedding ORDER BY chunk_id") == [
        (str(row.astype(int).tolist()).replace(" ", ""),) for row in given[:3]
    ]
    require_sound(look)


def test_chunks_without_vectors_are_embedded_by_their_content(run: Importer, look: Look, tmp_path: Path) -> None:
    run(write_graph(tmp_path))
    stored = look("SELECT embedding::text FROM pgrag.chunk_embedding ORDER BY chunk_id")
    expected = hashed_embeddings([f"Text number {i}." for i in range(3)], 8)
    found = np.array([[float(x) for x in text.strip("[]").split(",")] for (text,) in stored])
    assert np.allclose(found, expected, atol=1e-3)


def test_a_stated_weight_is_spread_evenly_and_adds_up_exactly(run: Importer, look: Look, tmp_path: Path) -> None:
    run(write_graph(tmp_path, relations=[relation("Ada", "Bob", "c2", "c0", "c1", weight=0.7)]))
    assert look("SELECT weight FROM pgrag.relation") == [(0.7,)]
    assert [row[0] for row in look("SELECT weight FROM pgrag.relation_evidence")] == [pytest.approx(0.7 / 3)] * 3


def test_the_awaiting_client_imports_the_same(url: str, look: Look, models: ScriptedModels, tmp_path: Path) -> None:
    async def run() -> ImportReport:
        async with AsyncPgRAG(url, workspace="w", models=models) as rag:
            return await rag.import_graph(write_graph(tmp_path, **GOOD))

    report = asyncio.run(run())
    assert (report.entities, report.relations, report.refreshed) == (2, 1, 3)
    require_sound(look)


def test_a_folder_with_nothing_in_it_makes_the_workspace(run: Importer, look: Look, tmp_path: Path) -> None:
    report = run(write_graph(tmp_path, documents=[], chunks=[]))
    assert (report.documents, report.entities, report.refreshed) == (0, 0, 0)
    assert look("SELECT name FROM pgrag.workspace") == [("w",)]


def test_strict_takes_a_graph_that_needs_no_mending(run: Importer, look: Look, tmp_path: Path) -> None:
    lines = [entity("Ada", "c0"), entity("Bob", "c1")]
    run(write_graph(tmp_path, entities=lines, relations=[relation("Ada", "Bob", "c0", "c2")]), strict=True)
    require_sound(look)


GOOD: dict[str, Any] = {
    "entities": [entity("Ada", "c0"), entity("Bob", "c1")],
    "relations": [relation("Ada", "Bob", "c0")],
}
REFUSED_ALWAYS: dict[str, tuple[dict[str, Any], str]] = {
    "document twice": ({"documents": [document(), document()]}, "documents.jsonl, line 2: document 'book'"),
    "unknown chunk": ({"entities": [entity("Ada", "c0"), entity("Bob", "c7")]}, "entities.jsonl, line 2: unknown"),
    "unknown document": ({"chunks": [chunk(document_id="else")]}, "chunks.jsonl, line 1: unknown document_id 'else'"),
    "vectors": ({"vectors": {"entities": np.ones((2, 7), dtype=np.float32)}}, "entities.npy: shape (2, 7), not (2, 8)"),
    "alias": ({"aliases": [{"alias": "ADA", "name": "Ada"}]}, "aliases.jsonl, line 1: alias 'ADA' is the name itself"),
}
REFUSED_IF_STRICT: dict[str, tuple[dict[str, Any], str]] = {
    "merged": ({"entities": [*GOOD["entities"], entity("ada", "c2")]}, "entities.jsonl, line 3: entity 'ada' is"),
    "created": ({"entities": GOOD["entities"][:1]}, "relations.jsonl, line 1: 'Bob' is described nowhere"),
    "skipped": ({"relations": [relation("Ada", "ADA", "c0")]}, "relations.jsonl, line 1: 'Ada' is related to itself"),
    "repeated": ({"relations": [relation("Ada", "Bob", "c0", "c0")]}, "relations.jsonl, line 1: chunk 'c0' is"),
    "by hand": ({"relations": [relation("Ada", "Bob")]}, "relations.jsonl, line 1: the relation of 'Ada'"),
}


@pytest.mark.parametrize("bring_vectors", [False, True])
@pytest.mark.parametrize("case", [*REFUSED_ALWAYS, *REFUSED_IF_STRICT])
def test_nothing_stays_of_a_refused_import(
    url: str, look: Look, models: ScriptedModels, tmp_path: Path, case: str, bring_vectors: bool
) -> None:
    change, reason = {**REFUSED_ALWAYS, **REFUSED_IF_STRICT}[case]
    graph = {**GOOD, **change}
    if bring_vectors:
        rows = len(graph.get("chunks", range(3)))
        graph["vectors"] = {"chunks": np.ones((rows, 8), dtype=np.float32), **graph.get("vectors", {})}
    before = rows_of_every_table(look)
    with pytest.raises(ImportRefused) as caught:
        importer(url, models=models)(write_graph(tmp_path, **graph), strict=case in REFUSED_IF_STRICT)
    assert caught.value.message.startswith(reason)
    assert rows_of_every_table(look) == before
    assert sum(before.values()) - before["setting"] - before["alembic_version"] == 0
    assert models.embeddings == [], "nothing is paid for an import that is refused"


@pytest.mark.parametrize("case", REFUSED_IF_STRICT)
def test_what_strict_refuses_is_mended_otherwise(run: Importer, look: Look, tmp_path: Path, case: str) -> None:
    report = run(write_graph(tmp_path, **{**GOOD, **REFUSED_IF_STRICT[case][0]}))
    mended = (report.merged, report.created_endpoints, report.skipped_self_loops, report.repeated_chunk_ids)
    assert sum(mended) == (0 if case == "by hand" else 1)
    require_sound(look)


def test_importing_twice_is_refused_and_changes_nothing(run: Importer, look: Look, tmp_path: Path) -> None:
    folder = write_graph(tmp_path, **GOOD)
    run(folder)
    before, version = rows_of_every_table(look), look("SELECT corpus_version FROM pgrag.workspace")
    with pytest.raises(ImportRefused, match=r"documents.jsonl, line 1: document 'book' is in the workspace already"):
        run(folder)
    assert (rows_of_every_table(look), look("SELECT corpus_version FROM pgrag.workspace")) == (before, version)


def test_a_model_that_fails_while_chunks_are_embedded_leaves_nothing(
    run: Importer, look: Look, models: ScriptedModels, tmp_path: Path
) -> None:
    before = rows_of_every_table(look)
    models.fail_embeddings(ModelTimeout("no reply in time"))
    with pytest.raises(ModelTimeout):
        run(write_graph(tmp_path, **GOOD))
    assert rows_of_every_table(look) == before


def test_a_model_that_fails_during_the_refresh_leaves_the_graph_searchable_by_chunks(
    run: Importer, look: Look, models: ScriptedModels, tmp_path: Path
) -> None:
    vectors = {"chunks": np.ones((3, 8), dtype=np.float32)}
    models.fail_embeddings(ModelTimeout("no reply in time"))
    with pytest.raises(ModelTimeout):
        run(write_graph(tmp_path, vectors=vectors, **GOOD))
    assert look("SELECT count(*), sum(stale::int) FROM pgrag.entity") == [(2, 2)]
    assert look("SELECT count(*) FROM pgrag.chunk_embedding") == [(3,)]


def test_no_chunk_is_ever_visible_without_its_vector(url: str, look: Look, tmp_path: Path) -> None:
    seen = []

    class Watching(ScriptedModels):
        def embed(self, texts: Any) -> Any:
            seen.append((look("SELECT count(*) FROM pgrag.chunk"), look("SELECT count(*) FROM pgrag.chunk_embedding")))
            return super().embed(texts)

    importer(url, models=Watching())(write_graph(tmp_path, **GOOD))
    assert seen == [([(0,)], [(0,)]), ([(3,)], [(3,)])]


def test_the_command_says_what_it_took_and_what_it_mended(here: Path, cli: Callable[..., Any]) -> None:
    write_graph(here / "graph", entities=[entity("Ada", "c0")], relations=[relation("Ada", "Bob", "c0")])
    taken = cli("import", "graph", "--json")
    assert taken.code == 0, taken.err
    report = json.loads(taken.out)
    assert (report["entities"], report["relations"], report["created_endpoints"]) == (2, 1, 1)


def test_the_command_refuses_in_one_line_and_fails(here: Path, cli: Callable[..., Any]) -> None:
    write_graph(here / "graph", entities=[entity("Ada", "c9")])
    refused = cli("import", "graph")
    assert (refused.code, refused.out) == (1, "")
    assert "entities.jsonl, line 1: unknown chunk_id 'c9'" in refused.err
    write_graph(here / "graph", relations=[relation("Ada", "Bob", "c0")])
    strict = cli("import", "graph", "--strict")
    assert strict.code == 1
    assert "relations.jsonl, line 1: 'Ada' is described nowhere" in strict.err
    assert "Without --strict this would be mended." in strict.err
