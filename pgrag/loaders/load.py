"""One door to all kinds of files: the suffix chooses the loader.

Loaders import their libraries when they first read a file: they are many, and most commands read none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pgrag.errors import UnreadableFile
from pgrag.loaders.delimited import load_csv, load_tsv
from pgrag.loaders.docx import load_docx
from pgrag.loaders.epub import load_epub
from pgrag.loaders.jsonl import load_jsonl
from pgrag.loaders.limits import MAX_FILE_BYTES
from pgrag.loaders.loaded import Entry, LoadedFile, Loader
from pgrag.loaders.pdf import load_pdf
from pgrag.loaders.pptx import load_pptx
from pgrag.loaders.text import load_text
from pgrag.loaders.webpage import load_html
from pgrag.loaders.xlsx import load_xlsx

LOADERS: dict[str, Loader] = {
    ".csv": load_csv,
    ".docx": load_docx,
    ".epub": load_epub,
    ".htm": load_html,
    ".html": load_html,
    ".log": load_text,
    ".markdown": load_text,
    ".md": load_text,
    ".pdf": load_pdf,
    ".pptx": load_pptx,
    ".rst": load_text,
    ".text": load_text,
    ".tsv": load_tsv,
    ".txt": load_text,
    ".xhtml": load_html,
    ".xlsx": load_xlsx,
}
OF_MANY = ".jsonl"
SUFFIXES = frozenset({*LOADERS, OF_MANY})
_LONGEST_REASON = 120


def load_entries(path: Path, key: str) -> Iterator[Entry]:
    """The documents that the file holds: itself, under the key, or one a line (`load_jsonl`).

    Nothing is raised: what cannot be read is an entry with its reason.
    """
    try:
        if path.suffix.lower() == OF_MANY:
            yield from load_jsonl(path, key, _read(path))
        else:
            yield Entry(key, key, load_file(path))
    except UnreadableFile as error:
        yield Entry(key, key, error)


def load_file(path: Path) -> LoadedFile:
    """The text of a file that is one document, which is not blank, and its metadata.

    Raises UnreadableFile for what is no file, of an unknown kind, larger than MAX_FILE_BYTES, empty, or damaged.
    """
    loader = LOADERS.get(path.suffix.lower())
    content = _read(path)
    if loader is None:
        raise UnreadableFile(
            f"files of kind {path.suffix or 'without a suffix'!r} cannot be taken in: {path}",
            f"these can: {', '.join(sorted(SUFFIXES))}",
        )
    if not content.strip():
        raise UnreadableFile(f"{path} is empty")
    loaded = _load(loader, path, content)
    if not loaded.text.strip():
        raise UnreadableFile(f"{path} is empty")
    return loaded


def _load(loader: Loader, path: Path, content: bytes) -> LoadedFile:
    """What the loader makes of it. Of damage a library may say anything, and raise anything."""
    try:
        return loader(path, content)
    except UnreadableFile:
        raise
    except ImportError as error:
        raise UnreadableFile(
            f"{path} cannot be read: reading {path.suffix} needs packages that are not installed ({error.name})",
            "pip install 'pgrag[files]'",
        ) from error
    except Exception as error:
        first, *_ = f"{type(error).__name__}: {error}".splitlines()
        reason = first[:_LONGEST_REASON].rstrip(": ")
        raise UnreadableFile(f"{path} is damaged, or of another kind than {path.suffix} ({reason})") from error


def _read(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise UnreadableFile(f"{path} is a folder, not a file")
        if path.exists() and not path.is_file():  # reading a pipe or a device might never end
            raise UnreadableFile(f"{path} is not a regular file")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UnreadableFile(
                f"{path} is larger than {MAX_FILE_BYTES // 1_000_000} MB", "split it: a document is read as a whole"
            )
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}") from error
