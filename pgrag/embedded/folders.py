"""Folders of our own, made with the mode we mean, and locks that die with their process."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def make_folder(folder: Path, mode: int) -> None:
    """Makes a folder, and missing ones above it, with this mode whatever the umask; what is there stays as it is."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        try:
            place.mkdir(mode)
        except FileExistsError:  # another process was quicker
            continue
        place.chmod(mode)


def open_to_read(folder: Path) -> None:
    """Lets everybody read a folder of our own and what is below it, whatever the umask was."""
    for place in (folder, *folder.rglob("*")):
        place.chmod(0o755 if place.is_dir() or os.access(place, os.X_OK) else 0o644)


def write_file(path: Path, text: str, mode: int) -> None:
    """Replaces a file at once; whoever reads it meanwhile sees the old one or the new one, and no link is followed."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
        os.fchmod(descriptor, mode)
        file.write(text)
    unfinished.replace(path)


@contextmanager
def lock_file(path: Path) -> Iterator[int]:
    """Holds a lock on a file, made when missing; yields its descriptor. The lock dies with its process."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
