"""LightRAG 1.5.7 on one of its stores: loads a benchmark's folder, or answers its questions, for retrieve_latency.py.

Runs in a virtual environment of its own. With --serve it reads lines of JSON, {"mode", "questions", "clients"}, and
prints one for each: {"milliseconds": of each question, "seconds": of all}. What is timed is `aquery_data` with the
keywords given: no model is asked, no cache, no reranker, every other option LightRAG's own default. A question is named
by its number, and its embedding is looked up.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from lightrag_graph import Graph, load_by_copy, load_by_upserts
from lightrag_ingest import Words

POSTGRES = {
    "kv_storage": "PGKVStorage",
    "vector_storage": "PGVectorStorage",
    "doc_status_storage": "PGDocStatusStorage",
}
STORES = {
    "files": {
        "kv_storage": "JsonKVStorage",
        "vector_storage": "NanoVectorDBStorage",
        "doc_status_storage": "JsonDocStatusStorage",
        "graph_storage": "NetworkXStorage",
    },
    "age": {**POSTGRES, "graph_storage": "PGGraphStorage"},
    "table": {**POSTGRES, "graph_storage": "PGTableGraphStorage"},
}


class Embeddings:
    """Embeds what it was given the vectors of: the texts of the graph while loading, else the questions."""

    def __init__(self, texts: Iterator[tuple[str, np.ndarray]]) -> None:
        self.vectors = dict(texts)

    async def __call__(self, texts: list[str], **_: Any) -> np.ndarray:
        """float32 (texts, dimensions)."""
        return np.stack([self.vectors[text] for text in texts])


async def no_model(*_: Any, **__: Any) -> str:
    """Retrieval alone asks no model."""
    raise AssertionError("a model was asked")


def questions(folder: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Each text of each question, with its embedding."""
    for number, vectors in enumerate(np.load(folder / "questions.npy")):
        yield from zip((f"question {number}", f"low {number}", f"high {number}"), vectors, strict=True)


async def main() -> None:
    """Load or serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=STORES, required=True)
    parser.add_argument("--folder", type=Path, required=True, help="the benchmark's folder")
    parser.add_argument("--socket", required=True)
    parser.add_argument("--database", required=True)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--load", action="store_true")
    task.add_argument("--serve", action="store_true")
    asked = parser.parse_args()
    os.environ.update(
        POSTGRES_HOST=asked.socket,
        POSTGRES_PORT="5432",
        POSTGRES_USER="postgres",
        POSTGRES_PASSWORD="none",
        POSTGRES_DATABASE=asked.database,
        POSTGRES_AGE_ALLOW_UNSUPPORTED_VERSION="true",
    )
    if asked.load:
        graph = Graph(asked.folder)
        rag = await opened(asked.store, asked.folder, Embeddings(graph.texts()))
        if asked.store == "files":
            await load_by_upserts(rag, graph)
        else:
            await load_by_copy(rag, graph, asked.store, {"host": asked.socket, "database": asked.database})
    else:
        rag = await opened(asked.store, asked.folder, Embeddings(questions(asked.folder)))
        await serve(rag)
    await rag.finalize_storages()


async def opened(store: str, folder: Path, embeddings: Embeddings) -> Any:
    """LightRAG on a store; its files are in a folder beside the benchmark's."""
    from lightrag import LightRAG
    from lightrag.utils import EmbeddingFunc, Tokenizer

    logging.getLogger("lightrag").setLevel("ERROR")
    logging.getLogger("nano-vectordb").setLevel("ERROR")
    working = folder.parent / f"lightrag_{store}"
    working.mkdir(exist_ok=True)
    os.chdir(working)
    dimensions = np.load(folder / "questions.npy", mmap_mode="r").shape[2]
    rag = LightRAG(
        working_dir=str(working),
        workspace="bench",
        llm_model_func=no_model,
        llm_model_name="none",
        embedding_func=EmbeddingFunc(embedding_dim=dimensions, func=embeddings.__call__, max_token_size=8192),
        tokenizer=Tokenizer("words", Words()),
        enable_llm_cache=False,
        **STORES[store],
    )
    await rag.initialize_storages()
    return rag


async def serve(rag: Any) -> None:
    """Answer each line of the standard input, until it ends."""
    from lightrag import QueryParam

    async def ask(mode: str, number: int) -> float:
        param = QueryParam(
            mode=mode, ll_keywords=[f"low {number}"], hl_keywords=[f"high {number}"], enable_rerank=False
        )
        begun = time.perf_counter()
        found = await rag.aquery_data(f"question {number}", param)
        assert found["data"]["chunks"], found
        return (time.perf_counter() - begun) * 1000

    for line in sys.stdin:
        request = json.loads(line)
        numbers = iter(request["questions"])

        async def client(mode: str = request["mode"], numbers: Iterator[int] = numbers) -> list[float]:
            return [await ask(mode, number) for number in numbers]

        begun = time.perf_counter()
        taken = await asyncio.gather(*(client() for _ in range(request["clients"])))
        seconds = time.perf_counter() - begun
        print(json.dumps({"milliseconds": [each for some in taken for each in some], "seconds": seconds}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
