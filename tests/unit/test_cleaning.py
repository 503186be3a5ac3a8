"""Names, types and texts, by the rules and examples of LightRAG 1.5.7."""

from __future__ import annotations

import dataclasses
import math
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pgrag.cleaning import (
    MAX_NAME_BYTES,
    MAX_NAME_CHARACTERS,
    CleanEntity,
    CleanRelation,
    clean_extraction,
    clean_keywords,
    clean_name,
    clean_text,
    clean_type,
    sanitize_document,
)
from pgrag.models.replies import EntityRecord, ExtractionReply, RelationRecord

any_text = st.text(st.characters(), max_size=40)
# What the rules are about; in `plain_signs` without what may hide a second level: quotes, & and <.
signs = st.text(
    st.sampled_from("aZ09.,-—－ 　\t\n\x00\x0c\x1c\x7f\x85\xa0\u202f\ud800中国“”‘’\"'《》（）()&<;#lt>/pbrＡ９＋")
)
plain_signs = st.text(st.sampled_from("aZ09.,-—－ 　\t\n\x00\x0c\x1c\x7f\x85\xa0\u202f\ud800中国（）();#lt>/pbrＡ９＋"))
TOO_MANY_DIGITS = f"&#{'9' * 5000};"


def is_storable(text: str) -> bool:
    """Whether PostgreSQL takes it: no NUL, no surrogate; and no other control characters but blanks."""
    text.encode()
    return not any(ord(sign) < 32 and sign not in "\t\n\r" for sign in text) and "\x7f" not in text


class TestDocuments:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("  plain \n", "plain"),
            ("nul\0 bell\x07 delete\x7f", "nul bell delete"),
            ("tab\tline\nreturn\r\nend", "tab\tline\nreturn\r\nend"),
            ("Tom &amp; Jerry &lt;3 &#8212;", "Tom & Jerry <3 —"),
            ("&amp;lt;", "&lt;"),
            ("lone \ud800surrogate\udfff, noncharacter \ufffe\uffff", "lone surrogate, noncharacter"),
            ("&#0;&#1;x", "\ufffdx"),
            ("<p>tags stay</p>", "<p>tags stay</p>"),
            ("", ""),
            (" \x00 ", ""),
            (TOO_MANY_DIGITS, TOO_MANY_DIGITS),
        ],
    )
    def test_examples(self, text: str, expected: str) -> None:
        assert sanitize_document(text) == expected

    @given(any_text | signs)
    def test_what_is_left_is_storable_and_stripped(self, text: str) -> None:
        clean = sanitize_document(text)
        assert is_storable(clean)
        assert clean == clean.strip()

    @given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"], exclude_characters="&")))
    def test_ordinary_text_is_left_alone(self, text: str) -> None:
        assert sanitize_document(text) == text.strip()


