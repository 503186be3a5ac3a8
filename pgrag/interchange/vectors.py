"""The embeddings beside an interchange file: NAME.npy, row i for line i, checked, and never held whole.

A row of NaN stands for a line without an embedding. To the database and back a vector travels in pgvector's own binary
form: its dimensions and 0 (two bytes each), then its numbers, two bytes each, all big-endian.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from pgrag.errors import ImportRefused
from pgrag.models.protocols import Vectors

LARGEST = float(np.finfo(np.float16).max)
"""The largest number that a halfvec holds."""
_ROWS_AT_ONCE = 4096


def open_vectors(path: Path, rows: int, dimensions: int) -> Vectors | None:
    """float32 (rows, dimensions), memory-mapped; None when there is no such file. Raises ImportRefused."""
    if not path.exists():
        return None
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ImportRefused(f"{path.name}: no array that numpy can read ({error})") from error
    if not isinstance(found, np.ndarray) or found.dtype != np.float32:
        raise ImportRefused(f"{path.name}: {getattr(found, 'dtype', 'an archive')}, not float32")
    if found.shape != (rows, dimensions):
        raise ImportRefused(
            f"{path.name}: shape {found.shape}, not {(rows, dimensions)}",
            f"it needs a row for each of the {rows} lines, of the database's {dimensions} dimensions",
        )
    _require_storable(path.name, found)
    return found


def _require_storable(name: str, vectors: Vectors) -> None:
    for start, rows in _blocks(vectors):
        good = (np.abs(rows) <= LARGEST).all(axis=1) | np.isnan(rows).all(axis=1)
        if not good.all():
            line = start + int(np.argmin(good)) + 1
            raise ImportRefused(f"{name}, line {line}: holds a number that is not finite, or beyond {LARGEST:.0f}")


def missing_rows(vectors: Vectors) -> list[int]:
    """The rows that stand for no embedding, in order."""
    return [start + int(row) for start, rows in _blocks(vectors) for row in np.flatnonzero(np.isnan(rows[:, 0]))]


def wire_rows(vectors: Vectors) -> Iterator[bytes | None]:
    """Each row as the database reads it; None for a row that stands for no embedding."""
    head = struct.pack(">hh", vectors.shape[1], 0)
    for _, rows in _blocks(vectors):
        for row, missing in zip(rows.astype(">f2"), np.isnan(rows[:, 0]), strict=True):
            yield None if missing else head + row.tobytes()


def _blocks(vectors: Vectors) -> Iterator[tuple[int, Vectors]]:
    """The number of the first row, and rows, some at a time; what was mapped of a file is forgotten again."""
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        yield start, np.array(vectors[start : start + _ROWS_AT_ONCE])
        if isinstance(vectors.base, mmap.mmap):
            vectors.base.madvise(mmap.MADV_DONTNEED)


class VectorFile:
    """Writes NAME.npy row by row: float32 (rows, dimensions), the number of rows put into the header at the end."""

    def __init__(self, stream: BinaryIO, dimensions: int) -> None:
        self._stream, self._dimensions = stream, dimensions
        self._missing = np.full(dimensions, np.nan, dtype="<f4").tobytes()
        self._rows = 0
        self.is_empty = True
        self._write_header()

    def append(self, wire: bytes | None) -> None:
        """Add a row, as the database sends it; None: of NaN."""
        self._rows += 1
        if wire is None:
            self._stream.write(self._missing)
            return
        self.is_empty = False
        self._stream.write(np.frombuffer(wire, dtype=">f2", offset=4).astype("<f4").tobytes())

    def finish(self) -> None:
        """Write the header anew: numpy leaves room in it for a number of rows that grows."""
        self._stream.seek(0)
        self._write_header()

    def _write_header(self) -> None:
        header = {"descr": "<f4", "fortran_order": False, "shape": (self._rows, self._dimensions)}
        np.lib.format.write_array_header_1_0(self._stream, header)
