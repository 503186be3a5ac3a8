"""Every constructor of calls.py names a function that is installed, with arguments that it has and columns that fit."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass

import numpy as np
import psycopg
import pytest

from pgrag import calls, jobs, ledger, text_search, upkeep, weighted
from pgrag.editing import calls as editing_calls
from pgrag.flow import Call, Flow
from pgrag.interchange import calls as interchange_calls
from pgrag.options import QueryOptions

SAMPLES = {"QueryOptions": QueryOptions(), "Vectors": np.zeros((1, 8), dtype=np.float32)}


def constructors() -> list[tuple[str, object]]:
    return [
        (f"{module.__name__}.{name}", function)
        for module in (calls, jobs, ledger, upkeep, interchange_calls, editing_calls, text_search, weighted)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and re.match("Flow|Call", str(inspect.signature(function).return_annotation))
    ]


def request_of(function: object) -> Call:
    arguments = inspect.signature(function).parameters.values()
    samples = {each.name: SAMPLES.get(str(each.annotation), ()) for each in arguments}
    made: Flow[object] | Call = function(**samples)
    request = made if isinstance(made, Call) else next(made)
    assert isinstance(request, Call)
    return request


@pytest.mark.parametrize(("name", "function"), constructors())
def test_the_function_is_installed_as_it_is_called(db: psycopg.Connection, name: str, function: object) -> None:
    request = request_of(function)
    row = db.execute(
        "SELECT coalesce(proargnames[1:pronargs], '{}'), coalesce(proargnames[pronargs + 1:], '{}'), pronargdefaults "
        "FROM pg_proc WHERE pronamespace = 'pgrag'::regnamespace AND proname = %s",
        (request.function,),
    ).fetchall()
    assert len(row) == 1, f"{request.function} is not installed exactly once"
    arguments, columns, defaults = row[0]
    assert set(request.args) <= set(arguments)
    assert set(arguments[: len(arguments) - defaults]) <= set(request.args), "an argument without default is missing"
    if is_dataclass(request.row):
        assert [field.name for field in fields(request.row)] == columns


def test_there_are_constructors() -> None:
    assert len(constructors()) > 20
