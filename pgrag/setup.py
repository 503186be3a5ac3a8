"""What flows need to know of their surroundings: one frozen value made by the client, in the place of globals."""

from __future__ import annotations

from dataclasses import dataclass

from pgrag.models.protocols import Models
from pgrag.tokens import Tokenizer


@dataclass(frozen=True)
class ModelNames:
    """The models of the provider: they are part of every cache key."""

    extract: str
    keywords: str
    summary: str
    answer: str
    embedding: str
    is_language_model: bool

    @classmethod
    def of(cls, models: Models) -> ModelNames:
        """The names that a provider states."""
        return cls(
            extract=models.chat_model("extract"),
            keywords=models.chat_model("keywords"),
            summary=models.chat_model("summary"),
            answer=models.chat_model("answer"),
            embedding=models.embedding_model,
            is_language_model=models.is_language_model,
        )


@dataclass(frozen=True)
class Setup:
    """The workspace, the database's tokenizer, the models, and how many requests may be under way at once."""

    workspace: str
    tokenizer: Tokenizer
    models: ModelNames
    llm_concurrency: int = 4
    embedding_concurrency: int = 8
