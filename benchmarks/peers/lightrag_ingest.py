"""LightRAG 1.5.7 takes in the corpus, on PostgreSQL: run in a virtual environment of its own, by ingest_throughput.py.

Prints one line of JSON. The graph that is there before goes in by the storages' own upserts and is not timed.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import logging
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import corpus
import numpy as np

STORES = {"age": "PGGraphStorage", "table": "PGTableGraphStorage"}
CHUNK_IN_PROMPT = re.compile(r"---Input Text---\s*\n```\n(.*?)\n```", re.DOTALL)
DESCRIPTIONS_IN_PROMPT = re.compile(r"Description List:\s*```\s*(.*?)\n", re.DOTALL)


class Words:
    """Tokens are words and signs, as cheap as a tokenizer can be."""

    PIECE = re.compile(r"\s*(?:\w+|[^\w\s])|\s+$")

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.words: list[str] = []

    def __deepcopy__(self, memo: Any) -> Words:
        return self

    def encode(self, text: str) -> list[int]:
        """The numbers of the words."""
        tokens = []
        for word in self.PIECE.findall(text):
            if word not in self.numbers:
                self.numbers[word] = len(self.words)
                self.words.append(word)
            tokens.append(self.numbers[word])
        return tokens

    def decode(self, tokens: list[int]) -> str:
        """The words of the numbers."""
        return "".join(self.words[token] for token in tokens)


class StubModel:
    """Answers at once, or after so many seconds."""

    def __init__(self, latency: float) -> None:
        self.latency = latency

    async def __call__(self, prompt: str, *_: Any, **__: Any) -> str:
        """The reply to an extraction, a gleaning or a summary."""
        if self.latency:
            await asyncio.sleep(self.latency)
        if chunk := CHUNK_IN_PROMPT.search(prompt):
            return corpus.as_records(chunk[1])
        if descriptions := DESCRIPTIONS_IN_PROMPT.search(prompt):
            return descriptions[1][:600]
        return "<|COMPLETE|>"


async def embed(texts: list[str], **_: Any) -> np.ndarray:
    """The corpus's own embedding."""
    return corpus.embed(list(texts))


def digest(text: str, prefix: str) -> str:
    """The key that LightRAG gives a row."""
    return prefix + hashlib.md5(text.encode()).hexdigest()


async def load_existing(rag: Any, names: int) -> None:
    """Put the graph that is there before into vectors and graph, by LightRAG's own upserts."""
    entities, relations = corpus.existing(names)
    common = {"source_id": "chunk-before", "file_path": "before"}
    await rag.entities_vdb.upsert(
        {
            digest(e.name, "ent-"): {"content": f"{e.name}\n{e.description}", "entity_name": e.name, **common}
            for e in entities
        }
    )
    await rag.relationships_vdb.upsert(
        {
            digest("".join(sorted((r.source, r.target))), "rel-"): {
                "content": f"{','.join(r.keywords)}\t{r.source}\n{r.target}\n{r.description}",
                "src_id": r.source,
                "tgt_id": r.target,
                **common,
            }
            for r in relations
        }
    )
    graph = rag.chunk_entity_relation_graph
    about = {**common, "created_at": 1760000000, "truncate": ""}
    await graph.upsert_nodes_batch(
        [
            (e.name, {"entity_id": e.name, "entity_type": e.type, "description": e.description, **about})
            for e in entities
        ]
    )
    await graph.upsert_edges_batch(
        [
            (
                r.source,
                r.target,
                {"weight": 1.0, "description": r.description, "keywords": ",".join(r.keywords), **about},
            )
            for r in relations
        ]
    )


async def main() -> None:
    """Load, take in, say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=STORES, required=True)
    parser.add_argument("--socket", required=True)
    parser.add_argument("--database", required=True)
    parser.add_argument("--existing", type=int, required=True)
    parser.add_argument("--documents", type=int, required=True)
    parser.add_argument("--latency", type=float, default=0)
    parser.add_argument("--concurrency", type=int, default=4)
    asked = parser.parse_args()
    os.environ.update(
        POSTGRES_HOST=asked.socket,
        POSTGRES_PORT="5432",
        POSTGRES_USER="postgres",
        POSTGRES_PASSWORD="none",
        POSTGRES_DATABASE=asked.database,
        POSTGRES_AGE_ALLOW_UNSUPPORTED_VERSION="true",
    )
    from lightrag import LightRAG
    from lightrag.utils import EmbeddingFunc, Tokenizer

    logging.getLogger("lightrag").setLevel("ERROR")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        rag = LightRAG(
            working_dir=folder,
            workspace="bench",
            llm_model_func=StubModel(asked.latency),
            llm_model_name="stub",
            llm_model_max_async=asked.concurrency,
            embedding_func=EmbeddingFunc(embedding_dim=corpus.DIMENSIONS, func=embed, max_token_size=8192),
            tokenizer=Tokenizer("words", Words()),
            kv_storage="PGKVStorage",
            vector_storage="PGVectorStorage",
            doc_status_storage="PGDocStatusStorage",
            graph_storage=STORES[asked.store],
        )
        await rag.initialize_storages()
        await load_existing(rag, asked.existing)
        documents = corpus.documents(asked.documents, asked.existing)
        begun = time.perf_counter()
        await rag.ainsert(
            ["\n\n".join(chunks) for chunks in documents],
            split_by_character="\n\n",
            split_by_character_only=True,
            ids=[f"doc-{number}" for number in range(len(documents))],
            file_paths=[f"doc-{number}.txt" for number in range(len(documents))],
        )
        seconds = time.perf_counter() - begun
        counts = await rag.doc_status.get_status_counts()
        await rag.finalize_storages()
    ready = counts.get("processed", 0)
    chunks = ready * corpus.CHUNKS_PER_DOCUMENT
    print(json.dumps({"ready": ready, "chunks": chunks, "seconds": seconds}))


if __name__ == "__main__":
    asyncio.run(main())
