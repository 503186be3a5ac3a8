"""`ingest`: documents, with progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, cast

import typer

from pgrag.cli import chunk_options as option
from pgrag.cli.chunk_options import ChunkWay, size_of, strategy_of
from pgrag.cli.extraction_options import DryRun, EntityTypes, Examples, Language, MaxGleaning, MaxTokens
from pgrag.cli.options import Json, Url, Workspace, client, examples, key_values
from pgrag.cli.output import fail, print_json, print_table, stderr, stdout, tell
from pgrag.cli.progress import progress_bars
from pgrag.errors import BudgetExceeded

if TYPE_CHECKING:
    from pgrag.documents import DocumentEstimate, DocumentReport, IngestEstimate, IngestReport

EXAMPLES = examples(
    "pgrag ingest docs/",
    "pgrag ingest report.txt notes.md -w research --metadata year=1843 --metadata author=Dickens",
    "pgrag ingest a/README.md b/README.md --root .",
    "pgrag ingest docs/ --queue-only",
    "pgrag ingest handbook/ --chunk-by markdown --chunk-size 600",
    "pgrag ingest docs/ --dry-run",
    "pgrag ingest docs/ --max-tokens 500000 --max-gleaning 0",
)
_SKIPPED_SHOWN = 5


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files and folders.", show_default=False)],
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Ids are paths below this folder; none: the folder named, a file's own."),
    ] = None,
    metadata: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="For every file, to filter by; repeatable.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take a file in the place of another of its id.")] = False,
    queue_only: Annotated[
        bool, typer.Option("--queue-only", help="Leave the work to workers: pgrag worker, on any machine.")
    ] = False,
    chunk_by: option.ChunkBy = ChunkWay.tokens,
    chunk_size: option.ChunkTokens = None,
    chunk_overlap: option.ChunkOverlap = None,
    split_by: option.SplitBy = None,
    split_only: option.SplitOnly = False,
    entity_types: EntityTypes = None,
    language: Language = None,
    examples: Examples = None,
    max_gleaning: MaxGleaning = None,
    max_tokens: MaxTokens = None,
    dry_run: DryRun = False,
    url: Url = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take files in: chunks, entities, relations, vectors; one transaction a document.

    Text, Markdown, HTML, PDF, DOCX, PPTX, XLSX, CSV, EPUB; of JSONL every line is a document.

    What is there already, unchanged, costs nothing; a file with new content replaces its old version.

    A file that fails says why and holds up no other; trying it again asks the models only for what is missing.
    """
    from pgrag.documents import IngestOptions

    about = key_values(metadata)
    options = IngestOptions(
        chunk_size=size_of(chunk_size, chunk_overlap),
        chunking=strategy_of(chunk_by, split_by, split_only),
        replace=replace,
        max_tokens=max_tokens,
        queue_only=queue_only,
    )
    with client(
        url,
        workspace,
        entity_types=entity_types,
        language=language,
        extraction_examples=examples,
        max_gleaning=max_gleaning,
    ) as rag:
        if dry_run:
            estimate = rag.estimate_ingest_files(list(paths), root=root, options=options)
            _tell_estimate(estimate, json)
            raise typer.Exit(1 if estimate.failed else 0)
        spent: BudgetExceeded | None = None
        try:
            with progress_bars() as on_progress:
                report = rag.ingest_files(
                    list(paths), root=root, metadata=about, options=options, on_progress=on_progress
                )
        except BudgetExceeded as error:
            report, spent = cast("IngestReport", error.report), error
    if not report.documents:
        stderr.print("there was no file to read")
    end_with(report, json, spent)


def end_with(report: IngestReport, json: bool, spent: BudgetExceeded | None = None) -> NoReturn:
    """Say how the documents fared, and end the command: with 1 when one of them failed, or the budget was spent."""
    _tell_what_was_left(report.failed, report.skipped)
    if json:
        print_json(report)
    else:
        _print_report(report)
    if spent:
        raise typer.Exit(fail(spent))
    raise typer.Exit(1 if report.failed else 0)


def _tell_estimate(estimate: IngestEstimate, json: bool) -> None:
    _tell_what_was_left(estimate.failed, estimate.skipped)
    if json:
        print_json(estimate)
        return
    shown = ("id", "status", "chunks", "kept_chunks", "calls", "tokens")
    print_table(
        ("document", "status", "chunks", "kept", "calls", "tokens"),
        [[getattr(each, name) for name in shown] for each in estimate.documents],
    )
    total = estimate.total
    stdout.print(f"about {total.tokens} tokens in all")
    stdout.print(f"chat model: {total.calls} calls, {total.prompt_tokens} sent, {total.completion_tokens} received")
    stdout.print(f"embedding model: {total.embedding_calls} calls, {total.embedding_tokens} sent")


def _tell_what_was_left(failed: Sequence[DocumentReport | DocumentEstimate], skipped: Sequence[str]) -> None:
    for each in failed:
        error = each.error or "no reason given"
        tell("failed:", error if each.id in error else f"{each.id}: {error}", "red")
    if skipped:
        shown = ", ".join(skipped[:_SKIPPED_SHOWN])
        more = ", …" if len(skipped) > _SKIPPED_SHOWN else ""
        tell("skipped:", f"{len(skipped)} of no kind that is read: {shown}{more}", "yellow")


def _print_report(report: IngestReport) -> None:
    for each in report.documents:
        if each.status == "ready":
            stdout.print(f"{each.id}: {each.chunks} chunks, {each.entities} entities, {each.relations} relations")
        elif each.status in ("unchanged", "queued"):
            stdout.print(f"{each.id}: {each.status}")
    counts = Counter(each.status for each in report.documents)
    queued = f"{counts['queued']} queued, " if counts["queued"] else ""
    stdout.print(f"{counts['ready']} documents ready, {queued}{counts['failed']} failed, in {report.seconds:.1f} s")
