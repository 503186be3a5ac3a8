"""From the paths a user names to files, each with the key that becomes its document's id.

A file's key is its path relative to a root: the root given, else the folder named, else the file's own folder. Paths
are compared after following symbolic links, so a file has one key however it is named, and is taken once. Only a link
that leads out of its root keeps its own place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pgrag.errors import InvalidArgument, UnreadableFile
from pgrag.loaders.load import SUFFIXES


@dataclass(frozen=True)
class FoundFile:
    """A file: its absolute path without symbolic links, and its key, relative and with forward slashes."""

    path: Path
    key: str


@dataclass(frozen=True)
class Found:
    """The files meant, each once and each with another key, and what was passed over below the folders named."""

    files: tuple[FoundFile, ...]
    skipped: tuple[Path, ...]


def find_files(paths: Sequence[Path], root: Path | None = None) -> Found:
    """The files named and those below the folders named, in the order of `paths`, folders in the order of names.

    A file named is taken whatever its kind. Below a folder, hidden files and folders are left out; what is of a kind
    that cannot be read, or cannot be entered, is left out and reported as skipped.

    Raises UnreadableFile for a path where nothing is; InvalidArgument for a root that is no folder, a file outside
    the root, and two files of one key.
    """
    if root is not None and not root.is_dir():
        raise InvalidArgument(f"the root {str(root)!r} is not a folder")
    sources: dict[str, Path] = {}
    seen: set[Path] = set()
    skipped: list[Path] = []
    for named in paths:
        base = _own_root(named) if root is None else root.resolve()
        for place in _walk(named, skipped):
            path = place.resolve()
            if path not in seen:
                seen.add(path)
                key = _key(path, place, base)
                _refuse_namesake(key, path, sources)
                sources[key] = path
    files = tuple(FoundFile(path, key) for key, path in sources.items())
    return Found(files, tuple(dict.fromkeys(skipped)))


def _own_root(named: Path) -> Path:
    path = named.resolve()
    return path if path.is_dir() else path.parent


def _walk(named: Path, skipped: list[Path]) -> Iterator[Path]:
    """The place of the file itself, or of each readable file below the folder; the others go to `skipped`."""
    _refuse_nothing(named)
    waiting, entered = [_place(named)], set[Path]()
    while waiting:
        place = waiting.pop()
        if _is_folder(place):
            folder = place.resolve()
            if folder not in entered:  # else: a loop of symbolic links, or a second way to one folder
                entered.add(folder)
                waiting.extend(reversed(_entries(place, skipped)))
        elif _is_readable_kind(place) or not entered:
            yield place
        else:
            skipped.append(place)


def _refuse_nothing(named: Path) -> None:
    try:
        is_there = named.exists()
    except OSError as error:
        raise UnreadableFile(f"{named} cannot be read: {error.strerror or error}") from error
    if not is_there:
        raise UnreadableFile(f"there is no file or folder {str(named)!r}")


def _place(named: Path) -> Path:
    """The absolute path with every symbolic link followed but the last."""
    return named.resolve() if named.name in ("", "..") else named.parent.resolve() / named.name


def _entries(folder: Path, skipped: list[Path]) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        skipped.append(folder)
        return []


def _is_folder(place: Path) -> bool:
    try:
        return place.is_dir()
    except OSError:
        return False


def _is_readable_kind(place: Path) -> bool:
    try:
        return place.suffix.lower() in SUFFIXES and place.is_file() and _is_unicode(place.name)
    except OSError:
        return False


def _key(path: Path, place: Path, root: Path) -> str:
    """The file's path below the root; for a link that leads out of the root, the link's own."""
    inside = next((where for where in (path, place) if where.is_relative_to(root)), None)
    if inside is None:
        raise InvalidArgument(f"{str(path)!r} is outside the root {str(root)!r}", "name a root that holds every file")
    key = inside.relative_to(root).as_posix()
    if not _is_unicode(key):
        raise UnreadableFile(f"the file name {key!a} is not UTF-8", "rename the file")
    return key


def _refuse_namesake(key: str, path: Path, sources: dict[str, Path]) -> None:
    if key in sources:
        raise InvalidArgument(
            f"{str(sources[key])!r} and {str(path)!r} would both be document {key!r}",
            "tell them apart with --root: a folder that holds both",
        )


def _is_unicode(name: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in name)
