"""Workers in processes of their own, begun in a moment: they are forked off a server that has imported everything."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from multiprocessing.context import ForkServerProcess

from pgrag import PgRAG, Settings
from pgrag.models.openai import OpenAIModels
from support.explosions import Explosion, Point
from support.hub_documents import OPTIONS, HubDocument

DIMENSIONS = 8
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["pgrag.client", "pgrag.models.openai", "pgrag.models.hashing"])


def hub_client(url: str, model_url: str, lease_seconds: float = 1.0) -> PgRAG:
    """A client of workspace `w` that asks the stub, and is impatient."""
    settings = Settings(
        models="openai",
        embedding_model="scripted-embedding",
        embedding_dimensions=DIMENSIONS,
        lease_seconds=lease_seconds,
    )
    models = OpenAIModels(settings, base_url=model_url, api_key="any", backoff=0.01)
    return PgRAG(url, workspace="w", settings=settings, models=models)


def start_worker(url: str, model_url: str, lease_seconds: float = 30.0) -> ForkServerProcess:
    """A worker that ends when no job is left."""
    return _start(_work, url, model_url, lease_seconds)


def start_ingest(
    url: str, model_url: str, documents: Sequence[HubDocument], point: Point | None = None
) -> ForkServerProcess:
    """A process that takes the documents in; at the point it kills itself by signal 9."""
    return _start(_ingest, url, model_url, list(documents), point)


def _start(target: object, *arguments: object) -> ForkServerProcess:
    process = _CONTEXT.Process(target=target, args=arguments, daemon=True)  # type: ignore[arg-type]
    process.start()
    return process


def _work(url: str, model_url: str, lease_seconds: float) -> None:
    with hub_client(url, model_url, lease_seconds) as rag:
        rag.work(drain=True)


def _ingest(url: str, model_url: str, documents: list[HubDocument], point: Point | None) -> None:
    with hub_client(url, model_url) as rag:
        if point is not None:
            Explosion(point, lambda: os.kill(os.getpid(), signal.SIGKILL)).lay(rag)
        ingest_new(rag, documents)


def ingest_new(rag: PgRAG, documents: Sequence[HubDocument]) -> list[str]:
    """Takes the new versions in: the status of each."""
    report = rag.ingest([each.new for each in documents], ids=[each.id for each in documents], options=OPTIONS)
    return [each.status for each in report.documents]


def ingest_old(rag: PgRAG, documents: Sequence[HubDocument]) -> None:
    """Takes in the old versions of those that have one."""
    older = [each for each in documents if each.old is not None]
    rag.ingest([each.old or "" for each in older], ids=[each.id for each in older], options=OPTIONS)
