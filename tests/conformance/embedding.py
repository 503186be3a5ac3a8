"""The embedding of the conformance graphs: made of whole numbers, so that nobody's storage rounds it.

A word is a vector of DIMENSIONS whole numbers from -8 to 7, taken from its BLAKE2b digest; a text is the sum of its
words. Up to 2,048 such numbers are exact as float16 (pgvector's halfvec, LightRAG's files) and as float32. Texts that
share words are near; the mean of -0.5 gives all texts a common direction, as the vectors of real models have one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

DIMENSIONS = 64
LARGEST = 2048
_WORD = re.compile(r"\w+")

Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]


def embed(texts: Sequence[str]) -> Vectors:
    """float32 (texts, DIMENSIONS), row i for text i, of whole numbers. Raises ValueError for too long a text."""
    vectors = np.array([sum(map(_word, _WORD.findall(text.lower())), _word("")) for text in texts])
    if texts and abs(vectors).max() > LARGEST:
        raise ValueError(f"a text has too many words: its vector leaves the whole numbers to {LARGEST}")
    return vectors.reshape(-1, DIMENSIONS).astype(np.float32)


@functools.cache
def _word(word: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    digest = blake2b(word.encode(), digest_size=DIMENSIONS).digest()
    return np.frombuffer(digest, dtype=np.uint8).astype(np.int64) % 16 - 8
