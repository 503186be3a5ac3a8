"""entities_within_budget and relations_within_budget: the longest prefix that fits."""

from __future__ import annotations

import psycopg
import pytest
from support.small_graph import Entity, Relation, SmallGraph

TOKENS = {1: 2, 2: 3, 3: 4, 4: 0}


@pytest.fixture
def workspace_id(db: psycopg.Connection) -> int:
    ends = [Entity(id_ + 10, tokens=tokens) for id_, tokens in TOKENS.items()]
    relations = [Relation(id_, id_ + 10, id_ % 4 + 11, tokens=tokens) for id_, tokens in TOKENS.items()]
    return SmallGraph(entities=[*(Entity(i, tokens=t) for i, t in TOKENS.items()), *ends], relations=relations).store(
        db
    )


@pytest.mark.parametrize("kind", ["entities", "relations"])
@pytest.mark.parametrize(
    ("ids", "max_tokens", "kept"),
    [
        ([1, 2, 3], 5, [1, 2]),
        ([1, 2, 3], 4, [1]),
        ([1, 2, 3], 8, [1, 2]),
        ([1, 2, 3], 9, [1, 2, 3]),
        ([3, 1], 3, []),  # an oversize first one leaves nothing, though the second would fit
        ([1, 3, 2], 5, [1]),  # a prefix, not a knapsack
        ([1, 4, 2], 2, [1, 4]),
        ([4], 0, []),
        ([1], 0, []),
        ([], 9, []),
        (None, 9, []),
    ],
)
def test_the_longest_prefix(
    db: psycopg.Connection, workspace_id: int, kind: str, ids: list[int] | None, max_tokens: int, kept: list[int]
) -> None:
    call = f"SELECT * FROM pgrag.{kind}_within_budget(%s, %s::bigint[], %s)"
    assert db.execute(call, (workspace_id, ids, max_tokens)).fetchall() == [(i, id_) for i, id_ in enumerate(kept, 1)]
