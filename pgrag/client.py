"""The doors for Python: `PgRAG` waits, `AsyncPgRAG` awaits; both do what `flows` says, and nothing of their own.

Here is what takes documents and graphs in and out. Asking is in `asker`, editing in `editor`, the rest in `keeper`.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

import sqlalchemy as sa

from pgrag import db
from pgrag.address import database_url
from pgrag.asker import Asker
from pgrag.client_base import Client, Metadata, only_one, replacing, unreported
from pgrag.documents import IngestEstimate, IngestOptions, IngestReport, NewDocument, WorkReport
from pgrag.editor import Editor
from pgrag.errors import BudgetExceeded, InvalidArgument
from pgrag.graph_files import GraphFormat, GraphSize
from pgrag.interchange import ExportReport, ImportReport
from pgrag.keeper import Keeper
from pgrag.models.protocols import Models
from pgrag.perform import Performer
from pgrag.progress import OnProgress, silent
from pgrag.settings import Settings
from pgrag.sources import documents_of_files, documents_of_texts, with_files
from pgrag.work import new_worker
from pgrag.worker import Assignment, OnReport


class PgRAG(Asker, Editor, Keeper, Client):
    """Graph RAG on a PostgreSQL database.

    url: a libpq or SQLAlchemy URL; none: `settings.database_url`, else the embedded server, which is started.
    engine, connection: the caller's own, of SQLAlchemy. With a connection, inside the caller's transaction, one can
        retrieve and edit; migrate, ingest and import need transactions of their own (InvalidArgument).
    models: any object with `chat` and `embed` (see `pgrag.models.protocols`); none: what the settings say.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        workspace: str | None = None,
        settings: Settings | None = None,
        models: Models | None = None,
        engine: sa.Engine | None = None,
        connection: sa.Connection | None = None,
    ) -> None:
        super().__init__(settings, workspace, models)
        only_one(url=url, engine=engine, connection=connection)
        self._url = url
        self._owned: sa.Engine | None = None
        source = connection if connection is not None else engine
        if source is None:
            self._url = url or database_url(self.settings)
            source = self._owned = db.engine(self._url, graph_backend=self.settings.graph_backend)
        self._source = source
        self._performer = Performer(source, self._flows.models, **self._places())
        self._editing = self._flows.editing(refresh=connection is None)

    def migrate(self) -> None:
        """Bring the database to the state this package needs. Safe to repeat."""
        # Imported here: alembic takes long to import, and few programs migrate.
        from pgrag import schema

        self._refuse_connection("migrate")
        url = self._url or self._source.engine.url.render_as_string(hide_password=False)
        schema.migrate(url, self._schema_options())

    def ingest(
        self,
        texts: str | Sequence[str],
        *,
        ids: Sequence[str] | None = None,
        file_paths: Sequence[str] | None = None,
        metadata: Metadata = None,
        options: IngestOptions | None = None,
        on_progress: OnProgress = silent,
    ) -> IngestReport:
        """Take texts in; the workspace is created when it is not there. A text that fails holds up no other.

        Raises BudgetExceeded, with a report, when more than `options.max_tokens` or the workspace's budget is needed.
        """
        documents = documents_of_texts(texts, ids, file_paths, metadata)
        return self._ingest(documents, options, on_progress)

    def ingest_files(
        self,
        paths: Sequence[str | Path] | str | Path,
        *,
        root: str | Path | None = None,
        metadata: Mapping[str, Any] | None = None,
        replace: bool = False,
        options: IngestOptions | None = None,
        on_progress: OnProgress = silent,
    ) -> IngestReport:
        """Take files and folders in. A file's id is its path below `root` (default: the folder named).

        `replace` takes a file in the place of another of its id, as `options.replace` does. Raises BudgetExceeded,
        with a report, when more than `options.max_tokens` or the workspace's budget is needed.
        """
        loaded = documents_of_files([paths] if isinstance(paths, str | Path) else paths, root, metadata)
        try:
            report = self._ingest(loaded.documents, replacing(options, replace), on_progress)
        except BudgetExceeded as error:
            raise with_files(error, loaded) from None
        return report.including(loaded.failed, loaded.skipped)

    def estimate_ingest(
        self,
        texts: str | Sequence[str],
        *,
        ids: Sequence[str] | None = None,
        options: IngestOptions | None = None,
    ) -> IngestEstimate:
        """What taking these texts in would ask of models. Nothing is asked, and nothing is written."""
        documents = documents_of_texts(texts, ids, None, None)
        return self._performer.run(self._flows.estimate_ingest(documents, options))

    def estimate_ingest_files(
        self,
        paths: Sequence[str | Path] | str | Path,
        *,
        root: str | Path | None = None,
        options: IngestOptions | None = None,
    ) -> IngestEstimate:
        """What taking these files in would ask of models. Nothing is asked, and nothing is written."""
        loaded = documents_of_files([paths] if isinstance(paths, str | Path) else paths, root, None)
        estimate = self._performer.run(self._flows.estimate_ingest(loaded.documents, options))
        return estimate.including(loaded.failed, loaded.skipped)

    def _ingest(
        self, documents: Sequence[NewDocument], options: IngestOptions | None, on_progress: OnProgress
    ) -> IngestReport:
        self._refuse_connection("ingest")
        worker = new_worker()
        return self._performer.run_or_undo(
            self._flows.ingest(documents, options, worker, on_progress), self._flows.release(worker)
        )

    def work(
        self,
        *,
        drain: bool = False,
        all_workspaces: bool = False,
        stop: threading.Event | None = None,
        on_report: OnReport = unreported,
        on_progress: OnProgress = silent,
    ) -> WorkReport:
        """Take queued jobs until `stop` is set (the jobs at hand are ended first), or with `drain` until none is left.

        When it is interrupted, its jobs go back to the queue at once. Raises DatabaseUnreachable.
        """
        self._refuse_connection("work")
        worker = new_worker()
        where = None if all_workspaces else self.workspace
        assignment = Assignment(where, drain, stop or threading.Event(), on_report, on_progress)
        return self._performer.run_or_undo(self._flows.work(assignment, worker), self._flows.release(worker))

    def retry_documents(
        self, documents: Sequence[str] | None = None, *, on_progress: OnProgress = silent
    ) -> IngestReport:
        """Try failed documents again, by id or path; none given: all that failed. Raises UnknownDocument."""
        self._refuse_connection("retry_documents")
        worker = new_worker()
        return self._performer.run_or_undo(
            self._flows.retry(documents, worker, on_progress), self._flows.release(worker)
        )

    def import_graph(
        self, folder: str | Path, *, strict: bool = False, on_progress: OnProgress = silent
    ) -> ImportReport:
        """Take in a graph in the interchange format, whole or not at all. Raises ImportRefused."""
        self._refuse_connection("import_graph")
        return self._performer.run(self._flows.import_graph(Path(folder), strict, on_progress))

    def export_graph(self, folder: str | Path, *, on_progress: OnProgress = silent) -> ExportReport:
        """Write the workspace into a new or empty folder, in the interchange format, as it is at one moment."""
        self._refuse_connection("export_graph")
        return self._performer.run(self._flows.export_graph(Path(folder), on_progress))

    def write_graph(self, to: TextIO, *, format: GraphFormat = "graphml", max_nodes: int | None = None) -> GraphSize:
        """Write entities and relations for other programs: as GraphML, or as JSON lines; none: all of them."""
        self._refuse_connection("write_graph")
        return self._performer.run(self._flows.write_graph(to, format, max_nodes))

    def close(self) -> None:
        """Close the connections that this client opened, to database and models; an embedded server runs on."""
        if self._owned is not None:
            self._owned.dispose()
        self._flows.close_reranker()
        close = getattr(self._flows.own_models(), "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _refuse_connection(self, what: str) -> None:
        if isinstance(self._source, sa.Connection):
            raise InvalidArgument(f"{what} needs transactions of its own", "give PgRAG a URL or an engine")
