"""pick_chunks_by_weight, pick_chunks_by_vector and pick_chunks, which chooses between them."""

from __future__ import annotations

import random

import psycopg
import pytest
from support.retrieval_reference import poll
from support.small_graph import Chunk, Document, SmallGraph

ASKED = "[1,0,0,0,0,0,0,0]"
DIRECTIONS = [(1, n, 0, 0, 0, 0, 0, 0) for n in range(200)]  # ever farther from ASKED


def store(connection: psycopg.Connection, count: int, without_vector: tuple[int, ...] = ()) -> int:
    """Chunks 1..count, in the order of evidence as of distance: the workspace's key."""
    chunks = [Chunk(n, 1, n, None if n in without_vector else DIRECTIONS[n]) for n in range(1, count + 1)]
    return SmallGraph(chunks=chunks).store(connection)


def by_weight(connection: psycopg.Connection, workspace_id: int, lists: list[list[int]], most: int) -> list[int]:
    items = [item for item, chunks in enumerate(lists, 1) for _ in chunks]
    chunk_ids = [chunk for chunks in lists for chunk in chunks]
    rows = connection.execute(
        "SELECT ordinal, chunk_id FROM"
        " pgrag.pick_chunks_by_weight(%s, %s::int[], %s::bigint[], %s::int[], %s::bigint[], %s, %s)",
        (workspace_id, items, chunk_ids, [1] * len(items), [1] * len(items), len(lists), most),
    ).fetchall()
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    return [row[1] for row in rows]


def cut_up(sizes: list[int]) -> list[list[int]]:
    """Lists of these sizes, of the chunks 1, 2, 3, …"""
    starts = [sum(sizes[:i]) + 1 for i in range(len(sizes))]
    return [list(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)]


@pytest.mark.parametrize(
    ("items", "quotas"),
    [(1, [5]), (2, [5, 1]), (3, [5, 3, 1]), (4, [5, 4, 2, 1]), (5, [5, 4, 3, 2, 1]), (6, [5, 4, 3, 3, 2, 1])],
)
def test_quotas_fall_in_a_line_rounded_half_to_even(db: psycopg.Connection, items: int, quotas: list[int]) -> None:
    workspace_id = store(db, 9 * items)
    lists = cut_up([9] * items)
    picked = by_weight(db, workspace_id, lists, 5)
    assert [sum(chunk in chunks for chunk in picked) for chunks in lists] == quotas


def test_what_short_lists_cannot_give_drains_the_earliest(db: psycopg.Connection) -> None:
    workspace_id = store(db, 19)
    a, b, c = cut_up([1, 9, 9])
    assert by_weight(db, workspace_id, [a, b, c], 5) == [*a, *b[:3], c[0], *b[3:7]]


def test_an_empty_list_holds_its_place_in_the_line(db: psycopg.Connection) -> None:
    workspace_id = store(db, 18)
    a, _, c = cut_up([9, 0, 9])
    assert by_weight(db, workspace_id, [a, [], c], 5) == [*a[:5], c[0], *a[5:8]]


def test_lists_are_by_occurrence_then_as_stated_then_by_document(db: psycopg.Connection) -> None:
    documents = [Document(1, "b"), Document(2, "a"), Document(3, "B")]
    chunks = [Chunk(1, 1, 0), Chunk(2, 2, 1), Chunk(3, 2, 0), Chunk(4, 3, 7), Chunk(5, 1, 1)]
    workspace_id = SmallGraph(documents, chunks).store(db)
    for places, expected in (("{1,1,1,1,1}", [5, 4, 3, 2, 1]), ("{1,3,2,4,5}", [5, 1, 3, 2, 4])):
        rows = db.execute(
            "SELECT chunk_id FROM pgrag.pick_chunks_by_weight("
            "%s, '{1,1,1,1,1}', '{1,2,3,4,5}', '{1,1,1,1,2}', %s, 1, 5)",
            (workspace_id, places),
        ).fetchall()
        assert [row[0] for row in rows] == expected, "document_key is compared by bytes: B before a"


