"""The SQL functions of an import, as Python calls them; all within one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from pgrag.flow import Flow, call


@dataclass(frozen=True)
class Imported:
    """A row of `finish_import`: how much there was, and what was mended."""

    documents: int
    chunks: int
    entities: int
    relations: int
    merged: int
    created_endpoints: int
    skipped_self_loops: int
    repeated_chunk_ids: int


def begin_import() -> Flow[list[None]]:
    return call(type(None), "begin_import")


def check_import(workspace: str, strict: bool) -> Flow[list[None]]:
    return call(type(None), "check_import", workspace=workspace, strict=strict)


def finish_import(workspace: str, strict: bool) -> Flow[list[Imported]]:
    return call(Imported, "finish_import", workspace=workspace, strict=strict)
