"""What a model provider is: any object with `chat` and `embed` will do; `stream` and the async twins are optional.

`ChatRequest` carries the rendered prompt for language models, and beside it the bare material (`text`, `passages`) for
providers that are no language models and work from the material alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Role = Literal["extract", "keywords", "summary", "answer"]


@dataclass(frozen=True)
class Message:
    """One turn of a conversation."""

    role: Literal["user", "assistant", "system"]
    content: str


@dataclass(frozen=True)
class Passage:
    """A chunk that an answer may quote: its text, and the number of its reference ("" when it has none)."""

    content: str
    reference_id: str


@dataclass(frozen=True)
class ReplySchema:
    """The JSON a reply must follow: its name on the wire, and the JSON schema."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class ChatRequest:
    """One question to a chat model.

    `text` is what the prompt is about, bare: the chunk (extract), the question (keywords, answer).
    """

    role: Role
    system: str
    user: str
    history: tuple[Message, ...] = ()
    schema: ReplySchema | None = None
    text: str = ""
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class ChatReply:
    """What the model said, and what it cost (0 where the server does not tell)."""

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@runtime_checkable
class Models(Protocol):
    """A model provider.

    `is_language_model` is False for providers that only quote and match words: their keywords are shown, but the
    whole question is embedded for both keyword levels.
    """

    embedding_model: str
    embedding_dimensions: int
    is_language_model: bool

    def chat_model(self, role: Role) -> str:
        """The name of the model that plays this role; part of every cache key."""
        ...

    def chat(self, request: ChatRequest) -> ChatReply:
        """The whole reply. Raises ModelError."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 (texts, dimensions), row i for text i, of length 1. Raises ModelError."""
        ...


@runtime_checkable
class StreamingModels(Models, Protocol):
    """A provider that can reply piece by piece."""

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The reply in pieces as they arrive. Raises ModelError."""
        ...


@runtime_checkable
class AsyncModels(Protocol):
    """A provider that can be awaited; others are run in a thread."""

    async def achat(self, request: ChatRequest) -> ChatReply: ...

    async def aembed(self, texts: Sequence[str]) -> Vectors: ...

    def astream(self, request: ChatRequest) -> AsyncIterator[str]: ...


@runtime_checkable
class RerankingModels(Protocol):
    """A provider that can order documents by their use for a query.

    Its name in the ledger and in cache keys is its `rerank_model`, where it has one, else that of its class.
    """

    def rerank(self, query: str, documents: Sequence[str], top_n: int) -> list[tuple[int, float]]:
        """(index, score) of at most `top_n` documents, best first. Raises ModelError."""
        ...


@runtime_checkable
class AsyncRerankingModels(Protocol):
    """A reranker that can be awaited; others are run in a thread."""

    async def arerank(self, query: str, documents: Sequence[str], top_n: int) -> list[tuple[int, float]]: ...
