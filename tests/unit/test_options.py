"""What a question may ask for: the contract's defaults, and refusals that say the offending value."""

from __future__ import annotations

import dataclasses
import inspect
import math
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.errors import InvalidArgument
from pgrag.models.protocols import Message
from pgrag.options import ChunkPickMethod, Mode, QueryOptions

# Section 4 of the contract, word by word.
DEFAULTS: dict[str, Any] = {
    "mode": "mix",
    "top_k": 40,
    "chunk_top_k": 20,
    "max_entity_tokens": 6000,
    "max_relation_tokens": 8000,
    "max_total_tokens": 30000,
    "max_distance": 0.8,
    "related_chunk_number": 5,
    "chunk_pick_method": "vector",
    "enable_rerank": True,
    "min_rerank_score": 0.0,
    "low_level_keywords": (),
    "high_level_keywords": (),
    "response_type": "Multiple Paragraphs",
    "user_prompt": None,
    "system_prompt": None,
    "conversation_history": (),
    "filter": None,
    "vector_weight": 0.6,
    "graph_weight": 0.4,
    "text_weight": 0.0,
    "fusion": "weighted",
    "max_depth": 1,
    "relation_keywords": (),
    "use_cache": True,
}


def options(**values: Any) -> QueryOptions:
    """As a caller without a type checker would write it."""
    return QueryOptions(**values)


class TestDefaults:
    def test_of_the_contract(self) -> None:
        made = QueryOptions()
        assert {name: getattr(made, name) for name in DEFAULTS} == DEFAULTS

    def test_no_option_is_outside_the_contract(self) -> None:
        assert {field.name for field in dataclasses.fields(QueryOptions)} == set(DEFAULTS)

    @pytest.mark.parametrize("mode", get_args(Mode))
    def test_top_k_depends_on_the_mode(self, mode: Mode) -> None:
        assert QueryOptions(mode=mode).top_k == (10 if mode == "weighted" else 40)
        assert QueryOptions(mode=mode, top_k=7).top_k == 7

    def test_frozen_and_by_keyword_only(self) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError):
            QueryOptions().top_k = 3  # what the test is about
        kinds = {parameter.kind for parameter in inspect.signature(QueryOptions).parameters.values()}
        assert kinds == {inspect.Parameter.KEYWORD_ONLY}

    def test_equal_by_value(self) -> None:
        assert options(low_level_keywords=["a"]) == options(low_level_keywords=("a",))
        assert options(top_k=1) != options(top_k=2)


class TestWords:
    names = pytest.mark.parametrize("name", ["low_level_keywords", "high_level_keywords", "relation_keywords"])

    @names
    def test_trimmed_and_blank_ones_dropped(self, name: str) -> None:
        assert getattr(options(**{name: [" graph ", "", "  ", "RAG"]}), name) == ("graph", "RAG")

    @names
    @pytest.mark.parametrize("value", ["graph", 3, None, {"a": 1}])
    def test_a_string_is_no_list(self, name: str, value: Any) -> None:
        with pytest.raises(InvalidArgument, match=f"{name} must be a list of strings"):
            options(**{name: value})

    @names
    def test_what_is_no_string_is_not_dropped_silently(self, name: str) -> None:
        with pytest.raises(InvalidArgument, match=f"{name} must be a list of strings"):
            options(**{name: ["graph", 3]})

    @given(st.lists(st.text()))
    def test_order_is_kept_and_doing_it_twice_changes_nothing(self, words: list[str]) -> None:
        once = options(low_level_keywords=words).low_level_keywords
        assert list(once) == [word.strip() for word in words if word.strip()]
        assert options(low_level_keywords=once).low_level_keywords == once


