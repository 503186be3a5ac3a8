"""The embeddings: equal to a plain float64 BERT, whatever the batch, the thread or the length."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load_file
from threadpoolctl import ThreadpoolController
from tokenizers import Tokenizer

from pgrag.models.offline import minilm
from pgrag.models.offline.blas import single_threaded_blas
from pgrag.models.offline.minilm import MiniLM
from pgrag.models.offline.model_files import find_model

TEXTS = [
    "Scrooge was a tight-fisted hand at the grindstone.",
    "Marley was dead: to begin with.",
    "",
    "a",
    "技術底座通常包括容器化技術。",
    "The cold within him froze his old features, nipped his pointed nose, shrivelled his cheek. " * 3,
    "Bob Cratchit had but fifteen shillings a week himself.",
    "word " * 400,
]


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM()


class Reference:
    """The same network, written the slow and obvious way: float64, one text, padded and masked."""

    def __init__(self) -> None:
        tokenizer, weights = find_model(None)
        self.tensors = {name: tensor.astype(np.float64) for name, tensor in load_file(weights).items()}
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.enable_truncation(256)
        self.tokenizer.enable_padding(pad_to_multiple_of=64)

    def encode(self, text: str) -> NDArray[np.float64]:
        encoding = self.tokenizer.encode(text)
        mask = np.array(encoding.attention_mask)
        t = self.tensors
        x = t["embeddings.word_embeddings.weight"][encoding.ids]
        x = (
            x
            + t["embeddings.position_embeddings.weight"][: len(mask)]
            + t["embeddings.token_type_embeddings.weight"][0]
        )
        x = self.norm(x, "embeddings.LayerNorm")
        for index in range(6):
            x = self.layer(x, mask, f"encoder.layer.{index}")
        pooled = (x * mask[:, None]).sum(axis=0) / mask.sum()
        return pooled / np.linalg.norm(pooled)

    def layer(self, x: NDArray[np.float64], mask: NDArray[np.int64], name: str) -> NDArray[np.float64]:
        query, key, value = (self.dense(x, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        heads = []
        for head in range(12):
            part = slice(head * 32, head * 32 + 32)
            scores = query[:, part] @ key[:, part].T / math.sqrt(32)
            scores = np.where(mask[None, :] == 1, scores, -np.inf)
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            heads.append(weights / weights.sum(axis=1, keepdims=True) @ value[:, part])
        attended = self.dense(np.hstack(heads), f"{name}.attention.output.dense")
        x = self.norm(x + attended, f"{name}.attention.output.LayerNorm")
        wide = self.dense(x, f"{name}.intermediate.dense")
        wide = wide * 0.5 * (1 + np.vectorize(math.erf)(wide / math.sqrt(2)))
        return self.norm(x + self.dense(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def dense(self, x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return x @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def norm(self, x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        x = x - x.mean(axis=1, keepdims=True)
        x = x / np.sqrt((x**2).mean(axis=1, keepdims=True) + 1e-12)
        return x * self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]


def test_agrees_with_a_plain_implementation_in_float64(model: MiniLM) -> None:
    reference = Reference()
    texts = [TEXTS[0], TEXTS[4], TEXTS[7]]
    found = model.encode(texts)
    for text, vector in zip(texts, found, strict=True):
        assert np.abs(vector - reference.encode(text)).max() < 2e-6


def test_shape_type_and_length(model: MiniLM) -> None:
    vectors = model.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert model.encode([]).shape == (0, 384)
    assert model.encode([]).dtype == np.float32


def test_a_vector_does_not_depend_on_its_neighbours(model: MiniLM) -> None:
    together = model.encode(TEXTS)
    alone = np.vstack([model.encode([text]) for text in TEXTS])
    backwards = model.encode(TEXTS[::-1])[::-1]
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(together - backwards).max() < 1e-5


@settings(max_examples=8, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_any_text_has_a_vector_of_length_one(texts: list[str]) -> None:
    vectors = SHARED.encode(texts)
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


SHARED = MiniLM()


def test_meaning_is_near(model: MiniLM) -> None:
    question, near, far = model.encode(
        [
            "Who is the clerk of Ebenezer Scrooge?",
            "Bob Cratchit works for the miser Scrooge in his counting-house.",
            "PostgreSQL stores vectors in an HNSW index.",
        ]
    )
    assert question @ near > 0.5
    assert question @ far < 0.15
    assert question @ near > question @ far + 0.4


def test_what_stands_beyond_256_word_pieces_is_not_read(model: MiniLM) -> None:
    start = "scrooge " * 300
    long, longer, other = model.encode([start, start + "marley", "marley " + start])
    assert np.abs(long - longer).max() < 1e-6
    assert np.abs(long - other).max() > 1e-4


def test_case_does_not_matter_to_this_model(model: MiniLM) -> None:
    upper, lower = model.encode(["TINY TIM", "tiny tim"])
    assert np.abs(upper - lower).max() < 1e-6


def test_many_threads_get_the_same_vectors(model: MiniLM) -> None:
    expected = model.encode(TEXTS[:6])
    fresh = MiniLM()  # so that the threads also race to load it
    with ThreadPoolExecutor(6) as pool:
        for vectors in pool.map(fresh.encode, [TEXTS[:6]] * 8):
            assert np.abs(vectors - expected).max() < 1e-5


def test_loads_late_and_quickly() -> None:
    model = MiniLM()
    assert model._model is None
    began = time.process_time()
    model.encode(["hello"])
    assert model._model is not None
    assert time.process_time() - began < 2  # 0.3 s on a quiet machine


def test_batches_hold_every_row_once_by_length() -> None:
    lengths = [3, 256, 7, 7, 200, 2, 100]
    batches = list(minilm._batches(lengths))
    rows = [row for batch in batches for row in batch]
    assert sorted(rows) == list(range(len(lengths)))
    assert [lengths[row] for row in rows] == sorted(lengths)
    assert all(sum(lengths[row] for row in batch) <= minilm.BATCH_PIECES for batch in batches)
    assert len(batches) == 2


def test_gelu_is_exact_to_float32() -> None:
    x = np.linspace(-12, 12, 48_001, dtype=np.float32).reshape(1, -1)
    exact = 0.5 * x.astype(np.float64) * (1 + np.vectorize(math.erf)(x.astype(np.float64) / math.sqrt(2)))
    minilm._gelu(x)
    # The rounding of float32 in 1 + erf is multiplied by x.
    assert (np.abs(x - exact) <= 4e-7 * np.maximum(1, np.abs(np.linspace(-12, 12, 48_001)))).all()


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"]


def inside() -> list[int]:
    with single_threaded_blas():
        return blas_threads()


def test_blas_is_held_to_one_thread_and_given_back() -> None:
    before = blas_threads()
    with single_threaded_blas():
        assert set(blas_threads()) <= {1}
        with single_threaded_blas():
            pass
        assert set(blas_threads()) <= {1}  # somebody is still inside
    assert blas_threads() == before


def test_blas_is_held_from_any_thread_and_given_back_by_another() -> None:
    before = blas_threads()
    inside()
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        assert set(one.submit(inside).result()) <= {1}
        assert set(other.submit(inside).result()) <= {1}
        assert blas_threads() == before
        first, second = single_threaded_blas(), single_threaded_blas()
        one.submit(first.__enter__).result()
        other.submit(second.__enter__).result()
        one.submit(first.__exit__, None, None, None).result()
        assert set(blas_threads()) <= {1}
        other.submit(second.__exit__, None, None, None).result()
    assert blas_threads() == before


def test_blas_is_given_back_after_an_error() -> None:
    before = blas_threads()
    with pytest.raises(ZeroDivisionError), single_threaded_blas():
        raise ZeroDivisionError
    assert blas_threads() == before
