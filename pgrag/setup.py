"""What flows need to know of their surroundings: one frozen value made by the client, in the place of globals."""

from __future__ import annotations

from dataclasses import dataclass, field

from pgrag.budget import Meter
from pgrag.errors import InvalidArgument
from pgrag.models.protocols import Models, RerankingModels, Role
from pgrag.tokens import Tokenizer


@dataclass(frozen=True)
class ModelNames:
    """The models of the provider: they are part of every cache key. `rerank` is None where nothing is reranked."""

    extract: str
    keywords: str
    summary: str
    answer: str
    embedding: str
    is_language_model: bool
    rerank: str | None = None

    @classmethod
    def of(cls, models: Models, reranker: RerankingModels | None = None) -> ModelNames:
        """The names that a provider, and a reranker, state."""
        return cls(
            extract=models.chat_model("extract"),
            keywords=models.chat_model("keywords"),
            summary=models.chat_model("summary"),
            answer=models.chat_model("answer"),
            embedding=models.embedding_model,
            is_language_model=models.is_language_model,
            rerank=None if reranker is None else getattr(reranker, "rerank_model", type(reranker).__name__),
        )

    def of_role(self, role: Role) -> str:
        """The chat model that plays this role."""
        name: str = getattr(self, role)
        return name


@dataclass(frozen=True)
class WorkerOptions:
    """How a worker takes jobs and keeps hold of them. Raises InvalidArgument for a heartbeat slower than the lease.

    lease_seconds: a worker that was not heard of for this long is dead, and another takes its job.
    heartbeat_seconds: how often it is heard of.
    max_attempts: a job that was taken this often, and never ended, is failed.
    documents_at_once: how many jobs one worker holds; none: enough to keep the models busy.
    poll_seconds: how long a worker with nothing to do waits before it looks again.
    patience_seconds: how long it waits for a database that is away.
    """

    lease_seconds: float = 30.0
    heartbeat_seconds: float = 10.0
    max_attempts: int = 5
    documents_at_once: int | None = None
    poll_seconds: float = 1.0
    patience_seconds: float = 60.0

    def __post_init__(self) -> None:
        if not 0 < self.heartbeat_seconds < self.lease_seconds:
            raise InvalidArgument(
                f"a heartbeat every {self.heartbeat_seconds} s does not keep a lease of {self.lease_seconds} s"
            )
        for name in ("max_attempts", "documents_at_once"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InvalidArgument(f"{name} must be at least 1, not {value}")


@dataclass(frozen=True)
class Setup:
    """The workspace, the database's tokenizer, the models, and how many requests may be under way at once.

    `meter`: on whose account models are asked, and within which budget.
    `rerank_part_tokens`: a longer text is scored by its best part; 0: every text is scored whole.
    """

    workspace: str
    tokenizer: Tokenizer
    models: ModelNames
    llm_concurrency: int = 4
    embedding_concurrency: int = 8
    meter: Meter = field(default_factory=Meter)
    worker: WorkerOptions = field(default_factory=WorkerOptions)
    rerank_part_tokens: int = 0

    @property
    def documents_at_once(self) -> int:
        """So many that some fill all places at the chat model while others are embedded and published."""
        return self.worker.documents_at_once or self.llm_concurrency + self.embedding_concurrency
