"""Embeddings without a model: words hashed to coordinates. For tests and demonstrations, not for search quality.

Equal texts have equal vectors, texts that share words are near, on every machine and in every run. Chinese, Japanese
and Korean text, which has no spaces, counts by pairs of characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

from pgrag.models.protocols import Vectors

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_RUN = re.compile(f"[{_CJK}]+|[^\\W{_CJK}]+")
_TIE = 0.1


def hashed_embeddings(texts: Sequence[str], dimensions: int) -> Vectors:
    """float32 (texts, dimensions), row i for text i, of length 1."""
    vectors = np.zeros((len(texts), dimensions), dtype=np.float64)
    for row, text in zip(vectors, texts, strict=True):
        for feature in set(_features(text)):
            _add(row, feature, 1.0)
        # Opposite words may cancel out; a tenth never cancels whole numbers, so no vector is zero.
        _add(row, text, _TIE)
    if len(texts):
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def _features(text: str) -> Iterator[str]:
    for run in _RUN.findall(text.lower()):
        if re.match(f"[{_CJK}]", run) and len(run) > 1:
            yield from (run[i : i + 2] for i in range(len(run) - 1))
        else:
            yield run


def _add(row: np.ndarray[tuple[int], np.dtype[np.float64]], feature: str, weight: float) -> None:
    number = int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    row[(number >> 1) % len(row)] += weight if number & 1 else -weight
