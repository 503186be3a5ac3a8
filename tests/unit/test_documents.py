"""Ingest options as a job carries them."""

from __future__ import annotations

import json

import pytest

from pgrag.chunking import ByCharacter, ByFunction, ByMarkdown, ByRanges, ByTokens, ChunkSize, Mark, Strategy
from pgrag.documents import IngestOptions, NewDocument, marks_from_job
from pgrag.errors import InvalidArgument
from pgrag.options import ExtractionOptions

DOCUMENT = NewDocument("d", "One. Two.", marks=(Mark(0, {"page": 1}), Mark(5, {"page": 2})))


@pytest.mark.parametrize("chunking", [ByTokens(), ByCharacter("\n---\n", only=True), ByMarkdown()])
def test_a_job_carries_all_its_options(chunking: Strategy) -> None:
    options = IngestOptions(ChunkSize(300, 30), ExtractionOptions(max_gleaning=3), chunking=chunking)
    job = json.loads(json.dumps(options.of_job(DOCUMENT)))
    assert IngestOptions.from_job(job) == options
    assert marks_from_job(job) == DOCUMENT.marks


def test_the_callers_function_travels_as_the_ranges_it_made() -> None:
    options = IngestOptions(chunking=ByFunction(lambda text: text.split()))
    job = json.loads(json.dumps(options.of_job(DOCUMENT)))
    assert IngestOptions.from_job(job).chunking == ByRanges(((0, 4), (5, 9)))


def test_without_options_a_job_is_chunked_by_tokens() -> None:
    assert IngestOptions.from_job({}) == IngestOptions(ChunkSize(), ExtractionOptions())
    assert marks_from_job({}) == ()


def test_an_unknown_way_of_chunking_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="unknown way of chunking"):
        IngestOptions.from_job({"chunking": {"by": "magic"}})
