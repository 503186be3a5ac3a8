"""The graphs that both systems are asked about, as interchange lines that need no mending, and the questions.

Two are made up (`synthetic`), two were made by a language model (see the PROVENANCE.md of each). Of the latter, a pair
that stands there in both directions becomes one relation, and ends without a line get one: what an import would mend.
Known to both sides: needs no pgrag and no LightRAG.
"""

from __future__ import annotations

import functools
import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from conformance import synthetic
from conformance.embedding import embed

Line = Mapping[str, Any]

HERE = Path(__file__).parent
CAROL = HERE.parent.parent / "examples" / "graphs" / "a_christmas_carol"
DULCE = HERE / "graphs" / "operation_dulce"


@dataclass(frozen=True)
class Question:
    """A question and its keywords."""

    text: str
    low_level: tuple[str, ...]
    high_level: tuple[str, ...]


@dataclass(frozen=True)
class Graph:
    """Lines in the interchange format; golden files name them by their number, from 0."""

    name: str
    documents: tuple[Line, ...]
    chunks: tuple[Line, ...]
    entities: tuple[Line, ...]
    relations: tuple[Line, ...]
    questions: tuple[Question, ...]

    def digest(self) -> str:
        """SHA-256 of everything, questions included: golden files are of this graph and no other."""
        parts = (self.documents, self.chunks, self.entities, self.relations, [vars(each) for each in self.questions])
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()

    def texts(self) -> dict[str, list[str]]:
        """What is embedded of each chunk, entity and relation."""
        return {
            "chunks": [line["content"] for line in self.chunks],
            "entities": [f"{line['name']}\n{line['description']}" for line in self.entities],
            "relations": [relation_text(line) for line in self.relations],
        }

    def write(self, folder: Path) -> Path:
        """The folder that pgrag imports, embeddings included."""
        for kind in ("documents", "chunks", "entities", "relations"):
            lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in getattr(self, kind))
            (folder / f"{kind}.jsonl").write_text("".join(lines), encoding="utf-8")
        for kind, texts in self.texts().items():
            np.save(folder / f"{kind}.npy", embed(texts))
        return folder


def relation_text(line: Line) -> str:
    """What is embedded of a relation."""
    return f"{', '.join(line['keywords'])}\t{line['source']}\n{line['target']}\n{line['description']}"


def key(name: str) -> str:
    """Names are one when their keys are."""
    return unicodedata.normalize("NFKC", name).lower()


def pair(line: Line) -> tuple[str, str]:
    """The ends of a relation, whichever way round it is said."""
    low, high = sorted((key(line["source"]), key(line["target"])))
    return low, high


