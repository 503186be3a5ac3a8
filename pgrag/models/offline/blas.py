"""One thread per product: the linear algebra library behind numpy, held back while we embed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from pgrag.errors import ConfigurationError
from pgrag.models.offline.model_files import GET_LIBRARIES

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_entering = threading.Lock()
_inside = 0
_limit: Any = None


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Hold BLAS to one thread while anybody is inside; the last to leave gives back what was set before.

    The setting is the process's, so a counter keeps those who are inside together.
    """
    global _inside, _limit
    with _entering:
        if _inside == 0:
            _take_control()
            _limit = _controller().limit(limits=1, user_api="blas")
        _inside += 1
    try:
        yield
    finally:
        with _entering:
            _inside -= 1
            if _inside == 0:
                _take_control()
                _limit.restore_original_limits()
                _take_control()


def _take_control() -> None:
    """Newer versions of threadpoolctl obey one thread only, and ignore others without a word.

    Ours come and go, and the last to leave is seldom the first that came.
    """
    for library in _controller().lib_controllers:
        release = getattr(library, "clear_controlling_thread", None)
        if release is not None:
            release(force=True)


@cache
def _controller() -> ThreadpoolController:
    """The libraries that are loaded; looked up once, for it takes a millisecond."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError as error:
        raise ConfigurationError("the offline models need the library threadpoolctl", GET_LIBRARIES) from error
    return ThreadpoolController()
