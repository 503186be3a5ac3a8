"""What goes over the wire to an OpenAI-compatible server, and what of the answer is believed.

Pure: requests are bodies, answers are objects of the openai package, which it fills without checking. So every field
that is read is checked here, and an answer without it raises UnreadableReply.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pgrag.errors import EmbeddingMismatch, ModelRefused, UnreadableReply
from pgrag.models.protocols import ChatReply, ChatRequest, ReplySchema, Vectors
from pgrag.models.thinking import without_thinking

Kind = Literal["chat", "embeddings"]
Format = Literal["json_schema", "json_object", "none"]
FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "none")
"""Ways to ask for JSON, the best first; a server that refuses one is asked by the next."""

MOST_TEXTS = 128
MOST_CHARACTERS = 200_000
"""An embeddings request holds no more than this; OpenAI's limit is 300,000 tokens, and a token is rarely longer than a
character only in Chinese."""


@dataclass(frozen=True)
class Ask:
    """One HTTP request."""

    kind: Kind
    body: Mapping[str, Any]

    @property
    def what(self) -> str:
        """For the log: the kind of request, and the model; nothing of its content."""
        return f"{self.kind} {self.body['model']}"


def chat_body(request: ChatRequest, model: str, reply_format: Format) -> dict[str, Any]:
    """The body of a chat request; no temperature, because not every model takes one."""
    system = [{"role": "system", "content": request.system}] if request.system else []
    history = [{"role": turn.role, "content": turn.content} for turn in request.history]
    body: dict[str, Any] = {"model": model, "messages": [*system, *history, {"role": "user", "content": request.user}]}
    if request.schema is not None and reply_format != "none":
        body["response_format"] = _response_format(request.schema, reply_format)
    return body


def _response_format(schema: ReplySchema, reply_format: Format) -> dict[str, Any]:
    if reply_format == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": schema.name, "schema": dict(schema.schema)}}


def read_chat(completion: Any, request: ChatRequest, model: str) -> ChatReply:
    """The reply without its thoughts. Raises UnreadableReply; ModelRefused when the model declined."""
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list) or not choices:
        raise UnreadableReply(f"model {model} sent a reply without choices")
    message = getattr(choices[0], "message", None)
    content = getattr(message, "content", None)
    refusal = getattr(message, "refusal", None)
    if not content and isinstance(refusal, str) and refusal:
        raise ModelRefused(f"model {model} declined: {' '.join(refusal.split())[:200]}")
    if not isinstance(content, str):
        raise UnreadableReply(f"model {model} sent a reply without content")
    if request.schema is not None and choices[0].finish_reason == "length":
        raise UnreadableReply(f"the reply of model {model} was cut off at its length limit", "use smaller chunks")
    text = checked_text(without_thinking(content), model)
    usage = getattr(completion, "usage", None)
    return ChatReply(text, model, _tokens(usage, "prompt_tokens"), _tokens(usage, "completion_tokens"))


def checked_text(text: str, model: str) -> str:
    """The text, if there is any."""
    if not text.strip():
        raise UnreadableReply(f"model {model} sent an empty reply")
    return text


def _tokens(usage: Any, name: str) -> int:
    count = getattr(usage, name, None)
    return count if isinstance(count, int) and count > 0 else 0


def read_delta(chunk: Any) -> str:
    """The text in one chunk of a stream; "" where it holds none (role, usage and closing chunks)."""
    choices = getattr(chunk, "choices", None)
    if not isinstance(choices, list) or not choices:
        return ""
    content = getattr(getattr(choices[0], "delta", None), "content", None)
    return content if isinstance(content, str) else ""


def embedding_batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in batches within the limits. Servers refuse an empty text: a blank stands for it."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == MOST_TEXTS or size + len(text) > MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text or " ")
        size += len(text)
    if batch:
        yield batch


def embedding_body(batch: list[str], model: str, dimensions: int | None) -> dict[str, Any]:
    """The body of an embeddings request; `dimensions` only where asked for: most models have but one size."""
    body: dict[str, Any] = {"model": model, "input": batch, "encoding_format": "float"}
    return body if dimensions is None else body | {"dimensions": dimensions}


def read_embeddings(reply: Any, count: int, model: str, dimensions: int) -> Vectors:
    """float32 (count, dimensions) in the order of the texts, of length 1.

    Raises EmbeddingMismatch for another number or size of vectors, UnreadableReply for what is no vector.
    """
    data = getattr(reply, "data", None)
    if not isinstance(data, list):
        raise UnreadableReply(f"embedding model {model} sent a reply without data")
    if len(data) != count:
        raise EmbeddingMismatch(f"embedding model {model} sent {len(data)} vectors for {count} texts")
    rows = [getattr(item, "embedding", None) for item in _in_order(data, model)]
    sizes = {len(row) if isinstance(row, list) else 0 for row in rows}
    if sizes != {dimensions}:
        raise _other_size(model, next(iter(sizes - {dimensions})), dimensions)
    return _normalised(rows, model)


def _in_order(data: list[Any], model: str) -> list[Any]:
    """By their index; as they came where the server does not number them."""
    indexes = [getattr(item, "index", None) for item in data]
    if all(index is None for index in indexes):
        return data
    by_index = dict(zip(indexes, data, strict=True))
    if set(by_index) != set(range(len(data))):
        raise EmbeddingMismatch(f"embedding model {model} numbered its {len(data)} vectors {indexes[:10]}")
    return [by_index[index] for index in range(len(data))]


def _other_size(model: str, size: int, dimensions: int) -> EmbeddingMismatch:
    return EmbeddingMismatch(
        f"embedding model {model} sent vectors of {size} dimensions, not {dimensions}",
        f"name the model the database was made with, or migrate a new one with PGRAG_EMBEDDING_DIMENSIONS={size}",
    )


def _normalised(rows: Sequence[Any], model: str) -> Vectors:
    try:
        vectors = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise UnreadableReply(f"embedding model {model} sent vectors that are not numbers") from None
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise UnreadableReply(f"embedding model {model} sent a vector that has no direction")
    normalised: Vectors = (vectors / lengths).astype(np.float32)
    return normalised
