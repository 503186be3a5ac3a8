"""What a client can be asked for, each as a flow: the one place where `PgRAG` and `AsyncPgRAG` get their logic from."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TextIO

from pgrag import calls, jobs, ledger, text_search, upkeep
from pgrag import query as asking
from pgrag.chunking import ChunkSize
from pgrag.documents import IngestEstimate, IngestOptions, IngestReport, NewDocument, WorkReport
from pgrag.editing import Editing
from pgrag.errors import PgragError
from pgrag.estimate import estimate_ingest
from pgrag.explain import Explanation, explain
from pgrag.flow import Flow
from pgrag.graph_files import GraphFormat, GraphSize, write_graph
from pgrag.ingest import ingest
from pgrag.installation import check_models, check_version, tokenizer_of
from pgrag.interchange import ExportReport, ImportReport, export_graph, import_graph
from pgrag.models.choose import models_from, reranker_from
from pgrag.models.protocols import ChatReply, Models, RerankingModels
from pgrag.options import QueryOptions
from pgrag.persistence import Patience, persistent
from pgrag.picture import GraphPicture
from pgrag.picturing import picture_of
from pgrag.progress import OnProgress
from pgrag.query import Prepared
from pgrag.recount import miscounted
from pgrag.refresh import refresh
from pgrag.retry import retry
from pgrag.rows import Answer, Context, DocumentDetails, DocumentInfo, Problem, WorkspaceBudget, WorkspaceInfo
from pgrag.settings import Settings
from pgrag.setup import ModelNames, Setup, WorkerOptions
from pgrag.worker import Assignment, work_until_stopped

_NOT_REFRESHED = (
    "the document is deleted; what it shared with others is found by its old vectors until the next ingest or worker "
    "makes them anew, which was not possible now: %s"
)

log = logging.getLogger("pgrag.flows")


@dataclass
class Flows:
    """Settings, workspace and provider of a client, and what it learnt of its database at the first question."""

    settings: Settings
    workspace: str
    given_models: Models | None = None
    _models: Models | None = None
    _reranker: RerankingModels | None = None
    _setups: dict[str, Setup] = field(default_factory=dict)

    def models(self) -> Models:
        """The provider, made at first use: a client that only lists documents loads no model."""
        if self._models is None:
            self._models = self.given_models or models_from(self.settings)
        return self._models

    def reranker(self) -> RerankingModels | None:
        """The given provider, when it can rerank; else the server that the settings name, if they do."""
        if isinstance(self.given_models, RerankingModels):
            return self.given_models
        if self._reranker is None:
            self._reranker = reranker_from(self.settings)
        return self._reranker

    def own_models(self) -> Models | None:
        """The provider that we made ourselves, if any; one that was given is its giver's to close."""
        return None if self.given_models is not None else self._models

    def close_reranker(self) -> None:
        """Close the connections of a reranker that we made ourselves."""
        close = getattr(self._reranker, "close", None)
        if close is not None:
            close()

    def setup(self) -> Flow[Setup]:
        """What the other flows need to know; the database is asked once. Raises SchemaMismatch, EmbeddingMismatch."""
        if self.workspace not in self._setups:
            found = check_version(next(iter((yield from calls.installation())), None))
            check_models(found, self.models())
            self._setups[self.workspace] = Setup(
                self.workspace,
                tokenizer_of(found),
                ModelNames.of(self.models(), self.reranker()),
                self.settings.llm_concurrency,
                self.settings.embedding_concurrency,
                worker=WorkerOptions(self.settings.lease_seconds, self.settings.lease_seconds / 3),
                rerank_part_tokens=self.settings.rerank_part_tokens,
            )
        return self._setups[self.workspace]

    def query(self, question: str, options: QueryOptions) -> Flow[Answer]:
        return (yield from asking.answer(question, options, (yield from self.setup())))

    def prepare(self, question: str, options: QueryOptions) -> Flow[Prepared | Answer]:
        return (yield from asking.prepare(question, options, (yield from self.setup())))

    def finish(self, prepared: Prepared, text: str, seconds: float) -> Flow[Answer]:
        setup = yield from self.setup()
        reply = ChatReply(text, setup.models.answer)
        return (yield from asking.finish(prepared, reply, seconds, setup))

    def retrieve(self, question: str, options: QueryOptions) -> Flow[Context]:
        return (yield from asking.retrieve(question, options, (yield from self.setup())))

    def prompt(self, question: str, options: QueryOptions) -> Flow[str]:
        return (yield from asking.prompt(question, options, (yield from self.setup())))

    def explain(self, question: str, options: QueryOptions) -> Flow[Explanation]:
        return (yield from explain(question, options, (yield from self.setup())))

    def search_chunks_by_text(
        self, text: str, top_k: int, filter: Mapping[str, Any] | None
    ) -> Flow[list[text_search.ChunkByText]]:
        return (yield from text_search.search_chunks_by_text(self.workspace, text, top_k, filter))

    def ingest(
        self, documents: Sequence[NewDocument], options: IngestOptions | None, worker: str, on_progress: OnProgress
    ) -> Flow[IngestReport]:
        setup = yield from self.setup()
        flow = ingest(documents, self.ingest_options(options), setup, worker, on_progress)
        return (yield from persistent(flow, self._patience()))

    def work(self, assignment: Assignment, worker: str) -> Flow[WorkReport]:
        setup = yield from self.setup()
        return (yield from persistent(work_until_stopped(assignment, setup, worker), self._patience()))

    def retry(self, documents: Sequence[str] | None, worker: str, on_progress: OnProgress) -> Flow[IngestReport]:
        setup = yield from self.setup()
        return (yield from persistent(retry(documents, setup, worker, on_progress), self._patience()))

    def estimate_ingest(self, documents: Sequence[NewDocument], options: IngestOptions | None) -> Flow[IngestEstimate]:
        setup = yield from self.setup()
        return (yield from estimate_ingest(documents, self.ingest_options(options), setup))

    def budget(self) -> Flow[WorkspaceBudget]:
        return (yield from ledger.workspace_budget(self.workspace))[0]

    def set_budget(self, max_tokens: int | None) -> Flow[None]:
        yield from ledger.set_workspace_budget(self.workspace, max_tokens)

    def ingest_options(self, options: IngestOptions | None) -> IngestOptions:
        """The options, and for what they leave open what settings and provider suggest.

        The provider's own chunk size, where it states one, must fit what its embedding model reads.
        """
        options = options or IngestOptions()
        if options.extraction is None:
            options = replace(options, extraction=self.settings.extraction_options())
        tokens = getattr(self.models(), "preferred_chunk_tokens", None)
        if options.chunk_size is not None or tokens is None:
            return options
        overlap = getattr(self.models(), "preferred_chunk_overlap", None)
        return replace(options, chunk_size=ChunkSize(tokens, overlap or 0))

    def release(self, worker: str) -> Flow[int]:
        """Give back what an interrupted worker held, in whatever workspace."""
        return (yield from jobs.release_jobs(None, worker))[0]

    def import_graph(self, folder: Path, strict: bool, on_progress: OnProgress) -> Flow[ImportReport]:
        setup = yield from self.setup()
        return (yield from import_graph(folder, strict=strict, setup=setup, on_progress=on_progress))

    def export_graph(self, folder: Path, on_progress: OnProgress) -> Flow[ExportReport]:
        return (yield from export_graph(folder, self.workspace, on_progress))

    def write_graph(self, to: TextIO, format: GraphFormat, max_nodes: int | None) -> Flow[GraphSize]:
        return (yield from write_graph(to, format, max_nodes, self.workspace))

    def documents(self, status: str | None) -> Flow[list[DocumentInfo]]:
        return (yield from calls.list_documents(self.workspace, status))

    def document(self, document: str) -> Flow[list[DocumentDetails]]:
        return (yield from upkeep.document_details(self.workspace, document))

    def delete_document(self, document: str, keep_extractions: bool, wait: bool) -> Flow[list[str]]:
        """Delete, and make the vectors anew of what the document shared; a model is asked only then.

        The document is gone whether or not that can be done now: what stays is a warning.
        """
        deleted = yield from calls.delete_document(self.workspace, document, keep_extractions)
        try:
            if wait:
                yield from self.refresh_stale()
        except PgragError as error:
            log.warning(_NOT_REFRESHED, error)
        return deleted

    def refresh_stale(self) -> Flow[None]:
        """Make the vectors anew of what has changed; where nothing has, no model is asked for."""
        if (yield from calls.refresh_pending(self.workspace, batch=1)):
            yield from refresh((yield from self.setup()))

    def leave_stale(self) -> Flow[None]:
        """Within a caller's transaction no model is asked: the next worker, or a later edit, refreshes."""
        yield from ()

    def editing(self, *, refresh: bool) -> Editing:
        """Entities, relations and names by hand; with or without new vectors for what changes."""
        return Editing(self.workspace, self.refresh_stale if refresh else self.leave_stale)

    def forget(self, kind: str, older_than: timedelta) -> Flow[int]:
        return (yield from upkeep.forget(self.workspace, kind, older_than))[0]

    def _patience(self) -> Patience:
        return Patience(self.settings.database_patience)

    def workspaces(self) -> Flow[list[WorkspaceInfo]]:
        return (yield from calls.list_workspaces())

    def create_workspace(self) -> Flow[None]:
        yield from calls.create_workspace(self.workspace)

    def delete_workspace(self) -> Flow[int]:
        return (yield from calls.delete_workspace(self.workspace))[0]

    def clear_cache(self) -> Flow[int]:
        return (yield from calls.clear_cache(self.workspace))[0]

    def check(self) -> Flow[list[Problem]]:
        """What is wrong. Raises SchemaMismatch: a database of another version is not ours to judge."""
        found = check_version(next(iter((yield from calls.installation())), None))
        return [*(yield from calls.check_installation()), *(yield from miscounted(found))]

    def repair(self) -> Flow[list[str]]:
        """Rebuild the graph from the tables and recount what was miscounted: what was done, in words."""
        return (yield from calls.repair_installation())

    def graph_picture(self, max_nodes: int) -> Flow[GraphPicture]:
        """The entities with most relations, and the relations among them."""
        rows = yield from calls.graph_picture(self.workspace, max_nodes)
        (info,) = [each for each in (yield from calls.list_workspaces()) if each.workspace == self.workspace]
        return picture_of(rows, info)
