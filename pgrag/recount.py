"""Token counts, counted anew: the budgets of entities and relations are cut in SQL, which has no tokenizer."""

from __future__ import annotations

from collections import Counter

from pgrag import upkeep
from pgrag.errors import ConfigurationError
from pgrag.flow import Flow
from pgrag.installation import Installation, tokenizer_of
from pgrag.rows import Problem

SAMPLE = 500
"""Entities, and as many relations, that are looked at."""
CURE = "UPDATE pgrag.{kind} SET stale = true where that is so; the next ingest or worker counts and embeds them anew"


def miscounted(found: Installation) -> Flow[list[Problem]]:
    """One problem for each kind and workspace with a count in the sample that is not the tokenizer's."""
    try:
        tokenizer = tokenizer_of(found)
    except ConfigurationError as error:
        return [Problem(f"token counts cannot be checked: {error.message}", error.hint or "")]
    lines = yield from upkeep.sample_of_lines(SAMPLE)
    counts = tokenizer.counts([each.line + "\n" for each in lines])
    wrong = [each for each, count in zip(lines, counts, strict=True) if each.token_count != count]
    by_place = Counter((each.kind, each.workspace) for each in wrong)
    kinds = {"entity": "entities", "relation": "relations"}
    return [
        Problem(
            f"{count} {kinds[kind]} of workspace '{workspace}', in a sample, have a token count that {tokenizer.name} "
            "does not give their line",
            CURE.format(kind=kind),
        )
        for (kind, workspace), count in sorted(by_place.items())
    ]
