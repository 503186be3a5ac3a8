"""The SQL functions of editing, as Python calls them."""

from __future__ import annotations

from collections.abc import Sequence

from pgrag.editing.rows import DuplicateInfo, EntityInfo, EntityListed, EntityMatched, RelationInfo
from pgrag.flow import Flow, call


def entity_details(workspace: str, name: str) -> Flow[list[EntityInfo]]:
    return call(EntityInfo, "entity_details", workspace=workspace, name=name)


def relation_details(workspace: str, source: str, target: str) -> Flow[list[RelationInfo]]:
    return call(RelationInfo, "relation_details", workspace=workspace, source=source, target=target)


def list_entities(workspace: str, top_k: int) -> Flow[list[EntityListed]]:
    return call(EntityListed, "list_entities", workspace=workspace, top_k=top_k)


def match_entities(workspace: str, name: str, top_k: int) -> Flow[list[EntityMatched]]:
    return call(EntityMatched, "match_entities", workspace=workspace, name=name, top_k=top_k)


def duplicate_candidates(
    workspace: str, name: str | None, top_k: int, min_similarity: float, max_distance: float
) -> Flow[list[DuplicateInfo]]:
    return call(
        DuplicateInfo,
        "duplicate_candidates",
        workspace=workspace,
        name=name,
        top_k=top_k,
        min_similarity=min_similarity,
        max_distance=max_distance,
    )


def create_entity(workspace: str, name: str, type: str | None, description: str | None) -> Flow[list[int]]:
    return call(int, "create_entity", workspace=workspace, name=name, type=type, description=description)


def edit_entity(workspace: str, name: str, type: str | None, description: str | None) -> Flow[list[int]]:
    return call(int, "edit_entity", workspace=workspace, name=name, type=type, description=description)


def reset_entity(workspace: str, name: str) -> Flow[list[int]]:
    return call(int, "reset_entity", workspace=workspace, name=name)


def rename_entity(workspace: str, name: str, new_name: str) -> Flow[list[int]]:
    return call(int, "rename_entity", workspace=workspace, name=name, new_name=new_name)


def merge_entities(workspace: str, names: Sequence[str], into: str) -> Flow[list[int]]:
    return call(int, "merge_entities", workspace=workspace, names=list(names), into_name=into)


def unmerge_entity(workspace: str, name: str) -> Flow[list[int | None]]:
    return call(int, "unmerge_entity", workspace=workspace, name=name)


def delete_entity(workspace: str, name: str) -> Flow[list[int]]:
    return call(int, "delete_entity", workspace=workspace, name=name)


def create_relation(
    workspace: str, source: str, target: str, keywords: Sequence[str], description: str | None, weight: float
) -> Flow[list[int]]:
    return call(
        int,
        "create_relation",
        workspace=workspace,
        source=source,
        target=target,
        keywords=list(keywords),
        description=description,
        weight=weight,
    )


def edit_relation(
    workspace: str,
    source: str,
    target: str,
    keywords: Sequence[str] | None,
    description: str | None,
    weight: float | None,
) -> Flow[list[int]]:
    return call(
        int,
        "edit_relation",
        workspace=workspace,
        source=source,
        target=target,
        keywords=None if keywords is None else list(keywords),
        description=description,
        weight=weight,
    )


def reset_relation(workspace: str, source: str, target: str) -> Flow[list[int]]:
    return call(int, "reset_relation", workspace=workspace, source=source, target=target)


def delete_relation(workspace: str, source: str, target: str) -> Flow[list[None]]:
    return call(type(None), "delete_relation", workspace=workspace, source=source, target=target)
