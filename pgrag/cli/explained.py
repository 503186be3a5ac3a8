"""How an answer came about, for people: its candidates as a table, its stages, warnings and timings on stderr."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pgrag.cli.output import print_table, stderr

if TYPE_CHECKING:
    from pgrag.explain import Candidate, Explanation
    from pgrag.rows import Stage, Trace

COLUMNS = ("kind", "item", "leg", "rank", "distance", "score", "tokens", "place", "reason")


def print_explanation(explanation: Explanation) -> None:
    """A table of the candidates; what the stages took and gave below it, on stderr."""
    print_table(COLUMNS, (_row(candidate) for candidate in explanation.candidates))
    trace = explanation.context.trace
    for stage in trace.stages:
        stderr.print(f"{stage.name}: {', '.join(_told(stage))}", style="dim")
    print_trace(trace)


def print_trace(trace: Trace) -> None:
    """Warnings and timings, on stderr."""
    print_warnings(trace)
    spent = ", ".join(f"{stage} {seconds * 1000:.0f} ms" for stage, seconds in trace.seconds.items())
    if spent:
        stderr.print(f"{'kept answer; when it was made: ' if trace.cache == 'hit' else ''}{spent}", style="dim")


def print_warnings(trace: Trace) -> None:
    """A line each, on stderr."""
    for warning in trace.warnings:
        stderr.print(warning, style="yellow")


def _row(candidate: Candidate) -> tuple[object, ...]:
    place = f"#{candidate.ordinal}" if candidate.kept else None
    distance, score = _rounded(candidate.distance), _rounded(candidate.rerank_score)
    return (
        candidate.kind,
        candidate.label,
        candidate.leg,
        candidate.rank,
        distance,
        score,
        candidate.token_count,
        place,
        candidate.reason,
    )


def _rounded(value: float | None) -> str | None:
    return None if value is None else f"{value:.4f}"


def _told(stage: Stage) -> Iterator[str]:
    if stage.taken:
        yield f"took {_counts(stage.taken)}"
    yield f"gave {_counts(stage.given) or 'nothing'}"
    if stage.dropped:
        yield f"dropped {_counts(stage.dropped)}"
    if stage.note:
        yield stage.note


def _counts(counts: Mapping[str, int]) -> str:
    return " + ".join(f"{count} {name}" for name, count in counts.items() if count)
