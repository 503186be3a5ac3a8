"""What LightRAG's keys of relations get wrong, or need care for; and that the checklist names tests that are there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from support.graph_folders import Line, entity, relation, write_graph

from pgrag import PgRAG
from pgrag.models.scripted import ScriptedModels
from pgrag.rows import Context

ROOT = Path(__file__).parents[2]


def retrieve(url: str, folder: Path, names: Sequence[str], relations: Sequence[Line]) -> Context:
    """Everything there is, by both legs."""
    write_graph(folder, entities=[entity(name, "c0") for name in names], relations=relations)
    with PgRAG(url, workspace="w", models=ScriptedModels()) as rag:
        rag.import_graph(folder)
        return rag.retrieve("q", mode="hybrid", low_level_keywords=["x"], high_level_keywords=["y"], max_distance=2.0)


def test_pairs_whose_names_join_to_the_same_text_are_two_relations(url: str, tmp_path: Path) -> None:
    said = [relation("ab", "c", "c0"), relation("a", "bc", "c0")]
    found = retrieve(url, tmp_path, ["ab", "c", "a", "bc"], said)
    assert {(each.source, each.target) for each in found.relations} == {("ab", "c"), ("a", "bc")}


def test_a_pair_said_both_ways_is_one_relation_and_the_local_copy_stays(url: str, tmp_path: Path) -> None:
    found = retrieve(url, tmp_path, ["x", "y"], [relation("y", "x", "c0"), relation("x", "y", "c1")])
    assert [(each.source, each.target, each.leg) for each in found.relations] == [("y", "x", "local")]


def test_the_checklist_names_tests_that_are_there() -> None:
    checklist = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/\S+\.py)::(\w+)`", checklist)
    assert len(named) > 20
    for path, test in named:
        assert re.search(rf"^(async )?def {test}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), test
