"""What flows need to know of their surroundings: one frozen value made by the client, in the place of globals."""

from __future__ import annotations

from dataclasses import dataclass, field

from pgrag.budget import Meter
from pgrag.models.protocols import Models, Role
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

    def of_role(self, role: Role) -> str:
        """The chat model that plays this role."""
        name: str = getattr(self, role)
        return name


@dataclass(frozen=True)
class Setup:
    """The workspace, the database's tokenizer, the models, and how many requests may be under way at once.

    `meter`: on whose account models are asked, and within which budget.
    """

    workspace: str
    tokenizer: Tokenizer
    models: ModelNames
    llm_concurrency: int = 4
    embedding_concurrency: int = 8
    meter: Meter = field(default_factory=Meter)

    @property
    def documents_at_once(self) -> int:
        """So many that some fill all places at the chat model while others are embedded and published."""
        return self.llm_concurrency + self.embedding_concurrency
