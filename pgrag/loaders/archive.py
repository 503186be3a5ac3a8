"""Zip archives, as Office files and EPUBs are: looked at before a library unpacks them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path, PurePosixPath

from pgrag.errors import UnreadableFile
from pgrag.loaders.limits import MAX_MARKUP_BYTES, MAX_UNPACKED_BYTES

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_IS_ENCRYPTED = 0x1
# Of other methods the module unpacks blocks of any size at once; neither Office files nor EPUBs use them.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MARKUP = frozenset({".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx"})


def open_archive(path: Path, content: bytes) -> zipfile.ZipFile:
    """The archive, which unpacks to MAX_UNPACKED_BYTES at most, of it MAX_MARKUP_BYTES of markup.

    That holds whatever its directory says: no more than the size stated there is ever unpacked of a member.

    Raises UnreadableFile for what is no zip archive, damaged, encrypted, or unpacks to more.
    """
    if content.startswith(_OLE):
        raise UnreadableFile(
            f"{path} is encrypted, or of the older Office formats", "save it anew without a password, in today's format"
        )
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path} is damaged, or no {path.suffix} file: {error}") from error
    members = archive.infolist()
    if any(member.flag_bits & _IS_ENCRYPTED for member in members):
        raise UnreadableFile(f"{path} is encrypted", "save it anew without a password")
    if any(member.compress_type not in _METHODS for member in members):
        raise UnreadableFile(f"{path} is packed in a way that {path.suffix} files are not", "save it anew")
    _refuse_more_than(MAX_UNPACKED_BYTES, "contents", members, path)
    _refuse_more_than(MAX_MARKUP_BYTES, "markup", [each for each in members if _is_markup(each)], path)
    return archive


def _is_markup(member: zipfile.ZipInfo) -> bool:
    return PurePosixPath(member.filename).suffix.lower() in _MARKUP


def _refuse_more_than(limit: int, what: str, members: list[zipfile.ZipInfo], path: Path) -> None:
    size = sum(member.file_size for member in members)
    if size > limit:
        raise UnreadableFile(
            f"{path} is too large: it unpacks to {size:,} bytes of {what}, and the limit is {limit:,}",
            "split it: a document is read as a whole",
        )
