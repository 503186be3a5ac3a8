"""A stub server, and a way to ask it that is once waiting and once awaited: every rule must hold for both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.model_server import ModelServer

from pgrag.models.openai import OpenAIModels
from pgrag.models.protocols import ChatReply, ChatRequest, Vectors
from pgrag.settings import Settings

NO_WAIT = 0.001


class Waiting:
    """The methods as they are."""

    def __init__(self, models: OpenAIModels) -> None:
        self.models = models

    def chat(self, request: ChatRequest) -> ChatReply:
        return self.models.chat(request)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.models.embed(texts)

    def stream(self, request: ChatRequest) -> list[str]:
        return list(self.models.stream(request))

    def close(self) -> None:
        self.models.close()


class Awaited(Waiting):
    """Their async twins, in one event loop."""

    def __init__(self, models: OpenAIModels) -> None:
        super().__init__(models)
        self.runner = asyncio.Runner()

    def chat(self, request: ChatRequest) -> ChatReply:
        return self.runner.run(self.models.achat(request))

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.runner.run(self.models.aembed(texts))

    def stream(self, request: ChatRequest) -> list[str]:
        async def collect() -> list[str]:
            return [piece async for piece in self.models.astream(request)]

        return self.runner.run(collect())

    def close(self) -> None:
        self.runner.close()


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing that the developer's shell says about models; no certificates, whose reading takes longest here."""
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "PGRAG_LLM_MODEL", "PGRAG_EMBEDDING_DIMENSIONS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def models_at(model_server: ModelServer) -> Callable[..., OpenAIModels]:
    """Makes OpenAIModels for the stub; arguments are settings and those of OpenAIModels."""

    def make(*, api_key: str = "any", tries: int = 8, backoff: float = NO_WAIT, **settings: Any) -> OpenAIModels:
        options = Settings(**settings)
        return OpenAIModels(options, base_url=model_server.base_url, api_key=api_key, tries=tries, backoff=backoff)

    return make


@pytest.fixture(params=[Waiting, Awaited], ids=["waiting", "awaited"])
def asking(request: pytest.FixtureRequest, models_at: Callable[..., OpenAIModels]) -> Iterator[Callable[..., Waiting]]:
    """Makes one that asks, with the arguments of `models_at`."""
    made: list[Waiting] = []

    def make(**arguments: Any) -> Waiting:
        made.append(request.param(models_at(**arguments)))
        return made[-1]

    yield make
    for asker in made:
        asker.close()