class TestNames:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ('"Foo"', "Foo"),
            ("《红楼梦》", "红楼梦"),
            ("Ａｐｐｌｅ", "Apple"),
            ("12", ""),
            ("1.2.3.4", "1.2.3.4"),
            ("12.5", ""),
            ("123", "123"),
            ("中 国 GDP", "中国GDP"),
            ("“智能”手机", "智能手机"),
            ("（北京）—1", "(北京)-1"),
        ],
    )
    def test_examples_of_the_specification(self, name: str, expected: str) -> None:
        assert clean_name(name) == expected

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("OpenAI", "OpenAI"),
            ("openai", "openai"),
            ("New  York City", "New  York City"),
            ("  Ada\t", "Ada"),
            ("'quoted'", "quoted"),
            ("‘quoted’", "quoted"),
            ("“quoted”", "quoted"),
            ('"one" and "two"', '"one" and "two"'),
            ('6" gun', '6" gun'),
            ("《一》与《二》", "《一》与《二》"),
            ("它'是\"名", "它是名"),
            ("a “b” c", "a b c"),
            ("Marks &amp; Spencer", "Marks & Spencer"),
            ("<p>Ada</p><br/>", "Ada"),
            ("<BR >Ada</ P>", "Ada</ P>"),
            ("１２３－４５", "123-45"),
            ("＋／＊", "+/*"),
            ("non\u00a0breaking", "non breaking"),
            ("10\u202f000 m\u202fx", "10\u202f000 m x"),
            ("全　角", "全角"),
            ("(A) 中 [B]", "(A)中[B]"),
            ("中 , 国", "中 , 国"),
            ("7", ""),
            ("１２", ""),
            (".", ""),
            ("3.14", ""),
            ("12345.", "12345."),
            ("٣.٤", ""),
            ("²", "²"),
            ("1a", "1a"),
            ("", ""),
            ('""', ""),
            (" \0 ", ""),
            (TOO_MANY_DIGITS, TOO_MANY_DIGITS[:MAX_NAME_CHARACTERS]),
        ],
    )
    def test_more_examples(self, name: str, expected: str) -> None:
        assert clean_name(name) == expected

    def test_only_one_level_is_undone(self) -> None:
        assert clean_name("'\"Foo\"'") == '"Foo"'
        assert clean_name("\"'Foo'\"") == "Foo", "double quotes come first"
        assert clean_name("&amp;lt;") == "&lt;"

    def test_length_in_characters(self) -> None:
        assert clean_name("x" * 256) == "x" * 256
        assert clean_name("x" * 257) == "x" * 256

    def test_length_in_bytes_ends_between_characters(self) -> None:
        assert clean_name("技" * 170 + "é") == "技" * 170 + "é"
        assert clean_name("技" * 170 + "é" + "x") == "技" * 170 + "é"
        assert clean_name("技" * 171) == "技" * 170

    def test_no_blank_at_the_cut(self) -> None:
        assert clean_name("x" * 255 + " more") == "x" * 255

    @given(any_text | signs)
    def test_names_can_be_stored(self, name: str) -> None:
        clean = clean_name(name)
        assert is_storable(clean)
        assert clean == clean.strip()
        assert len(clean) <= MAX_NAME_CHARACTERS
        assert len(clean.encode()) <= MAX_NAME_BYTES

    @given(plain_signs)
    @example("1 中")
    def test_a_second_time_changes_nothing(self, name: str) -> None:
        once = clean_name(name)
        assert clean_name(once) == once

    def test_long_runs_are_quick(self) -> None:
        begin = time.process_time()
        for run in ("'", '"', " ", "中 ", "<p", "&", "\u202f", "　"):
            clean_name(f"中{run * 200_000}x")
            clean_name(f"x{run * 200_000}中")
        assert time.process_time() - begin < 8


class TestTexts:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("He said “no”.", "He said “no”."),
            ("“All of it.”", "All of it."),
            ("它'是", "它'是"),
            ("a\u00a0b", "a\u00a0b"),
            ("<p>One.</p><p>Two.</p>", "One.Two."),
            ("在 2024 年", "在2024年"),
            ("12", ""),
            ("1.5", ""),
            ("  ", ""),
            ("x" * 5000, "x" * 5000),
        ],
    )
    def test_examples(self, text: str, expected: str) -> None:
        assert clean_text(text) == expected

    @given(any_text | signs)
    def test_texts_can_be_stored(self, text: str) -> None:
        assert is_storable(clean_text(text))

    @given(plain_signs)
    def test_a_second_time_changes_nothing(self, text: str) -> None:
        assert clean_text(clean_text(text)) == clean_text(text)


class TestTypes:
    @pytest.mark.parametrize(
        ("type", "expected"),
        [
            ("Person", "person"),
            ("Natural Object", "naturalobject"),
            ('"Organization"', "organization"),
            ("person, place", "person"),
            (" , ,place", "place"),
            ("组 织", "组织"),
            ("UNKNOWN", "unknown"),
            ("a-b_c", "a-b_c"),
            ("“person”", "person"),
        ],
    )
    def test_taken(self, type: str, expected: str) -> None:
        assert clean_type(type) == expected

    @pytest.mark.parametrize(
        "type",
        [
            *("", "  ", ",", " , ", "12", "person|place", "a/b", "a\\b", "it's", "(x)", "（x）", "<x", "x>", "&lt;x"),
            *("__proto__", "Constructor", "proto type", "prototype,person"),
        ],
    )
    def test_refused(self, type: str) -> None:
        assert clean_type(type) is None

    @given(any_text | signs)
    def test_a_type_is_one_lower_case_word(self, type: str) -> None:
        clean = clean_type(type)
        if clean is not None:
            assert clean != ""
            assert is_storable(clean)
            assert not set(clean) & set(" ,'()<>|/\\")
            assert clean.lower() == clean


class TestKeywords:
    @pytest.mark.parametrize(
        ("keywords", "expected"),
        [
            ([], ()),
            (["power", "trade"], ("power", "trade")),
            (["power, trade", "war"], ("power", "trade", "war")),
            (["权力，贸易"], ("权力", "贸易")),
            (["  power ", "", " ", ","], ("power",)),
            (["b", "a", "b"], ("b", "a")),
            (["“智能”手机"], ("智能手机",)),
            (["rank 12", "12"], ("rank 12", "12")),
            (["12"], ()),
            (["Ｂ２Ｂ", "a\0b"], ("B2B", "ab")),
        ],
    )
    def test_examples(self, keywords: list[str], expected: tuple[str, ...]) -> None:
        assert clean_keywords(keywords) == expected

    @given(st.lists(any_text | signs, max_size=6))
    def test_each_once_none_empty_none_with_a_comma(self, keywords: list[str]) -> None:
        clean = clean_keywords(keywords)
        assert len(set(clean)) == len(clean)
        assert all(word == word.strip() != "" and not set(word) & set(",，") and is_storable(word) for word in clean)


