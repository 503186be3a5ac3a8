"""The tree of errors is the one drawn in the module's docstring, and the SQLSTATEs are those of the tree."""

from __future__ import annotations

import pickle
import re

import pytest

from pgrag import errors
from pgrag.errors import BY_SQLSTATE, ConfigurationError, DatabaseError, ModelError, PgragError

_LINE = re.compile(r"^(?P<trunk>[│├└─ ]*)(?P<name>[A-Z]\w+)\s*(?P<sqlstate>RG\d{3})?", re.MULTILINE)


def drawn() -> dict[str, tuple[str | None, str | None]]:
    """Name of each class of the picture → (its parent's name, its SQLSTATE)."""
    tree: dict[str, tuple[str | None, str | None]] = {}
    path: list[str] = []
    picture = (errors.__doc__ or "").partition("\n\n")[2].partition("\n\n")[0]
    for line in _LINE.finditer(picture):
        depth = len(line["trunk"]) // 4
        path[depth:] = [line["name"]]
        tree[line["name"]] = (path[depth - 1] if depth else None, line["sqlstate"])
    return tree


def classes() -> dict[str, type[PgragError]]:
    return {
        name: value for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, PgragError)
    }


def test_the_picture_is_read() -> None:
    """Else the tests below would compare nothing with nothing."""
    assert drawn()["PgragError"] == (None, None)
    assert drawn()["InvalidArgument"] == ("DatabaseError", "RG001")
    assert drawn()["RateLimited"] == ("ModelError", None)


def test_every_class_is_drawn_where_it_is() -> None:
    parents = {name: None if cls is PgragError else cls.__bases__[0].__name__ for name, cls in classes().items()}
    assert {name: parent for name, (parent, _) in drawn().items()} == parents


def test_every_sqlstate_is_drawn() -> None:
    assert {state: name for name, (_, state) in drawn().items() if state} == {
        state: cls.__name__ for state, cls in BY_SQLSTATE.items()
    }


def test_docstrings_name_the_sqlstate() -> None:
    for state, cls in BY_SQLSTATE.items():
        assert (cls.__doc__ or "").startswith(f"{state}: ")


def test_sqlstates_are_of_one_class_and_one_error_each() -> None:
    assert all(re.fullmatch(r"RG\d{3}", state) for state in BY_SQLSTATE)
    assert len(set(BY_SQLSTATE.values())) == len(BY_SQLSTATE)
    assert all(issubclass(cls, DatabaseError) for cls in BY_SQLSTATE.values())


def test_model_errors_are_no_database_errors() -> None:
    assert not issubclass(ModelError, DatabaseError)
    assert not issubclass(DatabaseError, ModelError)


@pytest.mark.parametrize("cls", classes().values(), ids=lambda cls: cls.__name__)
class TestEachClass:
    def test_it_says_the_message_and_the_cure(self, cls: type[PgragError]) -> None:
        error = cls("top_k must be positive, got 0", "give a top_k of 1 or more")
        assert (error.message, error.hint) == ("top_k must be positive, got 0", "give a top_k of 1 or more")
        assert str(error) == "top_k must be positive, got 0 (give a top_k of 1 or more)"

    def test_without_a_cure_it_says_the_message(self, cls: type[PgragError]) -> None:
        assert str(cls("it failed")) == "it failed"
        assert cls("it failed").hint is None

    def test_it_passes_between_processes(self, cls: type[PgragError]) -> None:
        copy = pickle.loads(pickle.dumps(cls("message", "hint")))
        assert type(copy) is cls
        assert (copy.message, copy.hint) == ("message", "hint")

    def test_it_says_what_it_is_for(self, cls: type[PgragError]) -> None:
        assert (cls.__doc__ or "").rstrip().endswith(".")


def test_no_sqlstate_unless_the_database_gave_one() -> None:
    assert errors.InvalidArgument("x").sqlstate is None
    assert not hasattr(ConfigurationError("x"), "sqlstate")
