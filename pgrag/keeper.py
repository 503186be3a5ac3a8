"""Looking after what is there, for both clients: documents, workspaces, budgets, caches, the installation."""

from __future__ import annotations

from datetime import timedelta

from pgrag.flows import Flows
from pgrag.perform import AsyncPerformer, Performer
from pgrag.picture import GraphPicture
from pgrag.rows import DocumentDetails, DocumentInfo, Problem, WorkspaceBudget, WorkspaceInfo


class Keeper:
    """The methods of `PgRAG` that look at what a database holds, and look after it."""

    _flows: Flows
    _performer: Performer

    def documents(self, status: str | None = None) -> list[DocumentInfo]:
        """The documents of the workspace, by id; of status `failed` those whose last attempt failed."""
        return self._performer.run(self._flows.documents(status))

    def document(self, id: str) -> list[DocumentDetails]:
        """Everything about a document, by id; about all with this path, where no id fits. Raises UnknownDocument."""
        return self._performer.run(self._flows.document(id))

    def delete_document(self, id: str, *, keep_extractions: bool = True, wait: bool = True) -> list[str]:
        """Delete a document, by id or path, and exactly what only it said: the ids deleted. Raises UnknownDocument.

        What models replied about it stays kept, for the next ingest of it, unless `keep_extractions` is False. The
        vectors of what it shared are made anew; where that fails, or with `wait=False`, the next ingest does it.
        """
        return self._performer.run(self._flows.delete_document(id, keep_extractions, wait))

    def forget(self, kind: str, older_than: timedelta) -> int:
        """Forget `extractions`, `summaries` or `usage` older than this: how many rows. Raises InvalidArgument."""
        return self._performer.run(self._flows.forget(kind, older_than))

    def workspaces(self) -> list[WorkspaceInfo]:
        """All workspaces, with how much they hold."""
        return self._performer.run(self._flows.workspaces())

    def create_workspace(self) -> None:
        """Create the client's workspace, when it is not there."""
        self._performer.run(self._flows.create_workspace())

    def budget(self) -> WorkspaceBudget:
        """The workspace's token budget (None: none), and what was spent of it. Raises UnknownWorkspace."""
        return self._performer.run(self._flows.budget())

    def set_budget(self, max_tokens: int | None) -> None:
        """Set how many tokens may ever be spent for the workspace; None: any number. Raises UnknownWorkspace."""
        self._performer.run(self._flows.set_budget(max_tokens))

    def delete_workspace(self) -> int:
        """Delete the client's workspace and everything in it: how many documents it had."""
        return self._performer.run(self._flows.delete_workspace())

    def clear_cache(self) -> int:
        """Forget kept answers and keywords: how many. Kept extractions stay."""
        return self._performer.run(self._flows.clear_cache())

    def check(self) -> list[Problem]:
        """What is wrong with the installation."""
        return self._performer.run(self._flows.check())

    def repair(self) -> list[str]:
        """Mend what can be mended from the tables: what was done, in words."""
        return self._performer.run(self._flows.repair())

    def graph_picture(self, max_nodes: int = 1000) -> GraphPicture:
        """The entities with most relations, and what relates them; `pgrag.picture.render_page` draws it."""
        return self._performer.run(self._flows.graph_picture(max_nodes))


class AsyncKeeper:
    """The methods of `AsyncPgRAG` that look at what a database holds, and look after it."""

    _flows: Flows
    _performer: AsyncPerformer

    async def documents(self, status: str | None = None) -> list[DocumentInfo]:
        """The documents of the workspace, by id; of status `failed` those whose last attempt failed."""
        return await self._performer.run(self._flows.documents(status))

    async def document(self, id: str) -> list[DocumentDetails]:
        """Everything about a document, by id; about all with this path, where no id fits. Raises UnknownDocument."""
        return await self._performer.run(self._flows.document(id))

    async def delete_document(self, id: str, *, keep_extractions: bool = True, wait: bool = True) -> list[str]:
        """Delete a document, by id or path, and exactly what only it said: the ids deleted. Raises UnknownDocument.

        What models replied about it stays kept, for the next ingest of it, unless `keep_extractions` is False. The
        vectors of what it shared are made anew; where that fails, or with `wait=False`, the next ingest does it.
        """
        return await self._performer.run(self._flows.delete_document(id, keep_extractions, wait))

    async def forget(self, kind: str, older_than: timedelta) -> int:
        """Forget `extractions`, `summaries` or `usage` older than this: how many rows. Raises InvalidArgument."""
        return await self._performer.run(self._flows.forget(kind, older_than))

    async def workspaces(self) -> list[WorkspaceInfo]:
        """All workspaces, with how much they hold."""
        return await self._performer.run(self._flows.workspaces())

    async def create_workspace(self) -> None:
        """Create the client's workspace, when it is not there."""
        await self._performer.run(self._flows.create_workspace())

    async def budget(self) -> WorkspaceBudget:
        """The workspace's token budget (None: none), and what was spent of it. Raises UnknownWorkspace."""
        return await self._performer.run(self._flows.budget())

    async def set_budget(self, max_tokens: int | None) -> None:
        """Set how many tokens may ever be spent for the workspace; None: any number. Raises UnknownWorkspace."""
        await self._performer.run(self._flows.set_budget(max_tokens))

    async def delete_workspace(self) -> int:
        """Delete the client's workspace and everything in it: how many documents it had."""
        return await self._performer.run(self._flows.delete_workspace())

    async def clear_cache(self) -> int:
        """Forget kept answers and keywords: how many. Kept extractions stay."""
        return await self._performer.run(self._flows.clear_cache())

    async def check(self) -> list[Problem]:
        """What is wrong with the installation."""
        return await self._performer.run(self._flows.check())

    async def repair(self) -> list[str]:
        """Mend what can be mended from the tables: what was done, in words."""
        return await self._performer.run(self._flows.repair())

    async def graph_picture(self, max_nodes: int = 1000) -> GraphPicture:
        """The entities with most relations, and what relates them; `pgrag.picture.render_page` draws it."""
        return await self._performer.run(self._flows.graph_picture(max_nodes))
