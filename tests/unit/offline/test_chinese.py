"""Chinese terms without a dictionary, in both ways of writing."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pgrag.models.offline.chinese import ends_like_a_term, segments, terms
from pgrag.models.offline.language import sentences


def found(text: str) -> set[str]:
    return {mention.name for mentions in terms(sentences(text)) for mention in mentions}


def test_a_repeated_string_is_a_term_if_it_is_whole() -> None:
    text = "MLOps 的核心技術底座包括持續集成。技術底座是平台的基礎,沒有技術底座就沒有部署。"
    assert "技術底座" in found(text)
    assert not found(text) & {"術底", "術底座", "技術底"}


def test_simplified_characters_too() -> None:
    assert "知识图谱" in found("知识图谱由实体组成。我们构建了知识图谱,也查询了大型知识图谱。")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("他讀了《紅樓夢》。", "紅樓夢"),
        ("所謂「貧窮陷阱」很常見。", "貧窮陷阱"),
        ("她在清華大學。", "清華大學"),
        ("他住在上海市。", "上海市"),
        ("這是向量檢索的結果。", "向量檢索"),
        ("王小明說天氣好。", "王小明"),
        ("李教授來了。", None),
        ("データベースを使う。", "データベース"),
    ],
)
def test_single_clues(text: str, term: str | None) -> None:
    assert term is None or term in found(text)


def test_function_words_cut_and_compounds_are_kept_whole() -> None:
    assert [text for text, _ in segments("用戶使用向量和圖譜")] == ["用戶", "向量", "圖譜"]
    assert [text for text, _ in segments("系統的並行處理")] == ["系統的並行"[:2], "並行"]


def test_what_comes_once_and_has_no_clue_is_no_term() -> None:
    assert found("天氣很好,他走了。") == set()
    assert found("only latin text") == set()


@pytest.mark.parametrize("text", ["清華大學", "混合檢索", "上海市", "推荐系统"])
def test_endings(text: str) -> None:
    assert ends_like_a_term(text)


@pytest.mark.parametrize("text", ["大學", "天氣", "城市", "他說"])
def test_no_endings(text: str) -> None:
    assert not ends_like_a_term(text)


@given(st.lists(st.text(alphabet="技術底座的是和在，。A 《》", max_size=30), max_size=4))
@example(["《 和》"])
def test_terms_stand_where_they_say_and_do_not_overlap(lines: list[str]) -> None:
    result = terms(lines)
    assert len(result) == len(lines)
    for line, mentions in zip(lines, result, strict=True):
        end = 0
        for mention in mentions:
            assert mention.start >= end
            assert line[mention.start : mention.end] == mention.name
            assert len(mention.name) > 1
            end = mention.end
