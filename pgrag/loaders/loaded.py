"""What a loader is: a function from a file's bytes to its text. One module per kind of file has one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class LoadedFile:
    """The text of a file, and what the file says about itself (title, author …; JSON values)."""

    text: str
    metadata: Mapping[str, object] = field(default_factory=dict)


# The path is for messages; the content has been read. Raises UnreadableFile.
Loader = Callable[[Path, bytes], LoadedFile]
