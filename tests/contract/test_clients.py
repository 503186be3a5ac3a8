"""The two clients have the same methods with the same arguments, and the public names are those we promise."""

from __future__ import annotations

import inspect

import pytest

import pgrag
from pgrag import AsyncPgRAG, PgRAG

METHODS = sorted(name for name, _ in inspect.getmembers(PgRAG, inspect.isfunction) if not name.startswith("_"))


def test_both_clients_have_the_same_methods() -> None:
    others = {name for name, _ in inspect.getmembers(AsyncPgRAG, inspect.isfunction) if not name.startswith("_")}
    assert set(METHODS) == others


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_the_same_arguments_in_both(name: str) -> None:
    waiting = inspect.signature(getattr(PgRAG, name)).parameters.values()
    awaiting = inspect.signature(getattr(AsyncPgRAG, name)).parameters.values()
    assert [(p.name, p.kind, p.default) for p in waiting] == [(p.name, p.kind, p.default) for p in awaiting]


@pytest.mark.parametrize("name", [name for name in METHODS if name != "stream"])
def test_every_method_says_what_it_does(name: str) -> None:
    assert inspect.getdoc(getattr(PgRAG, name))
    assert inspect.iscoroutinefunction(getattr(AsyncPgRAG, name))


def test_the_public_names() -> None:
    assert pgrag.__all__ == sorted(pgrag.__all__)
    assert len(pgrag.__all__) <= 25
    for name in pgrag.__all__:
        assert hasattr(pgrag, name)
