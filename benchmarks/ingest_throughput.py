"""Chunks a second that go from text to a searchable graph: pgrag beside LightRAG 1.5.7, in one run, on one server.

Both get the same documents, the same replies of a stub model and the same vectors; both write into the same PostgreSQL.
LightRAG needs a virtual environment of its own:

    python3 -m venv peer && peer/bin/pip install lightrag-hku==1.5.7 asyncpg
    .venv/bin/python benchmarks/ingest_throughput.py --peer peer/bin/python

Without --peer only pgrag is measured. Rounds go around the systems, so that a slow minute hits all of them; medians.
With --memory nothing of this, but the memory of the client while 10,000 chunks go in.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import corpus
import psycopg

from pgrag import ChatRequest, IngestOptions, PgRAG, Settings, embedded
from pgrag.chunking import ByCharacter
from pgrag.models.protocols import ChatReply, Vectors
from pgrag.models.scripted import ScriptedModels
from pgrag.progress import OnProgress, Progress, silent
from pgrag.settings import GraphBackend

NUMBERS = itertools.count(int(time.time()))


class StubModels(ScriptedModels):
    """Says what the corpus says, after so many seconds; embeds as the peer does."""

    def __init__(self, latency: float = 0) -> None:
        super().__init__({"extract": self.extract}, dimensions=corpus.DIMENSIONS)
        self.latency = latency

    def extract(self, request: ChatRequest) -> str:
        """The reply to a chunk; gleaning finds nothing more."""
        time.sleep(self.latency)
        return '{"entities": [], "relations": []}' if request.history else corpus.as_json(request.text)

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply; the request is not kept, as tests would want it, for it is the client's memory that is watched."""
        reply = super().chat(request)
        self.chats.clear()
        return reply

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The corpus's own embedding."""
        return corpus.embed(texts)


@dataclass(frozen=True)
class Case:
    """One cell of the table."""

    system: str
    existing: int
    documents: int
    latency: float = 0
    concurrency: int = 4


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="the python of a virtual environment with lightrag-hku==1.5.7")
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--existing", type=int, nargs="*", default=[1000, 20000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true", help="the client's memory over 10,000 chunks, nothing else")
    asked = parser.parse_args()
    server = embedded.start(Settings().data_dir)
    if asked.memory:
        measured(server, Case("pgrag, age", 1000, 2000), None, Watermark(every=200))
        return
    systems = ["pgrag, age", "pgrag, table"] + (["LightRAG, age", "LightRAG, table"] if asked.peer else [])
    print("| existing entities | system | chunks/s | of each round |\n|---|---|---|---|")
    for existing in asked.existing:
        cases = [Case(system, existing, asked.documents) for system in systems]
        for case, rates in rounds(cases, asked.rounds, lambda case: measured(server, case, asked.peer)).items():
            each = ", ".join(f"{rate:.0f}" for rate in rates)
            print(f"| {existing:,} | {case.system} | {statistics.median(rates):.0f} | {each} |", flush=True)
    slow = Case("pgrag, age", 1000, 64, latency=1, concurrency=16)
    rate = measured(server, slow, asked.peer)
    # Each chunk is read, and asked once more for what was missed.
    ideal = slow.concurrency / (2 * slow.latency)
    print(f"\nWith a model that takes 1 s, 16 at once: {rate:.1f} chunks/s, {rate / ideal:.0%} of the ideal.")


class Watermark:
    """Prints the most memory that this process has ever had, each time so many more documents are published."""

    def __init__(self, every: int) -> None:
        self.every, self.documents = every, 0
        print("| chunks | MB |\n|---|---|")

    def __call__(self, progress: Progress) -> None:
        if progress.stage == "published":
            self.documents += 1
            if self.documents % self.every == 0:
                megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                print(f"| {self.documents * corpus.CHUNKS_PER_DOCUMENT:,} | {megabytes} |", flush=True)


