"""The page is one file that holds everything, allows nothing else, and cannot be broken open by what it shows."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.picture import GraphPicture, PictureEdge, PictureNode, render_page
from pgrag.picture.page import SCRIPTS, counts_line
from pgrag.picture.payload import embedded_json

HOSTILE = [
    "</script><script>window.intruder = 1</script>",
    "<!--<script>",
    '"><img src=x onerror="window.intruder = 1">',
    "'; window.intruder = 1; '",
    "&lt;b&gt; &amp; {{ 7 * 7 }} {% raw %}",
    "line\u2028and\u2029paragraph",
    "聖誕頌歌 🎄👨‍👩‍👧",
    "\u202eright to left\u202c שלום",
    "back\\slash \\u003c",
]
# All characters that the database can hold: no surrogates, no NUL.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


def one_node(name: str, title: str = "A graph", description: str = "", kind: str = "Person") -> GraphPicture:
    return GraphPicture(title, (PictureNode(1, name, kind, description, 0),), (), 1, 0)


class Reader(HTMLParser):
    """Reads a page as a browser would: its elements, and the text inside each script, style and title."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.is_open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside.append("")
        self.is_open = True

    def handle_data(self, data: str) -> None:
        if self.is_open:
            self.inside[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.is_open = False

    def texts_of(self, tag: str) -> list[str]:
        return [text for (name, _), text in zip(self.elements, self.inside, strict=True) if name == tag]

    @property
    def policy(self) -> str:
        return next(str(attrs["content"]) for _, attrs in self.elements if attrs.get("http-equiv"))


def data_of(page: str) -> Any:
    return json.loads(Reader(page).texts_of("script")[0])


@given(texts, texts, texts)
def test_any_text_comes_through_whole(name: str, description: str, kind: str) -> None:
    text = embedded_json(one_node(name, description=description, kind=kind))
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text)["nodes"][0]["name"] == name
    assert json.loads(text)["nodes"][0]["description"] == description


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_adds_no_element(text: str) -> None:
    plain = Reader(render_page(one_node("Scrooge")))
    hostile = Reader(render_page(one_node(text, title=text, description=text, kind=text)))
    assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in plain.elements]
    assert [sorted(attrs) for _, attrs in hostile.elements] == [sorted(attrs) for _, attrs in plain.elements]
    assert hostile.texts_of("title") == hostile.texts_of("h1")[:1] == [text]


def test_the_data_speaks_of_nodes_by_position_and_of_ids_as_text() -> None:
    nodes = (PictureNode(2**60 + 1, "Marley", "GHOST", "Dead.", 1), PictureNode(7, "Scrooge", "Person", "", 1))
    edges = (PictureEdge(7, 2**60 + 1, ("business", "ghost"), "Partners.", 2.5),)
    data = data_of(render_page(GraphPicture("Carol", nodes, edges, 2, 1)))
    assert [node["id"] for node in data["nodes"]] == [str(2**60 + 1), "7"]
    assert data["edges"] == [
        {"source": 1, "target": 0, "keywords": ["business", "ghost"], "description": "Partners.", "weight": 2.5}
    ]
    assert [data["types"][node["type"]]["label"] for node in data["nodes"]] == ["Ghost", "Person"]


def test_the_policy_allows_the_two_texts_of_the_page_and_nothing_else() -> None:
    reader = Reader(render_page(one_node("Scrooge")))
    style, script = reader.texts_of("style")[0], reader.texts_of("script")[1]
    assert reader.policy == (
        f"default-src 'none'; script-src 'sha256-{digest(script)}'; style-src 'sha256-{digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_page_names_no_other_place() -> None:
    page = render_page(one_node("Scrooge"))
    reader = Reader(page)
    links = [value for _, attrs in reader.elements for key, value in attrs.items() if key in ("src", "href")]
    assert all(str(link).startswith("data:") for link in links)
    assert set(re.findall(r"https?://[^'\"\s)]+", page)) == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert not re.search(r"@import|url\(", page)


def test_no_script_reads_text_as_html() -> None:
    for name in SCRIPTS:
        source = files("pgrag.picture").joinpath(f"script/{name}.js").read_text(encoding="utf-8")
        forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|Math\.random"
        assert not re.search(forbidden, source), name


def test_every_script_file_is_in_the_page() -> None:
    there = {entry.name for entry in files("pgrag.picture").joinpath("script").iterdir()}
    assert there == {f"{name}.js" for name in SCRIPTS}


@pytest.mark.parametrize(
    ("drawn", "total", "line"),
    [
        (2, 2, "2 of 2 entities, 0 of 0 relations"),
        (2, 48211, "2 of 48,211 entities with most relations, 0 of 0 relations"),
        (0, 0, "0 of 0 entities, 0 of 0 relations"),
    ],
)
def test_the_page_says_how_much_of_the_graph_it_shows(drawn: int, total: int, line: str) -> None:
    nodes = tuple(PictureNode(number, "", "", "", 0) for number in range(drawn))
    graph = GraphPicture("A graph", nodes, (), total, 0)
    assert counts_line(graph) == line
    assert f'<p class="counts">{line}</p>' in render_page(graph)


def test_the_same_graph_gives_the_same_page() -> None:
    assert render_page(one_node("Scrooge")) == render_page(one_node("Scrooge"))
