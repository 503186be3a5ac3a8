"""The budget of one ingest: how much it may spend, and what is left to do once that is spent."""

from __future__ import annotations

from collections.abc import Sequence

from pgrag import ledger
from pgrag.budget import Budget
from pgrag.documents import IngestOptions, IngestReport, NewDocument
from pgrag.errors import BudgetExceeded
from pgrag.estimate import estimate_ingest
from pgrag.flow import Flow
from pgrag.setup import Setup


def budget_of(options: IngestOptions, setup: Setup) -> Flow[Budget]:
    """The lesser of what this run may spend, and of what is left of the workspace's budget for all times."""
    (of_workspace,) = yield from ledger.workspace_budget(setup.workspace)
    limits = [] if options.max_tokens is None else [options.max_tokens]
    if of_workspace.max_tokens is not None:
        limits.append(max(0, of_workspace.max_tokens - of_workspace.spent_tokens))
    return Budget(min(limits, default=None))


def what_is_left(
    documents: Sequence[NewDocument], report: IngestReport, options: IngestOptions, setup: Setup
) -> Flow[BudgetExceeded]:
    """The error that ends a run whose budget is spent: how many documents are left, and what they will cost."""
    done = {each.id for each in report.documents if each.status in ("ready", "unchanged", "failed")}
    left = [document for document in documents if document.id not in done]
    needed = (yield from estimate_ingest(left, options, setup)).total.tokens
    budget = setup.meter.budget
    rest = f"{len(left)} of {len(report.documents)} documents are left, which need about {needed} tokens"
    return BudgetExceeded(
        f"the budget is spent: {budget.spent} of {budget.limit} tokens; "
        + (rest if left else "vectors of changed entities are left"),
        "run the same again with more tokens: what was finished stays, and no reply that is kept is paid for again",
        report=report,
        documents_left=len(left),
        tokens_left=needed,
    )
