"""What a picture is drawn of: entities, the relations between them, and how many there are in all.

The caller chooses which entities are drawn; the picture only needs every relation to join two of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pgrag.errors import InvalidArgument


@dataclass(frozen=True)
class PictureNode:
    """One entity. `degree` counts its relations in the whole workspace, drawn or not."""

    id: int
    name: str
    type: str
    description: str
    degree: int


@dataclass(frozen=True)
class PictureEdge:
    """One relation between two drawn entities; the direction is as first said."""

    source_id: int
    target_id: int
    keywords: tuple[str, ...]
    description: str
    weight: float


@dataclass(frozen=True)
class GraphPicture:
    """A drawable graph, and the size of the graph that it was taken from.

    Raises InvalidArgument when two nodes share an id, an edge names a node that is not drawn, a weight is not
    finite, or a total is smaller than what is drawn.
    """

    title: str
    nodes: tuple[PictureNode, ...]
    edges: tuple[PictureEdge, ...]
    total_nodes: int
    total_edges: int

    def __post_init__(self) -> None:
        ids = {node.id for node in self.nodes}
        if len(ids) < len(self.nodes):
            raise InvalidArgument(f"{len(self.nodes)} nodes share {len(ids)} ids", "give every node an id of its own")
        for edge in self.edges:
            _check_edge(edge, ids)
        _check_total("total_nodes", self.total_nodes, len(self.nodes))
        _check_total("total_edges", self.total_edges, len(self.edges))


def _check_edge(edge: PictureEdge, ids: set[int]) -> None:
    for end in (edge.source_id, edge.target_id):
        if end not in ids:
            raise InvalidArgument(
                f"the edge {edge.source_id}-{edge.target_id} names node {end}, which is not drawn",
                "leave out edges whose two ends are not both among the nodes",
            )
    if not math.isfinite(edge.weight):
        raise InvalidArgument(f"the weight of edge {edge.source_id}-{edge.target_id} is {edge.weight}, not a number")


def _check_total(name: str, total: int, drawn: int) -> None:
    if total < drawn:
        raise InvalidArgument(f"{name} is {total}, but {drawn} are drawn")
