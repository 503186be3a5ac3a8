"""all-MiniLM-L6-v2 in numpy: a BERT of 6 layers and 12 heads, mean pooling over the word pieces, length 1.

Nothing is padded. A batch is one long row of word pieces; the dense layers, where most of the arithmetic is, see it as
one matrix, and only attention looks at single texts, stacked with those of the same length. So a text's vector does
not depend on its neighbours, and no work is spent on blanks.

Any number of threads may embed. As many batches as there are cores are computed at once, each in one thread: the BLAS
behind numpy is held to one thread meanwhile, because its workers wait for each other by spinning, which on a busy
machine took 265 ms for one question instead of 10, and came to a standstill when two threads multiplied at once.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

import numpy as np

from pgrag.models.offline.blas import single_threaded_blas
from pgrag.models.offline.model_files import (
    HEADS,
    HIDDEN,
    INTERMEDIATE,
    MAX_WORD_PIECES,
    Dense,
    Floats,
    Layer,
    Norm,
    Weights,
    find_model,
    load_tokenizer,
    load_weights,
)

_CORES = os.cpu_count() or 1
BATCH_PIECES = 512
_GELU_ROWS = 64  # few enough to stay in the processor's caches between the passes
_EPSILON = np.float32(1e-12)

# erf(x/√2) = x P(x²) / Q(x²) on |x| <= 5, fitted so that GELU is off by less than 1e-7, beside the rounding of float32
# in 1 + erf. numpy has no erf, and its exp and tanh take ten times as long as a multiplication.
_ERF_LIMIT = np.float32(5.0)
_ERF_P = np.array(
    [0.797881880136352, 0.10107872342174776, 0.011154883754364034, 0.0006545357526925527, 1.2362920047388066e-05],
    dtype=np.float32,
)
_ERF_Q = np.array(
    [1.0, 0.2933358271434261, 0.03789031756005187, 0.0027636032021484615, 0.00011867770012219214, 5.33570777826384e-07],
    dtype=np.float32,
)

_seats = threading.BoundedSemaphore(_CORES)

Runs = Sequence[tuple[int, int]]


class _Scratch:
    """Arrays that one batch after another is computed in: fresh ones cost more in page faults than the products."""

    def __init__(self) -> None:
        rows = BATCH_PIECES
        self.qkv = np.empty((rows, 3 * HIDDEN), dtype=np.float32)
        self.context = np.empty((rows, HIDDEN), dtype=np.float32)
        self.attended = np.empty((rows, HIDDEN), dtype=np.float32)
        self.wide = np.empty((rows, INTERMEDIATE), dtype=np.float32)
        self.scores = np.empty(HEADS * MAX_WORD_PIECES**2, dtype=np.float32)


class _Model:
    """The files in memory, and the scratch arrays that no thread is using just now."""

    def __init__(self, model_dir: Path | None) -> None:
        tokenizer_file, weights_file = find_model(model_dir)
        self.tokenizer = load_tokenizer(tokenizer_file)
        self.weights = load_weights(weights_file)
        self._spare: deque[_Scratch] = deque(maxlen=_CORES)

    def embed(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """The vectors of one batch, once a core is free for it."""
        with _seats:
            try:
                scratch = self._spare.pop()
            except IndexError:
                scratch = _Scratch()
            vectors = _embed(pieces, self.weights, scratch)
            self._spare.append(scratch)
        return vectors


class MiniLM:
    """The embedding model; its files are read at the first use.

    Raises ConfigurationError, at the first use, when the libraries or the model's files are not to be had.
    """

    dimensions = HIDDEN

    def __init__(self, model_dir: Path | None = None) -> None:
        self._model_dir = model_dir
        self._loading = threading.Lock()
        self._model: _Model | None = None

    def encode(self, texts: Sequence[str]) -> Floats:
        """float32 (texts, 384), row i for text i, each of length 1; no text gives (0, 384).

        A text is read up to its 256th word piece; the empty text has a vector too.
        """
        vectors = np.empty((len(texts), HIDDEN), dtype=np.float32)
        if not texts:
            return vectors
        model = self._load()
        pieces = [model.tokenizer.encode(text).ids for text in texts]
        batches = list(_batches([len(ids) for ids in pieces]))

        def embed(rows: list[int]) -> None:
            vectors[rows] = model.embed([pieces[row] for row in rows])

        with single_threaded_blas():
            if len(batches) == 1:
                embed(batches[0])
            else:
                with ThreadPoolExecutor(min(_CORES, len(batches))) as pool:
                    list(pool.map(embed, reversed(batches)))
        return vectors

    def _load(self) -> _Model:
        with self._loading:
            if self._model is None:
                self._model = _Model(self._model_dir)
            return self._model


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows by length, ascending, in batches of at most BATCH_PIECES word pieces."""
    batch: list[int] = []
    size = 0
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if size + lengths[row] > BATCH_PIECES:
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += lengths[row]
    yield batch