def test_nothing_for_quota_zero_or_no_items(db: psycopg.Connection) -> None:
    workspace_id = store(db, 3)
    assert by_weight(db, workspace_id, [[1], [2]], 0) == []
    assert by_weight(db, workspace_id, [], 5) == []


def test_polling_of_random_lists(db: psycopg.Connection) -> None:
    workspace_id = store(db, 80)
    rng = random.Random(7)
    for _ in range(60):
        lists = cut_up([rng.choice([0, 1, 2, 5, 9]) for _ in range(rng.randint(1, 9))])
        most = rng.randint(0, 9)
        assert by_weight(db, workspace_id, lists, most) == poll(lists, most), (lists, most)


def test_by_vector_nearest_first_then_id(db: psycopg.Connection) -> None:
    chunks = [Chunk(7, 1, 0, DIRECTIONS[1]), Chunk(3, 1, 1, DIRECTIONS[1]), Chunk(5, 1, 2, DIRECTIONS[0])]
    workspace_id = SmallGraph(chunks=[*chunks, Chunk(1, 1, 3, DIRECTIONS[0])]).store(db)
    rows = db.execute(
        "SELECT * FROM pgrag.pick_chunks_by_vector(%s, %s, '{7,3,5,7}', 9)", (workspace_id, ASKED)
    ).fetchall()
    far = pytest.approx(1 - 1 / 2**0.5)
    assert rows == [(1, 5, 0.0), (2, 3, far), (3, 7, far)], "each once, 1 was not asked for"
    assert db.execute("SELECT * FROM pgrag.pick_chunks_by_vector(%s, NULL, '{7}', 9)", (workspace_id,)).fetchall() == []


def pick(
    connection: psycopg.Connection, workspace_id: int, asked: str | None, lists: list[list[int]], most: int
) -> list[int]:
    items = [item for item, chunks in enumerate(lists, 1) for _ in chunks]
    chunk_ids = [chunk for chunks in lists for chunk in chunks]
    rows = connection.execute(
        "SELECT chunk_id FROM pgrag.pick_chunks(%s, %s, %s::int[], %s::bigint[], %s::int[], %s::bigint[], %s, %s)"
        " ORDER BY ordinal",
        (workspace_id, asked, items, chunk_ids, [1] * len(items), [1] * len(items), len(lists), most),
    ).fetchall()
    return [row[0] for row in rows]


@pytest.mark.parametrize(("items", "expected"), [(1, 2), (3, 7), (40, 100)])
def test_how_many_by_vector(db: psycopg.Connection, items: int, expected: int) -> None:
    workspace_id = store(db, 120)
    lists = [list(range(1, 121)), *([[]] * (items - 1))]
    assert pick(db, workspace_id, ASKED, lists, 5) == list(range(1, expected + 1))


def test_a_missing_vector_is_passed_over(db: psycopg.Connection) -> None:
    workspace_id = store(db, 9, without_vector=(1, 3))
    assert pick(db, workspace_id, ASKED, [[1, 2], [3, 4], [5, 6]], 5) == [2, 4, 5, 6]


def test_by_weight_without_embedding_without_vectors_and_for_a_count_of_zero(db: psycopg.Connection) -> None:
    workspace_id = store(db, 9, without_vector=(8, 9))
    lists = [[1, 2, 3, 4], [5, 6]]
    assert pick(db, workspace_id, None, lists, 2) == poll(lists, 2) == [1, 2, 5]
    assert pick(db, workspace_id, ASKED, [[9, 8]], 5) == [8, 9], "none has a vector"
    assert pick(db, workspace_id, ASKED, [[2, 1]], 1) == [1], "1 * 1 / 2 is no chunk"
    assert pick(db, workspace_id, ASKED, lists, 0) == []
