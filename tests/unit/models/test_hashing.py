"""Hashed embeddings: the same everywhere, near for texts that share words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.models.hashing import hashed_embeddings


def _similarity(a: str, b: str, dimensions: int = 256) -> float:
    first, second = hashed_embeddings([a, b], dimensions)
    return float(first @ second)


@given(st.lists(st.text(), max_size=5), st.integers(1, 32))
def test_every_text_has_a_direction(texts: list[str], dimensions: int) -> None:
    vectors = hashed_embeddings(texts, dimensions)
    assert vectors.shape == (len(texts), dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), np.ones(len(texts)), atol=1e-5)
    np.testing.assert_array_equal(vectors, hashed_embeddings(texts, dimensions))


@given(st.text(), st.text())
def test_a_vector_does_not_depend_on_its_neighbours(text: str, other: str) -> None:
    np.testing.assert_array_equal(hashed_embeddings([other, text], 16)[1], hashed_embeddings([text], 16)[0])


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("Ada programs the engine", "the engine of Ada", "ships sail at night"),
        ("北京的历史博物馆", "历史博物馆在北京", "深海鱼类的生态"),
        ("Ada met Babbage", "ADA MET BABBAGE", "Grace met nobody"),
    ],
)
def test_shared_words_are_near(text: str, near: str, far: str) -> None:
    assert _similarity(text, near) > 0.4
    assert _similarity(text, far) < _similarity(text, near) - 0.2


def test_the_same_on_every_machine() -> None:
    known = np.array([0.0, 0.0, 0.66896474, 0.7432941], dtype=np.float32)
    np.testing.assert_allclose(hashed_embeddings(["Ada Lovelace"], 4)[0], known, atol=1e-6)
