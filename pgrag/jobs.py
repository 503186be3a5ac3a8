"""Constructors like those of `calls`, for the functions of the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pgrag.calls import as_json
from pgrag.flow import Flow, call
from pgrag.rows import Enqueued, Job, PendingWork


def enqueue_document(
    workspace: str,
    document: str,
    content: str,
    file_path: str | None,
    source_path: str | None,
    metadata: Mapping[str, Any] | None,
    options: Mapping[str, Any],
    replace: bool,
) -> Flow[list[Enqueued]]:
    return call(
        Enqueued,
        "enqueue_document",
        workspace=workspace,
        document=document,
        content=content,
        file_path=file_path,
        source_path=source_path,
        metadata=None if metadata is None else as_json(metadata),
        options=as_json(options),
        replace=replace,
    )


def claim_job(workspace: str, worker: str, documents: Sequence[str] | None, lease_seconds: float) -> Flow[list[Job]]:
    return call(
        Job,
        "claim_job",
        workspace=workspace,
        worker=worker,
        documents=None if documents is None else list(documents),
        lease_seconds=lease_seconds,
    )


def renew_lease(workspace: str, job_id: int, worker: str, lease_seconds: float) -> Flow[list[bool]]:
    return call(bool, "renew_lease", workspace=workspace, job_id=job_id, worker=worker, lease_seconds=lease_seconds)


def release_jobs(workspace: str | None, worker: str) -> Flow[list[int]]:
    return call(int, "release_jobs", workspace=workspace, worker=worker)


def fail_job(workspace: str, job_id: int, worker: str, error: str) -> Flow[list[bool]]:
    return call(bool, "fail_job", workspace=workspace, job_id=job_id, worker=worker, error=error)


def retry_documents(workspace: str, documents: Sequence[str] | None) -> Flow[list[str]]:
    return call(
        str,
        "retry_documents",
        workspace=workspace,
        documents=None if documents is None else list(documents),
    )


def pending_work(workspace: str | None) -> Flow[list[PendingWork]]:
    return call(PendingWork, "pending_work", workspace=workspace)
