"""One constructor for each SQL function of the ledger: what models have said, what that cost, how much it may cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pgrag.calls import Nothing, as_json
from pgrag.flow import Flow, call
from pgrag.rows import KeptExtraction, KeptSummary, WorkspaceBudget


def kept_extractions(
    workspace: str, content_hashes: Sequence[str], model: str, prompt_digest: str
) -> Flow[list[KeptExtraction]]:
    return call(
        KeptExtraction,
        "kept_extractions",
        workspace=workspace,
        content_hashes=list(content_hashes),
        model=model,
        prompt_digest=prompt_digest,
    )


def keep_extraction(
    workspace: str, content_hash: str, model: str, prompt_digest: str, reply: Mapping[str, Any]
) -> Flow[list[None]]:
    return call(
        Nothing,
        "keep_extraction",
        workspace=workspace,
        content_hash=content_hash,
        model=model,
        prompt_digest=prompt_digest,
        reply=as_json(reply),
    )


def kept_summaries(
    workspace: str, content_hashes: Sequence[str], model: str, prompt_digest: str
) -> Flow[list[KeptSummary]]:
    return call(
        KeptSummary,
        "kept_summaries",
        workspace=workspace,
        content_hashes=list(content_hashes),
        model=model,
        prompt_digest=prompt_digest,
    )


def keep_summary(workspace: str, content_hash: str, model: str, prompt_digest: str, summary: str) -> Flow[list[None]]:
    return call(
        Nothing,
        "keep_summary",
        workspace=workspace,
        content_hash=content_hash,
        model=model,
        prompt_digest=prompt_digest,
        summary=summary,
    )


def record_usage(
    workspace: str,
    role: str,
    model: str,
    calls: int,
    cached: int = 0,
    prompt_tokens: int = 0,
    completion_tokens: int = 0,
    document: str | None = None,
) -> Flow[list[None]]:
    return call(
        Nothing,
        "record_usage",
        workspace=workspace,
        role=role,
        model=model,
        calls=calls,
        cached=cached,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        document=document,
    )


def workspace_budget(workspace: str) -> Flow[list[WorkspaceBudget]]:
    return call(WorkspaceBudget, "workspace_budget", workspace=workspace)


def set_workspace_budget(workspace: str, max_tokens: int | None) -> Flow[list[None]]:
    return call(Nothing, "set_workspace_budget", workspace=workspace, max_tokens=max_tokens)
