"""kill -9 of the worker, and stops of the server, at every stage: no reader sees half a document, nothing is lost, and
nothing that was kept is paid for again."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from support.crash_scene import Scene, asked_chunks, asked_summaries, kept_chunks, kept_summaries, make_scene
from support.databases import TestServer
from support.embedded_servers import discard, postmaster_pid
from support.explosions import Explosion, Point, seeded_points
from support.half_documents import Reader
from support.model_server import ModelServer
from support.processes import wait_until
from support.worker_processes import hub_client, ingest_new, start_ingest
from support.workspace_rows import assert_same_rows, workspace_rows

from pgrag import embedded

SEED = 20261122


@pytest.fixture(scope="module")
def stub() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def scene(server: TestServer, stub: ModelServer) -> Iterator[Scene]:
    made = make_scene(server, stub)
    yield made
    server.drop(made.database)


def survives_the_death_of_the_worker(scene: Scene, stub: ModelServer, point: Point) -> None:
    name = f"crash_{uuid.uuid4().hex[:12]}"
    url = scene.begin(name)
    summaries = kept_summaries(url)
    stub.forget()
    with Reader(url, set(scene.allowed)) as reader:
        process = start_ingest(url, stub.base_url, scene.documents, point)
        process.join(timeout=60)
        assert process.exitcode == -signal.SIGKILL, f"the run did not come to {point}"
        kept, lost_summaries = kept_chunks(url), sum(asked_summaries(stub).values()) - kept_summaries(url) + summaries
        summarized = asked_summaries(stub)
        stub.forget()
        with hub_client(url, stub.base_url) as rag:
            assert set(ingest_new(rag, scene.documents)) <= {"ready", "unchanged"}
            assert rag.check() == []
    assert reader.seen_halves == []
    assert reader.looks > 3
    asked = asked_chunks(scene, stub)
    assert kept & set(asked) == set(), "a kept reply was paid for again"
    assert all(count == 1 for count in asked.values())
    assert sum((summarized & asked_summaries(stub)).values()) <= lost_summaries, "a kept summary was paid for again"
    assert_same_rows(workspace_rows(url), scene.rows)
    scene.server.drop(name)


QUICK = [
    Point("claim_job", 2, "after", 0),
    Point("chat", 5, "after", 0),
    Point("publish_document", 3, "during", 0.004),
    Point("refresh_pending", 1, "before", 0),
]


@pytest.mark.parametrize("point", QUICK, ids=str)
def test_kill_9_of_the_worker(scene: Scene, stub: ModelServer, point: Point) -> None:
    survives_the_death_of_the_worker(scene, stub, point)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kill_9_of_the_worker_at_every_stage(scene: Scene, stub: ModelServer) -> None:
    for point in seeded_points(SEED, 33, scene.stages):
        survives_the_death_of_the_worker(scene, stub, point)


# The server


@pytest.fixture(scope="module")
def own_server() -> Iterator[embedded.Server]:
    """A server to be stopped and started; what it has committed is written, whatever becomes of it."""
    folder = Path(tempfile.mkdtemp(prefix="pgrag-crash-"))
    folder.chmod(0o755)
    running = embedded.start(folder / "data", fsync=False)
    with psycopg.connect(running.url("postgres"), autocommit=True) as admin:
        admin.execute("ALTER SYSTEM SET synchronous_commit = on")
        admin.execute("SELECT pg_reload_conf()")
    yield running
    discard(running.data_dir)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def own_scene(own_server: embedded.Server, stub: ModelServer) -> Scene:
    return make_scene(TestServer(own_server.url("postgres")), stub)


def restart(server: embedded.Server, how: signal.Signals) -> None:
    """SIGINT: fast, SIGQUIT: immediate, SIGKILL: as by a power cut; then it is started again."""
    pid = postmaster_pid(server.url("postgres"))
    os.kill(pid, how)
    wait_until(lambda: embedded.status(server.data_dir) is None)
    embedded.start(server.data_dir, fsync=False)


def survives_the_death_of_the_server(
    server: embedded.Server, scene: Scene, stub: ModelServer, point: Point, how: signal.Signals
) -> None:
    name = f"crash_{uuid.uuid4().hex[:12]}"
    url = scene.begin(name)
    stub.forget()
    explosion = Explosion(point, lambda: restart(server, how))
    with Reader(url, set(scene.allowed)) as reader, hub_client(url, stub.base_url, 10.0) as rag:
        explosion.lay(rag)
        assert set(ingest_new(rag, scene.documents)) <= {"ready", "unchanged"}
        explosion.wait()
        assert rag.check() == []
    assert reader.seen_halves == []
    assert reader.looks > 3
    asked = asked_chunks(scene, stub)
    assert all(count == 1 for count in asked.values()), "a reply was paid for twice"
    assert all(count == 1 for count in asked_summaries(stub).values()), "a summary was paid for twice"
    assert_same_rows(workspace_rows(url), scene.rows)
    scene.server.drop(name)


@pytest.mark.parametrize(
    ("point", "how"),
    [
        (Point("claim_job", 3, "during", 0.001), signal.SIGQUIT),
        (Point("publish_document", 2, "during", 0.004), signal.SIGQUIT),
        (Point("keep_extraction", 6, "before", 0), signal.SIGINT),
    ],
    ids=str,
)
def test_the_server_is_restarted(
    own_server: embedded.Server, own_scene: Scene, stub: ModelServer, point: Point, how: signal.Signals
) -> None:
    survives_the_death_of_the_server(own_server, own_scene, stub, point, how)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_server_is_restarted_at_every_stage(
    own_server: embedded.Server, own_scene: Scene, stub: ModelServer
) -> None:
    ways = itertools.cycle((signal.SIGQUIT, signal.SIGQUIT, signal.SIGINT, signal.SIGKILL))
    for point, how in zip(seeded_points(SEED, 33, own_scene.stages), ways, strict=False):
        survives_the_death_of_the_server(own_server, own_scene, stub, point, how)
