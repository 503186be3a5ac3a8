"""The embeddings beside an interchange file: NAME.npy, row i for line i, checked, and never read whole."""

from __future__ import annotations

from pathlib import Path

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
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        good = (np.abs(vectors[start : start + _ROWS_AT_ONCE]) <= LARGEST).all(axis=1)
        if not good.all():
            line = start + int(np.argmin(good)) + 1
            raise ImportRefused(f"{name}, line {line}: holds a number that is not finite, or beyond {LARGEST:.0f}")
