"""A talk with a model's server, written once: a generator that yields `Ask`s and is sent the answers.

It is the idea of `pgrag.flow` one floor below: what to ask next is the talk's business, waiting or awaiting the
driver's. The openai package's errors are thrown into the talk, which may know a better way to ask.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeVar

import openai

from pgrag.models.wire import Ask

T = TypeVar("T")
Talk = Generator[Ask, Any, T]


def drive(talk: Talk[T], perform: Callable[[Ask], Any]) -> T:
    """Perform each Ask, waiting, until the talk returns."""
    try:
        ask = next(talk)
        while True:
            try:
                answer = perform(ask)
            except openai.OpenAIError as error:
                ask = talk.throw(error)
            else:
                ask = talk.send(answer)
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        talk.close()


async def drive_async(talk: Talk[T], perform: Callable[[Ask], Awaitable[Any]]) -> T:
    """Perform each Ask, awaited, until the talk returns."""
    try:
        ask = next(talk)
        while True:
            try:
                answer = await perform(ask)
            except openai.OpenAIError as error:
                ask = talk.throw(error)
            else:
                ask = talk.send(answer)
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        talk.close()
