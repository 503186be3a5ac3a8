"""What a loader is: a function from a file's bytes to its text. One module per kind of file has one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from pgrag.cleaning import sanitize_document
from pgrag.errors import UnreadableFile


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


@dataclass(frozen=True)
class Entry:
    """A document that a file holds: its id, the path it is shown under, and its text or the reason why it has none."""

    id: str
    file_path: str
    loaded: LoadedFile | UnreadableFile


# The path is for messages; the content has been read. Raises UnreadableFile.
Loader = Callable[[Path, bytes], LoadedFile]


def properties(
    title: str | None = None, author: str | None = None, created: str | date | None = None
) -> Mapping[str, object]:
    """What a file says about itself, under the names that all kinds share. What it does not say is left out.

    `created` is as the file has it; a date that the library has understood is in ISO 8601.
    """
    when = created.isoformat() if isinstance(created, date) else created
    said = {"title": title, "author": author, "created": when}
    return {name: text for name, value in said.items() if (text := sanitize_document(value or ""))}