def rounds(cases: list[Case], count: int, measure: Callable[[Case], float]) -> dict[Case, list[float]]:
    """The rates of each case; a round has each case once."""
    rates: dict[Case, list[float]] = {case: [] for case in cases}
    for _ in range(count):
        for case in cases:
            rates[case].append(measure(case))
    return rates


def measured(server: embedded.Server, case: Case, peer: str | None, on_progress: OnProgress = silent) -> float:
    """Chunks a second, in a database of its own that is dropped afterwards."""
    name = f"pgrag_bench_{next(NUMBERS)}"
    url = embedded.ensure_database(server, name)
    try:
        if case.system.startswith("pgrag"):
            return of_pgrag(url, case, on_progress)
        assert peer is not None
        return of_lightrag(url, name, case, peer)
    finally:
        with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def of_pgrag(url: str, case: Case, on_progress: OnProgress = silent) -> float:
    """Import the graph that is there before, then ingest."""
    backend: GraphBackend = "age" if case.system.endswith("age") else "sql"
    settings = Settings(graph_backend=backend, llm_concurrency=case.concurrency)
    options = IngestOptions(chunking=ByCharacter("\n\n", only=True))
    with (
        tempfile.TemporaryDirectory() as folder,
        PgRAG(url, workspace="bench", models=StubModels(case.latency), settings=settings) as rag,
    ):
        rag.migrate()
        if backend == "sql":
            with psycopg.connect(url, autocommit=True) as admin:
                admin.execute("DROP EXTENSION IF EXISTS age CASCADE")
        write_existing(Path(folder), case.existing)
        rag.import_graph(folder)
        documents = corpus.documents(case.documents, case.existing)
        ids = [f"doc-{number}" for number in range(len(documents))]
        begun = time.perf_counter()
        texts = ["\n\n".join(chunks) for chunks in documents]
        report = rag.ingest(texts, ids=ids, options=options, on_progress=on_progress)
        seconds = time.perf_counter() - begun
    if report.failed:
        raise SystemExit(report.failed[0].error)
    return sum(document.chunks for document in report.documents) / seconds


def write_existing(folder: Path, names: int) -> None:
    """The graph that is there before, as a folder of the interchange format; its one chunk speaks of everything."""
    entities, relations = corpus.existing(names)
    evidence = [{"chunk_id": "before"}]
    files = {
        "documents": [{"id": "before", "file_path": "before", "content": "before"}],
        "chunks": [{"id": "before", "document_id": "before", "chunk_index": 0, "content": "before"}],
        "entities": [
            {"name": e.name, "type": e.type, "description": e.description, "evidence": evidence} for e in entities
        ],
        "relations": [
            {
                "source": r.source,
                "target": r.target,
                "keywords": list(r.keywords),
                "description": r.description,
                "weight": 1,
                "evidence": evidence,
            }
            for r in relations
        ],
    }
    for name, rows in files.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def of_lightrag(url: str, database: str, case: Case, peer: str) -> float:
    """Run the peer's script in its own environment."""
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("CREATE EXTENSION IF NOT EXISTS vector")
        if case.system.endswith("age"):
            admin.execute("CREATE EXTENSION IF NOT EXISTS age")
            admin.execute(f"ALTER DATABASE {database} SET session_preload_libraries = 'age'")
    command = [peer, str(Path(__file__).parent / "peers" / "lightrag_ingest.py"), "--database", database]
    command += ["--socket", parse_qs(urlparse(url).query)["host"][0], "--store", case.system.split(", ")[1]]
    command += ["--existing", str(case.existing), "--documents", str(case.documents)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    reply = json.loads(done.stdout.strip().splitlines()[-1])
    if reply["ready"] < case.documents:
        print(f"{case.system}: {case.documents - reply['ready']} documents failed", file=sys.stderr)
    return float(reply["chunks"] / reply["seconds"])


if __name__ == "__main__":
    main()
