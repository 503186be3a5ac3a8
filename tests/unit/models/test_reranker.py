"""The reranker over HTTP: what it sends, what it believes, and how its failures are told."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rerank_server import Reply, RerankServer

from pgrag import Settings
from pgrag.errors import (
    ConfigurationError,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    RateLimited,
    UnreadableReply,
)
from pgrag.models.choose import reranker_from
from pgrag.models.rerank_wire import checked_scores, read_scores, rerank_endpoint
from pgrag.models.reranker import HttpReranker

DOCUMENTS = ("red apples", "green pears", "red pears")


@pytest.fixture
def server() -> Iterator[RerankServer]:
    with RerankServer() as running:
        yield running


def test_the_best_come_first(server: RerankServer) -> None:
    scores = HttpReranker(server.url, "m", "secret-key").rerank("red pears", DOCUMENTS, 2)
    assert scores == [(2, 1.0), (0, 0.5)]
    assert server.bodies == [{"model": "m", "query": "red pears", "documents": list(DOCUMENTS), "top_n": 2}]
    assert server.headers[0]["authorization"] == "Bearer secret-key"


def test_without_model_and_key(server: RerankServer) -> None:
    reranker = HttpReranker(server.url)
    reranker.rerank("red", DOCUMENTS, 3)
    assert "model" not in server.bodies[0]
    assert "authorization" not in server.headers[0]
    assert reranker.rerank_model == server.url


@pytest.mark.parametrize(
    "reply",
    [
        {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]},  # Cohere, Jina, vLLM
        {"results": [{"index": 0, "relevance_score": 0.1}, {"index": 1, "relevance_score": 0.9}]},  # in no order
        {
            "id": "rerank-1",
            "usage": {"total_tokens": 56},
            "results": [
                {"index": 1, "document": {"text": "b"}, "relevance_score": 0.9},
                {"index": 0, "document": {"text": "a"}, "relevance_score": 0.1},
            ],
        },
    ],
)
def test_replies_as_servers_write_them(server: RerankServer, reply: Reply) -> None:
    server.reply(reply)
    assert HttpReranker(server.url).rerank("q", ["a", "b"], 2) == [(1, 0.9), (0, 0.1)]


NONSENSE = [
    b"<html>gateway</html>",
    b"",
    b"\xff\xfe",
    b"[" * 100_000,
    b"null",
    b"{}",
    b"[]",
    [{"index": 0, "relevance_score": 0.5}, {"index": 1, "relevance_score": 0.4}],
    {"results": None},
    {"results": ["a"]},
    {"results": []},
    {"results": [{"index": 0, "relevance_score": 0.5}]},
    {"results": [{"index": 0, "relevance_score": 0.5}, {"index": 0, "relevance_score": 0.4}]},
    {"results": [{"index": 0, "relevance_score": 0.5}, {"index": 2, "relevance_score": 0.4}]},
    {"results": [{"index": 0, "relevance_score": 0.5}, {"index": -1, "relevance_score": 0.4}]},
    {"results": [{"index": 0, "relevance_score": 0.5}, {"index": True, "relevance_score": 0.4}]},
    {"results": [{"index": 0, "relevance_score": 0.5}, {"index": "1", "relevance_score": 0.4}]},
    {"results": [{"index": 0, "relevance_score": 0.5}, {"index": 1}]},
    {"results": [{"index": 0, "relevance_score": 0.5}, {"index": 1, "relevance_score": "0.4"}]},
    {"results": [{"index": 0, "relevance_score": 0.5}, {"relevance_score": 0.4}]},
    b'{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 0.4}]}',
    b'{"results": [{"index": 0, "relevance_score": Infinity}, {"index": 1, "relevance_score": 0.4}]}',
    b'{"results": [{"index": 0, "relevance_score": 1%s}, {"index": 1, "relevance_score": 0.4}]}' % (b"0" * 400),
]


@pytest.mark.parametrize("reply", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_unreadable(server: RerankServer, reply: Reply) -> None:
    server.reply(reply)
    with pytest.raises(UnreadableReply):
        HttpReranker(server.url).rerank("q", ["a", "b"], 2)
    assert len(server.bodies) == 1, "nothing is asked again that was answered"


def test_a_server_that_ignores_top_n(server: RerankServer) -> None:
    server.reply(lambda body: {"results": [{"index": i, "relevance_score": i} for i in range(len(body["documents"]))]})
    assert HttpReranker(server.url).rerank("q", ["a", "b", "c"], 2) == [(2, 2.0), (1, 1.0)]


def test_a_passing_failure_is_tried_again(server: RerankServer) -> None:
    server.fail_next(status=503)
    server.drop_next()
    assert HttpReranker(server.url).rerank("red", DOCUMENTS, 1) == [(0, 1.0)]
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("status", "kind", "tries"),
    [(500, ModelError, 3), (429, RateLimited, 3), (401, ModelRefused, 1), (307, ModelRefused, 1)],
)
def test_a_status_is_told(server: RerankServer, status: int, kind: type[ModelError], tries: int) -> None:
    server.fail_next(9, status=status)
    with pytest.raises(kind, match=f"status {status}: .*told to fail"):
        HttpReranker(server.url, "m").rerank("q", ["a"], 1)
    assert len(server.bodies) == tries


@pytest.mark.parametrize("way", ["hang_next", "drip_next"])
def test_a_slow_server_costs_no_more_than_the_timeout(server: RerankServer, way: str) -> None:
    getattr(server, way)(9)
    begun = time.monotonic()
    with pytest.raises(ModelTimeout, match=r"within 0\.4 s"):
        HttpReranker(server.url, timeout=0.4).rerank("q", ["a"], 1)
    assert time.monotonic() - begun < 2


def test_it_does_not_wait_as_long_as_a_server_asks(server: RerankServer) -> None:
    server.fail_next(9, status=429, headers={"Retry-After": "60"})
    begun = time.monotonic()
    with pytest.raises(RateLimited):
        HttpReranker(server.url, timeout=2).rerank("q", ["a"], 1)
    assert time.monotonic() - begun < 2


def test_nobody_there() -> None:
    with pytest.raises(ModelUnreachable, match=r"no reranker answers at http://127\.0\.0\.1:9/rerank") as raised:
        HttpReranker("http://user:password-1@127.0.0.1:9", "m", "secret-key").rerank("q", ["a"], 1)
    assert "password-1" not in str(raised.value)


def test_a_message_never_holds_the_key(server: RerankServer) -> None:
    server.fail_next(status=400)
    reranker = HttpReranker(server.url, "m", "told to fail")
    with pytest.raises(ModelRefused) as raised:
        reranker.rerank("q", ["a"], 1)
    assert "told to fail" not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize(
    ("given_url", "endpoint"),
    [
        ("http://h:1/v1/rerank", "http://h:1/v1/rerank"),
        ("http://h:1/v1", "http://h:1/v1/rerank"),
        ("http://h:1/v1/", "http://h:1/v1/rerank"),
        ("https://h", "https://h/rerank"),
        ("https://h/rerank/?a=b", "https://h/rerank?a=b"),
    ],
)
def test_the_endpoint(given_url: str, endpoint: str) -> None:
    assert rerank_endpoint(given_url) == endpoint


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://h/rerank", "http://", "/rerank"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ConfigurationError, match="reranker's address"):
        HttpReranker(url)


def test_the_settings_name_it(server: RerankServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reranker_from(Settings()) is None
    monkeypatch.setenv("PGRAG_RERANK_URL", server.url)
    monkeypatch.setenv("PGRAG_RERANK_MODEL", "m")
    monkeypatch.setenv("PGRAG_RERANK_API_KEY", "secret-key")
    settings = Settings()
    assert "secret-key" not in repr(settings)
    reranker = reranker_from(settings)
    assert reranker is not None
    reranker.rerank("red", DOCUMENTS, 1)
    assert (server.bodies[0]["model"], server.headers[0]["authorization"]) == ("m", "Bearer secret-key")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
results = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "index": st.integers(-1, 5) | json_values,
            "relevance_score": st.floats() | json_values,
        },
    )
    | json_values,
    max_size=6,
)


@given(
    reply=json_values | results | st.fixed_dictionaries({"results": results}),
    count=st.integers(0, 4),
    top_n=st.integers(1, 5),
)
def test_any_reply_is_scores_of_different_documents_or_unreadable(reply: Any, count: int, top_n: int) -> None:
    reply = json.loads(json.dumps(reply))
    try:
        scores = checked_scores(read_scores(reply), count, top_n)
    except UnreadableReply:
        return
    assert len(scores) == len({index for index, _ in scores}) == min(top_n, count)
    assert all(0 <= index < count and math.isfinite(score) for index, score in scores)
    assert [score for _, score in scores] == sorted((score for _, score in scores), reverse=True)
