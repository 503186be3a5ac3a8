"""One door to all kinds of files: the suffix chooses the loader."""

from __future__ import annotations

from pathlib import Path

from pgrag.errors import UnreadableFile
from pgrag.loaders.loaded import LoadedFile, Loader
from pgrag.loaders.text import load_text

MAX_FILE_BYTES = 100_000_000

LOADERS: dict[str, Loader] = {
    ".log": load_text,
    ".markdown": load_text,
    ".md": load_text,
    ".rst": load_text,
    ".text": load_text,
    ".txt": load_text,
}
SUFFIXES = frozenset(LOADERS)


def load_file(path: Path) -> LoadedFile:
    """The text of the file, which is not blank, and its metadata.

    Raises UnreadableFile for what is no file, of an unknown kind, larger than MAX_FILE_BYTES, empty, or damaged.
    """
    loader = LOADERS.get(path.suffix.lower())
    content = _read(path)
    if loader is None:
        raise UnreadableFile(
            f"files of kind {path.suffix or 'without a suffix'!r} cannot be taken in: {path}",
            f"these can: {', '.join(sorted(SUFFIXES))}",
        )
    loaded = loader(path, content)
    if not loaded.text.strip():
        raise UnreadableFile(f"{path} is empty")
    return loaded


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
