"""Archives are looked at before they are unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest
from support.book_files import archive

from pgrag.errors import UnreadableFile
from pgrag.loaders.archive import open_archive
from pgrag.loaders.limits import MAX_MARKUP_BYTES

PATH = Path("a.docx")


def refusal(content: bytes) -> str:
    with pytest.raises(UnreadableFile) as caught:
        open_archive(PATH, content)
    assert caught.value.message.startswith("a.docx ")
    return caught.value.message


def test_it_opens() -> None:
    assert open_archive(PATH, archive({"a.xml": "text"})).read("a.xml") == b"text"


def test_a_bomb() -> None:
    assert "of markup" in refusal(archive({"a.XML": b" " * MAX_MARKUP_BYTES, "b.rels": b" "}))


def test_pictures_may_be_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    made = archive({"a.png": b" " * (MAX_MARKUP_BYTES + 1)})
    assert open_archive(PATH, made).namelist() == ["a.png"]
    monkeypatch.setattr("pgrag.loaders.archive.MAX_UNPACKED_BYTES", MAX_MARKUP_BYTES)
    assert "50,000,001 bytes of contents" in refusal(made)


def test_a_bomb_that_understates_its_size_unpacks_to_no_more() -> None:
    made = archive({"a.xml": b" " * 10_000_000})
    lying = made.replace(struct.pack("<I", 10_000_000), struct.pack("<I", 10))
    assert lying != made
    with pytest.raises(zipfile.BadZipFile):
        open_archive(PATH, lying).read("a.xml")


def test_an_encrypted_member() -> None:
    made = bytearray(archive({"a.xml": "text"}))
    made[made.rindex(b"PK\x01\x02") + 8] |= 1
    assert "is encrypted" in refusal(bytes(made))


def test_an_encrypted_or_older_office_file() -> None:
    assert "encrypted, or of the older Office formats" in refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504))


def test_packed_in_another_way() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_LZMA) as made:
        made.writestr("a.xml", "text")
    assert "packed in a way" in refusal(stream.getvalue())


@pytest.mark.parametrize("cut", [0, 1, 10, 60, -1, -10])
def test_damage(cut: int) -> None:
    assert "damaged, or no .docx file" in refusal(archive({"a.xml": "text"})[:cut])