ADA = EntityRecord("Ada", "Person", "A mathematician.")
WROTE = RelationRecord("Ada", "Notes", ("authorship",), "Ada wrote the notes.", 2.0)


class TestExtraction:
    def entities(self, *records: EntityRecord) -> tuple[CleanEntity, ...]:
        return clean_extraction(ExtractionReply(records, ())).entities

    def relations(self, *records: RelationRecord) -> tuple[CleanRelation, ...]:
        return clean_extraction(ExtractionReply((), records)).relations

    def test_everything_is_cleaned_and_the_order_kept(self) -> None:
        reply = ExtractionReply(
            (EntityRecord('"Ada"', "Person, Author", " A&amp;B "), EntityRecord("Notes", "Work", "Text.")),
            (RelationRecord("“Ada”", "Notes ", ("a，b",), "<p>Wrote.</p>"),),
        )
        clean = clean_extraction(reply)
        assert clean.entities == (CleanEntity("Ada", "person", "A&B"), CleanEntity("Notes", "work", "Text."))
        assert clean.relations == (CleanRelation("Ada", "Notes", ("a", "b"), "Wrote.", 1.0),)

    @pytest.mark.parametrize("lacking", [{"name": "12"}, {"type": "a/b"}, {"description": " \0"}, {"description": "7"}])
    def test_entities_that_say_nothing_are_dropped(self, lacking: dict[str, str]) -> None:
        records = ADA, dataclasses.replace(ADA, **lacking), ADA
        assert self.entities(*records) == (CleanEntity("Ada", "person", "A mathematician."),) * 2

    @pytest.mark.parametrize("lacking", [{"source": "1.5"}, {"target": '""'}, {"description": "<br>"}])
    def test_relations_that_say_nothing_are_dropped(self, lacking: dict[str, str]) -> None:
        lame = RelationRecord(
            lacking.get("source", "Ada"), lacking.get("target", "Notes"), (), lacking.get("description", "Wrote.")
        )
        assert self.relations(lame, WROTE) == (
            CleanRelation("Ada", "Notes", ("authorship",), "Ada wrote the notes.", 2.0),
        )

    @pytest.mark.parametrize("target", ["Ada", '"Ada"', "ADA", "Ａｄａ", "ad\u0061", "ﾡ"])
    def test_self_loops_are_dropped(self, target: str) -> None:
        source = "ᄀ" if target == "ﾡ" else "Ada"
        assert self.relations(dataclasses.replace(WROTE, source=source, target=target)) == ()

    def test_names_that_become_one_when_shortened_are_a_self_loop(self) -> None:
        long = "x" * MAX_NAME_CHARACTERS
        assert self.relations(dataclasses.replace(WROTE, source=long + "1", target=long + "2")) == ()

    def test_relations_need_no_keywords(self) -> None:
        assert self.relations(dataclasses.replace(WROTE, keywords=()))[0].keywords == ()

    @pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf, -1.0, 0.0])
    def test_weights_that_cannot_be_summed_are_one(self, weight: float) -> None:
        assert self.relations(dataclasses.replace(WROTE, weight=weight))[0].weight == 1.0

    def test_latex_that_json_took_for_control_characters(self) -> None:
        formula = EntityRecord("\x0crac{a}{b}", "Formula", "The \x08eta of \x0c 1.")
        assert self.entities(formula) == (CleanEntity("\\frac{a}{b}", "formula", "The \\beta of  1."),)

    records = st.builds(EntityRecord, signs, signs, signs)
    links = st.builds(RelationRecord, signs, signs, st.tuples(signs), signs, st.floats())

    @given(st.lists(records, max_size=3), st.lists(links, max_size=3))
    def test_what_is_left_is_whole(self, entities: list[EntityRecord], relations: list[RelationRecord]) -> None:
        clean = clean_extraction(ExtractionReply(tuple(entities), tuple(relations)))
        assert all(entity.name and entity.type and entity.description for entity in clean.entities)
        for relation in clean.relations:
            assert relation.source != relation.target
            assert "" not in (relation.source, relation.target, relation.description)
            assert 0 < relation.weight < math.inf
