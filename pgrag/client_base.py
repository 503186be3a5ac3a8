"""What both clients are made of: settings, workspace and flows, and the habits of their arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pgrag.documents import DocumentReport, IngestOptions
from pgrag.errors import InvalidArgument
from pgrag.flows import Flows
from pgrag.installation import SchemaOptions, schema_options
from pgrag.models.protocols import Models
from pgrag.options import QueryOptions
from pgrag.settings import Settings

Metadata = Sequence[Mapping[str, Any]] | Mapping[str, Any] | None


def unreported(report: DocumentReport) -> None:
    """Nobody wants to know."""


def one_of(options: QueryOptions | None, more: Mapping[str, Any]) -> QueryOptions:
    """The options, given as one value or by name. Raises InvalidArgument for both."""
    if options is not None and more:
        raise InvalidArgument("give options, or single ones by name, not both")
    return options or QueryOptions(**more)


def replacing(options: IngestOptions | None, replaces: bool) -> IngestOptions | None:
    """The options, with `replace` where it was asked for by name."""
    return replace(options or IngestOptions(), replace=True) if replaces else options


def only_one(**places: object) -> None:
    """Nothing, when at most one is given. Raises InvalidArgument."""
    given = [name for name, place in places.items() if place is not None]
    if len(given) > 1:
        raise InvalidArgument(f"give one of {', '.join(given)}")


class Client:
    """What both clients are made of: settings, workspace, and the flows."""

    def __init__(self, settings: Settings | None, workspace: str | None, models: Models | None) -> None:
        self.settings = settings or Settings()
        self.workspace = workspace or self.settings.workspace
        self._flows = Flows(self.settings, self.workspace, models)
        self._given_models = models

    def _places(self) -> dict[str, Any]:
        """How many requests to the models may be under way at once, and who reranks."""
        return {
            "reranker": self._flows.reranker,
            "chats": self.settings.llm_concurrency,
            "embeddings": self.settings.embedding_concurrency,
        }

    def _schema_options(self) -> SchemaOptions:
        """A provider of the caller's own says itself what embeddings it makes."""
        options = schema_options(self.settings)
        if self._given_models is None:
            return options
        made = self._given_models
        return replace(options, embedding_model=made.embedding_model, embedding_dimensions=made.embedding_dimensions)
