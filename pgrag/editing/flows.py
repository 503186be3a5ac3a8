"""Editing as flows: one SQL function each, in its own transaction, then the vectors of what changed, made anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pgrag.editing import calls
from pgrag.editing.rows import DuplicateInfo, EntityInfo, EntityListed, EntityMatched, RelationInfo
from pgrag.flow import Flow

T = TypeVar("T")


@dataclass(frozen=True)
class Editing:
    """A workspace, and how what became stale there is refreshed (within a caller's transaction: not at all)."""

    workspace: str
    refreshed: Callable[[], Flow[None]]

    def entity(self, name: str) -> Flow[EntityInfo]:
        return (yield from calls.entity_details(self.workspace, name))[0]

    def entities(self, top_k: int) -> Flow[list[EntityListed]]:
        return (yield from calls.list_entities(self.workspace, top_k))

    def match_entities(self, name: str, top_k: int) -> Flow[list[EntityMatched]]:
        return (yield from calls.match_entities(self.workspace, name, top_k))

    def duplicates(
        self, name: str | None, top_k: int, min_similarity: float, max_distance: float
    ) -> Flow[list[DuplicateInfo]]:
        return (yield from calls.duplicate_candidates(self.workspace, name, top_k, min_similarity, max_distance))

    def create_entity(self, name: str, type: str | None, description: str | None) -> Flow[EntityInfo]:
        yield from calls.create_entity(self.workspace, name, type, description)
        return (yield from self._refreshed_entity(name))

    def edit_entity(self, name: str, type: str | None, description: str | None) -> Flow[EntityInfo]:
        yield from calls.edit_entity(self.workspace, name, type, description)
        return (yield from self._refreshed_entity(name))

    def reset_entity(self, name: str) -> Flow[EntityInfo]:
        yield from calls.reset_entity(self.workspace, name)
        return (yield from self._refreshed_entity(name))

    def rename_entity(self, name: str, new_name: str) -> Flow[EntityInfo]:
        yield from calls.rename_entity(self.workspace, name, new_name)
        return (yield from self._refreshed_entity(new_name))

    def merge_entities(self, names: Sequence[str], into: str) -> Flow[EntityInfo]:
        yield from calls.merge_entities(self.workspace, names, into)
        return (yield from self._refreshed_entity(into))

    def unmerge_entity(self, name: str) -> Flow[EntityInfo | None]:
        (found,) = yield from calls.unmerge_entity(self.workspace, name)
        yield from self.refreshed()
        return None if found is None else (yield from self.entity(name))

    def delete_entity(self, name: str) -> Flow[int]:
        (relations,) = yield from calls.delete_entity(self.workspace, name)
        yield from self.refreshed()
        return relations

    def relation(self, source: str, target: str) -> Flow[RelationInfo]:
        return (yield from calls.relation_details(self.workspace, source, target))[0]

    def create_relation(
        self, source: str, target: str, keywords: Sequence[str], description: str | None, weight: float
    ) -> Flow[RelationInfo]:
        yield from calls.create_relation(self.workspace, source, target, keywords, description, weight)
        return (yield from self._refreshed_relation(source, target))

    def edit_relation(
        self,
        source: str,
        target: str,
        keywords: Sequence[str] | None,
        description: str | None,
        weight: float | None,
    ) -> Flow[RelationInfo]:
        yield from calls.edit_relation(self.workspace, source, target, keywords, description, weight)
        return (yield from self._refreshed_relation(source, target))

    def reset_relation(self, source: str, target: str) -> Flow[RelationInfo]:
        yield from calls.reset_relation(self.workspace, source, target)
        return (yield from self._refreshed_relation(source, target))

    def delete_relation(self, source: str, target: str) -> Flow[None]:
        yield from calls.delete_relation(self.workspace, source, target)
        yield from self.refreshed()

    def _refreshed_entity(self, name: str) -> Flow[EntityInfo]:
        yield from self.refreshed()
        return (yield from self.entity(name))

    def _refreshed_relation(self, source: str, target: str) -> Flow[RelationInfo]:
        yield from self.refreshed()
        return (yield from self.relation(source, target))
