"""Plain text: UTF-8, or whatever Unicode encoding a byte order mark names. Nothing is guessed."""

from __future__ import annotations

import codecs
from pathlib import Path

from pgrag.errors import UnreadableFile
from pgrag.loaders.loaded import LoadedFile, Part

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def load_text(path: Path, content: bytes) -> LoadedFile:
    """The text, without its byte order mark, line ends as they are. Raises UnreadableFile."""
    return LoadedFile((Part(read_text(path, content)),))


def read_text(path: Path, content: bytes, encoding: str = "utf-8") -> str:
    """The characters of the content, without its byte order mark, which outdoes the encoding. Raises UnreadableFile."""
    text = _decode(path, content, encoding)
    position = text.find("\0")
    if position >= 0:
        line = text.count("\n", 0, position) + 1
        raise UnreadableFile(
            f"{path} is no text: it has a NUL character in line {line} (character {position})",
            "text in UTF-16 needs a byte order mark; other binary files cannot be taken in",
        )
    return text


def _decode(path: Path, content: bytes, otherwise: str) -> str:
    mark, encoding = next(((mark, name) for mark, name in _MARKS if content.startswith(mark)), (b"", otherwise))
    try:
        return content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            f"{path} is not {encoding.upper()}: byte {len(mark) + error.start} cannot be decoded ({error.reason})",
            f"convert it to UTF-8: iconv -f ENCODING -t utf-8 {path.name} > converted{path.suffix}",
        ) from error
