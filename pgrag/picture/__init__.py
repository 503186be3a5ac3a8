"""The picture of a graph: one HTML page that needs no network, drawn by its own small force layout on a canvas.

`GraphPicture` says what is drawn, `render_page` writes the page. The page's parts lie beside this module:
`page.html.j2`, `picture.css`, and `script/`, one file for each thing the page does.
"""

from __future__ import annotations

from pgrag.picture.graph import GraphPicture, PictureEdge, PictureNode
from pgrag.picture.page import render_page

__all__ = ["GraphPicture", "PictureEdge", "PictureNode", "render_page"]
