"""EPUB: chapters in the order of reading."""

from __future__ import annotations

from support.book_files import XHTML, archive, epub, word

from .conftest import Load, Refusal


def page(body: str, title: str = "") -> str:
    return XHTML.format(title=title, body=body)


def test_chapters_in_the_order_of_reading(load: Load) -> None:
    pages = {
        "b": page("<h2>Of cogs &amp; wheels</h2><p>Two.</p>"),
        "a": page("<p>One.</p>", title="Preface"),
        "cover": page("<svg/>"),
        "c": page("Three."),
    }
    loaded = load("a.epub", epub(pages, order=["cover", "a", "b", "missing", "c", "a"]))
    assert [(part.place, part.text) for part in loaded.parts] == [
        ({"chapter": "Preface"}, "One."),
        ({"chapter": "Of cogs & wheels"}, "## Of cogs & wheels\n\nTwo."),
        ({}, "Three."),
    ]
    assert loaded.metadata == {"title": "Engines", "author": "Ada, Charles", "created": "1843"}


def test_names_are_percent_encoded(load: Load) -> None:
    made = epub({"a%20b": page("x")}, members={"in/a b.xhtml": page("found")})
    assert load("a.epub", made).text == "found"


def test_a_page_that_is_no_xml(load: Load) -> None:
    assert load("a.epub", epub({"a": "<?xml version='1.0'?><p>un<br>closed"})).text == "un\nclosed"


def protection(path: str) -> dict[str, str]:
    reference = f'<CipherReference xmlns="http://www.w3.org/2001/04/xmlenc#" URI="{path}"/>'
    return {"META-INF/encryption.xml": f"<encryption><EncryptedData>{reference}</EncryptedData></encryption>"}


def test_scrambled_fonts_are_no_hindrance_scrambled_pages_are(load: Load, refusal: Refusal) -> None:
    pages = {"a": page("text")}
    assert load("a.epub", epub(pages, members=protection("in/font.otf"))).text == "text"
    assert "protected against copying" in refusal("a.epub", epub(pages, members=protection("in/a.xhtml")))


def test_refused(refusal: Refusal) -> None:
    assert "has no 'META-INF/container.xml'" in refusal("a.epub", word(lambda document: None))
    assert "'META-INF/container.xml' is no XML" in refusal("a.epub", archive({"META-INF/container.xml": "<a"}))
    assert "names no package" in refusal("a.epub", archive({"META-INF/container.xml": "<container/>"}))
    assert "is empty" in refusal("a.epub", epub({"a": page("")}))
    broken = archive({"META-INF/container.xml": '<c><rootfile full-path="../../etc/passwd"/></c>'})
    assert "has no '../../etc/passwd'" in refusal("a.epub", broken)


def test_a_file_outside_is_not_looked_up(load: Load) -> None:
    declared = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY out SYSTEM "file:///etc/passwd">]>'
    assert load("a.epub", epub({"a": f"{declared}<html><body>in &out;</body></html>"})).text == "in &out;"
