"""The graph as a file for other programs: GraphML, or a JSON object on each line.

It is written row by row, as it was at one moment. Nodes are entities, edges relations, and what they are called by is
the id in the database. Relations have no direction; source and target are as first said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TextIO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from pgrag.errors import InvalidArgument
from pgrag.flow import Call, Flow, stream, transaction
from pgrag.rows import PictureRow

GraphFormat = Literal["graphml", "jsonl"]
ALL_NODES = 2**31 - 1
_ROWS_AT_ONCE = 1000
_NODE_KEYS = {"name": "string", "type": "string", "description": "string", "degree": "int"}
_EDGE_KEYS = {"keywords": "string", "description": "string", "weight": "double"}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class GraphSize:
    """How many entities and relations were written."""

    nodes: int
    edges: int


def write_graph(to: TextIO, format: GraphFormat, max_nodes: int | None, workspace: str) -> Flow[GraphSize]:
    """Write the graph: the max_nodes entities with most relations (None: all), and what relates them.

    Raises InvalidArgument for an unknown format or a max_nodes below 1, and UnknownWorkspace.
    """
    if format not in _WRITERS:
        raise InvalidArgument(f"unknown format {format!r}", f"there are {', '.join(_WRITERS)}")
    writer = _WRITERS[format](to)
    nodes = 0

    def take(rows: Sequence[PictureRow]) -> None:
        nonlocal nodes
        for row in rows:
            nodes += row.kind == "node"
            writer.write(row)

    arguments = {"workspace": workspace, "max_nodes": ALL_NODES if max_nodes is None else max_nodes}
    count = yield from transaction(
        stream(Call("graph_picture", arguments, PictureRow), take, _ROWS_AT_ONCE), snapshot=True
    )
    writer.end()
    return GraphSize(nodes, count - nodes)


class _Writer(Protocol):
    def __init__(self, to: TextIO) -> None: ...
    def write(self, row: PictureRow) -> None: ...
    def end(self) -> None: ...


class _JsonLines:
    """Nodes first: {kind, id, name, type, description, degree}, then {kind, id, source, target, keywords, …}."""

    def __init__(self, to: TextIO) -> None:
        self._to = to

    def write(self, row: PictureRow) -> None:
        told: dict[str, object]
        if row.kind == "node":
            told = {"name": row.name, "type": row.type, "description": row.description, "degree": row.degree}
        else:
            ends = {"source": row.source_id, "target": row.target_id}
            told = {**ends, "keywords": row.keywords, "description": row.description, "weight": row.weight}
        self._to.write(json.dumps({"kind": row.kind, "id": row.id, **told}, ensure_ascii=False) + "\n")

    def end(self) -> None:
        """There is nothing to close."""


class _GraphML:
    """GraphML 1.0, undirected. What XML cannot hold (control characters) becomes U+FFFD."""

    def __init__(self, to: TextIO) -> None:
        self._to = to
        self._xml = XMLGenerator(to, encoding="utf-8")  # type: ignore[arg-type]  # typed as for bytes alone
        self._xml.startDocument()
        self._begin("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
        for owner, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
            for name, kind in keys.items():
                self._begin("key", **{"id": f"{owner}_{name}", "for": owner, "attr.name": name, "attr.type": kind})
                self._xml.endElement("key")
        self._begin("graph", edgedefault="undirected")

    def write(self, row: PictureRow) -> None:
        if row.kind == "node":
            self._begin("node", id=f"e{row.id}")
        else:
            self._begin("edge", id=f"r{row.id}", source=f"e{row.source_id}", target=f"e{row.target_id}")
        for name in _NODE_KEYS if row.kind == "node" else _EDGE_KEYS:
            value = getattr(row, name)
            text = ", ".join(value) if isinstance(value, list) else str(value)
            self._begin("data", key=f"{row.kind}_{name}")
            self._xml.characters(_NO_XML.sub("\ufffd", text))
            self._xml.endElement("data")
        self._xml.endElement(row.kind)
        self._to.write("\n")

    def end(self) -> None:
        self._xml.endElement("graph")
        self._xml.endElement("graphml")
        self._to.write("\n")

    def _begin(self, name: str, **attributes: str) -> None:
        self._xml.startElement(name, AttributesImpl(attributes))


_WRITERS: dict[str, type[_Writer]] = {"graphml": _GraphML, "jsonl": _JsonLines}
