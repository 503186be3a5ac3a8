"""One constructor for each SQL function of the ledger: what models were asked, and how much they may be asked."""

from __future__ import annotations

from pgrag.calls import Nothing
from pgrag.flow import Flow, call
from pgrag.rows import WorkspaceBudget


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
