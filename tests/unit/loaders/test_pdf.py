"""PDF: pages, properties, and what cannot be read."""

from __future__ import annotations

import io
import logging
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from support.book_files import pdf, pdf_by_hand

from pgrag.errors import UnreadableFile
from pgrag.loaders.limits import Allowance
from pgrag.loaders.loaded import Part
from pgrag.loaders.pdf import load_pdf

from .conftest import Refusal

PATH = Path("report.pdf")
CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = (
    b"<</Parent 2 0 R/Type/Page/MediaBox[0 0 9 9]/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>/Contents 4 0 R>>"
)
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
SAY = b"BT /F 9 Tf (hello) Tj ET"


def stream(content: bytes, about: bytes = b"") -> bytes:
    return b"<</Length %d%b>>\nstream\n%b\nendstream" % (len(content), about, content)


def test_a_part_for_each_page_with_text() -> None:
    loaded = load_pdf(PATH, pdf("Page one.\nSecond line.", "", "Page three."))
    assert [(part.text.strip(), part.place) for part in loaded.parts] == [
        ("Page one.\nSecond line.", {"page": 1}),
        ("Page three.", {"page": 3}),
    ]


def test_what_it_says_about_itself() -> None:
    about = load_pdf(PATH, pdf("text")).metadata
    assert (about["title"], about["author"]) == ("Engines", "Ada")
    assert str(about["created"])[:2] == "20"


def test_a_date_in_no_known_form_is_kept_as_it_stands() -> None:
    content = pdf_by_hand(CATALOG, PAGES, PAGE, stream(SAY), FONT).replace(
        b"/Root 1 0 R", b"/Root 1 0 R/Info<</CreationDate(in spring)/Title()>>"
    )
    assert load_pdf(PATH, content).metadata == {"created": "in spring"}


def test_a_password_for_reading(refusal: Refusal) -> None:
    assert "encrypted: it opens with a password only" in refusal("a.pdf", pdf("secret", password="open"))


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256"])
def test_a_password_only_for_changes_is_no_hindrance(algorithm: str) -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("not secret"))))
    writer.encrypt("", "owner", algorithm=algorithm)
    made = io.BytesIO()
    writer.write(made)
    assert load_pdf(PATH, made.getvalue()).text.strip() == "not secret"


def test_pictures_of_text(refusal: Refusal) -> None:
    assert "no text on any of its 2 pages" in refusal("a.pdf", pdf("", " "))


@pytest.mark.parametrize("content", [b"no pdf", b"PK\x03\x04", b"%PDF-1.7\n", pdf("text")[:200]])
def test_damage(refusal: Refusal, content: bytes) -> None:
    assert "is damaged, or " in refusal("a.pdf", content)


def test_a_drawing_that_unfolds_without_end() -> None:
    forms = [
        stream(b"/X Do " * 10 + SAY, b"/Subtype/Form/Resources<</Font<</F 5 0 R>>/XObject<</X %d 0 R>>>>" % (6 + depth))
        for depth in range(1, 20)
    ]
    content = pdf_by_hand(CATALOG, PAGES, PAGE, stream(b"/X Do"), FONT, *forms, stream(SAY, b"/Subtype/Form"))
    with suppress(UnreadableFile):
        assert len(load_pdf(PATH, content).text) < 1_000_000


def test_steps_are_counted_over_all_pages(refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pgrag.loaders.pdf.Allowance", lambda path: Allowance(path, steps=30))
    load_pdf(PATH, pdf("one"))
    assert "too large once unfolded" in refusal("a.pdf", pdf(*["page"] * 30))


def test_a_stream_that_unpacks_to_more_than_is_read(refusal: Refusal) -> None:
    packed = stream(zlib.compress(SAY * 5_000_000, 9), b"/Filter/FlateDecode")
    assert "limit" in refusal("a.pdf", pdf_by_hand(CATALOG, PAGES, PAGE, packed, FONT)).lower()


def test_pages_in_a_circle(refusal: Refusal) -> None:
    assert "cyclic" in refusal("a.pdf", pdf_by_hand(CATALOG, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"))


def test_nothing_is_printed_of_what_pypdf_finds_odd(capfd: pytest.CaptureFixture[str]) -> None:
    content = pdf_by_hand(CATALOG, PAGES, PAGE, stream(SAY), FONT).replace(b"startxref\n", b"startxref\n9")
    handlers, logging.root.handlers = logging.root.handlers, []  # pytest's own would take the place of the terminal
    try:
        assert load_pdf(PATH, content).parts == (Part("hello", {"page": 1}),)
    finally:
        logging.root.handlers = handlers
    assert capfd.readouterr() == ("", "")
