"""One page that holds everything: data, style and script, each named by its hash in the page's own security policy.

The policy allows nothing but these two texts and the icon in the page, so the page cannot reach a network even if it
wanted to, and a script that came in with somebody's data would not run.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

import jinja2

from pgrag.picture.graph import GraphPicture
from pgrag.picture.payload import embedded_json

# In the order in which they are read; a later one may use what an earlier one defines when the page starts.
SCRIPTS = (
    "graph", "quadtree", "layout", "theme", "camera", "view", "labels", "painter",
    "elements", "search", "panel", "legend", "pointer", "keyboard", "picture", "main",
)  # fmt: skip


def render_page(graph: GraphPicture) -> str:
    """The picture as one self-contained HTML page, to be written as UTF-8."""
    style, script = _style(), _script()
    return _template().render(
        title=graph.title,
        counts=counts_line(graph),
        policy=_policy(style, script),
        style=style,
        script=script,
        data=embedded_json(graph),
    )


def counts_line(graph: GraphPicture) -> str:
    """`529 of 529 entities, 978 of 978 relations`, and by what the drawn ones were chosen when some are left out."""
    chosen = " with most relations" if len(graph.nodes) < graph.total_nodes else ""
    return (
        f"{len(graph.nodes):,} of {graph.total_nodes:,} entities{chosen}, "
        f"{len(graph.edges):,} of {graph.total_edges:,} relations"
    )


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    """The name of an inline text in a security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _read(name: str) -> str:
    return files("pgrag.picture").joinpath(name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    return "\n" + _read("picture.css")


@cache
def _script() -> str:
    """All scripts in one strict function, so that nothing but `window.pgragPicture` is left outside."""
    parts = "\n".join(_read(f"script/{name}.js") for name in SCRIPTS)
    return f'\n"use strict";\n(() => {{\n{parts}}})();\n'


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(_read("page.html.j2"))
