"""Small files of every kind, made by the libraries that others write them with, and by hand where damage is wanted."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence

import docx
import openpyxl
import pptx
from reportlab.pdfgen.canvas import Canvas

XHTML = (
    '<?xml version="1.0" encoding="utf-8"?>'
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title></head><body>{body}</body></html>'
)


def pdf(*pages: str, title: str = "Engines", author: str = "Ada", password: str | None = None) -> bytes:
    """A page for each text; a blank text leaves the page empty. With a password the file is encrypted."""
    stream = io.BytesIO()
    canvas = Canvas(stream, encrypt=password)
    canvas.setTitle(title)
    canvas.setAuthor(author)
    for text in pages:
        for number, line in enumerate(text.splitlines()):
            canvas.drawString(72, 750 - 15 * number, line)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def pdf_by_hand(*objects: bytes) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalog."""
    content, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    tail = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(content))
    return content + head + table + tail


def word(fill: Callable[[docx.document.Document], object]) -> bytes:
    """A Word document, as filled."""
    return _saved(docx.Document(), fill)


def slides(fill: Callable[[pptx.presentation.Presentation], object]) -> bytes:
    """A presentation, as filled."""
    return _saved(pptx.Presentation(), fill)


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """A workbook: rows of values by the names of its sheets."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.properties.creator = "Ada"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def epub(
    pages: Mapping[str, str], order: Sequence[str] | None = None, members: Mapping[str, str] | None = None
) -> bytes:
    """A book: pages by their names, read in the order (else their own), and further members of the archive."""
    items = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in pages)
    spine = "".join(f'<itemref idref="{name}"/>' for name in order or pages)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>Engines</dc:title><dc:creator>Ada</dc:creator><dc:creator>Charles</dc:creator><dc:date>1843</dc:date>"
        f"</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="in/book.opf"/></container>',
            "in/book.opf": package,
            **{f"in/{name}.xhtml": page for name, page in pages.items()},
            **(members or {}),
        }
    )


def archive(members: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return stream.getvalue()


def exchanged(content: bytes, member: str, new: str | bytes) -> bytes:
    """The archive, with another content of one member."""
    with zipfile.ZipFile(io.BytesIO(content)) as made:
        members = {name: made.read(name) for name in made.namelist()}
    assert member in members
    return archive({**members, member: new})


def one_of_each() -> Mapping[str, bytes]:
    """By suffix, a file that says "Ada wrote programs." and little else."""
    said = "Ada wrote programs."
    return {
        ".pdf": pdf(said),
        ".docx": word(lambda document: document.add_paragraph(said)),
        ".pptx": slides(lambda deck: _titled(deck, said)),
        ".xlsx": workbook({"Notes": [[said]]}),
        ".csv": said.encode(),
        ".tsv": said.encode(),
        ".html": f"<p>{said}</p>".encode(),
        ".epub": epub({"one": XHTML.format(title="One", body=f"<p>{said}</p>")}),
    }


def _titled(deck: pptx.presentation.Presentation, title: str) -> None:
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = title


def _saved(made: docx.document.Document | pptx.presentation.Presentation, fill: Callable[..., object]) -> bytes:
    fill(made)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()
