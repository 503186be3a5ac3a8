"""Windows of tokens: where they begin and end, and that nothing of the text is lost or broken."""

from __future__ import annotations

import itertools
import time
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.chunking import Chunk, ChunkSize, chunk_by_tokens, windows
from pgrag.errors import InvalidArgument
from pgrag.tokens import OFFLINE_ENCODING, load_tokenizer

TOKENIZER = load_tokenizer(OFFLINE_ENCODING)
# Signs that this vocabulary spreads over one to four tokens, and blanks.
texts = st.text(st.sampled_from("ab c\n技底𠀀😀👩‍é\u0301𓂀 "), max_size=120)
sizes = st.integers(1, 12).flatmap(lambda tokens: st.builds(ChunkSize, st.just(tokens), st.integers(0, tokens - 1)))


def words(count: int) -> str:
    """A text of that many tokens: ` a` is one."""
    text = " a" * count
    assert TOKENIZER.count(text) == count
    return text


def spans(text: str, size: ChunkSize) -> list[tuple[int, int]]:
    return list(windows(array("I", TOKENIZER.encode(text)), TOKENIZER, size))


def without_blanks(text: str) -> str:
    return "".join(text.split())


class TestChunkSize:
    def test_defaults(self) -> None:
        assert ChunkSize() == ChunkSize(tokens=1200, overlap=100)

    @pytest.mark.parametrize("overlap", [-1, 10, 11])
    def test_the_overlap_is_part_of_a_chunk(self, overlap: int) -> None:
        with pytest.raises(InvalidArgument, match=f"from 0 to 9 tokens, got {overlap}"):
            ChunkSize(10, overlap)

    @pytest.mark.parametrize("tokens", [0, -5])
    def test_a_chunk_has_tokens(self, tokens: int) -> None:
        with pytest.raises(InvalidArgument, match=f"must be positive, got {tokens}"):
            ChunkSize(tokens, 0)

    def test_the_bounds_are_allowed(self) -> None:
        assert ChunkSize(10, 0).overlap == 0
        assert ChunkSize(10, 9).overlap == 9


class TestWindows:
    @pytest.mark.parametrize(
        ("count", "size", "expected"),
        [
            (0, ChunkSize(10, 2), []),
            (1, ChunkSize(10, 2), [(0, 1)]),
            (10, ChunkSize(10, 2), [(0, 10)]),
            (11, ChunkSize(10, 2), [(0, 10), (8, 11)]),
            (18, ChunkSize(10, 2), [(0, 10), (8, 18)]),
            (19, ChunkSize(10, 2), [(0, 10), (8, 18), (16, 19)]),
            (25, ChunkSize(10, 0), [(0, 10), (10, 20), (20, 25)]),
            (4, ChunkSize(3, 2), [(0, 3), (1, 4)]),
            (3, ChunkSize(1, 0), [(0, 1), (1, 2), (2, 3)]),
        ],
    )
    def test_they_step_by_size_less_overlap(self, count: int, size: ChunkSize, expected: list[tuple[int, int]]) -> None:
        assert spans(words(count), size) == expected

    def test_no_redundant_tail(self) -> None:
        """LightRAG makes a last window of 8..10 here, wholly inside the one before it."""
        assert spans(words(10), ChunkSize(6, 2)) == [(0, 6), (4, 10)]

    def test_an_edge_inside_a_character_moves_to_its_beginning(self) -> None:
        assert len(TOKENIZER.encode("😀")) == 2
        assert spans("😀😀😀", ChunkSize(3, 0)) == [(0, 2), (2, 4), (4, 6)]
        assert spans("😀😀😀", ChunkSize(5, 2)) == [(0, 4), (2, 6)]

    def test_a_character_longer_than_the_window_stays_whole(self) -> None:
        assert len(TOKENIZER.encode("𓂀")) == 4
        assert spans("𓂀𓂀", ChunkSize(2, 1)) == [(0, 4), (4, 8)]

    def test_the_grid_is_kept_after_a_moved_edge(self) -> None:
        """A window that was moved does not move those after it: they are LightRAG's own again."""
        text = " a" * 9 + "😀" + " a" * 30
        assert spans(text, ChunkSize(10, 4)) == [(0, 9), (6, 16), (12, 22), (18, 28), (24, 34), (30, 40), (36, 41)]

    def test_a_window_that_would_bring_nothing_new_is_left_out(self) -> None:
        """The second step of the grid lands on the blank, and the next two tokens end inside the sign."""
        assert len(TOKENIZER.encode("a 𓂀")) == 6
        assert spans("a 𓂀", ChunkSize(2, 1)) == [(0, 2), (2, 6)]

    @given(texts, sizes)
    def test_no_gap_no_standstill_no_tail_inside_the_one_before(self, text: str, size: ChunkSize) -> None:
        found = spans(text, size)
        count = TOKENIZER.count(text)
        assert [start for start, _ in found[:1]] == [0] * bool(text)
        assert [end for _, end in found[-1:]] == [count] * bool(text)
        for (start, end), (next_start, next_end) in itertools.pairwise(found):
            assert start < next_start <= end < next_end

    @given(texts, sizes)
    def test_no_character_is_cut(self, text: str, size: ChunkSize) -> None:
        encoded = TOKENIZER.encode(text)
        for start, end in spans(text, size):
            content = TOKENIZER.decode(encoded[start:end])
            assert "\ufffd" not in content
            assert end - start <= size.tokens or not any(map(TOKENIZER.starts_character, encoded[start + 1 : end]))
            assert content in text

    @given(texts, sizes)
    def test_without_the_overlaps_they_are_the_text(self, text: str, size: ChunkSize) -> None:
        encoded = TOKENIZER.encode(text)
        joined, reached = "", 0
        for start, end in spans(text, size):
            joined += TOKENIZER.decode(encoded[max(start, reached) : end])
            reached = end
        assert joined == text


