"""Texts of plain sentences, and a model that reads them: small, but real, and the same at every reading.

`Ada is a person who sings.` describes an entity, `Ada knows and helps Bob 3 times.` relates two. Spellings, types,
verbs and weights differ from text to text, so that majorities, unions, sums and summaries have something to decide.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from pgrag.errors import ModelError
from pgrag.models.protocols import ChatReply, ChatRequest
from pgrag.models.scripted import ScriptedModels

TYPES = ("person", "place", "ship")
DEEDS = ("sings", "sleeps", "counts", "writes", "waits")
VERBS = ("knows", "helps", "knows and helps")
PARAGRAPHS = "\n\n"

_DESCRIBES = re.compile(r"(\w+) is a (\w+) who (\w+)")
_RELATES = re.compile(r"(\w+) (\w+(?: and \w+)*) (\w+)(?: (\d) times)?")


class SentenceReader(ScriptedModels):
    """A provider that reads such sentences; while `is_down` no chat is answered."""

    def __init__(self) -> None:
        super().__init__({"extract": _read, "summary": _summarize})
        self.is_down = False

    def chat(self, request: ChatRequest) -> ChatReply:
        if self.is_down:
            raise ModelError("the model is down")
        return super().chat(request)


def texts(names: Sequence[str]) -> st.SearchStrategy[str]:
    """Documents of one to three paragraphs about these names; some say so much of one that it needs a summary."""
    name = st.sampled_from(names)
    sentence = st.one_of(
        st.builds(_describing, name, st.sampled_from(TYPES), st.sampled_from(DEEDS)),
        st.builds(_relating, name, st.sampled_from(VERBS), name, st.sampled_from(["", "", " 2 times", " 3 times"])),
    )
    paragraph = st.lists(sentence, min_size=1, max_size=4).map(" ".join)
    return st.lists(paragraph | paragraph | name.map(_praise), min_size=1, max_size=3).map(PARAGRAPHS.join)


def text_about_all(names: Sequence[str], edition: int = 0) -> str:
    """A text that describes every name and relates each two; every second edition says more."""
    described = [_describing(name, "person", deed) for name in names for deed in DEEDS[: 1 + edition % 2]]
    related = [_relating(one, "knows", other, "") for one, other in combinations(names, 2)]
    return PARAGRAPHS.join((" ".join(described), " ".join(related), f"Edition {edition}"))


def _praise(name: str) -> str:
    return " ".join(_describing(name, kind, deed) for kind in TYPES[:2] for deed in DEEDS)


def _describing(name: str, kind: str, deed: str) -> str:
    return f"{name} is a {kind} who {deed}."


def _relating(source: str, verb: str, target: str, times: str) -> str:
    return f"{source} {verb} {target}{times}."


def _read(request: ChatRequest) -> str:
    entities: list[dict[str, Any]] = []
    relations: list[dict[str, Any]] = []
    for sentence in (each.strip() for each in request.text.split(".")):
        if found := _DESCRIBES.fullmatch(sentence):
            name, kind, _ = found.groups()
            entities.append({"name": name, "type": kind, "description": sentence})
        elif found := _RELATES.fullmatch(sentence):
            source, verbs, target, times = found.groups()
            related = {"source": source, "target": target, "keywords": verbs.split(" and "), "description": sentence}
            relations.append(related | {"weight": int(times or 1)})
    return json.dumps({"entities": entities, "relations": relations}, ensure_ascii=False)


def _summarize(request: ChatRequest) -> str:
    return f"In short: {hashlib.sha256(request.text.encode()).hexdigest()[:12]}"
