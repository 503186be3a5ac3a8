"""The rows of `graph_picture` as the picture that is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from pgrag.picture import GraphPicture, PictureEdge, PictureNode
from pgrag.rows import PictureRow, WorkspaceInfo


def picture_of(rows: Sequence[PictureRow], info: WorkspaceInfo) -> GraphPicture:
    """Nodes and edges, in the order of the rows, and how many the workspace has in all."""
    nodes = tuple(
        PictureNode(row.id, row.name or "", row.type or "", row.description, row.degree or 0)
        for row in rows
        if row.kind == "node"
    )
    edges = tuple(
        PictureEdge(row.source_id or 0, row.target_id or 0, tuple(row.keywords or ()), row.description, row.weight or 0)
        for row in rows
        if row.kind == "edge"
    )
    return GraphPicture(info.workspace, nodes, edges, info.entities, info.relations)
