"""chunk_is_within, entity_is_within, relation_is_within: evidence in a matching document."""

from __future__ import annotations

import psycopg
import pytest
from support.small_graph import Chunk, Document, Entity, Relation, SmallGraph


@pytest.mark.parametrize(("filter", "expected"), [('{"year": 2000}', True), ('{"year": 2020}', False), ("{}", True)])
def test_evidence_in_a_matching_document(db: psycopg.Connection, filter: str, expected: bool) -> None:
    workspace_id = SmallGraph(
        documents=[Document(1, "a", {"year": 2000}), Document(2, "b", {"year": 2020})],
        chunks=[Chunk(1, 1, 0), Chunk(2, 2, 0)],
        entities=[Entity(1, (1,)), Entity(2, (1, 2)), Entity(3)],
        relations=[Relation(1, 1, 2, chunks=(1,)), Relation(3, 1, 3)],
    ).store(db)
    for kind in ("chunk", "entity", "relation"):
        asked = f"SELECT pgrag.{kind}_is_within(%s, %s, %s)"
        assert db.execute(asked, (workspace_id, 1, filter)).fetchone() == (expected,)
        assert db.execute(asked, (workspace_id, 3, filter)).fetchone() == (False,), "nothing says anything of it"
        assert db.execute(asked, (workspace_id + 1, 1, filter)).fetchone() == (False,), "another workspace"
        assert db.execute(asked, (workspace_id, 1, None)).fetchone() == (None,)
    assert db.execute("SELECT pgrag.entity_is_within(%s, 2, %s)", (workspace_id, filter)).fetchone() == (True,)
