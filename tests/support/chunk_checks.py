"""What every way of chunking promises, whatever the text; and texts that put it to the test."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import strategies as st

from pgrag.chunking import Chunk, ChunkSize
from pgrag.tokens import OFFLINE_ENCODING, load_tokenizer

TOKENIZER = load_tokenizer(OFFLINE_ENCODING)

# Signs that this vocabulary spreads over one to four tokens, breaks of every level and script, and blanks.
_SIGNS = ["a", "word", "Wort ", "7", ".", "! ", '." ', ", ", "; ", "。", "」", "，", "।", "؟ "]
_SPREAD = ["技底座", "𠀀", "😀👩\u200d", "é\u0301", "𓂀"]
_BLANKS = [" ", "\n", "\n\n", "\r\n", "\t", "\u3000", "\u2028"]
_MARKUP = ["# ", "\n## ", "\n### b\n", "\n```\n", "\n---\n", "> ", "- ", "|"]
texts = st.lists(st.sampled_from(_SIGNS + _SPREAD + _BLANKS + _MARKUP), max_size=60).map("".join) | st.text(max_size=60)
sizes = st.integers(1, 14).flatmap(lambda tokens: st.builds(ChunkSize, st.just(tokens), st.integers(0, tokens - 1)))


def check_chunks(text: str, chunks: Sequence[Chunk], size: ChunkSize, separator: str = "") -> None:
    """They are numbered, lie where they say, within the size, each brings something new, and none is lost.

    Joined without what one repeats of another, and with the blanks between them (and the separators, where the text was
    split by one), they are the text.
    """
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    joined, reached = "", 0
    for chunk in chunks:
        assert chunk.content == text[chunk.start : chunk.end] == chunk.content.strip() != ""
        assert chunk.token_count <= size.tokens or _cannot_be_cut(chunk)
        between = text[reached : max(chunk.start, reached)]
        joined += between + text[max(chunk.start, reached) : chunk.end]
        assert _is_nothing(between, separator)
        reached = chunk.end
    assert _is_nothing(text[reached:], separator)
    assert joined + text[reached:] == text
    for before, after in itertools.pairwise(chunks):
        assert before.start <= after.start
        assert before.end < after.end


def _is_nothing(between: str, separator: str) -> bool:
    return not (between.replace(separator, "") if separator else between).strip()


def _cannot_be_cut(chunk: Chunk) -> bool:
    """A character may have more tokens than a chunk, with blanks around it; a token may lie across two characters."""
    tokens = TOKENIZER.encode(chunk.content)
    return not any(chunk.content.startswith(TOKENIZER.decode(tokens[:end])) for end in range(1, len(tokens)))
