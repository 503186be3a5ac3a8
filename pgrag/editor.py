"""Editing for both clients: the same methods, once waiting and once awaiting; what they do, `pgrag.editing` says."""

from __future__ import annotations

from collections.abc import Sequence

from pgrag.editing import DuplicateInfo, Editing, EntityInfo, EntityListed, EntityMatched, RelationInfo
from pgrag.perform import AsyncPerformer, Performer


class Editor:
    """The methods of `PgRAG` that edit entities, relations and names. Each is one transaction."""

    _performer: Performer
    _editing: Editing

    def entity(self, name: str) -> EntityInfo:
        """Everything about one entity, by its name or an alias. Raises UnknownEntity."""
        return self._performer.run(self._editing.entity(name))

    def entities(self, top_k: int = 100) -> list[EntityListed]:
        """The entities of the workspace, those with most relations first."""
        return self._performer.run(self._editing.entities(top_k))

    def match_entities(self, name: str, top_k: int = 10) -> list[EntityMatched]:
        """The entities whose name is, begins with, contains or resembles `name`, best first. Asks no model."""
        return self._performer.run(self._editing.match_entities(name, top_k))

    def duplicates(
        self,
        name: str | None = None,
        *,
        top_k: int = 50,
        min_similarity: float = 0.4,
        max_distance: float = 0.15,
    ) -> list[DuplicateInfo]:
        """Pairs of entities that may be one, best first, by likeness of names (0..1) and cosine distance (0..2)."""
        return self._performer.run(self._editing.duplicates(name, top_k, min_similarity, max_distance))

    def create_entity(self, name: str, *, type: str | None = None, description: str | None = None) -> EntityInfo:
        """Make an entity that needs no document. Raises InvalidArgument for a name that is taken."""
        return self._performer.run(self._editing.create_entity(name, type, description))

    def edit_entity(self, name: str, *, type: str | None = None, description: str | None = None) -> EntityInfo:
        """Give an entity another type or description (None: as it is), which win over every document."""
        return self._performer.run(self._editing.edit_entity(name, type, description))

    def reset_entity(self, name: str) -> EntityInfo:
        """Take back what was edited of an entity: what documents say counts again."""
        return self._performer.run(self._editing.reset_entity(name))

    def rename_entity(self, name: str, new_name: str) -> EntityInfo:
        """Give an entity another name; the old one still leads to it. Raises InvalidArgument for a taken name."""
        return self._performer.run(self._editing.rename_entity(name, new_name))

    def merge_entities(self, names: Sequence[str], *, into: str) -> EntityInfo:
        """Make several entities one, for later documents too. `into`: one of them, another, or a new name."""
        return self._performer.run(self._editing.merge_entities(names, into))

    def unmerge_entity(self, name: str) -> EntityInfo | None:
        """Undo the merging of a name: its entity, as it was; None when no document speaks of it any more."""
        return self._performer.run(self._editing.unmerge_entity(name))

    def delete_entity(self, name: str) -> int:
        """Delete an entity, and all that was said of it: how many relations went with it."""
        return self._performer.run(self._editing.delete_entity(name))

    def relation(self, source: str, target: str) -> RelationInfo:
        """Everything about the relation of two entities, in either order. Raises UnknownRelation."""
        return self._performer.run(self._editing.relation(source, target))

    def create_relation(
        self,
        source: str,
        target: str,
        *,
        keywords: Sequence[str] = (),
        description: str | None = None,
        weight: float = 1.0,
    ) -> RelationInfo:
        """Relate two entities, which needs no document. Raises InvalidArgument when they are related already."""
        return self._performer.run(self._editing.create_relation(source, target, keywords, description, weight))

    def edit_relation(
        self,
        source: str,
        target: str,
        *,
        keywords: Sequence[str] | None = None,
        description: str | None = None,
        weight: float | None = None,
    ) -> RelationInfo:
        """Give a relation other keywords, description or weight (None: as it is), which win over every document."""
        return self._performer.run(self._editing.edit_relation(source, target, keywords, description, weight))

    def reset_relation(self, source: str, target: str) -> RelationInfo:
        """Take back what was edited of a relation: what documents say counts again."""
        return self._performer.run(self._editing.reset_relation(source, target))

    def delete_relation(self, source: str, target: str) -> None:
        """Delete a relation, and all that was said of it; its ends stay."""
        self._performer.run(self._editing.delete_relation(source, target))


