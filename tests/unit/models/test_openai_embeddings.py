"""Embeddings over the wire: batches, order, sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.model_server import Failure, ModelServer

from pgrag.errors import EmbeddingMismatch, ModelRefused, UnreadableReply
from pgrag.models.hashing import hashed_embeddings

Asking = Callable[..., Any]


def test_the_request(asking: Asking, model_server: ModelServer) -> None:
    asking().embed(["Ada", "Engine"])
    assert model_server.bodies() == [
        {"model": "text-embedding-3-small", "input": ["Ada", "Engine"], "encoding_format": "float"}
    ]


def test_dimensions_are_sent_only_where_set(asking: Asking, model_server: ModelServer) -> None:
    asker = asking(embedding_dimensions=24)
    assert asker.models.embedding_dimensions == 24
    assert asker.embed(["Ada"]).shape == (1, 24)
    assert model_server.bodies()[0]["dimensions"] == 24
    assert asking().models.embedding_dimensions == 1536


def test_vectors_are_those_of_the_texts(asking: Asking) -> None:
    texts = ["Ada Lovelace", "the Engine", "Ada Lovelace"]
    vectors = asking().embed(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, hashed_embeddings(texts, 1536), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), np.ones(3), atol=1e-6)


def test_many_texts_go_in_batches_and_come_back_in_order(asking: Asking, model_server: ModelServer) -> None:
    texts = [f"word{number}" for number in range(300)]
    vectors = asking(embedding_dimensions=16).embed(texts)
    assert [len(body["input"]) for body in model_server.bodies()] == [128, 128, 44]
    np.testing.assert_allclose(vectors, hashed_embeddings(texts, 16), atol=1e-6)


def test_a_failing_batch_is_tried_again_alone(asking: Asking, model_server: ModelServer) -> None:
    texts = [f"word{number}" for number in range(200)]
    asker = asking(embedding_dimensions=16)
    model_server.fail_next(1, status=503)
    assert asker.embed(texts).shape == (200, 16)
    assert [len(body["input"]) for body in model_server.bodies()] == [128, 128, 72]


def test_order_is_by_index_not_by_arrival(asking: Asking, model_server: ModelServer) -> None:
    def shuffled(body: dict[str, Any]) -> dict[str, Any]:
        rows = hashed_embeddings(body["input"], 16).tolist()
        return {"data": [{"index": index, "embedding": rows[index]} for index in (2, 0, 1)]}

    model_server.reply("embeddings", shuffled)
    vectors = asking(embedding_dimensions=16).embed(["a", "b", "c"])
    np.testing.assert_allclose(vectors, hashed_embeddings(["a", "b", "c"], 16), atol=1e-6)


def test_vectors_of_any_length_are_normalised(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("embeddings", [[3.0, 4.0]])
    vectors = asking(embedding_dimensions=2).embed(["Ada"])
    np.testing.assert_allclose(vectors, np.array([[0.6, 0.8]], dtype=np.float32))


def test_an_empty_text_is_sent_as_a_blank(asking: Asking, model_server: ModelServer) -> None:
    assert asking().embed(["", "Ada"]).shape == (2, 1536)
    assert model_server.bodies()[0]["input"] == [" ", "Ada"]


def test_no_texts_need_no_request(asking: Asking, model_server: ModelServer) -> None:
    vectors = asking().embed([])
    assert vectors.shape == (0, 1536)
    assert vectors.dtype == np.float32
    assert model_server.count() == 0


def test_another_size_than_the_database_has(asking: Asking, model_server: ModelServer) -> None:
    model_server.dimensions = 768
    with pytest.raises(EmbeddingMismatch, match="768 dimensions, not 1536"):
        asking().embed(["Ada"])


def test_too_few_vectors(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("embeddings", [[1.0, 0.0]])
    with pytest.raises(EmbeddingMismatch, match="1 vectors for 2 texts"):
        asking(embedding_dimensions=2).embed(["Ada", "Engine"])


def test_a_vector_of_zeros(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("embeddings", [[0.0, 0.0]])
    with pytest.raises(UnreadableReply, match="no direction"):
        asking(embedding_dimensions=2).embed(["Ada"])


def test_a_model_the_server_does_not_know(asking: Asking, model_server: ModelServer) -> None:
    model_server.reply("embeddings", Failure(404, "no such model"))
    with pytest.raises(ModelRefused, match="model nomic with status 404: no such model"):
        asking(embedding_model="nomic").embed(["Ada"])
