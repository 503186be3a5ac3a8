"""Places at the models: how many requests of a kind may be under way at once, over everything that a client does.

A request waits for its place in the driver, before it is performed: a flow that was ended meanwhile gives the place
back and asks nothing.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from typing import Any

KindOf = Callable[[Any], Hashable | None]


class Places:
    """Places to be held while a request is under way; for any number of threads.

    at_once: how many places there are for each kind of request.
    kind_of: the kind of a request; None for those that need no place.
    """

    def __init__(self, at_once: Mapping[Hashable, int], kind_of: KindOf) -> None:
        self._kind_of = kind_of
        self._places = {kind: threading.BoundedSemaphore(count) for kind, count in at_once.items()}

    def of(self, request: object) -> AbstractContextManager[Any]:
        """A place for this request; entering waits until one is free."""
        kind = self._kind_of(request)
        return nullcontext() if kind is None else self._places[kind]


class AsyncPlaces:
    """The same, awaited; every event loop has places of its own."""

    def __init__(self, at_once: Mapping[Hashable, int], kind_of: KindOf) -> None:
        self._at_once = at_once
        self._kind_of = kind_of
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, asyncio.Semaphore]]
        self._loops = weakref.WeakKeyDictionary()

    def of(self, request: object) -> AbstractAsyncContextManager[Any]:
        """A place for this request; entering waits until one is free."""
        kind = self._kind_of(request)
        return nullcontext() if kind is None else self._here()[kind]

    def _here(self) -> dict[Hashable, asyncio.Semaphore]:
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            self._loops[loop] = {kind: asyncio.BoundedSemaphore(count) for kind, count in self._at_once.items()}
        return self._loops[loop]


ANYWHERE = Places({}, lambda request: None)
ANYWHERE_ASYNC = AsyncPlaces({}, lambda request: None)
