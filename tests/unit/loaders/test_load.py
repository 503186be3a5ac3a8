"""Reading one file: what is text, and how it is said when it is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.errors import UnreadableFile
from pgrag.loaders import MAX_FILE_BYTES, SUFFIXES, LoadedFile, Part, load_file
from pgrag.loaders.text import load_text

NOTES = Path("notes.txt")


def written(folder: Path, content: bytes, name: str = "notes.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


class TestText:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    def test_every_encoding_with_a_mark_and_utf_8_without(self, encoding: str, tmp_path: Path) -> None:
        text = "Grüße, 技術底座 😀\r\nsecond line\n"
        assert load_file(written(tmp_path, text.encode(encoding))) == LoadedFile((Part(text),))

    @pytest.mark.parametrize("order", ["le", "be"])
    @pytest.mark.parametrize("width", [16, 32])
    def test_both_byte_orders(self, width: int, order: str) -> None:
        encoding = f"utf-{width}-{order}"
        assert load_text(NOTES, "\ufeffhello".encode(encoding)).text == "hello"

    @given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
    def test_utf_8_comes_back_as_it_was(self, text: str) -> None:
        assert load_text(NOTES, text.encode()).text == text

    @given(st.binary(max_size=40))
    def test_any_bytes_are_text_or_refused(self, content: bytes) -> None:
        try:
            text = load_text(NOTES, content).text
        except UnreadableFile:
            return
        assert "\0" not in text
        text.encode()

    @pytest.mark.parametrize("name", ["a.log", "a.markdown", "a.md", "a.rst", "a.text", "UPPER.TXT", "two.dots.md"])
    def test_kinds(self, name: str, tmp_path: Path) -> None:
        assert load_file(written(tmp_path, b"text", name)).text == "text"

    def test_the_kinds_promised(self) -> None:
        assert {".txt", ".md", ".markdown", ".text", ".rst", ".log"} <= SUFFIXES
        assert {".pdf", ".docx", ".pptx", ".xlsx", ".csv", ".tsv", ".html", ".epub", ".jsonl"} <= SUFFIXES


class TestRefused:
    def refusal(self, path: Path) -> UnreadableFile:
        with pytest.raises(UnreadableFile) as caught:
            load_file(path)
        assert str(path) in caught.value.message
        return caught.value

    def test_latin_1(self, tmp_path: Path) -> None:
        refusal = self.refusal(written(tmp_path, "Gr\u00fc\u00dfe".encode("latin-1")))
        assert "not UTF-8: byte 2 cannot be decoded" in refusal.message
        assert refusal.hint == "convert it to UTF-8: iconv -f ENCODING -t utf-8 notes.txt > converted.txt"

    def test_the_offset_counts_the_mark(self, tmp_path: Path) -> None:
        assert "byte 5 " in self.refusal(written(tmp_path, b"\xef\xbb\xbfab\xff")).message

    def test_half_a_sign_of_utf_16(self, tmp_path: Path) -> None:
        refusal = self.refusal(written(tmp_path, "\ufeffab".encode("utf-16-le")[:-1]))
        assert "not UTF-16-LE: byte 4 cannot be decoded" in refusal.message

    def test_nul(self, tmp_path: Path) -> None:
        refusal = self.refusal(written(tmp_path, b"one\ntwo\0three"))
        assert "NUL character in line 2 (character 7)" in refusal.message

    def test_utf_16_without_a_mark(self, tmp_path: Path) -> None:
        refusal = self.refusal(written(tmp_path, "text".encode("utf-16-le")))
        assert "byte order mark" in (refusal.hint or "")

    @pytest.mark.parametrize("content", [b"", b"  \n\t\r\n ", "\ufeff".encode(), "\u3000\u00a0".encode()])
    def test_empty(self, content: bytes, tmp_path: Path) -> None:
        assert self.refusal(written(tmp_path, content)).message.endswith("is empty")

    def test_too_large(self, tmp_path: Path) -> None:
        path = written(tmp_path, b"")
        os.truncate(path, MAX_FILE_BYTES + 1)
        assert self.refusal(path).message.endswith("is larger than 100 MB")

    @pytest.mark.parametrize("name", ["letter.doc", "picture.PNG", "Makefile"])
    def test_unknown_kind(self, name: str, tmp_path: Path) -> None:
        refusal = self.refusal(written(tmp_path, b"x", name))
        assert (Path(name).suffix or "without a suffix") in refusal.message
        assert ".md, .pdf, .pptx, .rst, .text, .tsv, .txt" in (refusal.hint or "")

    def test_missing(self, tmp_path: Path) -> None:
        assert "No such file" in self.refusal(tmp_path / "gone.txt").message

    def test_a_folder(self, tmp_path: Path) -> None:
        folder = tmp_path / "folder.txt"
        folder.mkdir()
        assert self.refusal(folder).message.endswith("is a folder, not a file")

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe.txt"
        os.mkfifo(pipe)
        assert self.refusal(pipe).message.endswith("is not a regular file")

    def test_links_in_a_circle(self, tmp_path: Path) -> None:
        link = tmp_path / "link.txt"
        link.symlink_to(link)
        assert "cannot be read" in self.refusal(link).message
