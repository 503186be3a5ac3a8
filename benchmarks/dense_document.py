"""How long one large document takes whose every chunk names twenty entities and two dozen relations.

The models answer at once: what is timed is our own work, that is chunking, publishing, vector indexes and the graph.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import tempfile
import time
from pathlib import Path

from pgrag import ChatRequest, PgRAG, Settings, embedded
from pgrag.models.scripted import ScriptedModels

SENTENCE = "Sentence {number:06} tells of things that are not to be told here, or anywhere, and of nothing else.\n"
SENTENCES_PER_MEGABYTE = 10_000
NAMES_PER_MEGABYTE = 2_500


def main() -> None:
    """Print a line of a Markdown table for each size."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("megabytes", type=float, nargs="*", default=[1, 5])
    server = embedded.start(Settings().data_dir)
    print("| MB | chunks | entities | relations | seconds | MB at the client |\n|---|---|---|---|---|---|")
    for megabytes in arguments.parse_args().megabytes:
        url = embedded.ensure_database(server, f"pgrag_bench_dense_{int(time.time())}")
        print(measured(url, megabytes))


def measured(url: str, megabytes: float) -> str:
    """Take in one document of that size, into an empty database."""
    models = ScriptedModels({"extract": Extractor(int(NAMES_PER_MEGABYTE * megabytes) + 20)}, dimensions=384)
    with tempfile.TemporaryDirectory() as folder, PgRAG(url, workspace="dense", models=models) as rag:
        rag.migrate()
        file = Path(folder) / "dense.txt"
        count = int(megabytes * SENTENCES_PER_MEGABYTE)
        file.write_text("".join(SENTENCE.format(number=number) for number in range(count)))
        begun = time.perf_counter()
        (report,) = rag.ingest_files([file]).documents
        seconds = time.perf_counter() - begun
    assert report.status == "ready", report.error
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"| {megabytes:g} | {report.chunks} | {report.entities} | {report.relations} | {seconds:.0f} | {peak} |"


class Extractor:
    """A reply for each chunk, the same whenever it is asked, from a pool of so many names."""

    def __init__(self, names: int) -> None:
        self._names = names

    def __call__(self, request: ChatRequest) -> str:
        first = re.search(r"Sentence (\d+)", request.user)
        place = int(first[1]) if first else 0
        dice = random.Random(place)
        names = [f"Name {dice.randrange(self._names)}" for _ in range(20)]
        entities = [
            {"name": name, "type": "person", "description": f"{name} is told of in {place}, at some length."}
            for name in names
        ]
        relations = [
            {
                "source": dice.choice(names),
                "target": dice.choice(names),
                "keywords": ["meeting"],
                "description": f"They meet in {place} at the place where people meet.",
                "weight": 1,
            }
            for _ in range(24)
        ]
        return json.dumps({"entities": entities, "relations": relations})


if __name__ == "__main__":
    main()
