"""What holds for all kinds of files: bytes of any sort, libraries that are not there, and nothing imported in vain."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.book_files import one_of_each

from pgrag.errors import UnreadableFile
from pgrag.loaders import SUFFIXES, LoadedFile, find_files, load_entries, load_file
from pgrag.loaders.load import OF_MANY

MADE = one_of_each()
BINARY = (".pdf", ".docx", ".pptx", ".xlsx", ".epub")
LIBRARIES = {
    ".pdf": "pypdf",
    ".docx": "docx",
    ".pptx": "pptx",
    ".xlsx": "openpyxl",
    ".html": "lxml",
    ".epub": "lxml",
}


def read_or_refused(path: Path, content: bytes) -> list[LoadedFile]:
    """What can be read of the content as a file of that name; whatever else than a refusal is raised fails the test."""
    path.write_bytes(content)
    found = [entry.loaded for entry in load_entries(path, path.name)]
    assert found
    for each in found:
        assert "\n" not in str(each) or isinstance(each, LoadedFile)
    return [each for each in found if isinstance(each, LoadedFile)]


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200))
@example(content=b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj trailer<</Root 1 0 R>>")
@example(content=b"PK\x05\x06" + bytes(18))
@example(content=b"PK\x03\x04" + bytes(40))
def test_any_bytes_are_read_or_refused(tmp_path: Path, suffix: str, content: bytes) -> None:
    read = read_or_refused(tmp_path / f"a{suffix}", content)
    assert not (read and suffix in BINARY)
    for loaded in read:
        assert loaded.text.strip()


@pytest.mark.parametrize("suffix", sorted(MADE))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_anywhere_is_read_or_refused(tmp_path: Path, suffix: str, data: st.DataObject) -> None:
    content = bytearray(MADE[suffix])
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.one_of(st.just(len(content)), st.integers(1, len(content))))
    read_or_refused(tmp_path / f"a{suffix}", bytes(content[:cut]))


@pytest.mark.parametrize("suffix", sorted(MADE))
def test_each_kind_says_what_it_was_made_to_say(tmp_path: Path, suffix: str) -> None:
    (loaded,) = read_or_refused(tmp_path / f"a{suffix}", MADE[suffix])
    assert "Ada wrote programs." in loaded.text


@pytest.mark.parametrize(("suffix", "other"), [(a, b) for a in BINARY for b in BINARY if a != b])
def test_a_wrong_suffix_is_refused(tmp_path: Path, suffix: str, other: str) -> None:
    (tmp_path / f"a{suffix}").write_bytes(MADE[other])
    with pytest.raises(UnreadableFile, match=r"damaged|of another kind"):
        load_file(tmp_path / f"a{suffix}")


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_empty(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    for content in (b"", b" \n"):
        path.write_bytes(content)
        (entry,) = load_entries(path, "a")
        assert str(entry.loaded) == f"{path} is empty"


@pytest.mark.parametrize("suffix", sorted(LIBRARIES))
def test_a_library_that_is_not_there(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(MADE[suffix])
    assert find_files([tmp_path]).files  # it is found all the same, so that its failure is seen
    for name in [name for name in sys.modules if name.split(".")[0] == LIBRARIES[suffix]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, LIBRARIES[suffix], None)
    with pytest.raises(UnreadableFile, match=f"reading {suffix} needs packages that are not installed") as caught:
        load_file(path)
    assert caught.value.hint == "pip install 'pgrag[files]'"


def test_nothing_is_imported_before_it_is_needed() -> None:
    program = f"import sys, pgrag.loaders; print({set(LIBRARIES.values())!r} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_file_of_several_documents_is_not_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / f"a{OF_MANY}"
    path.write_text('{"text": "one"}')
    with pytest.raises(UnreadableFile, match="cannot be taken in"):
        load_file(path)
