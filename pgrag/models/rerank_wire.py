"""What goes over the wire to a reranking server, and what of its answer is believed: pure.

A score that is missing or no number, an index twice or of no document, fewer of them than were asked for: such an
answer is worth nothing as a whole, for what it says of the others cannot be trusted either.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any
from urllib.parse import urlsplit

from pgrag.errors import ConfigurationError, UnreadableReply

Scores = list[tuple[int, float]]


def rerank_endpoint(url: str) -> str:
    """The address that requests go to; `/rerank` is added where it is missing. Raises ConfigurationError."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(
            f"the reranker's address {url.rpartition('@')[2]!r} is none of http:// or https://",
            "set PGRAG_RERANK_URL to something like http://localhost:8000/v1/rerank",
        )
    path = parts.path.rstrip("/")
    return parts._replace(path=path if path.endswith("/rerank") else f"{path}/rerank").geturl()


def rerank_body(query: str, documents: Sequence[str], top_n: int, model: str | None) -> dict[str, Any]:
    """The body of a request, as Cohere, Jina, vLLM and others read it."""
    body = {"query": query, "documents": list(documents), "top_n": top_n}
    return body if model is None else {"model": model, **body}


def read_scores(reply: Any) -> list[tuple[Any, Any]]:
    """(index, score) of each result, as the server wrote them. Raises UnreadableReply for another shape."""
    results = reply.get("results") if isinstance(reply, dict) else None
    if not isinstance(results, list) or not all(isinstance(each, dict) for each in results):
        raise UnreadableReply("the reranker's reply has no list of results")
    return [(each.get("index"), each.get("relevance_score")) for each in results]


def checked_scores(scores: Iterable[tuple[Any, Any]], documents: int, top_n: int) -> Scores:
    """(index, score) of the best `top_n`, best first, equal ones in their old order. Raises UnreadableReply."""
    try:
        found = [(_index(index, documents), _score(score)) for index, score in scores]
    except (TypeError, ValueError, OverflowError) as error:
        raise UnreadableReply(f"the reranker's results cannot be read: {error}") from None
    wanted = min(top_n, documents)
    if len(dict(found)) != len(found):
        raise UnreadableReply("the reranker scored a document twice")
    if len(found) < wanted:
        raise UnreadableReply(f"the reranker scored {len(found)} of {wanted} documents")
    return sorted(found, key=lambda each: (-each[1], each[0]))[:wanted]


def _index(index: object, documents: int) -> int:
    if isinstance(index, bool) or not isinstance(index, Integral) or not 0 <= int(index) < documents:
        raise ValueError(f"{index!r:.60} is the index of none of {documents} documents")
    return int(index)


def _score(score: object) -> float:
    if isinstance(score, bool) or not isinstance(score, Real) or not math.isfinite(score):
        raise ValueError(f"{score!r:.60} is no score")
    return float(score)