class TestHistory:
    def test_turns_as_messages_and_as_mappings(self) -> None:
        turns = [Message("user", "Who?"), {"role": "assistant", "content": "Ada."}, {"role": "system", "content": ""}]
        assert options(conversation_history=turns).conversation_history == (
            Message("user", "Who?"),
            Message("assistant", "Ada."),
            Message("system", ""),
        )

    @pytest.mark.parametrize("turn", [{}, {"role": "user"}, {"content": "x"}, "text", 3, None, ("user", "x")])
    def test_what_is_no_turn(self, turn: Any) -> None:
        with pytest.raises(InvalidArgument, match="a turn of the history needs role and content"):
            options(conversation_history=[turn])

    def test_unknown_roles(self) -> None:
        with pytest.raises(InvalidArgument, match=r"unknown role 'tool'.*one of user, assistant, system"):
            options(conversation_history=[{"role": "tool", "content": "x"}])


class TestDomains:
    @pytest.mark.parametrize("mode", [*get_args(Mode)])
    def test_every_mode(self, mode: Mode) -> None:
        assert QueryOptions(mode=mode).mode == mode

    @pytest.mark.parametrize("mode", ["", "MIX", "vector", None, 3])
    def test_no_other(self, mode: Any) -> None:
        with pytest.raises(InvalidArgument, match=f"unknown mode {mode!r}.*local, global, hybrid, mix"):
            options(mode=mode)

    def test_chunk_pick_method(self) -> None:
        assert [options(chunk_pick_method=method).chunk_pick_method for method in get_args(ChunkPickMethod)] == [
            "vector",
            "weight",
        ]
        with pytest.raises(InvalidArgument, match="unknown chunk_pick_method 'random'"):
            options(chunk_pick_method="random")

    @pytest.mark.parametrize("name", ["top_k", "chunk_top_k", "max_total_tokens", "max_depth"])
    def test_positive(self, name: str) -> None:
        assert getattr(options(**{name: 1}), name) == 1
        for value in (0, -1):
            with pytest.raises(InvalidArgument, match=f"{name} must be positive, got {value}"):
                options(**{name: value})

    @pytest.mark.parametrize("name", ["max_entity_tokens", "max_relation_tokens", "related_chunk_number"])
    def test_not_negative(self, name: str) -> None:
        assert getattr(options(**{name: 0}), name) == 0
        with pytest.raises(InvalidArgument, match=f"{name} must not be negative, got -1"):
            options(**{name: -1})

    @pytest.mark.parametrize("distance", [0.001, 1, 2, 2.0])
    def test_distances(self, distance: float) -> None:
        assert options(max_distance=distance).max_distance == distance

    @pytest.mark.parametrize("distance", [0, -0.1, 2.001, math.nan, math.inf])
    def test_no_distances(self, distance: float) -> None:
        with pytest.raises(InvalidArgument, match="max_distance must be above 0 and at most 2"):
            options(max_distance=distance)

    @pytest.mark.parametrize("name", ["vector_weight", "graph_weight"])
    @pytest.mark.parametrize("weight", [-0.1, math.nan, math.inf])
    def test_weights_can_be_summed(self, name: str, weight: float) -> None:
        with pytest.raises(InvalidArgument, match=f"{name} must not be negative, got {weight}"):
            options(**{name: weight})

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            *(("top_k", "5"), ("chunk_top_k", None), ("max_entity_tokens", 1.5), ("max_depth", [1]), ("top_k", True)),
            *(("max_distance", "near"), ("vector_weight", "0.5"), ("graph_weight", None), ("min_rerank_score", "0")),
        ],
    )
    def test_values_of_another_type(self, name: str, value: Any) -> None:
        with pytest.raises(InvalidArgument, match=name):
            options(**{name: value})

    @pytest.mark.parametrize("filter", ["author = 'Ada'", ["author"], 3])
    def test_a_filter_is_a_mapping(self, filter: Any) -> None:
        with pytest.raises(InvalidArgument, match="filter must be a mapping"):
            options(filter=filter)
        assert options(filter={"author": "Ada"}).filter == {"author": "Ada"}
