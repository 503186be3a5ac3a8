"""The whole system, from outside: a real database, a real HTTP server as the model, the CLI as a user calls it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.model_server import ModelServer

from pgrag import PgRAG, Settings
from pgrag.cli import main
from pgrag.models.openai import OpenAIModels

DIMENSIONS = 8


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


Cli = Callable[..., Result]


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def models(model_server: ModelServer) -> OpenAIModels:
    """The real provider, asking the stub over HTTP; impatient."""
    settings = Settings(
        models="openai",
        embedding_model="scripted-embedding",
        embedding_dimensions=DIMENSIONS,
        llm_timeout=1.0,
        embedding_timeout=1.0,
    )
    return OpenAIModels(settings, base_url=model_server.base_url, api_key="secret-key", backoff=0.01)


@pytest.fixture
def rag(url: str, models: OpenAIModels) -> Iterator[PgRAG]:
    with PgRAG(url, workspace="w", models=models) as client:
        yield client


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command in this process, as `pgrag ARGS…` would: its exit code and what it printed."""

    def run(*args: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["pgrag", *map(str, args)])
        capfd.readouterr()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return run


@pytest.fixture
def openai_environment(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings by which the CLI finds the stub."""
    for name, value in {
        "OPENAI_BASE_URL": model_server.base_url,
        "OPENAI_API_KEY": "secret-key",
        "PGRAG_EMBEDDING_MODEL": "scripted-embedding",
        "PGRAG_EMBEDDING_DIMENSIONS": str(DIMENSIONS),
        "PGRAG_LLM_TIMEOUT": "2",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def here(url: str, openai_environment: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the CLI runs in; it finds the test's own database and the stub, and works in workspace `w`."""
    monkeypatch.setenv("PGRAG_DATABASE_URL", url)
    monkeypatch.setenv("PGRAG_WORKSPACE", "w")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def write(here: Path) -> Callable[[str, str], Path]:
    """Writes a file below the folder that the CLI runs in."""

    def write(name: str, content: str) -> Path:
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return write