def made_up(n: int) -> Graph:
    """The synthetic graph of n entities, seed 1."""
    made = synthetic.make(n)
    per_document = synthetic.CHUNKS_OF_DOCUMENT
    paths = [f"doc_{number:06d}.txt" for number in range(-(-n // per_document))]
    ids = [f"{paths[number // per_document]}#{number % per_document}" for number in range(n)]
    return Graph(
        f"synthetic-{n}",
        tuple({"id": path, "file_path": path} for path in paths),
        tuple(
            {
                "id": ids[number],
                "document_id": paths[number // per_document],
                "chunk_index": number % per_document,
                "content": content,
            }
            for number, content in enumerate(made.chunks)
        ),
        tuple(
            {
                "name": entity.name,
                "type": entity.type,
                "description": entity.description,
                "evidence": [{"chunk_id": ids[chunk]} for chunk in entity.chunks],
            }
            for entity in made.entities
        ),
        tuple(
            {
                "source": relation.source,
                "target": relation.target,
                "keywords": sorted(set(relation.keywords.split(", "))),
                "description": relation.description,
                "weight": relation.weight,
                "evidence": [{"chunk_id": ids[relation.chunk]}],
            }
            for relation in made.relations
        ),
        tuple(Question(each.text, each.low_level, each.high_level) for each in synthetic.questions(made, 4)),
    )


def made_by_a_model(name: str, folder: Path, questions: Sequence[Question]) -> Graph:
    """A graph from a folder in the interchange format."""
    documents, chunks, entities, relations = (
        [json.loads(line) for line in (folder / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()]
        for kind in ("documents", "chunks", "entities", "relations")
    )
    relations = _one_of_each_pair(relations)
    return Graph(
        name,
        tuple(documents),
        tuple(chunks),
        (*entities, *_undescribed(relations, {key(line["name"]) for line in entities})),
        tuple(relations),
        tuple(questions),
    )


def _one_of_each_pair(relations: Iterable[Line]) -> list[Line]:
    """The first line of each pair, with the evidence and the weight of all."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for line in relations:
        first = found.setdefault(pair(line), {**line, "weight": 0.0, "evidence": []})
        first["weight"] += line["weight"]
        first["evidence"] += [piece for piece in line["evidence"] if piece not in first["evidence"]]
    return list(found.values())


def _undescribed(relations: Iterable[Line], known: set[str]) -> list[Line]:
    """Lines for the ends that have none, as an import makes them."""
    found: dict[str, dict[str, Any]] = {}
    for line in relations:
        for name in (line["source"], line["target"]):
            if key(name) not in known:
                made = {"name": name, "type": "UNKNOWN", "description": line["description"], "evidence": []}
                pieces = found.setdefault(key(name), made)["evidence"]
                pieces += [piece for piece in line["evidence"] if piece not in pieces]
    return list(found.values())


CAROL_QUESTIONS = (
    Question(
        "What do the ghosts show Scrooge, and how does he change?",
        ("Ebenezer Scrooge", "Ghost of Christmas Past", "Marley"),
        ("redemption", "supernatural visits", "change of heart"),
    ),
    Question("How do the Cratchits keep Christmas?", ("Bob Cratchit", "Tiny Tim", "goose"), ("family", "poverty")),
    Question("Who was invited to dinner by the nephew?", ("Fred", "Scrooge's Nephew"), ("invitation to dinner",)),
    Question("What is said of London?", ("London", "Camden Town"), ()),
)
DULCE_QUESTIONS = (
    Question(
        "What does the squad find in the base, and who leads it?",
        ("Paranormal Military Squad", "Dulce Base", "Alex Mercer"),
        ("leadership", "alien technology", "mission"),
    ),
    Question("How do Cruz and Mercer disagree?", ("Taylor Cruz", "Alex Mercer"), ("authority", "conflict in a team")),
    Question("What is the signal from space?", ("extraterrestrial signal", "Sam Rivera"), ("first contact",)),
    Question("What is decoded in the cosmos?", (), ("communication with aliens", "intelligence")),
)


@dataclass(frozen=True)
class Numbers:
    """The number of each line, by what it is found by."""

    entities: Mapping[str, int]
    relations: Mapping[tuple[str, str], int]
    chunks: Mapping[tuple[str, int], int]
    documents: Mapping[str, int]


@functools.cache
def numbers_of(name: str) -> Numbers:
    """Entities by key, relations by pair, chunks by document and index, documents by file path."""
    graph = GRAPHS[name]()
    return Numbers(
        {key(line["name"]): number for number, line in enumerate(graph.entities)},
        {pair(line): number for number, line in enumerate(graph.relations)},
        {(line["document_id"], line["chunk_index"]): number for number, line in enumerate(graph.chunks)},
        {line["file_path"]: number for number, line in enumerate(graph.documents)},
    )


GRAPHS: Mapping[str, Callable[[], Graph]] = {
    "synthetic-300": functools.cache(lambda: made_up(300)),
    "synthetic-1000": functools.cache(lambda: made_up(1000)),
    "operation-dulce": functools.cache(lambda: made_by_a_model("operation-dulce", DULCE, DULCE_QUESTIONS)),
    "christmas-carol": functools.cache(lambda: made_by_a_model("christmas-carol", CAROL, CAROL_QUESTIONS)),
}
