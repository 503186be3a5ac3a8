"""Replies of models as they come: wrapped, damaged, renamed; and prose, which is no reply."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pgrag.errors import UnreadableReply
from pgrag.models.replies import (
    EXTRACTION_SCHEMA,
    KEYWORDS_SCHEMA,
    EntityRecord,
    ExtractionReply,
    KeywordsReply,
    RelationRecord,
    parse_extraction,
    parse_keywords,
)

ADA = {"name": "Ada", "type": "person", "description": "A mathematician."}
ENGINE = {"name": "Engine", "type": "artifact", "description": "A machine."}
WROTE = {"source": "Ada", "target": "Engine", "keywords": ["programs"], "description": "Ada programs it.", "weight": 2}
WHOLE = {"entities": [ADA, ENGINE], "relations": [WROTE]}
PARSED = ExtractionReply(
    (EntityRecord("Ada", "person", "A mathematician."), EntityRecord("Engine", "artifact", "A machine.")),
    (RelationRecord("Ada", "Engine", ("programs",), "Ada programs it.", 2.0),),
)
PLAIN = json.dumps(WHOLE)


@pytest.mark.parametrize(
    "reply",
    [
        PLAIN,
        json.dumps(WHOLE, indent=2),
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```\nDone.",
        f"Here you are:\n{PLAIN}\nI hope {{this}} helps {{you}}.",
        f"<think>entities: {{}} or {{'entities': []}}?</think>{PLAIN}",
        f"thoughts opened by the prompt</think>{PLAIN}",
        f'The form is {{"entities": [], "relations": []}}. So: {PLAIN}',
        json.dumps({"result": WHOLE}),
        json.dumps({"note": {"a": 1}, **WHOLE}),
        PLAIN.replace("]}", "],}"),
        PLAIN.replace("}, {", "} {"),
        PLAIN.replace('"', "'"),
        PLAIN.replace('"entities"', "entities"),
        PLAIN.removesuffix("]}"),
        PLAIN.removesuffix("}"),
        PLAIN.removeprefix("{"),
        PLAIN.replace('"entities"', '"Entities"').replace('"relations"', '"Relationships"'),
        f"﻿{PLAIN}",
    ],
)
def test_extraction_however_wrapped(reply: str) -> None:
    assert parse_extraction(reply) == PARSED


def test_lightrag_field_names() -> None:
    entity = {"entity_name": "Ada", "entity_type": "person", "description": "D."}
    relation = {"src_id": "Ada", "tgt_id": "Bob", "relationship_keywords": "a, b", "relationship_description": "R."}
    reply = parse_extraction(json.dumps({"entities": [entity], "relationships": [relation]}))
    assert reply.entities == (EntityRecord("Ada", "person", "D."),)
    assert reply.relations == (RelationRecord("Ada", "Bob", ("a", "b"), "R.", 1.0),)


@pytest.mark.parametrize("missing", ["name", "type", "description"])
@pytest.mark.parametrize("instead", [None, "", "  ", [], {}, True])
def test_an_entity_without_a_field_is_dropped_alone(missing: str, instead: object) -> None:
    reply = parse_extraction(json.dumps({"entities": [ADA | {missing: instead}, ENGINE], "relations": []}))
    assert [entity.name for entity in reply.entities] == ["Engine"]


@pytest.mark.parametrize("missing", ["source", "target", "description"])
def test_a_relation_without_a_field_is_dropped_alone(missing: str) -> None:
    broken = {key: value for key, value in WROTE.items() if key != missing}
    reply = parse_extraction(json.dumps({"entities": [], "relations": [broken, WROTE]}))
    assert len(reply.relations) == 1


def test_relation_without_keywords_or_weight_stays() -> None:
    bare = {"source": "Ada", "target": "Engine", "description": "Ada programs it."}
    reply = parse_extraction(json.dumps({"relations": [bare]}))
    assert reply.relations == (RelationRecord("Ada", "Engine", (), "Ada programs it.", 1.0),)


def test_names_are_as_said_and_numbers_are_names() -> None:
    said = [ADA | {"name": ' "ADA"  Lovelace '}, ADA | {"name": 1984}]
    reply = parse_extraction(json.dumps({"entities": said, "relations": []}))
    assert [entity.name for entity in reply.entities] == ['"ADA"  Lovelace', "1984"]


def test_records_that_are_no_objects_are_dropped() -> None:
    reply = parse_extraction(json.dumps({"entities": ["Ada", None, [ADA], ADA], "relations": None}))
    assert reply == ExtractionReply((PARSED.entities[0],), ())


def test_a_broken_off_reply_keeps_its_whole_records() -> None:
    cut = PLAIN[: PLAIN.index('"type": "artifact"') + 8]
    assert parse_extraction(cut) == ExtractionReply((PARSED.entities[0],), ())


@pytest.mark.parametrize(
    ("stated", "weight"),
    [
        (3, 3.0),
        ("0.5", 0.5),
        (0, 0.0),
        (-1, 1.0),
        ("strong", 1.0),
        (None, 1.0),
        (True, 1.0),
        ([2], 1.0),
        (10**400, 1.0),
    ],
)
def test_weights(stated: object, weight: float) -> None:
    reply = parse_extraction(json.dumps({"relations": [WROTE | {"weight": stated}]}))
    assert reply.relations[0].weight == weight


@pytest.mark.parametrize("stated", ["NaN", "Infinity", "-Infinity", "1e999", '"nan"', '"inf"'])
def test_weights_that_cannot_be_summed(stated: str) -> None:
    reply = parse_extraction(PLAIN.replace('"weight": 2', f'"weight": {stated}'))
    assert reply.relations[0].weight == 1.0


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   ",
        "I am sorry, I cannot do that.",
        "I found no entities: the text is empty.",
        'The field "entities": none were found.',
        "the set {a, b} and the list [1, 2]",
        "{}",
        "[]",
        "null",
        '{"entities": "Ada and the Engine"}',
        '{"answer": "Ada"}',
        '{"high_level_keywords": []}',
        "<think>" + PLAIN,
        "<html><body>502 Bad Gateway {entities}</body></html>",
    ],
)
def test_what_is_no_extraction(reply: str) -> None:
    with pytest.raises(UnreadableReply):
        parse_extraction(reply)


def test_the_error_quotes_a_little_on_one_line() -> None:
    with pytest.raises(UnreadableReply) as caught:
        parse_extraction("Sorry,\n\n  no. " + "blah " * 1000)
    message = str(caught.value)
    quoted = message.partition(": ")[2].strip("'")
    assert quoted.startswith("Sorry, no. blah")
    assert len(quoted) <= 80
    assert "\n" not in message


@pytest.mark.parametrize("hostile", ["{" * 50_000, '{"a":' * 20_000, "[" * 50_000, '{"entities": [' * 5_000])
def test_hostile_nesting_is_refused_quickly(hostile: str) -> None:
    begin = time.process_time()
    with contextlib.suppress(UnreadableReply):
        assert parse_extraction(hostile) == ExtractionReply((), ())
    assert time.process_time() - begin < 5.0


@pytest.mark.parametrize(
    ("reply", "high", "low"),
    [
        ('{"high_level_keywords": ["trade"], "low_level_keywords": ["Ada", "Engine"]}', ("trade",), ("Ada", "Engine")),
        ('{"high_level_keywords": null, "low_level_keywords": [" Ada ", "", 3, null, "Ada"]}', (), ("Ada", "Ada")),
        ('{"high_level_keywords": "a, b;c，d；e\\nf, ", "low_level_keywords": []}', ("a", "b", "c", "d", "e", "f"), ()),
        ('{"low_level_keywords": ["a, b"]}', (), ("a, b",)),
        ('```json\n{"High-Level Keywords": ["贸易"], "low level keywords": ["阿达"],}\n```', ("贸易",), ("阿达",)),
        ('{"keywords": {"high_level": ["x"], "low_level": ["y"]}}', ("x",), ("y",)),
        ('{"high_level_keywords": ["x", "y', ("x", "y"), ()),
        ('{"high_level_keywords": [], "low_level_keywords": []}', (), ()),
    ],
)
def test_keywords(reply: str, high: tuple[str, ...], low: tuple[str, ...]) -> None:
    assert parse_keywords(reply) == KeywordsReply(high, low)


@pytest.mark.parametrize(
    "reply", ["", '{"high_level_keywords": 5}', "Ada, Engine", "{}", '["Ada"]', PLAIN, "high level keywords: trade"]
)
def test_what_is_no_keywords_reply(reply: str) -> None:
    with pytest.raises(UnreadableReply):
        parse_keywords(reply)


words = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
entities = st.builds(EntityRecord, words.map(str.strip), words.map(str.strip), words.map(str.strip))
relations = st.builds(
    RelationRecord,
    words.map(str.strip),
    words.map(str.strip),
    st.lists(words.map(str.strip), max_size=3).map(tuple),
    words.map(str.strip),
    st.floats(0, 100),
)
extractions = st.builds(
    ExtractionReply, st.lists(entities, max_size=4).map(tuple), st.lists(relations, max_size=4).map(tuple)
)


def _as_json(reply: ExtractionReply, *, ascii_only: bool) -> str:
    value = {"entities": [vars(one) for one in reply.entities], "relations": [vars(one) for one in reply.relations]}
    return json.dumps(value, ensure_ascii=ascii_only)


@settings(max_examples=40)
@given(extractions, st.booleans(), st.sampled_from(["", "Sure:\n", "```json\n", "<think>{</think>"]))
def test_what_is_said_is_what_is_read(reply: ExtractionReply, ascii_only: bool, before: str) -> None:
    text = _as_json(reply, ascii_only=ascii_only)
    # A reply that holds the tags of thoughts as text is beyond telling apart.
    if "think>" not in text:
        assert parse_extraction(before + text + "\n```") == reply


@settings(max_examples=40)
@given(extractions, st.data())
def test_damage_is_read_or_refused_never_worse(reply: ExtractionReply, data: st.DataObject) -> None:
    text = _as_json(reply, ascii_only=False)
    at = data.draw(st.integers(0, len(text)))
    until = data.draw(st.integers(at, min(len(text), at + 5)))
    damaged = text[:at] + data.draw(st.sampled_from(["", '"', "{", "}", "[", "]", ",", "\\", "x", "\n"])) + text[until:]
    try:
        read = parse_extraction(damaged)
    except UnreadableReply:
        return
    for entity in read.entities:
        assert entity.name
        assert entity.type
        assert entity.description
    for relation in read.relations:
        assert relation.source
        assert relation.target
        assert relation.weight >= 0


@settings(max_examples=40)
@given(extractions.filter(lambda reply: len(reply.entities) >= 2), st.data())
def test_a_cut_loses_no_record_before_it(reply: ExtractionReply, data: st.DataObject) -> None:
    text = _as_json(reply, ascii_only=False)
    kept = data.draw(st.integers(1, len(reply.entities)))
    whole = json.dumps([vars(one) for one in reply.entities[:kept]], ensure_ascii=False).removesuffix("]")
    cut = text[: len('{"entities": ') + len(whole)]
    # The repairing library reads a backslash before a quote or a control character its own way.
    if "think>" not in text and "\\" not in text:
        assert parse_extraction(cut).entities == reply.entities[:kept]


@given(st.text(max_size=200))
@example("{" + "\ud800" + '"entities": [')
@example('{"entities": [{"name": "\\ud800')
def test_no_text_raises_anything_else(text: str) -> None:
    for parse in (parse_extraction, parse_keywords):
        try:
            parse(text)
        except UnreadableReply:
            continue


def test_prose_about_json_is_not_taken_for_records() -> None:
    prose = 'A reply has "entities" and "relations" in {braces}, each a [list] of {"name", "type"} pairs.'
    with pytest.raises(UnreadableReply):
        parse_extraction(prose)


def _objects(schema: Any) -> list[Any]:
    if not isinstance(schema, dict):
        return []
    inner = [found for value in schema.values() for found in _objects(value)]
    return [schema, *inner] if schema.get("type") == "object" else inner


@pytest.mark.parametrize("schema", [EXTRACTION_SCHEMA, KEYWORDS_SCHEMA])
def test_schemas_fit_strict_mode(schema: Any) -> None:
    for found in _objects(dict(schema.schema)):
        assert found["additionalProperties"] is False
        assert found["required"] == list(found["properties"])


def test_schemas_are_those_of_the_contract() -> None:
    assert EXTRACTION_SCHEMA.name == "pgrag_extraction"
    records = EXTRACTION_SCHEMA.schema["properties"]
    assert list(records["entities"]["items"]["properties"]) == ["name", "type", "description"]
    assert set(records["relations"]["items"]["properties"]) == {"source", "target", "keywords", "description", "weight"}
    assert KEYWORDS_SCHEMA.name == "pgrag_keywords"
    assert list(KEYWORDS_SCHEMA.schema["properties"]) == ["high_level_keywords", "low_level_keywords"]


def test_a_line_break_inside_a_string_is_read() -> None:
    reply = parse_extraction(PLAIN.replace("A machine.", "A\nmachine."))
    assert reply.entities[1].description == "A\nmachine."
