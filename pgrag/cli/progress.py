"""A bar for each stage of long work, on stderr; the bars go when the work is done."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from pgrag.cli.output import stderr

if TYPE_CHECKING:
    from pgrag.progress import OnProgress, Progress

_LABELS = {"extract": "reading chunks", "published": "documents published", "refresh": "vectors refreshed"}


@contextmanager
def progress_bars() -> Iterator[OnProgress]:
    """What to hand over as `on_progress`; may be called from several threads."""
    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=stderr,
        transient=True,
        disable=not stderr.is_terminal,
    )
    told = _Told(bars)
    with bars:
        yield told


class _Told:
    """Adds up what is told: chunks over all documents, the other stages as they come."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._lock = threading.Lock()
        self._tasks = {"extract": bars.add_task(_LABELS["extract"], total=None)}
        self._chunks: dict[str, int] = {}

    def __call__(self, progress: Progress) -> None:
        with self._lock:
            if progress.stage not in self._tasks:
                label = _LABELS.get(progress.stage, progress.stage)
                self._tasks[progress.stage] = self._bars.add_task(label, total=None)
            task = self._tasks[progress.stage]
            if progress.stage == "extract":
                self._chunks[progress.document] = progress.total
                self._bars.update(task, total=sum(self._chunks.values()), advance=1)
            else:
                self._bars.update(task, advance=1 if progress.total else progress.done)
