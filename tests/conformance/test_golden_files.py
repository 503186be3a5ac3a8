"""The golden files are worth comparing with: of these very graphs, without chance, and with every limit biting."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.cases import ALL_OPTIONS, DEFAULT, MODES, cases
from conformance.embedding import embed
from conformance.golden import FOLDER, Golden, path_of, read_golden
from conformance.graphs import GRAPHS, Question

NEAR = 1e-6
MOST_BYTES = 1_500_000


@pytest.fixture(params=GRAPHS)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def test_they_are_of_these_graphs_and_say_how_they_were_made(name: str) -> None:
    head, graph = read_golden(name).head, GRAPHS[name]()
    assert (head["graph"], head["digest"]) == (graph.name, graph.digest()), "make golden"
    assert head["made"]["versions"]["lightrag-hku"] == "1.5.7"
    assert head["made"].keys() >= {"command", "date", "seed", "versions", "fixed_tokens"}
    assert [answer.case for answer in read_golden(name).answers] == list(cases(graph)), "make golden"


def test_they_are_small_and_all_are_read() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {path_of(name).name for name in GRAPHS}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


def test_no_search_hangs_on_a_tie(name: str) -> None:
    """LightRAG breaks ties of distance by chance: none is near enough to one to be read differently by two machines."""
    graph = GRAPHS[name]()
    vectors = {kind: unit(embed(texts)) for kind, texts in graph.texts().items()}
    for question in graph.questions:
        for kind, text in asked(question).items():
            similarities = np.sort(vectors[kind] @ unit(embed([text]))[0])[::-1]
            first = similarities[: max(options.top_k for options in ALL_OPTIONS) + 21]
            assert np.diff(first).max() < -NEAR, (kind, text)
            for options in ALL_OPTIONS:
                assert abs(similarities - options.cosine).min() > NEAR, (kind, text, options.cosine)


def asked(question: Question) -> dict[str, str]:
    """What each search is asked with."""
    texts = {
        "chunks": question.text,
        "entities": ", ".join(question.low_level),
        "relations": ", ".join(question.high_level),
    }
    return {kind: text for kind, text in texts.items() if text}


def unit(vectors: np.ndarray) -> np.ndarray:
    wide = vectors.astype(np.float64)
    return np.asarray(wide / np.linalg.norm(wide, axis=1, keepdims=True))


@pytest.mark.parametrize("options", [options.name for options in ALL_OPTIONS if options != DEFAULT])
def test_every_limit_bites(options: str) -> None:
    """Somewhere, an answer differs from that to the same question with the defaults."""
    assert any(differs(read_golden(name), options) for name in GRAPHS)


def differs(golden: Golden, options: str) -> bool:
    default = {
        (each.case.question, each.case.mode): vars(each) | {"case": None}
        for each in golden.answers
        if each.case.options == DEFAULT
    }
    return any(
        vars(each) | {"case": None} != default[each.case.question, each.case.mode]
        for each in golden.answers
        if each.case.options.name == options
    )


def test_the_picking_methods_differ_and_every_mode_finds_something() -> None:
    answers = [answer for name in GRAPHS for answer in read_golden(name).answers]
    assert {answer.case.mode for answer in answers if any(each.chunks for each in answer.picked.values())} == set(MODES)
    assert any(answer.picked["vector"] != answer.picked["weight"] for answer in answers if "weight" in answer.picked)