class AsyncEditor:
    """The methods of `AsyncPgRAG` that edit entities, relations and names. Each is one transaction."""

    _performer: AsyncPerformer
    _editing: Editing

    async def entity(self, name: str) -> EntityInfo:
        """Everything about one entity, by its name or an alias. Raises UnknownEntity."""
        return await self._performer.run(self._editing.entity(name))

    async def entities(self, top_k: int = 100) -> list[EntityListed]:
        """The entities of the workspace, those with most relations first."""
        return await self._performer.run(self._editing.entities(top_k))

    async def match_entities(self, name: str, top_k: int = 10) -> list[EntityMatched]:
        """The entities whose name is, begins with, contains or resembles `name`, best first. Asks no model."""
        return await self._performer.run(self._editing.match_entities(name, top_k))

    async def duplicates(
        self,
        name: str | None = None,
        *,
        top_k: int = 50,
        min_similarity: float = 0.4,
        max_distance: float = 0.15,
    ) -> list[DuplicateInfo]:
        """Pairs of entities that may be one, best first, by likeness of names (0..1) and cosine distance (0..2)."""
        return await self._performer.run(self._editing.duplicates(name, top_k, min_similarity, max_distance))

    async def create_entity(self, name: str, *, type: str | None = None, description: str | None = None) -> EntityInfo:
        """Make an entity that needs no document. Raises InvalidArgument for a name that is taken."""
        return await self._performer.run(self._editing.create_entity(name, type, description))

    async def edit_entity(self, name: str, *, type: str | None = None, description: str | None = None) -> EntityInfo:
        """Give an entity another type or description (None: as it is), which win over every document."""
        return await self._performer.run(self._editing.edit_entity(name, type, description))

    async def reset_entity(self, name: str) -> EntityInfo:
        """Take back what was edited of an entity: what documents say counts again."""
        return await self._performer.run(self._editing.reset_entity(name))

    async def rename_entity(self, name: str, new_name: str) -> EntityInfo:
        """Give an entity another name; the old one still leads to it. Raises InvalidArgument for a taken name."""
        return await self._performer.run(self._editing.rename_entity(name, new_name))

    async def merge_entities(self, names: Sequence[str], *, into: str) -> EntityInfo:
        """Make several entities one, for later documents too. `into`: one of them, another, or a new name."""
        return await self._performer.run(self._editing.merge_entities(names, into))

    async def unmerge_entity(self, name: str) -> EntityInfo | None:
        """Undo the merging of a name: its entity, as it was; None when no document speaks of it any more."""
        return await self._performer.run(self._editing.unmerge_entity(name))

    async def delete_entity(self, name: str) -> int:
        """Delete an entity, and all that was said of it: how many relations went with it."""
        return await self._performer.run(self._editing.delete_entity(name))

    async def relation(self, source: str, target: str) -> RelationInfo:
        """Everything about the relation of two entities, in either order. Raises UnknownRelation."""
        return await self._performer.run(self._editing.relation(source, target))

    async def create_relation(
        self,
        source: str,
        target: str,
        *,
        keywords: Sequence[str] = (),
        description: str | None = None,
        weight: float = 1.0,
    ) -> RelationInfo:
        """Relate two entities, which needs no document. Raises InvalidArgument when they are related already."""
        return await self._performer.run(self._editing.create_relation(source, target, keywords, description, weight))

    async def edit_relation(
        self,
        source: str,
        target: str,
        *,
        keywords: Sequence[str] | None = None,
        description: str | None = None,
        weight: float | None = None,
    ) -> RelationInfo:
        """Give a relation other keywords, description or weight (None: as it is), which win over every document."""
        return await self._performer.run(self._editing.edit_relation(source, target, keywords, description, weight))

    async def reset_relation(self, source: str, target: str) -> RelationInfo:
        """Take back what was edited of a relation: what documents say counts again."""
        return await self._performer.run(self._editing.reset_relation(source, target))

    async def delete_relation(self, source: str, target: str) -> None:
        """Delete a relation, and all that was said of it; its ends stay."""
        await self._performer.run(self._editing.delete_relation(source, target))
