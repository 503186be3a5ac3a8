"""A model server that stumbles by numbers: each seventh request fails, and one in fifty gets rubbish."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import Any

from pgrag.models.hashing import hashed_embeddings
from support import model_replies
from support.model_replies import Body
from support.model_server import Failure, ModelServer

_STATUSES = (429, 500, 503)


def make_flaky(server: ModelServer, dimensions: int, *, fails_every: int = 7, rubbish_every: int = 50) -> None:
    """From now on the server fails as said, counted over all requests; the rubbish is for extractions."""
    counter, lock = itertools.count(1), threading.Lock()

    def stumbling(answer: Callable[[Body], Any], *, rubbish: bool) -> Callable[[Body], Any]:
        def reply(body: Body) -> Any:
            with lock:
                number = next(counter)
            if number % fails_every == 0:
                return Failure(_STATUSES[number // fails_every % len(_STATUSES)], "the stub stumbled")
            if rubbish and number % rubbish_every == 0:
                return "I would rather not say."
            return answer(body)

        return reply

    def embed(body: Body) -> list[Any]:
        vectors: list[Any] = hashed_embeddings(body["input"], body.get("dimensions", dimensions)).tolist()
        return vectors

    server.reply("extract", stumbling(model_replies.extraction, rubbish=True))
    server.reply("embeddings", stumbling(embed, rubbish=False))
