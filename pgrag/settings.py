"""Settings: what the environment says, read once, every field also an argument."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pgrag.errors import ConfigurationError
from pgrag.models.protocols import Role
from pgrag.options import DEFAULT_ENTITY_TYPES, ExtractionOptions

GraphBackend = Literal["auto", "age", "sql"]


class Settings(BaseSettings):
    """How pgrag finds its database and its models. Environment variables are `PGRAG_` and the field's name."""

    model_config = SettingsConfigDict(env_prefix="PGRAG_", extra="ignore", frozen=True, env_ignore_empty=True)

    database_url: str | None = Field(None, description="libpq or SQLAlchemy URL; none: the embedded server")
    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("pgrag")),
        description="where the embedded server keeps its cluster",
    )
    workspace: str = Field("default", description="workspace used when none is given")
    models: Literal["openai", "offline"] = Field(
        default_factory=lambda: "openai" if _openai_is_configured() else "offline",
        description="which model provider",
    )
    llm_model: str = Field("gpt-4o-mini", description="chat model")
    llm_model_extract: str | None = None
    llm_model_keywords: str | None = None
    llm_model_summary: str | None = None
    llm_model_answer: str | None = None
    embedding_model: str = Field("text-embedding-3-small", description="embedding model (openai)")
    embedding_dimensions: int | None = Field(
        None, ge=1, le=4000, description="dimensions of the embeddings; none: 1536 (openai), the model's own (offline)"
    )
    llm_concurrency: int = Field(4, ge=1, description="chat requests under way at once")
    embedding_concurrency: int = Field(8, ge=1, description="embedding requests under way at once")
    llm_timeout: float = Field(240.0, gt=0, description="seconds until a chat request is given up and tried again")
    embedding_timeout: float = Field(60.0, gt=0, description="seconds until an embedding request is given up")
    rerank_url: str | None = Field(None, description="a Cohere/Jina/vLLM-shaped /rerank endpoint; none: no rerank")
    rerank_model: str | None = Field(None, description="reranking model; none: the server's own")
    rerank_api_key: SecretStr | None = Field(None, description="sent as a bearer token")
    rerank_timeout: float = Field(30.0, gt=0, description="seconds for a rerank, all tries together")
    rerank_part_tokens: int = Field(480, ge=0, description="a longer text is scored by its best part; 0: never split")
    entity_types: Annotated[tuple[str, ...] | None, NoDecode] = Field(
        None, min_length=1, description="types of entities to look for, a comma between each two; none: our own"
    )
    language: str = Field("English", min_length=1, description="language of extracted names and descriptions")
    extraction_examples: Path | None = Field(None, description="file with examples that are shown to the model")
    max_entities: int = Field(40, ge=1, description="entities taken of one reply")
    max_records: int = Field(100, ge=1, description="entities and relations taken of one reply")
    max_gleaning: int = Field(1, ge=0, description="how often the model is asked for what it has missed in a chunk")
    max_extract_input_tokens: int = Field(20480, ge=0, description="no gleaning that would send more; 0: no bound")
    offline_model_dir: Path | None = Field(None, description="folder with the offline embedding model's files")
    lease_seconds: float = Field(30.0, gt=0, description="seconds after which a worker not heard of counts as dead")
    database_patience: float = Field(60.0, ge=0, description="seconds that ingest and workers wait for a lost database")
    tokenizer: str = Field("o200k_base", description="tiktoken encoding, recorded in the database at migrate")
    graph_backend: GraphBackend = Field("auto", description="how one hop is walked: auto, age, sql")

    @field_validator("entity_types", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return tuple(word.strip() for word in value.split(",") if word.strip()) if isinstance(value, str) else value

    def extraction_options(self) -> ExtractionOptions:
        """What the model is asked to look for in a chunk. Raises ConfigurationError for unreadable examples."""
        return ExtractionOptions(
            entity_types=self.entity_types or DEFAULT_ENTITY_TYPES,
            language=self.language,
            examples=_text_of(self.extraction_examples),
            max_entities=self.max_entities,
            max_records=self.max_records,
            max_gleaning=self.max_gleaning,
            max_extract_input_tokens=self.max_extract_input_tokens,
        )

    def chat_model(self, role: Role) -> str:
        """The chat model that plays this role."""
        named: str | None = getattr(self, f"llm_model_{role}")
        return named or self.llm_model


def _openai_is_configured() -> bool:
    return bool(os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"))


def _text_of(file: Path | None) -> str:
    try:
        return "" if file is None else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"the examples in {file} cannot be read: {error}", "set PGRAG_EXTRACTION_EXAMPLES to a file of UTF-8 text"
        ) from error
