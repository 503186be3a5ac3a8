"""What retrieve_latency.py asks about: a graph in the interchange format, and questions.npy beside it.

Topics are of eight fields and share a direction, as the texts of one language do: with topics that have nothing in
common a vector index misses whole topics. There are 50 entities to a topic at any size, so that a question finds as
much in a large graph as in a small one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from import_graph import DIMENSIONS, Size, near, unit, write_folder

QUESTIONS = 60
FIELDS = 8


def write_benchmark(folder: Path, entities: int) -> None:
    """Write the graph of so many entities, thrice as many relations and as many chunks, and its questions.

    questions.npy is float32 (QUESTIONS, 3, DIMENSIONS): of the question, its low-level and its high-level keywords.
    """
    folder.mkdir(parents=True)
    dice = np.random.default_rng(5)
    topics = make_topics(max(FIELDS, entities // 50), dice)
    write_folder(folder, Size(entities, 3 * entities, entities), topics)
    asked = np.repeat(topics[dice.integers(len(topics), size=QUESTIONS)], 3, axis=0)
    np.save(folder / "questions.npy", near(asked, dice).reshape(QUESTIONS, 3, DIMENSIONS))


def make_topics(count: int, dice: np.random.Generator) -> np.ndarray:
    """float32 (count, DIMENSIONS): texts near two of them have a cosine of 0.2, of the same field 0.35."""
    common, fields, own = (unit(dice.normal(size=(rows, DIMENSIONS))) for rows in (1, FIELDS, count))
    return unit(0.6 * common + 0.5 * fields[np.arange(count) % FIELDS] + 0.62 * own)
