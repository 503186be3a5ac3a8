"""PPTX: each slide's title, texts, tables and notes, shapes in their order on the slide."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pgrag.errors import UnreadableFile
from pgrag.loaders.archive import open_archive
from pgrag.loaders.loaded import LoadedFile, Part, properties
from pgrag.loaders.tables import markdown_table

if TYPE_CHECKING:
    from pptx.slide import Slide


def load_pptx(path: Path, content: bytes) -> LoadedFile:
    """A part for each slide with text: {"slide": number from 1}; its title is a Markdown heading.

    Raises UnreadableFile.
    """
    import pptx

    open_archive(path, content)
    try:
        presentation = pptx.Presentation(io.BytesIO(content))
    except ValueError as error:  # a package of another kind
        raise UnreadableFile(f"{path} is no presentation, but of another kind") from error
    about = presentation.core_properties
    texts = ("\n\n".join(_blocks(slide)) for slide in presentation.slides)
    parts = tuple(Part(text, {"slide": number}) for number, text in enumerate(texts, start=1) if text)
    return LoadedFile(parts, properties(about.title, about.author, about.created))


def _blocks(slide: Slide) -> Iterator[str]:
    title = slide.shapes.title
    if title is not None and (heading := " ".join(title.text_frame.text.split())):
        yield f"# {heading}"
    own = (shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id)
    yield from _texts(own)
    if slide.has_notes_slide and (frame := slide.notes_slide.notes_text_frame) is not None:
        notes = _tidy(frame.text)
        if notes:
            yield f"Notes: {notes}"


def _texts(shapes: Iterable[Any]) -> Iterator[str]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _texts(shape.shapes)
            continue
        text = ""
        if shape.has_text_frame:
            text = _tidy(shape.text_frame.text)
        elif getattr(shape, "has_table", False):
            text = markdown_table([[cell.text for cell in row.cells] for row in shape.table.rows])
        if text:
            yield text


def _tidy(text: str) -> str:
    """A vertical tab is a line break within a paragraph."""
    return text.replace("\v", "\n").strip()
