"""How long retrieval takes: pgrag beside LightRAG 1.5.7 on its three stores, in one run, on one server.

All get the same graph (thrice as many relations as entities, as many chunks, 384 dimensions) and the same embeddings of
questions and keywords; LightRAG's files (NanoVectorDB, NetworkX), its graph in AGE and its graph in plain tables are
asked in turns with pgrag, whose hop goes by Cypher (age) and by join, so that a slow minute hits all of them. LightRAG
needs a virtual environment of its own:

    python3 -m venv peer && peer/bin/pip install lightrag-hku==1.5.7 asyncpg pgvector
    .venv/bin/python benchmarks/retrieve_latency.py --peer peer/bin/python

Without --peer only pgrag is measured. Loading 50,000 entities takes minutes: --keep FOLDER leaves data and databases,
and takes what an earlier run left there. `OPENBLAS_NUM_THREADS=1` is kinder to LightRAG's files on a busy machine.
"""

from __future__ import annotations

import argparse
import functools
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from latency_folder import QUESTIONS, write_benchmark
from latency_systems import Peer, Pgrag, System

from pgrag import Settings, embedded
from pgrag.options import Mode

MODES: tuple[Mode, ...] = ("naive", "local", "global", "hybrid", "mix")
STORES = ("files", "age", "table")
CLIENTS = 8


@dataclass(frozen=True)
class Plan:
    """What to ask: so many rounds of so many questions in each mode, then so many by all clients at once."""

    rounds: int
    questions: int
    at_once: int


@dataclass
class Measured:
    """All figures of one size, by system, and by mode where it matters; times in milliseconds."""

    times: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    rates: dict[str, list[float]] = field(default_factory=dict)
    hops: dict[str, list[float]] = field(default_factory=dict)

    def p50(self, system: str, mode: str) -> float:
        """The median of all rounds."""
        return statistics.median(self.times[system, mode])

    def p95(self, system: str, mode: str) -> float:
        """The 95th percentile of all rounds."""
        return statistics.quantiles(self.times[system, mode], n=20, method="inclusive")[-1]


def main() -> None:
    """Print the tables, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="the python of a virtual environment with lightrag-hku==1.5.7")
    parser.add_argument("--entities", type=int, nargs="*", default=[1_000, 10_000, 50_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=20, help=f"of each round, at most {QUESTIONS}")
    parser.add_argument("--at-once", type=int, default=60, help="questions that 8 clients share, in each round")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave what is loaded, for the next run")
    asked = parser.parse_args()
    plan = Plan(asked.rounds, asked.questions, asked.at_once)
    server = embedded.start(Settings().data_dir)
    print(f"Load average at the start: {os.getloadavg()[0]:.1f}.")
    by_size = {}
    for entities in asked.entities:
        with loaded(server, entities, asked.peer, asked.keep) as systems:
            by_size[entities] = measured(systems, plan)
        print_size(entities, by_size[entities])
    print_growth(by_size)


@contextmanager
def loaded(server: embedded.Server, entities: int, peer: str | None, keep: Path | None) -> Iterator[list[System]]:
    """The systems with a graph of so many entities, ready to be asked; let go at the end, and dropped unless kept."""
    ours, theirs = f"pgrag_latency_{entities}", f"lightrag_latency_{entities}"
    with ExitStack() as stack:
        home = keep.resolve() if keep else Path(stack.enter_context(tempfile.TemporaryDirectory()))
        home = home / str(entities)
        folder = home / "graph"
        if not keep:
            stack.callback(drop, server, ours, theirs)
        once(home, "written", lambda: write_benchmark(folder, entities))
        url = embedded.ensure_database(server, ours)
        once(home, "pgrag", lambda: Pgrag.load(url, folder))
        systems: list[System] = [Pgrag(url, folder, "age"), Pgrag(url, folder, "sql")]
        for store in STORES if peer else ():
            assert peer is not None
            once(home, store, functools.partial(Peer.load, peer, store, server, theirs, folder))
            systems.append(Peer(peer, store, server, theirs, folder))
        for system in systems:
            stack.callback(system.close)
        yield systems


def once(home: Path, step: str, work: Callable[[], None]) -> None:
    """Do the work, unless a file says that an earlier run has done it."""
    done = home / f"{step}.done"
    if not done.exists():
        work()
        done.touch()


def drop(server: embedded.Server, *databases: str) -> None:
    """Drop the databases that are there."""
    with psycopg.connect(server.url(), autocommit=True) as admin:
        for database in databases:
            admin.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")


def measured(systems: list[System], plan: Plan) -> Measured:
    """Ask in turns; the first questions warm up, and are not counted."""
    found = Measured()
    for system in systems:
        for mode in MODES:
            system.milliseconds(mode, range(5))
    for turn in range(plan.rounds):
        numbers = [(turn * plan.questions + number) % QUESTIONS for number in range(plan.questions)]
        for mode in MODES:
            for system in systems:
                found.times.setdefault((system.name, mode), []).extend(system.milliseconds(mode, numbers))
        for system in systems:
            shared = [number % QUESTIONS for number in range(plan.at_once)]
            found.rates.setdefault(system.name, []).append(system.per_second("hybrid", shared, CLIENTS))
            if isinstance(system, Pgrag):
                found.hops.setdefault(system.name, []).extend(system.hop_milliseconds(numbers))
    return found


def print_size(entities: int, found: Measured) -> None:
    """The tables of one size: latency by mode, then throughput and the hop."""
    names = list(found.rates)
    peers = [name for name in names if not name.startswith("pgrag")]
    print(f"\n### {entities:,} entities, load average {os.getloadavg()[0]:.1f}\n")
    print(f"p50 / p95 in milliseconds at the client, {len(found.times[names[0], 'mix'])} questions a cell.\n")
    print("| mode | " + " | ".join(names) + " | fastest peer / pgrag |\n" + "|---" * (len(names) + 2) + "|")
    for mode in MODES:
        cells = [f"{found.p50(name, mode):.1f} / {found.p95(name, mode):.1f}" for name in names]
        print(f"| {mode} | " + " | ".join(cells) + f" | {latency_ratio(found, mode, peers)} |")
    rates = {name: statistics.median(rates) for name, rates in found.rates.items()}
    fastest = max((rates[name] for name in peers), default=0)
    ratio = f"{rates[names[0]] / fastest:.0f}" if fastest else ""
    cells = [f"{rates[name]:.1f}" for name in names]
    print(f"| hybrid, {CLIENTS} clients: questions/s | " + " | ".join(cells) + f" | {ratio} |")
    by_cypher, by_join = (statistics.median(hops) for hops in found.hops.values())
    print(f"\nThe hop alone: by Cypher {by_cypher:.2f} ms, by join {by_join:.2f} ms, ratio {by_cypher / by_join:.1f}.")


def latency_ratio(found: Measured, mode: str, peers: list[str]) -> str:
    """How many times pgrag's p50 (by Cypher, its default) the fastest peer's is; nothing without a peer."""
    fastest = min((found.p50(name, mode) for name in peers), default=None)
    return "" if fastest is None else f"{fastest / found.p50('pgrag, age', mode):.1f}"


def print_growth(by_size: dict[int, Measured]) -> None:
    """How p50 grew from the smallest to the largest size."""
    small, large = by_size[min(by_size)], by_size[max(by_size)]
    grown = [f"{mode} {large.p50('pgrag, age', mode) / small.p50('pgrag, age', mode):.2f}" for mode in MODES]
    print(f"\nGrowth of pgrag's p50 from {min(by_size):,} to {max(by_size):,} entities: {', '.join(grown)}.")


if __name__ == "__main__":
    main()
