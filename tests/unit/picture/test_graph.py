"""A graph that cannot be drawn is refused where it is made, with the value that is wrong."""

from __future__ import annotations

import math

import pytest

from pgrag.errors import InvalidArgument
from pgrag.picture import GraphPicture, PictureEdge, PictureNode


def node(number: int) -> PictureNode:
    return PictureNode(number, f"Entity {number}", "Person", "", 1)


def edge(source: int, target: int, weight: float = 1.0) -> PictureEdge:
    return PictureEdge(source, target, (), "", weight)


def picture(
    nodes: tuple[PictureNode, ...], edges: tuple[PictureEdge, ...] = (), total: int | None = None
) -> GraphPicture:
    return GraphPicture("A graph", nodes, edges, len(nodes) if total is None else total, len(edges))


def test_an_empty_graph_is_a_graph() -> None:
    assert picture(()).nodes == ()


def test_an_edge_to_a_node_that_is_not_drawn_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="edge 1-7 names node 7, which is not drawn"):
        picture((node(1), node(2)), (edge(1, 2), edge(1, 7)))


def test_two_nodes_of_one_id_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="3 nodes share 2 ids"):
        picture((node(1), node(2), node(1)))


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf])
def test_a_weight_that_is_no_number_is_refused(weight: float) -> None:
    with pytest.raises(InvalidArgument, match="weight of edge 1-2"):
        picture((node(1), node(2)), (edge(1, 2, weight),))


def test_a_total_below_what_is_drawn_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="total_nodes is 1, but 2 are drawn"):
        picture((node(1), node(2)), total=1)
