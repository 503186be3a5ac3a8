"""Embeddings beside the lines: float32, one row a line, the database's dimensions, numbers that a halfvec holds."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from support.graph_folders import entity, write_graph

from pgrag.errors import ImportRefused
from pgrag.interchange.reading import read_folder
from pgrag.interchange.vectors import open_vectors


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chunks.npy"


def refused(path: Path) -> str:
    with pytest.raises(ImportRefused) as caught:
        open_vectors(path, 3, 8)
    return caught.value.message


def test_no_file_no_vectors(path: Path) -> None:
    assert open_vectors(path, 3, 8) is None


def test_vectors_are_mapped_not_read(path: Path) -> None:
    given = np.arange(24, dtype=np.float32).reshape(3, 8)
    np.save(path, given)
    found = open_vectors(path, 3, 8)
    assert isinstance(found, np.memmap)
    assert np.array_equal(found, given)


def test_no_lines_no_rows(path: Path) -> None:
    np.save(path, np.zeros((0, 8), dtype=np.float32))
    found = open_vectors(path, 0, 8)
    assert found is not None
    assert found.shape == (0, 8)


@pytest.mark.parametrize("shape", [(2, 8), (4, 8), (3, 7), (24,), (3, 8, 1), ()])
def test_another_shape(path: Path, shape: tuple[int, ...]) -> None:
    np.save(path, np.zeros(shape, dtype=np.float32))
    assert refused(path) == f"chunks.npy: shape {shape}, not (3, 8)"


@pytest.mark.parametrize("kind", ["float64", "float16", "int32", ">f4"])
def test_another_type(path: Path, kind: str) -> None:
    np.save(path, np.zeros((3, 8), dtype=kind))
    assert refused(path) == f"chunks.npy: {kind}, not float32"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 65_520.0, -1e30])
def test_numbers_that_cannot_be_stored(path: Path, value: float) -> None:
    vectors = np.ones((3, 8), dtype=np.float32)
    vectors[1, 5] = value
    np.save(path, vectors)
    assert refused(path) == "chunks.npy, line 2: holds a number that is not finite, or beyond 65504"


def test_a_bad_number_far_down_is_found(path: Path) -> None:
    vectors = np.zeros((9000, 2), dtype=np.float32)
    vectors[8999, 0] = np.nan
    np.save(path, vectors)
    with pytest.raises(ImportRefused, match="line 9000"):
        open_vectors(path, 9000, 2)


@pytest.mark.parametrize("content", [b"", b"not numpy", b"\x93NUMPY"])
def test_bytes_that_are_no_array(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert refused(path).startswith("chunks.npy: no array that numpy can read")


def test_a_file_cut_short(path: Path) -> None:
    np.save(path, np.zeros((3, 8), dtype=np.float32))
    path.write_bytes(path.read_bytes()[:-4])
    assert refused(path).startswith("chunks.npy: no array that numpy can read")


def test_python_objects_are_never_unpickled(path: Path) -> None:
    np.save(path, np.array([[{}] * 8] * 3, dtype=object), allow_pickle=True)
    assert refused(path).startswith("chunks.npy: no array that numpy can read")


def test_an_archive_of_arrays(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", b"")
    assert refused(path) == "chunks.npy: an archive, not float32"


def test_a_folder_says_which_vectors_it_has(tmp_path: Path) -> None:
    vectors = {"entities": np.ones((2, 8), dtype=np.float32)}
    write_graph(tmp_path, entities=[entity("Ada", "c0"), entity("Bob", "c0")], vectors=vectors)
    assert list(read_folder(tmp_path, 8).vectors) == ["entities"]


@pytest.mark.parametrize("name", ["chunks", "entities", "relations"])
def test_vectors_of_a_folder_need_a_row_for_each_line(tmp_path: Path, name: str) -> None:
    write_graph(tmp_path, vectors={name: np.ones((7, 8), dtype=np.float32)})
    with pytest.raises(ImportRefused, match=rf"{name}\.npy: shape \(7, 8\)"):
        read_folder(tmp_path, 8)
