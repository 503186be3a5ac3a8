"""What the stub model server says when nobody tells it what to say.

Small but real: its extraction finds capitalised names in the text of the prompt and relates those that share a
sentence, so that ingesting a document through the stub gives a little graph one can reason about.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

Body = dict[str, Any]

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_NAME = re.compile(r"\b[A-Z][\w'-]*(?:\s+[A-Z][\w'-]*)*")
_NO_NAMES = re.compile(
    "A|An|And|As|At|But|By|For|From|He|Her|His|How|I|If|In|It|Its|No|Not|Of|On|Or|Our|She|So|That|The|Their|There|"
    "These|They|This|Those|To|Was|We|Were|What|When|Where|Which|Who|Why|With|You"
)
_ROLE_OF_SCHEMA = {"pgrag_extraction": "extract", "pgrag_keywords": "keywords"}
_LONGEST_WORD_LEFT_OUT = 3


def role_of(body: Body) -> str:
    """`extract`, `keywords` or `text`: by the schema's name, and where none is sent by the marks in the prompt."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("name")
    if schema in _ROLE_OF_SCHEMA:
        return _ROLE_OF_SCHEMA[schema]
    if marked(body, "question") is not None:
        return "keywords"
    return "text" if marked(body, "text") is None else "extract"


def marked(body: Body, mark: str) -> str | None:
    """What stands between a line `<mark>` and a line `</mark>` of the newest user message that has both."""
    pattern = re.compile(rf"^<{mark}>[ \t]*\n(.*?)\n?^</{mark}>", re.DOTALL | re.MULTILINE)
    for message in reversed(body["messages"]):
        if message["role"] == "user" and (found := pattern.search(message["content"])):
            return found[1]
    return None


def chunk_of(body: Body) -> str:
    """The chunk that an extraction request is about."""
    return marked(body, "text") or ""


def question_of(body: Body) -> str:
    """The question of a keywords request, or the last thing the user said."""
    return marked(body, "question") or str(body["messages"][-1]["content"])


def extraction(body: Body) -> str:
    """Names and their relations; nothing in the gleaning call, because nothing was missed."""
    if any(message["role"] == "assistant" for message in body["messages"]):
        return json.dumps({"entities": [], "relations": []})
    return json.dumps(records(chunk_of(body)), ensure_ascii=False)


def records(text: str) -> dict[str, list[dict[str, Any]]]:
    """Every capitalised name with its first sentence, and each two that follow each other in a sentence, once."""
    entities: dict[str, dict[str, Any]] = {}
    relations: dict[tuple[str, str], dict[str, Any]] = {}
    for sentence in (found.strip() for found in _SENTENCE.findall(text)):
        names = list(dict.fromkeys(_names(sentence)))
        for name in names:
            entities.setdefault(name, {"name": name, "type": "concept", "description": sentence})
        for source, target in pairwise(names):
            relation = {"source": source, "target": target, "keywords": ["mentioned together"]}
            relations.setdefault((source, target), relation | {"description": sentence, "weight": 1})
    return {"entities": list(entities.values()), "relations": list(relations.values())}


def _names(sentence: str) -> list[str]:
    runs = (run.split() for run in _NAME.findall(sentence))
    trimmed = (run[1:] if _NO_NAMES.fullmatch(run[0]) else run for run in runs)
    return [" ".join(run) for run in trimmed if run]


def keywords(body: Body) -> str:
    """The names in the question as low-level keywords, its other long words as high-level ones."""
    question = question_of(body)
    names = _names(question)
    named = {word for name in names for word in name.split()}
    words = [word for word in re.findall(r"\w+", question) if len(word) > _LONGEST_WORD_LEFT_OUT and word not in named]
    return json.dumps({"high_level_keywords": words, "low_level_keywords": names}, ensure_ascii=False)


def answer(body: Body) -> str:
    """A short text that quotes the first reference."""
    return f"The documents say this about it: {question_of(body)[:60].strip()} [1]"