class TestChunks:
    def test_a_short_text_is_one_chunk(self) -> None:
        text = "PostgreSQL holds the graph."
        assert chunk_by_tokens(text, TOKENIZER, ChunkSize()) == [Chunk(0, text, TOKENIZER.count(text), 0, len(text))]

    @pytest.mark.parametrize("text", ["", "   ", "\n\t\u3000"])
    def test_a_blank_text_has_none(self, text: str) -> None:
        assert chunk_by_tokens(text, TOKENIZER, ChunkSize()) == []

    def test_content_is_stripped_and_the_overlap_repeated(self) -> None:
        chunks = chunk_by_tokens(" one two three four five", TOKENIZER, ChunkSize(3, 1))
        assert [chunk.content for chunk in chunks] == ["one two three", "three four five"]
        assert [chunk.token_count for chunk in chunks] == [3, 3]

    def test_blank_windows_are_dropped_and_the_rest_counted_on(self) -> None:
        blank = " \n" * 40
        chunks = chunk_by_tokens(f"first{blank}last", TOKENIZER, ChunkSize(4, 0))
        assert [(chunk.index, chunk.content) for chunk in chunks] == [(0, "first"), (1, "last")]

    @given(texts, st.integers(1, 12))
    def test_without_overlap_they_give_the_text_back(self, text: str, tokens: int) -> None:
        chunks = chunk_by_tokens(text, TOKENIZER, ChunkSize(tokens, 0))
        assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
        assert all(chunk.content == chunk.content.strip() != "" for chunk in chunks)
        assert without_blanks("".join(chunk.content for chunk in chunks)) == without_blanks(text)

    def test_the_windows_of_lightrag(self) -> None:
        """The rule as LightRAG has it, but for its redundant tail, on a text of whole characters."""
        text = "Ada Lovelace wrote the first program. " * 400
        encoded = TOKENIZER.encode(text)
        theirs = [TOKENIZER.decode(encoded[start : start + 200]).strip() for start in range(0, len(encoded), 170)]
        ours = chunk_by_tokens(text, TOKENIZER, ChunkSize(200, 30))
        assert [chunk.content for chunk in ours] == theirs[: len(ours)]
        assert all(tail in theirs[len(ours) - 1] for tail in theirs[len(ours) :])

    def test_five_megabytes_are_quick(self) -> None:
        text = "The engine weaves algebraic patterns; 技術底座是什麼？這是一個測試。\n" * 60_000
        assert len(text.encode()) > 5_000_000
        begin = time.process_time()
        chunks = chunk_by_tokens(text, TOKENIZER, ChunkSize())
        assert time.process_time() - begin < 5
        assert "\ufffd" not in "".join(chunk.content for chunk in chunks)
        assert max(chunk.token_count for chunk in chunks) <= 1200
