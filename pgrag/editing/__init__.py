"""Entities, relations and names by hand: the calls, the rows, the flows. `pgrag.editor` gives them to both clients."""

from pgrag.editing.flows import Editing
from pgrag.editing.rows import DuplicateInfo, EntityInfo, EntityListed, EntityMatched, RelationInfo

__all__ = ["DuplicateInfo", "Editing", "EntityInfo", "EntityListed", "EntityMatched", "RelationInfo"]
