"""What a loader is: a function from a file's bytes to its text. One module per kind of file has one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Part:
    """A stretch of a file's text, and where in the file it stands: {"page": 3}, {"sheet": "Costs"} … (JSON values)."""

    text: str
    place: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class LoadedFile:
    """A file's text in the order of reading, and what the file says about itself (title, author …; JSON values)."""

    parts: tuple[Part, ...]
    metadata: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The whole text; parts are set apart by an empty line."""
        return "\n\n".join(part.text for part in self.parts)


# The path is for messages; the content has been read. Raises UnreadableFile.
Loader = Callable[[Path, bytes], LoadedFile]
