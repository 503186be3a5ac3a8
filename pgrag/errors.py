"""Everything that can go wrong, as one tree.

PgragError
├── ConfigurationError           a setting is missing or makes no sense
├── ServerError                  the embedded server cannot be set up, started or used
├── UnreadableFile               a file that cannot be taken in (bytes, size, kind)
├── ImportRefused                an interchange folder with a line that cannot be taken
├── DatabaseError                PostgreSQL refused or failed; the driver's error is __cause__
│   ├── DatabaseUnreachable      no connection: wrong address, wrong password, server down
│   ├── MissingExtension         RG007  the database lacks pgvector or pg_trgm, or they are too old
│   ├── InvalidArgument          RG001  an argument is out of its domain
│   ├── UnknownWorkspace         RG002  no workspace of that name
│   ├── EmbeddingMismatch        RG003  dimensions or model differ from the database's
│   ├── DocumentBusy             RG004  another worker holds this document
│   ├── GraphOutOfDate           RG005  the AGE graph and the tables disagree
│   └── UnknownDocument          RG006  no document of that id or path
├── SchemaMismatch               package and database are of different versions
└── ModelError                   a model provider failed
    ├── ModelUnreachable         no server answers at that address
    ├── ModelTimeout             no reply in time
    ├── ModelRefused             the server answered, and will not do it (4xx)
    ├── RateLimited              still 429 after every try
    ├── UnreadableReply          a reply that is not what was asked for
    └── BudgetExceeded           the token budget would be exceeded

A message is one sentence with the offending value; `hint` says the cure when it is known.
"""

from __future__ import annotations


class PgragError(Exception):
    """Base of every error that pgrag raises."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class ConfigurationError(PgragError):
    """A setting is missing or makes no sense."""


class ServerError(PgragError):
    """The embedded server cannot be set up, started or used."""


class UnreadableFile(PgragError):
    """A file that cannot be taken in: its bytes, its size or its kind."""


class ImportRefused(PgragError):
    """An interchange folder holds a line that cannot be taken; nothing of it stays."""


class DatabaseError(PgragError):
    """PostgreSQL refused or failed; the driver's error is `__cause__`."""

    sqlstate: str | None = None


class DatabaseUnreachable(DatabaseError):
    """No connection: wrong address, wrong password, or the server is down."""


class MissingExtension(DatabaseError):
    """RG007: an extension that pgrag needs is not in this database, or too old."""


class InvalidArgument(DatabaseError):
    """RG001: an argument is out of its domain."""


class UnknownWorkspace(DatabaseError):
    """RG002: no workspace of that name."""


class EmbeddingMismatch(DatabaseError):
    """RG003: dimensions or model of the embeddings differ from the database's."""


class DocumentBusy(DatabaseError):
    """RG004: another worker holds this document."""


class GraphOutOfDate(DatabaseError):
    """RG005: the AGE graph and the tables disagree."""


class UnknownDocument(DatabaseError):
    """RG006: no document of that id or path in the workspace."""


class SchemaMismatch(PgragError):
    """Package and database are of different versions; the hint is the command to run."""


class ModelError(PgragError):
    """A model provider failed."""


class ModelUnreachable(ModelError):
    """No server answers at the model's address."""


class ModelTimeout(ModelError):
    """The model did not reply in time."""


class ModelRefused(ModelError):
    """The model's server answered that it will not do this."""


class RateLimited(ModelError):
    """The model's server still says 429 after every try."""


class UnreadableReply(ModelError):
    """The model's reply is not what was asked for."""


class BudgetExceeded(ModelError):
    """The next call would exceed the token budget.

    report: of the run that was ended, an IngestReport; documents_left, tokens_left: what it leaves, the tokens guessed.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        report: object = None,
        documents_left: int = 0,
        tokens_left: int = 0,
    ) -> None:
        super().__init__(message, hint)
        self.report = report
        self.documents_left = documents_left
        self.tokens_left = tokens_left


BY_SQLSTATE: dict[str, type[DatabaseError]] = {
    "RG001": InvalidArgument,
    "RG002": UnknownWorkspace,
    "RG003": EmbeddingMismatch,
    "RG004": DocumentBusy,
    "RG005": GraphOutOfDate,
    "RG006": UnknownDocument,
    "RG007": MissingExtension,
}
