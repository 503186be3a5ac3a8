"""Any small graph, however untidy: an import makes of it what the rules of the format say, worked out in Python."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.graph_folders import Line, entity, importer, relation, write_graph

from pgrag.interchange import ImportReport
from pgrag.interchange.lines import RelationLine
from pgrag.interchange.staging import evidence_weights

SEP = "<SEP>"
names = st.sampled_from(["Ada", "ADA", "Bob", " bob ", "Cid", "cid", "Dan", "7"])
texts = st.sampled_from(["", "one", "two", "three"])
chunk_ids = st.sampled_from(["c0", "c1", "c2"])
entity_pieces = st.lists(st.fixed_dictionaries({"chunk_id": chunk_ids, "description": texts}), max_size=4)
weights = st.one_of(st.none(), st.integers(1, 4).map(float))
relation_pieces = st.lists(
    st.fixed_dictionaries({"chunk_id": chunk_ids, "description": texts, "weight": weights}), max_size=4
)


@st.composite
def entity_lines(draw: st.DrawFn) -> Line:
    return entity(draw(names), *draw(entity_pieces), description=draw(texts))


@st.composite
def relation_lines(draw: st.DrawFn) -> Line:
    weight = float(draw(st.integers(1, 9)))
    return relation(draw(names), draw(names), *draw(relation_pieces), weight=weight, description=draw(texts))


@dataclass
class Item:
    """An entity or a pair as it ought to be: fragments stated, and what each chunk says, in order."""

    stated: list[str] = field(default_factory=list)
    said: dict[str, list[str]] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    by_hand: bool = False
    stated_weight: float | None = None

    def description(self) -> str:
        return joined(itertools.chain(self.stated, (joined(said) for said in self.said.values())))

    def weight(self) -> float | None:
        return sum(self.weights.values()) if self.weights else self.stated_weight


def key(name: str) -> str:
    return name.strip().lower()


def joined(fragments: Iterable[str]) -> str:
    pieces = [piece for fragment in fragments for piece in fragment.split(SEP) if piece]
    return SEP.join(dict.fromkeys(pieces))


@dataclass
class Expected:
    """What the rules make of the lines."""

    entities: dict[str, Item] = field(default_factory=dict)
    pairs: dict[frozenset[str], Item] = field(default_factory=dict)
    merged: int = 0
    created: int = 0
    skipped: int = 0
    repeated: int = 0

    def hear(self, item: Item, line: Line) -> None:
        item.by_hand |= not line["evidence"]
        if line["description"]:
            item.stated.append(line["description"])
        for piece in line["evidence"]:
            self.repeated += piece["chunk_id"] in item.said
            item.said.setdefault(piece["chunk_id"], []).append(piece["description"])


def expected(entities: list[Line], relations: list[Line]) -> Expected:
    result = Expected()
    for line in entities:
        result.merged += key(line["name"]) in result.entities
        result.hear(result.entities.setdefault(key(line["name"]), Item()), line)
    described = set(result.entities)
    ends: dict[str, list[Line]] = {}
    for line in relations:
        pair = frozenset((key(line["source"]), key(line["target"])))
        if len(pair) == 1:
            result.skipped += 1
            continue
        result.merged += pair in result.pairs
        item = result.pairs.setdefault(pair, Item())
        result.hear(item, line)
        if not line["evidence"] and item.stated_weight is None:
            item.stated_weight = line["weight"]
        shares = evidence_weights(RelationLine.model_validate(line, strict=False))
        for piece, weight in zip(line["evidence"], shares, strict=True):
            item.weights[piece["chunk_id"]] = max(weight, item.weights.get(piece["chunk_id"], 0.0))
        for name in (line["source"], line["target"]):
            if key(name) not in described:
                ends.setdefault(key(name), []).append(line)
    for name, lines in ends.items():
        result.entities[name] = undescribed(lines)
    result.created = len(ends)
    return result


def undescribed(lines: list[Line]) -> Item:
    """An end without a line: the first thing that a relation says of it serves as its description."""
    item = Item(by_hand=not any(line["evidence"] for line in lines))
    for line in lines:
        for piece in line["evidence"]:
            item.said.setdefault(piece["chunk_id"], [piece["description"] or line["description"]])
    if item.by_hand:
        item.stated = [lines[0]["description"]]
    else:
        first = next((said[0] for said in item.said.values() if said[0]), "")
        item.said = {chunk: [first] for chunk in item.said}
    return item


def entities_of(db: psycopg.Connection, workspace: str) -> dict[str, tuple[Any, ...]]:
    rows = db.execute(
        "SELECT e.name_key, e.description, e.by_hand,"
        " (SELECT coalesce(array_agg(c.chunk_key ORDER BY v.stated_order), '{}')"
        " FROM pgrag.entity_evidence v JOIN pgrag.chunk c ON c.id = v.chunk_id WHERE v.entity_id = e.id)"
        " FROM pgrag.entity e WHERE e.workspace_id = pgrag.workspace_id(%s)",
        (workspace,),
    ).fetchall()
    return {row[0]: row[1:] for row in rows}


def pairs_of(db: psycopg.Connection, workspace: str) -> dict[frozenset[str], tuple[Any, ...]]:
    rows = db.execute(
        "SELECT a.name_key, b.name_key, r.description, r.by_hand,"
        " (SELECT coalesce(array_agg(c.chunk_key ORDER BY v.stated_order), '{}')"
        " FROM pgrag.relation_evidence v JOIN pgrag.chunk c ON c.id = v.chunk_id WHERE v.relation_id = r.id), r.weight"
        " FROM pgrag.relation r JOIN pgrag.entity a ON a.id = r.source_id JOIN pgrag.entity b ON b.id = r.target_id"
        " WHERE r.workspace_id = pgrag.workspace_id(%s)",
        (workspace,),
    ).fetchall()
    return {frozenset(row[:2]): row[2:] for row in rows}


@given(st.lists(entity_lines(), max_size=5), st.lists(relation_lines(), max_size=6))
@example([entity("Ada", "c0")], [relation("Ada", "Bob")])
@example([], [relation("Ada", "Bob"), relation("bob", "ADA", "c1", "c1"), relation("Bob", "bob", "c0")])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_graph(
    url: str, db: psycopg.Connection, tmp_path: Path, entities: list[Line], relations: list[Line]
) -> None:
    lines = [with_descriptions(line) for line in entities], [with_descriptions(line) for line in relations]
    folder = write_graph(tmp_path, entities=lines[0], relations=lines[1])
    workspace = f"w{next(COUNTER)}"
    report = importer(url, workspace)(folder)
    want = expected(*lines)
    require_report(report, want)
    assert entities_of(db, workspace) == {
        name: (item.description(), item.by_hand, list(item.said)) for name, item in want.entities.items()
    }
    found = pairs_of(db, workspace)
    assert {pair: row[:3] for pair, row in found.items()} == {
        pair: (item.description(), item.by_hand, list(item.said)) for pair, item in want.pairs.items()
    }
    assert {pair: row[3] for pair, row in found.items()} == {
        pair: pytest.approx(item.weight()) for pair, item in want.pairs.items()
    }
    require_gone_with_the_document(db, workspace, want)
    assert db.execute("SELECT problem FROM pgrag.check_graph()").fetchall() == []
    db.commit()


COUNTER = itertools.count()


def with_descriptions(line: Line) -> Line:
    """The line, its pieces with a description that may be empty, never missing."""
    return {**line, "evidence": [{"description": "", **piece} for piece in line["evidence"]]}


def require_report(report: ImportReport, want: Expected) -> None:
    assert (report.entities, report.relations) == (len(want.entities), len(want.pairs))
    assert (report.merged, report.created_endpoints, report.skipped_self_loops, report.repeated_chunk_ids) == (
        want.merged,
        want.created,
        want.skipped,
        want.repeated,
    )
    assert report.refreshed == report.entities + report.relations


def require_gone_with_the_document(db: psycopg.Connection, workspace: str, want: Expected) -> None:
    """Only what was made by hand outlives the evidence, and the ends of such relations."""
    db.execute("SELECT pgrag.delete_document(%s, 'book')", (workspace,))
    kept = {pair for pair, item in want.pairs.items() if item.by_hand}
    by_hand = {name for name, item in want.entities.items() if item.by_hand}
    assert set(pairs_of(db, workspace)) == kept
    assert set(entities_of(db, workspace)) == by_hand | {name for pair in kept for name in pair}
