"""How long one `pgrag.retrieve` takes at the client, on the demo's graphs: run `make demo` first.

For each workspace, mode and hop (Cypher, join): median, 95th percentile of the calls, in milliseconds, after a warm-up.
The question's vectors are made before the clock starts; what is timed is one statement over one connection, rows read.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator

import sqlalchemy as sa

from pgrag import QueryOptions, Settings, calls, db, embedded
from pgrag.models.offline import OfflineModels

QUESTIONS = (
    "Who was Fezziwig?",
    "How is Bob Cratchit related to Tiny Tim?",
    "What did Marley's ghost wear?",
    "Who visits Scrooge on Christmas Eve?",
    "What did Scrooge's nephew say of Christmas?",
)
MODES = ("local", "global", "hybrid", "mix", "naive")


def main() -> None:
    """Print a Markdown table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=60, help="calls of each question")
    rounds = arguments.parse_args().rounds
    server = embedded.start(Settings().data_dir)
    url = embedded.ensure_database(server, "pgrag_demo_offline")
    vectors = OfflineModels().embed(QUESTIONS).tolist()
    print("| workspace | mode | hop | median ms | p95 ms | rows |\n|---|---|---|---|---|---|")
    for backend in ("age", "sql"):
        engine = db.engine(url, graph_backend=backend)
        with db.connected(engine) as connection:
            for workspace in ("carol", "carol-llm"):
                for mode in MODES:
                    times = sorted(measured(connection, workspace, mode, vectors, rounds))
                    milliseconds, rows = [t for t, _ in times], statistics.median(n for _, n in times)
                    middle, late = statistics.median(milliseconds), milliseconds[int(len(times) * 0.95)]
                    print(f"| {workspace} | {mode} | {backend} | {middle:.1f} | {late:.1f} | {rows:.0f} |")
        engine.dispose()


def measured(
    connection: sa.Connection, workspace: str, mode: str, vectors: list[list[float]], rounds: int
) -> Iterator[tuple[float, int]]:
    """(milliseconds, rows) of each call; the first ten are not counted."""
    options = QueryOptions(mode=mode)
    for number in range(rounds * len(vectors) + 10):
        vector = vectors[number % len(vectors)]
        request = next(calls.retrieve(workspace, vector, None, None, options))
        begun = time.perf_counter()
        rows = db.perform(connection, request)
        if number >= 10:
            yield (time.perf_counter() - begun) * 1000, len(rows)


if __name__ == "__main__":
    main()
