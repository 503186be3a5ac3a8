"""The golden files: a line that says how the file was made, then a line for each case. JSON Lines."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.cases import ALL_OPTIONS, Case

FOLDER = Path(__file__).parent / "golden_files"
_OPTIONS = {options.name: options for options in ALL_OPTIONS}


@dataclass(frozen=True)
class Picked:
    """The chunks, nearest the front first, and the documents they are of: with their reference ids."""

    chunks: tuple[tuple[int, str], ...]
    references: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Answer:
    """What LightRAG found in one case, in its order: numbers of the graph's lines."""

    case: Case
    entities: tuple[int, ...]
    relations: tuple[int, ...]
    picked: Mapping[str, Picked]


@dataclass(frozen=True)
class Golden:
    """A golden file. fixed_tokens: what LightRAG counts beside graph, question and chunks, by kind of prompt."""

    head: Mapping[str, Any]
    answers: tuple[Answer, ...]

    @property
    def fixed_tokens(self) -> Mapping[str, int]:
        tokens: Mapping[str, int] = self.head["made"]["fixed_tokens"]
        return tokens


def path_of(name: str) -> Path:
    """The golden file of a graph."""
    return FOLDER / f"{name}.jsonl"


@functools.cache
def read_golden(name: str) -> Golden:
    """The golden file of a graph."""
    head, *answers = map(json.loads, path_of(name).read_text(encoding="utf-8").splitlines())
    return Golden(head, tuple(map(_answer, answers)))


def _answer(line: Mapping[str, Any]) -> Answer:
    case = Case(line["question"], line["mode"], _OPTIONS[line["options"]])
    picked = {
        method: Picked(tuple(map(tuple, chunks)), tuple(map(tuple, line["references"][method])))
        for method, chunks in line["chunks"].items()
    }
    return Answer(case, tuple(line["entities"]), tuple(line["relations"]), picked)
