"""HTML: readable text, headings for chunking, and no more than a reader sees."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.loaders.limits import MAX_MARKUP_BYTES
from pgrag.loaders.markup import read_markup

from .conftest import Load, Refusal

TAGS = ["p", "h2", "li", "ul", "ol", "table", "tr", "td", "pre", "br", "div", "b", "nav", "script", "title", "dialog"]
MARKUP = st.lists(
    st.one_of(
        st.sampled_from(TAGS).flatmap(lambda tag: st.sampled_from([f"<{tag}>", f"</{tag}>"])), st.text(max_size=5)
    )
)


def text_of(html: str) -> str:
    return read_markup(Path("a.html"), html).text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            "<h1>Of <em>engines</em></h1><p>One\n two.<p>Three.<h3>Cogs</h3>",
            "# Of engines\n\nOne two.\n\nThree.\n\n### Cogs",
        ),
        ("one<br>two  <b>bold</b>ly &amp; &eacute;&nbsp;&#x41;", "one\ntwo boldly & é A"),
        ("<ul><li>a<li>b <i>c</i></ul>after", "- a\n- b c\n\nafter"),
        ("<ol><li>a</li><li>b</li></ol><ul><li>c<ol><li>d</ol><li>e</ul>", "1. a\n2. b\n- c\n1. d\n- e"),
        ("<pre>\n  # no heading\n<b>b</b>  c\n</pre>", "```\n  # no heading\nb  c\n```"),
        ("<pre>```\ncode\n```</pre><pre> </pre>", "````\n```\ncode\n```\n````"),
        ("<nav>menu</nav><script>if (a<b) x()</script><style>p{}</style><p hidden>no</p>yes", "yes"),
        ("<div role=navigation>menu<p>more</div><noscript>no</noscript><svg><text>no</text></svg>yes", "yes"),
        ("<blockquote><p>said</p></blockquote><dl><dt>term<dd>meaning</dl>", "said\n\nterm\n\nmeaning"),
        ("<ul><li><h2>Point</h2><p>more</ul>", "## Point\n\nmore"),
        ("a<!-- no -->b<?no?>c", "abc"),
        ("<h2> </h2><p> <ul><li></ul><table><tr><td></table>x", "x"),
    ],
)
def test_text(html: str, text: str) -> None:
    assert text_of(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            "<table><caption>Cap</caption><thead><tr><th>A<th>B<tbody><tr><td><p>1</p><p>2</p><td>x|y</table>",
            "Cap\n\n| A | B |\n| --- | --- |\n| 1 2 | x\\|y |",
        ),
        (
            "<table><tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
            "| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |",
        ),
        ("<table><tr><td colspan=x rowspan=-1>1<td colspan=0>2</table>", "| 1 | 2 |\n| --- | --- |"),
        ("<td>no table</td>", "no table"),
    ],
)
def test_tables(html: str, text: str) -> None:
    assert text_of(html) == text


def test_a_table_that_arranges_the_page_is_text() -> None:
    layout = "<table><tr><td>left<td>mid <h2>Head</h2>body<table><tr><td>in<td>ner</table><td>right</table>"
    assert text_of(layout) == "left\n\nmid\n\n## Head\n\nbody\n\n| in | ner |\n| --- | --- |\n\nright"


@given(MARKUP)
def test_any_markup_is_read(pieces: list[str]) -> None:
    text = text_of("".join(pieces))
    assert "<p>" not in text
    assert text == text.strip("\n")


@given(st.lists(st.text(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1))
def test_every_paragraph_comes_back(paragraphs: list[str]) -> None:
    assert text_of("".join(f"<p>{text}" for text in paragraphs)) == "\n\n".join(paragraphs)


def test_what_a_page_says_about_itself(load: Load) -> None:
    head = "<title>On &amp; <b>about\n engines</title><meta name=Author content=Ada><svg><title>no</title></svg>"
    dates = "<meta property=article:published_time content=1843-09-01><meta name=date content=1850>"
    loaded = load("a.html", f"<html><head>{head}{dates}</head><body>text</body></html>".encode())
    assert loaded.metadata == {"title": "On & <b>about engines", "author": "Ada", "created": "1843-09-01"}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Zoë".encode(), "Zoë"),
        ("\ufeffZoë".encode("utf-16-le"), "Zoë"),
        ('<meta charset="iso-8859-1">Zoë’'.encode("cp1252"), "Zoë’"),
        ('<META http-equiv="Content-Type" content="text/html; charset=big5">技術'.encode("big5"), "技術"),
        ('<meta charset="latin-1"><meta charset=utf-8>Zoë'.encode("latin-1"), "Zoë"),
    ],
)
def test_encodings(load: Load, content: bytes, text: str) -> None:
    assert load("a.HTM", content).text == text


def test_xhtml(load: Load) -> None:
    head = '<?xml version="1.0" encoding="latin-1"?><!DOCTYPE html SYSTEM "http://nowhere.invalid/x.dtd">'
    body = '<head><title/><script src="x"/></head><body><p>Zoë&nbsp;&eacute;<br/>b</p></body>'
    page = f'<html xmlns="http://www.w3.org/1999/xhtml">{body}</html>'
    assert load("a.xhtml", (head + page).encode("latin-1")).text == "Zoë é\nb"
    assert load("a.xhtml", (head + "<p>Zoë<br>b").encode("latin-1")).text == "Zoë\nb"


def test_refused(refusal: Refusal) -> None:
    assert "is empty" in refusal("a.html", b"<title>only</title><script>x</script>")
    assert "not UTF-8: byte 2" in refusal("a.html", "Zoë".encode("latin-1"))
    assert "'klingon', an encoding that is not known" in refusal("a.html", b"<meta charset=klingon>x")
    assert "NUL character" in refusal("a.html", b"<p>a\0b")
    assert "is larger than 50 MB" in refusal("a.html", b" " * MAX_MARKUP_BYTES + b"xy")


@pytest.mark.parametrize(
    "html",
    ["<table><tr><td>" * 30_000, "<div>" * 100_000, "< " * 100_000, "<td>" + "<p>a" * 100_000, "<ul><li>" * 50_000],
)
def test_depth_is_no_trap(html: str) -> None:
    started = time.process_time()
    assert "end" in text_of(html + "end")
    assert time.process_time() - started < 10


def test_cells_without_end(refusal: Refusal) -> None:
    assert "too large once unfolded" in refusal("a.html", b"<table><tr>" + b"<td colspan=999>" * 11_000)
