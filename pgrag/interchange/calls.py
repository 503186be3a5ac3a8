"""The SQL functions of an import and of an export, as Python calls them; each within one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from pgrag.flow import Call, Flow, call


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


@dataclass(frozen=True)
class ExportedLine:
    """A line of an exported file, and its embedding in pgvector's binary form."""

    line: str
    embedding: bytes | None


def begin_import() -> Flow[list[None]]:
    return call(type(None), "begin_import")


def check_import(workspace: str, strict: bool) -> Flow[list[None]]:
    return call(type(None), "check_import", workspace=workspace, strict=strict)


def finish_import(workspace: str, strict: bool) -> Flow[list[Imported]]:
    return call(Imported, "finish_import", workspace=workspace, strict=strict)


def export_documents(workspace: str) -> Call:
    return Call("export_documents", {"workspace": workspace}, ExportedLine)


def export_chunks(workspace: str) -> Call:
    return Call("export_chunks", {"workspace": workspace}, ExportedLine)


def export_entities(workspace: str) -> Call:
    return Call("export_entities", {"workspace": workspace}, ExportedLine)


def export_relations(workspace: str) -> Call:
    return Call("export_relations", {"workspace": workspace}, ExportedLine)


def export_aliases(workspace: str) -> Call:
    return Call("export_aliases", {"workspace": workspace}, ExportedLine)


def export_sleeping(workspace: str) -> Call:
    return Call("export_sleeping", {"workspace": workspace}, ExportedLine)
