"""Folders for embedded servers; each server is stopped, each folder removed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.embedded_servers import discard

from pgrag import embedded
from pgrag.embedded import Server


@pytest.fixture(autouse=True, scope="session")
def age_is_a_must() -> None:
    """No test silently covers only the server without AGE."""
    os.environ.setdefault("PGRAG_REQUIRE_AGE", "1")


@pytest.fixture(scope="module")
def public() -> Iterator[Path]:
    """A folder that everybody can enter; pytest's own belong to the user who runs it."""
    folder = Path(tempfile.mkdtemp(prefix="pgrag-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def data_dir(public: Path) -> Iterator[Path]:
    """The path of a data folder that is not there yet."""
    folder = Path(tempfile.mkdtemp(dir=public))
    folder.rmdir()
    yield folder
    discard(folder)


@pytest.fixture(scope="module")
def running(public: Path) -> Iterator[Server]:
    """One server for the tests of a module, with AGE, below folders that are not there yet."""
    folder = public / "new" / "with spaces, 技術 and 'quotes'"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPENAI_API_KEY", "secret-of-the-caller")
        environment.setenv("PGDATA", "/nowhere")
        environment.setenv("PGPORT", "6000")
        server = embedded.start(folder, fsync=False)
    yield server
    discard(folder)


@pytest.fixture(scope="module")
def url(running: Server) -> str:
    """The database of the module's server."""
    return embedded.ensure_database(running)