def _embed(pieces: Sequence[Sequence[int]], weights: Weights, scratch: _Scratch) -> Floats:
    """The pooled, normalised vectors of one batch, whose texts stand in ascending order of length."""
    runs = [(len(list(same)), length) for length, same in groupby(len(ids) for ids in pieces)]
    hidden = weights.words[np.concatenate([np.asarray(ids, dtype=np.intp) for ids in pieces])]
    hidden += np.concatenate([weights.positions[: len(ids)] for ids in pieces])
    _normalise(hidden, weights.norm)
    for layer in weights.layers:
        _transform(hidden, layer, runs, scratch)
    pooled = np.concatenate([part.mean(axis=1) for part in _split(hidden, runs)])
    pooled /= np.sqrt(np.einsum("ij,ij->i", pooled, pooled))[:, None]
    return pooled


def _transform(hidden: Floats, layer: Layer, runs: Runs, scratch: _Scratch) -> None:
    """One layer, in place."""
    rows = len(hidden)
    qkv = _dense(hidden, layer.qkv, scratch.qkv[:rows])
    context = _attend(qkv, runs, scratch.context[:rows], scratch.scores)
    attended = _dense(context, layer.attention, scratch.attended[:rows])
    attended += hidden
    _normalise(attended, layer.attention_norm)
    wide = _dense(attended, layer.widen, scratch.wide[:rows])
    for start in range(0, rows, _GELU_ROWS):
        _gelu(wide[start : start + _GELU_ROWS])
    _dense(wide, layer.narrow, hidden)
    hidden += attended
    _normalise(hidden, layer.output_norm)


def _attend(qkv: Floats, runs: Runs, context: Floats, scratch: Floats) -> Floats:
    """Softmax attention within each text: (pieces, 3 x 384) into context (pieces, 384)."""
    for part, out in zip(_split(qkv, runs), _split(context, runs), strict=True):
        length = part.shape[1]
        at_once = MAX_WORD_PIECES**2 // length**2
        for start in range(0, len(part), at_once):
            some = part[start : start + at_once].reshape(-1, length, 3, HEADS, HIDDEN // HEADS)
            query, key, value = some.transpose(2, 0, 3, 1, 4)
            scores = scratch[: len(some) * HEADS * length**2].reshape(-1, HEADS, length, length)
            np.matmul(query, key.swapaxes(-1, -2), out=scores)
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            mixed = scores @ value
            mixed /= np.einsum("thij->thi", scores)[..., None]
            out[start : start + at_once].reshape(-1, length, HEADS, HIDDEN // HEADS)[...] = mixed.swapaxes(1, 2)
    return context


def _split(rows: Floats, runs: Runs) -> Iterator[Floats]:
    """Views (texts, length, columns) of the texts of one length each."""
    start = 0
    for texts, length in runs:
        yield rows[start : start + texts * length].reshape(texts, length, -1)
        start += texts * length


def _dense(rows: Floats, layer: Dense, out: Floats) -> Floats:
    np.matmul(rows, layer.weight, out=out)
    out += layer.bias
    return out


def _normalise(rows: Floats, norm: Norm) -> None:
    """Layer normalisation, in place."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows)
    variance /= np.float32(rows.shape[1])
    rows /= np.sqrt(variance + _EPSILON)[:, None]
    rows *= norm.scale
    rows += norm.shift


def _gelu(rows: Floats) -> None:
    """x/2 (1 + erf(x/√2)), in place."""
    limited = np.clip(rows, -_ERF_LIMIT, _ERF_LIMIT)
    square = limited * limited
    erf = _polynomial(_ERF_P, square)
    erf *= limited
    erf /= _polynomial(_ERF_Q, square)
    erf += np.float32(1)
    erf *= np.float32(0.5)
    rows *= erf


def _polynomial(coefficients: Floats, x: Floats) -> Floats:
    """Horner's scheme, lowest coefficient first."""
    result: Floats = x * coefficients[-1]
    for coefficient in coefficients[-2:0:-1]:
        result += coefficient
        result *= x
    result += coefficients[0]
    return result
