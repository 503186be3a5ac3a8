"""Which files are meant, and that a file has one id however it is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pgrag.errors import InvalidArgument, UnreadableFile
from pgrag.loaders import Found, FoundFile, find_files


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """corpus/{a.md, b.txt, picture.png, .hidden.md, .git/config.txt, sub/{a.md, deep/c.rst}}"""
    folder = tmp_path.resolve() / "corpus"
    for name in ("b.txt", "a.md", "picture.png", ".hidden.md", ".git/config.txt", "sub/deep/c.rst", "sub/a.md"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return folder


def keys(found: Found) -> list[str]:
    return [file.key for file in found.files]


class TestFolders:
    def test_walked_in_order_without_the_hidden(self, corpus: Path) -> None:
        found = find_files([corpus])
        assert keys(found) == ["a.md", "b.txt", "sub/a.md", "sub/deep/c.rst"]
        assert found.files[3] == FoundFile(corpus / "sub/deep/c.rst", "sub/deep/c.rst")

    def test_other_kinds_are_reported(self, corpus: Path) -> None:
        assert find_files([corpus]).skipped == (corpus / "picture.png",)
        assert find_files([corpus, corpus]).skipped == (corpus / "picture.png",)

    def test_a_hidden_folder_that_is_named_is_meant(self, corpus: Path) -> None:
        assert keys(find_files([corpus / ".git"])) == ["config.txt"]

    def test_they_are_reported_by_their_plain_path(self, corpus: Path) -> None:
        assert find_files([corpus / "sub" / ".."]).skipped == (corpus / "picture.png",)

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        assert find_files([tmp_path]) == Found((), ())

    def test_nothing_named(self) -> None:
        assert find_files([]) == Found((), ())

    def test_names_that_are_no_text_are_skipped(self, corpus: Path) -> None:
        strange = Path(os.fsdecode(os.fsencode(corpus) + b"/sub/\xff.txt"))
        strange.write_text("text")
        assert strange in find_files([corpus / "sub"]).skipped


class TestOneIdHoweverNamed:
    @pytest.mark.parametrize("named", ["a.md", "./a.md", "sub/../a.md", "../corpus/a.md", "../link/a.md"])
    def test_a_file(self, named: str, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (corpus.parent / "link").symlink_to(corpus)
        monkeypatch.chdir(corpus)
        for root in (None, Path(), corpus, Path("../link")):
            assert find_files([Path(named)], root).files == (FoundFile(corpus / "a.md", "a.md"),)

    @pytest.mark.parametrize("named", ["", ".", "sub/..", "../corpus", "../link"])
    def test_a_folder(self, named: str, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (corpus.parent / "link").symlink_to(corpus)
        monkeypatch.chdir(corpus)
        for root in (None, corpus, Path("../link")):
            assert find_files([Path(named)], root).files == find_files([corpus]).files

    def test_a_file_and_its_folder_agree(self, corpus: Path) -> None:
        assert set(find_files([corpus / "a.md"]).files) <= set(find_files([corpus]).files)

    def test_the_root_names_the_rest(self, corpus: Path) -> None:
        assert keys(find_files([corpus / "sub/deep"])) == ["c.rst"]
        assert keys(find_files([corpus / "sub/deep"], corpus)) == ["sub/deep/c.rst"]
        assert keys(find_files([corpus / "sub/deep/c.rst"], corpus.parent)) == ["corpus/sub/deep/c.rst"]

    def test_the_same_file_is_taken_once(self, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(corpus)
        found = find_files([Path("b.txt"), corpus, Path("b.txt"), Path("sub/../b.txt")])
        assert keys(found) == ["b.txt", "a.md", "sub/a.md", "sub/deep/c.rst"]

    def test_a_file_that_is_named_is_meant_whatever_its_kind(self, corpus: Path) -> None:
        assert keys(find_files([corpus / "picture.png", corpus / ".hidden.md"])) == ["picture.png", ".hidden.md"]


class TestLinks:
    def test_loops_end(self, corpus: Path) -> None:
        before = find_files([corpus]).files
        (corpus / "again").symlink_to(corpus)
        (corpus / "sub/up").symlink_to("..")
        assert find_files([corpus]).files == before

    def test_a_link_in_a_circle_is_skipped(self, corpus: Path) -> None:
        circle = corpus / "circle.txt"
        circle.symlink_to(circle)
        (corpus / "broken.txt").symlink_to("nowhere")
        found = find_files([corpus])
        assert {circle, corpus / "broken.txt"} <= set(found.skipped)
        assert keys(found) == ["a.md", "b.txt", "sub/a.md", "sub/deep/c.rst"]

    def test_a_link_and_its_file_are_one(self, corpus: Path) -> None:
        (corpus / "0.txt").symlink_to("b.txt")
        assert keys(find_files([corpus])) == ["b.txt", "a.md", "sub/a.md", "sub/deep/c.rst"]
        assert find_files([corpus / "0.txt"]) == find_files([corpus / "b.txt"])

    def test_a_link_that_leads_out_keeps_its_place(self, corpus: Path, tmp_path: Path) -> None:
        outside = tmp_path.resolve() / "elsewhere.txt"
        outside.write_text("text")
        (corpus / "sub/deep/in.txt").symlink_to(outside)
        expected = FoundFile(outside, "sub/deep/in.txt")
        assert expected in find_files([corpus]).files
        assert find_files([corpus / "sub/deep/in.txt"], corpus).files == (expected,)

    def test_a_folder_that_lies_outside_keeps_its_place(self, corpus: Path, tmp_path: Path) -> None:
        outside = tmp_path.resolve() / "elsewhere"
        outside.mkdir()
        (outside / "e.txt").write_text("text")
        (corpus / "ext").symlink_to(outside)
        assert FoundFile(outside / "e.txt", "ext/e.txt") in find_files([corpus]).files
        assert find_files([corpus / "ext"], corpus).files == (FoundFile(outside / "e.txt", "ext/e.txt"),)


class TestRefused:
    def test_two_files_of_one_id(self, corpus: Path) -> None:
        named = [corpus / "a.md", corpus / "sub/a.md"]
        with pytest.raises(InvalidArgument) as caught:
            find_files(named)
        assert str(named[0]) in caught.value.message
        assert str(named[1]) in caught.value.message
        assert "document 'a.md'" in caught.value.message
        assert "--root" in (caught.value.hint or "")
        assert keys(find_files(named, corpus)) == ["a.md", "sub/a.md"], "the hint helps"

    @pytest.mark.parametrize("outside", ["corpus/b.txt", "corpus/sub/../a.md", "corpus"])
    def test_outside_the_root(self, outside: str, corpus: Path) -> None:
        with pytest.raises(InvalidArgument, match=r"is outside the root '.*sub'"):
            find_files([corpus.parent / outside], corpus / "sub")

    def test_a_root_whose_name_only_begins_like_the_folder(self, corpus: Path) -> None:
        (corpus.parent / "corp").mkdir()
        with pytest.raises(InvalidArgument, match="outside the root"):
            find_files([corpus / "a.md"], corpus.parent / "corp")

    @pytest.mark.parametrize("root", ["a.md", "gone"])
    def test_a_root_that_is_no_folder(self, root: str, corpus: Path) -> None:
        with pytest.raises(InvalidArgument, match=f"the root '.*{root}' is not a folder"):
            find_files([corpus], corpus / root)

    def test_nothing_there(self, corpus: Path) -> None:
        with pytest.raises(UnreadableFile, match=r"no file or folder '.*gone\.txt'"):
            find_files([corpus, corpus / "gone.txt"])

    def test_a_named_file_whose_name_is_no_text(self, corpus: Path) -> None:
        strange = Path(os.fsdecode(os.fsencode(corpus) + b"/\xff.txt"))
        strange.write_text("text")
        with pytest.raises(UnreadableFile, match=r"'\\udcff\.txt' is not UTF-8"):
            find_files([strange])
