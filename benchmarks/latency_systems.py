"""The systems that retrieve_latency.py compares: each is loaded with a folder, then asked in turns with the others."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qs, urlparse

import numpy as np
import psycopg
import sqlalchemy as sa
from import_graph import client

from pgrag import QueryOptions, calls, db, embedded
from pgrag.options import Mode

WORKSPACE = "bench"


class System(Protocol):
    """What answers the questions of questions.npy, named by their numbers."""

    name: str

    def milliseconds(self, mode: Mode, questions: Sequence[int]) -> list[float]:
        """How long each question took at the client, one after the other."""

    def per_second(self, mode: Mode, questions: Sequence[int], clients: int) -> float:
        """How many are answered in a second when so many clients ask at once."""

    def close(self) -> None:
        """Let everything go."""


class Pgrag:
    """pgrag, with its hop by Cypher ('age') or by join ('sql'); one statement over a connection is a question."""

    def __init__(self, url: str, folder: Path, backend: str) -> None:
        self.name = "pgrag, " + {"age": "age", "sql": "join"}[backend]
        self.engine = db.engine(url, graph_backend=backend)
        self.connection = self.engine.connect()
        self.vectors = np.load(folder / "questions.npy")

    @staticmethod
    def load(url: str, folder: Path) -> None:
        """Import the folder into a database that is empty or not migrated yet."""
        with client(url) as rag:
            rag.migrate()
            rag.import_graph(folder)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")

    def milliseconds(self, mode: Mode, questions: Sequence[int]) -> list[float]:
        """One connection asks."""
        return [self._ask(self.connection, mode, question) for question in questions]

    def per_second(self, mode: Mode, questions: Sequence[int], clients: int) -> float:
        """Each client is a thread with a connection of its own, made and warmed up before the clock starts."""
        ready = threading.Barrier(clients + 1)

        def ask(share: Sequence[int]) -> None:
            with db.connected(self.engine) as connection:
                self._ask(connection, mode, 0)
                ready.wait()
                for question in share:
                    self._ask(connection, mode, question)

        with ThreadPoolExecutor(clients) as pool:
            asked = [pool.submit(ask, questions[each::clients]) for each in range(clients)]
            ready.wait()
            begun = time.perf_counter()
            for each in asked:
                each.result()
        return len(questions) / (time.perf_counter() - begun)

    def hop_milliseconds(self, questions: Sequence[int]) -> list[float]:
        """The hop alone, from the entities that the question finds."""
        hops = []
        for question in questions:
            low = self.vectors[question][1].tolist()
            request = next(calls.retrieve(WORKSPACE, low, low, None, QueryOptions(mode="local")))
            found = [row.id for row in db.perform(self.connection, request) if row.kind == "entity"]
            hop = sa.text("SELECT * FROM pgrag.neighbors(:workspace, :ids)")
            begun = time.perf_counter()
            self.connection.execute(hop, {"workspace": WORKSPACE, "ids": found}).all()
            hops.append((time.perf_counter() - begun) * 1000)
        return hops

    def close(self) -> None:
        """Close the connections."""
        self.connection.close()
        self.engine.dispose()

    def _ask(self, connection: sa.Connection, mode: Mode, question: int) -> float:
        whole, low, high = self.vectors[question].tolist()
        request = next(calls.retrieve(WORKSPACE, whole, low, high, QueryOptions(mode=mode)))
        begun = time.perf_counter()
        db.perform(connection, request)
        return (time.perf_counter() - begun) * 1000


class Peer:
    """LightRAG on one of its stores, a process of its own environment that is told line by line what to ask."""

    def __init__(self, python: str, store: str, server: embedded.Server, database: str, folder: Path) -> None:
        self.name = f"LightRAG, {store}"
        self.process = subprocess.Popen(
            [*_command(python, store, server, database, folder), "--serve"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip

    @staticmethod
    def load(python: str, store: str, server: embedded.Server, database: str, folder: Path) -> None:
        """Load the folder by COPY, or by the store's own upserts where it is files. Raises CalledProcessError."""
        url = embedded.ensure_database(server, database)
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute("CREATE EXTENSION IF NOT EXISTS vector; CREATE EXTENSION IF NOT EXISTS age")
            admin.execute(f"ALTER DATABASE {database} SET session_preload_libraries = 'age'")
        subprocess.run([*_command(python, store, server, database, folder), "--load"], check=True)
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute("VACUUM ANALYZE")

    def milliseconds(self, mode: Mode, questions: Sequence[int]) -> list[float]:
        """What the process measured around LightRAG's own call."""
        return list(self._told({"mode": mode, "questions": list(questions), "clients": 1})["milliseconds"])

    def per_second(self, mode: Mode, questions: Sequence[int], clients: int) -> float:
        """Each client is a coroutine, for so LightRAG is made."""
        asked = {"mode": mode, "questions": list(questions), "clients": clients}
        return len(questions) / float(self._told(asked)["seconds"])

    def close(self) -> None:
        """Let the process end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def _told(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        for line in self.process.stdout:
            if line.startswith("{"):
                reply: dict[str, Any] = json.loads(line)
                return reply
        raise SystemExit(f"{self.name} ended without a reply")


def _command(python: str, store: str, server: embedded.Server, database: str, folder: Path) -> Iterator[str]:
    yield from (python, str(Path(__file__).parent / "peers" / "lightrag_retrieve.py"))
    yield from ("--store", store, "--folder", str(folder), "--database", database)
    yield from ("--socket", parse_qs(urlparse(server.url()).query)["host"][0])
