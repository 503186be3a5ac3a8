"""The graph as JSON that may stand inside a `<script>` element: no character in it can end that element.

The page speaks of nodes and types by their position in these lists. Ids travel as strings: a bigint does not fit
into a JavaScript number.
"""

from __future__ import annotations

import json
from typing import Any

from pgrag.picture.graph import GraphPicture
from pgrag.picture.palette import TypeColour, colour_types, type_key

# U+2028 and U+2029 end a line for older JavaScript; `<`, `>` and `&` are all that HTML looks for inside a script.
_ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"})


def embedded_json(graph: GraphPicture) -> str:
    """The graph for the page's script: one JSON object of title, totals, types, nodes and edges."""
    types = colour_types(node.type for node in graph.nodes)
    data = {
        "title": graph.title,
        "total_nodes": graph.total_nodes,
        "total_edges": graph.total_edges,
        "types": [{"label": kind.label, "slot": kind.slot, "count": kind.count} for kind in types],
        "nodes": _nodes(graph, types),
        "edges": _edges(graph),
    }
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPES)


def _nodes(graph: GraphPicture, types: tuple[TypeColour, ...]) -> list[dict[str, Any]]:
    position = {kind.key: index for index, kind in enumerate(types)}
    return [
        {
            "id": str(node.id),
            "name": node.name,
            "type": position[type_key(node.type)],
            "description": node.description,
            "degree": node.degree,
        }
        for node in graph.nodes
    ]


def _edges(graph: GraphPicture) -> list[dict[str, Any]]:
    position = {node.id: index for index, node in enumerate(graph.nodes)}
    return [
        {
            "source": position[edge.source_id],
            "target": position[edge.target_id],
            "keywords": list(edge.keywords),
            "description": edge.description,
            "weight": edge.weight,
        }
        for edge in graph.edges
    ]
