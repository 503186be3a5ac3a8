"""Graph RAG that lives inside PostgreSQL: documents, entities, relations, vectors and retrieval in one database.

from pgrag import PgRAG

with PgRAG() as rag:                      # the embedded server; or PgRAG("postgresql://…")
    rag.migrate()
    rag.ingest_files(["docs/"])
    print(rag.query("Who is Tiny Tim?").text)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from pgrag.asker import AnswerStream, AsyncAnswerStream
    from pgrag.async_client import AsyncPgRAG
    from pgrag.client import PgRAG
    from pgrag.documents import DocumentReport, IngestEstimate, IngestOptions, IngestReport
    from pgrag.errors import PgragError
    from pgrag.models.protocols import ChatReply, ChatRequest, Message, Models
    from pgrag.options import ExtractionOptions, QueryOptions
    from pgrag.progress import Progress
    from pgrag.rows import Answer, Context, Keywords, Reference
    from pgrag.settings import Settings

# Where each name lives. It is imported when it is first asked for: `pgrag --help` needs neither SQLAlchemy nor alembic.
_HOMES = {
    "pgrag.asker": ("AnswerStream", "AsyncAnswerStream"),
    "pgrag.async_client": ("AsyncPgRAG",),
    "pgrag.client": ("PgRAG",),
    "pgrag.errors": ("PgragError",),
    "pgrag.documents": ("DocumentReport", "IngestEstimate", "IngestOptions", "IngestReport"),
    "pgrag.models.protocols": ("ChatReply", "ChatRequest", "Message", "Models"),
    "pgrag.options": ("ExtractionOptions", "QueryOptions"),
    "pgrag.progress": ("Progress",),
    "pgrag.rows": ("Answer", "Context", "Keywords", "Reference"),
    "pgrag.settings": ("Settings",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "AnswerStream",
    "AsyncAnswerStream",
    "AsyncPgRAG",
    "ChatReply",
    "ChatRequest",
    "Context",
    "DocumentReport",
    "ExtractionOptions",
    "IngestEstimate",
    "IngestOptions",
    "IngestReport",
    "Keywords",
    "Message",
    "Models",
    "PgRAG",
    "PgragError",
    "Progress",
    "QueryOptions",
    "Reference",
    "Settings",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
