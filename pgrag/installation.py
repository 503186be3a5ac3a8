"""What a database was made for, and whether this package and this provider fit it."""

from __future__ import annotations

from dataclasses import dataclass

from pgrag import __version__
from pgrag.errors import ConfigurationError, EmbeddingMismatch, SchemaMismatch
from pgrag.models.protocols import Models
from pgrag.settings import GraphBackend, Settings
from pgrag.tokens import Tokenizer, available_tokenizer, load_tokenizer

OFFLINE_EMBEDDING = ("all-MiniLM-L6-v2", 384)
OPENAI_DIMENSIONS = 1536


@dataclass(frozen=True)
class SchemaOptions:
    """What is fixed when a database is migrated for the first time."""

    embedding_model: str
    embedding_dimensions: int
    tokenizer: str
    graph_backend: GraphBackend = "auto"


@dataclass(frozen=True)
class Installation:
    """What a database says of itself (SQL function `installation`)."""

    schema_version: str
    embedding_model: str
    embedding_dimensions: int
    tokenizer: str
    graph_backend: str
    graph_installed: bool


def schema_options(settings: Settings) -> SchemaOptions:
    """The options that a new database gets from these settings."""
    if settings.models == "offline":
        model, dimensions = OFFLINE_EMBEDDING
    else:
        model, dimensions = settings.embedding_model, settings.embedding_dimensions or OPENAI_DIMENSIONS
    if settings.embedding_dimensions not in (None, dimensions):
        raise ConfigurationError(
            f"{model} makes embeddings of {dimensions} dimensions, PGRAG_EMBEDDING_DIMENSIONS says "
            f"{settings.embedding_dimensions}",
            "unset PGRAG_EMBEDDING_DIMENSIONS",
        )
    return SchemaOptions(model, dimensions, available_tokenizer(settings.tokenizer).name, settings.graph_backend)


def check_version(found: Installation | None) -> Installation:
    """The installation, when it is of this package's version. Raises SchemaMismatch otherwise."""
    if found is None:
        raise SchemaMismatch("pgrag is not installed in this database", "run: pgrag migrate")
    if found.schema_version != __version__:
        raise SchemaMismatch(
            f"the database is of pgrag {found.schema_version}, this package is {__version__}",
            "run: pgrag migrate" if _parts(found.schema_version) < _parts(__version__) else "upgrade the package",
        )
    return found


def check_models(found: Installation, models: Models) -> None:
    """Nothing, when the provider makes the embeddings that the database holds. Raises EmbeddingMismatch otherwise."""
    if (found.embedding_model, found.embedding_dimensions) != (models.embedding_model, models.embedding_dimensions):
        raise EmbeddingMismatch(
            f"the database holds embeddings of {found.embedding_model} ({found.embedding_dimensions} dimensions), "
            f"the provider makes those of {models.embedding_model} ({models.embedding_dimensions})",
            "set PGRAG_MODELS and PGRAG_EMBEDDING_MODEL as they were when the database was migrated, "
            "or use another database",
        )


def tokenizer_of(found: Installation) -> Tokenizer:
    """The tokenizer that the database counts with. Raises ConfigurationError where it cannot be had."""
    return load_tokenizer(found.tokenizer)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
