"""Constructors like those of `calls`, for the functions by which one looks after documents and the queue."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pgrag.flow import Flow, call
from pgrag.rows import DocumentDetails, PendingWork


def document_details(workspace: str, document: str) -> Flow[list[DocumentDetails]]:
    return call(DocumentDetails, "document_details", workspace=workspace, document=document)


def retry_documents(workspace: str, documents: Sequence[str] | None) -> Flow[list[str]]:
    return call(
        str,
        "retry_documents",
        workspace=workspace,
        documents=None if documents is None else list(documents),
    )


def forget(workspace: str, kind: str, older_than: timedelta) -> Flow[list[int]]:
    return call(int, "forget", workspace=workspace, kind=kind, older_than=older_than)


def pending_work(workspace: str | None) -> Flow[list[PendingWork]]:
    return call(PendingWork, "pending_work", workspace=workspace)
