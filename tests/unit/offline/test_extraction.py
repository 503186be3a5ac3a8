"""Entities and relations of a chunk: who is named, what is told about them, and who stands beside whom."""

from __future__ import annotations

import json
import time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pgrag.models.offline.extraction import (
    DESCRIPTION_CHARACTERS,
    MOST_ENTITIES,
    MOST_RELATIONS,
    MOST_RELATIONS_A_SENTENCE,
    extract,
)
from pgrag.models.offline.language import sentences

CAROL = """
Marley was dead: to begin with. There is no doubt whatever about that. The register of his burial was signed by the
clergyman, the clerk, the undertaker, and the chief mourner. Scrooge signed it. And Scrooge's name was good upon
'Change for anything he chose to put his hand to. Old Marley was as dead as a door-nail.

Scrooge never painted out Old Marley's name. There it stood, years afterwards, above the warehouse door: Scrooge and
Marley. The firm was known as Scrooge and Marley.

"A merry Christmas, Bob!" said Scrooge with an earnestness that could not be mistaken, as he clapped him on the back.
Bob Cratchit told them how he had a situation in his eye for Master Peter. Tiny Tim drank it last of all.
Mr. Fezziwig laughed all over himself, and Mrs. Fezziwig was worthy to be his partner in London.
"""

MLOPS = """
# 系統說明

MLOps（Machine Learning Operations）是機器學習運維的實踐。MLOps 的核心技術底座包括：持續集成、模型監控、容器化部署等。
技術底座通常包括：容器化技術（Docker）、編排工具（Kubernetes）。用戶查詢技術底座時，系統在 ArangoDB 中查找。
"""


def reply(text: str) -> Any:
    return json.loads(extract(text))


def entities(text: str) -> dict[str, dict[str, Any]]:
    return {entity["name"]: entity for entity in reply(text)["entities"]}


def test_the_people_of_a_christmas_carol() -> None:
    found = entities(CAROL)
    assert {"Marley", "Scrooge", "Bob Cratchit", "Tiny Tim", "Fezziwig", "Mrs. Fezziwig", "London"} <= set(found)
    assert not {"The", "There", "And", "A", "Mr", "It"} & set(found)
    people = ("Scrooge", "Bob Cratchit", "Tiny Tim", "Fezziwig", "Mrs. Fezziwig")
    assert {found[name]["type"] for name in people} == {"person"}
    assert found["London"]["type"] == "location"
    assert found["Christmas"]["type"] == "event"


def test_a_description_is_the_best_sentence_word_for_word() -> None:
    found = entities(CAROL)
    assert found["Marley"]["description"] == "Marley was dead: to begin with."
    lines = {line.replace("_", "") for line in sentences(CAROL)}
    for name, entity in found.items():
        assert entity["description"] in lines
        assert name.split()[-1].lower() in entity["description"].lower()


def test_relations_are_pairs_of_one_sentence() -> None:
    found = reply(CAROL)["relations"]
    pairs = {(relation["source"], relation["target"]): relation for relation in found}
    link = pairs["Bob Cratchit", "Master Peter"]
    assert link["keywords"] == ["told", "situation", "eye"]
    assert link["description"].startswith("Bob Cratchit told them")
    assert link["weight"] == 1.0
    assert ("Scrooge", "Marley") in pairs or ("Marley", "Scrooge") in pairs
    assert not any({"Tiny Tim", "Fezziwig"} == set(pair) for pair in pairs)


def test_a_pair_counts_once_whatever_its_order() -> None:
    found = reply("Scrooge met Marley. Marley met Scrooge. Scrooge left Marley.")["relations"]
    assert [(relation["source"], relation["target"]) for relation in found] == [("Scrooge", "Marley")]
    assert found[0]["keywords"] == ["met"]


def test_names_side_by_side_say_that_they_stand_together() -> None:
    found = reply("Scrooge and Marley.")["relations"]
    assert found[0]["keywords"] == ["mentioned together"]


def test_words_beside_the_pair_serve_when_none_are_between() -> None:
    assert reply("Scrooge and Marley traded corn.")["relations"][0]["keywords"] == ["traded", "corn"]


def test_spellings_of_one_name_are_one() -> None:
    found = reply("SCROOGE AND MARLEY\n\nScrooge sat there. Then Scrooge rose with Marley.")
    assert [entity["name"] for entity in found["entities"]] == ["Scrooge", "Marley"]


def test_chinese_text() -> None:
    found = entities(MLOPS)
    assert {"技術底座", "MLOps", "Docker", "Kubernetes", "ArangoDB", "容器化技術"} <= set(found)
    assert "術底" not in found
    assert found["技術底座"]["description"].endswith("。")
    pairs = {frozenset((relation["source"], relation["target"])) for relation in reply(MLOPS)["relations"]}
    assert frozenset(("MLOps", "核心技術底座")) in pairs or frozenset(("MLOps", "技術底座")) in pairs
    assert any({"容器化技術", "Docker"} == pair for pair in pairs)


def test_nothing_to_find() -> None:
    for text in ("", "   ", "and so it was.", "...", "12 34"):
        assert reply(text) == {"entities": [], "relations": []}


def test_limits() -> None:
    names = [f"{first}{second}ton" for first in "BDFGKLMNPR" for second in ("a", "e", "i", "o", "u", "ai")]
    crowded = reply("We met " + ", ".join(names) + ".")
    assert len(crowded["entities"]) == MOST_ENTITIES
    assert len(crowded["relations"]) == MOST_RELATIONS_A_SENTENCE
    many = reply(" ".join(f"Then {a} met {b}." for a, b in zip(names, names[1:] + names[:1], strict=True)) * 3)
    assert len(many["relations"]) <= MOST_RELATIONS
    kept = {entity["name"] for entity in many["entities"]}
    assert len(kept) == MOST_ENTITIES
    assert all({relation["source"], relation["target"]} <= kept for relation in many["relations"])


def test_who_is_mentioned_most_is_kept() -> None:
    names = [f"{first}{second}ton" for first in "BDFGKLMNPR" for second in ("a", "e", "i", "o", "u")]
    text = "We met " + ", ".join(names) + ". " + "We saw Zebulon. " * 2
    assert "Zebulon" in entities(text)


def test_long_sentences_are_cut_around_the_name() -> None:
    entity = entities("It went on " + "and on, " * 100 + "until Fezziwig came " + "and on, " * 100 + ".")["Fezziwig"]
    assert len(entity["description"]) <= DESCRIPTION_CHARACTERS + 4
    assert "Fezziwig" in entity["description"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*CAROL.split(), *MLOPS.split(), "\n\n", "`max_tokens`", "“", "'s"]), max_size=60))
def test_any_text_gives_the_contract(parts: list[str]) -> None:
    text = " ".join(parts)
    found = reply(text)
    assert found == reply(text)
    names = [entity["name"] for entity in found["entities"]]
    assert len({name.lower() for name in names}) == len(names)
    for entity in found["entities"]:
        assert entity["name"].strip() == entity["name"] != ""
        assert entity["type"] in ("person", "organization", "location", "event", "concept")
        assert entity["description"]
    for relation in found["relations"]:
        assert relation["source"] != relation["target"]
        assert {relation["source"], relation["target"]} <= set(names)
        assert 0 < len(relation["keywords"]) <= 3
        assert relation["description"]


def test_a_book_takes_seconds() -> None:
    began = time.process_time()
    for _ in range(50):
        extract(CAROL)
    assert time.process_time() - began < 1.5  # 230 chunks in under 3 s, on a slow machine too
