"""Budgets and estimates from outside: what is written down, where a run stops, what is left, and that it goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from support.model_server import ModelServer
from support.tables import row_counts

from pgrag import AsyncPgRAG, ExtractionOptions, IngestEstimate, IngestOptions, PgRAG
from pgrag.chunking import ChunkSize
from pgrag.errors import BudgetExceeded, InvalidArgument, UnknownWorkspace
from pgrag.models.protocols import ChatRequest
from pgrag.models.scripted import ScriptedModels

from .conftest import Cli

Write = Callable[[str, str], Path]
TEXTS = [f"Alice{number} met Bob{number} in Paris. Bob{number} knows Carol." for number in range(8)]
IDS = [f"d{number}" for number in range(8)]


def usage(url: str) -> dict[tuple[str | None, str], tuple[int, int, int]]:
    """(calls, cached, tokens) by document and role."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT document, role, calls, cached, tokens FROM pgrag.usage_stats").fetchall()
        return {
            (document, role): (int(calls), int(cached), int(tokens)) for document, role, calls, cached, tokens in rows
        }


def spent(url: str) -> int:
    return sum(tokens for _, _, tokens in usage(url).values())


def extract(request: ChatRequest) -> str:
    names = [word.strip(".") for word in request.text.split() if word[0].isupper()]
    entities = [{"name": name, "type": "person", "description": f"{name} is named."} for name in names]
    return json.dumps({"entities": [] if request.history else entities, "relations": []})


def models() -> ScriptedModels:
    return ScriptedModels({"extract": extract})


def client(url: str, provider: ScriptedModels | None = None) -> PgRAG:
    return PgRAG(url, workspace="w", models=provider or models())


# The ledger


def test_usage_is_written_down_by_document_and_role(rag: PgRAG, url: str) -> None:
    rag.ingest(TEXTS[:2], ids=IDS[:2])
    rag.query("Who met Bob0?")
    written = usage(url)
    assert set(written) >= {("d0", "extract"), ("d0", "embed"), ("d1", "extract"), ("d1", "embed"), (None, "answer")}
    assert written["d0", "extract"][:2] == (2, 0), "the first reply, and what it missed"
    assert all(tokens > 0 for _, _, tokens in written.values())


def test_usage_of_documents_that_fail_is_written_down_and_of_questions_that_are_repeated(url: str) -> None:
    with client(url, ScriptedModels({"extract": "rubbish"})) as rag:
        assert rag.ingest(TEXTS[:1], ids=IDS[:1]).failed
    calls, cached, tokens = usage(url)["d0", "extract"]
    assert (calls, cached) == (2, 0)
    assert tokens > 0


def test_what_was_kept_is_written_down_as_saved(url: str) -> None:
    with client(url) as rag:
        rag.ingest(TEXTS[:1], ids=IDS[:1])
        rag.delete_document("d0")
        (document,) = rag.ingest(TEXTS[:1], ids=["again"]).documents
    assert document.calls == 0
    assert usage(url)["again", "extract"] == (0, 1, 0)


def test_a_long_document_is_written_down_while_it_is_read(url: str) -> None:
    text = " ".join(f"Alice{number} met Bob{number}." for number in range(200))
    options = IngestOptions(ChunkSize(20, 0), ExtractionOptions(max_gleaning=0))
    with client(url) as rag:
        (document,) = rag.ingest([text], ids=["t"], options=options).documents
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT calls FROM pgrag.model_usage WHERE role = 'extract' AND calls > 0").fetchall()
    assert len(rows) >= 2
    assert sum(calls for (calls,) in rows) == document.calls == document.chunks


def test_a_server_that_does_not_tell_what_a_reply_cost_is_counted_by_our_tokenizer(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pgrag.models.scripted._word_count", lambda text: 0)
    with client(url) as rag:
        rag.ingest(TEXTS[:1], ids=IDS[:1])
    assert usage(url)["d0", "extract"][2] > 100


# A budget


def cost_of_one(url: str) -> int:
    """What one of the documents costs at most, as it is estimated."""
    with client(url) as rag:
        return max(each.tokens for each in rag.estimate_ingest(TEXTS, ids=IDS).documents)


def test_a_run_stops_before_its_budget_and_later_ones_pay_only_what_is_missing(url: str) -> None:
    whole, provider, limit = models(), models(), 4 * cost_of_one(url)
    with PgRAG(url, workspace="whole", models=whole) as undisturbed:
        undisturbed.ingest(TEXTS, ids=IDS)
    with client(url, provider) as rag:
        with pytest.raises(BudgetExceeded, match=r"\d of 8 documents are left, which need about \d+ tokens") as caught:
            rag.ingest(TEXTS, ids=IDS, options=IngestOptions(max_tokens=limit))
        statuses = {each.id: each.status for each in caught.value.report.documents}
        left = [key for key, status in statuses.items() if status == "queued"]
        assert sorted(set(statuses.values())) == ["queued", "ready"]
        assert (caught.value.documents_left, caught.value.tokens_left > 0) == (len(left), True)
        assert rag.budget().spent_tokens <= limit
        assert [info.document for info in rag.documents() if info.status == "pending"] == left
        with psycopg.connect(url) as connection:
            states = connection.execute("SELECT DISTINCT state, attempts, worker FROM pgrag.job").fetchall()
        assert states == [("queued", 0, None)]

        rag.ingest(TEXTS, ids=IDS)
        assert {info.status for info in rag.documents()} == {"ready"}
        assert len(provider.chats) == len(whole.chats)
        assert rag.check() == []


def test_a_document_larger_than_the_budget_goes_on_from_run_to_run(url: str) -> None:
    provider = models()
    options = IngestOptions(ChunkSize(20, 0), ExtractionOptions(max_gleaning=0))
    text = " ".join(f"Alice{number} met Bob{number}." for number in range(60))
    with client(url, provider) as rag:
        whole = rag.estimate_ingest([text], ids=["t"], options=options).total
        assert whole.calls > 10
        limited = IngestOptions(options.chunk_size, options.extraction, max_tokens=whole.tokens // 2)
        runs = 0
        while True:
            runs += 1
            assert runs < 20
            asked = len(provider.chats)
            try:
                (document,) = rag.ingest([text], ids=["t"], options=limited).documents
                break
            except BudgetExceeded:
                assert len(provider.chats) > asked, "each run goes on a little"
        assert (document.status, runs > 1) == ("ready", True)
        assert len(provider.chats) == whole.calls


def test_one_token_asks_nothing_at_all(url: str) -> None:
    provider = models()
    with client(url, provider) as rag:
        with pytest.raises(BudgetExceeded) as caught:
            rag.ingest(TEXTS, ids=IDS, options=IngestOptions(max_tokens=1))
        assert (provider.chats, provider.embeddings) == ([], [])
        assert caught.value.documents_left == 8
        assert rag.ingest(TEXTS[:1], ids=IDS[:1]).documents[0].status == "ready"


@pytest.mark.parametrize("most", [0, -1, 1.5, "5"])
def test_a_budget_is_a_positive_number(most: Any) -> None:
    with pytest.raises(InvalidArgument, match="max_tokens must be"):
        IngestOptions(max_tokens=most)


def test_the_budget_of_a_workspace_is_for_all_runs_and_questions(url: str) -> None:
    with client(url) as rag:
        rag.ingest(TEXTS[:1], ids=IDS[:1])
        used = rag.budget().spent_tokens
        assert (used, rag.budget().max_tokens) == (spent(url), None)
        rag.set_budget(used + 1)
        with pytest.raises(BudgetExceeded):
            rag.ingest(TEXTS, ids=IDS)
        rag.set_budget(None)
        assert {each.status for each in rag.ingest(TEXTS, ids=IDS).documents} == {"ready", "unchanged"}
        with pytest.raises(InvalidArgument, match="max_tokens must not be negative, got -1"):
            rag.set_budget(-1)
        with PgRAG(url, workspace="nowhere", models=models()) as other, pytest.raises(UnknownWorkspace):
            other.budget()


def test_the_async_client_stops_and_estimates_alike(url: str) -> None:
    async def both() -> tuple[IngestEstimate, int]:
        async with AsyncPgRAG(url, workspace="w", models=models()) as rag:
            estimate = await rag.estimate_ingest(TEXTS, ids=IDS)
            with pytest.raises(BudgetExceeded) as caught:
                await rag.ingest(TEXTS, ids=IDS, options=IngestOptions(max_tokens=estimate.total.tokens // 2))
            await rag.set_budget(10**9)
            assert (await rag.budget()).max_tokens == 10**9
            return estimate, caught.value.documents_left

    estimate, left = asyncio.run(both())
    with PgRAG(url, workspace="elsewhere", models=models()) as rag:
        assert rag.estimate_ingest(TEXTS, ids=IDS) == estimate
    assert 0 < left < 8


# An estimate


def estimate(url: str, texts: Sequence[str], ids: Sequence[str]) -> IngestEstimate:
    with client(url) as rag:
        return rag.estimate_ingest(texts, ids=ids)


def test_an_estimate_knows_what_is_published_and_what_is_kept(url: str) -> None:
    before = estimate(url, TEXTS, IDS)
    assert [each.status for each in before.documents] == ["new"] * 8
    assert (before.total.chunks, before.total.calls, before.total.kept_chunks) == (8, 16, 0)
    assert before.total.tokens == sum(each.tokens for each in before.documents) > 0
    with client(url) as rag:
        rag.ingest(TEXTS[:3], ids=IDS[:3])
        rag.delete_document("d2")
    after = estimate(url, [TEXTS[0], TEXTS[3], TEXTS[2]], ["d0", "d1", "d2"])
    assert [each.status for each in after.documents] == ["unchanged", "changed", "new"]
    assert [each.calls for each in after.documents] == [0, 2, 0]
    assert [each.kept_chunks for each in after.documents] == [0, 0, 1]


def test_an_estimate_is_near_what_is_spent(url: str) -> None:
    told = estimate(url, TEXTS, IDS).total
    provider = models()
    with client(url, provider) as rag:
        rag.ingest(TEXTS, ids=IDS)
    assert told.calls == len(provider.chats)
    # The scripted model counts words, which are longer than tokens.
    assert 1 < told.tokens / spent(url) < 3


def test_an_estimate_asks_nothing_and_writes_nothing(url: str) -> None:
    provider = models()
    before = row_counts(url)
    with client(url, provider) as rag:
        rag.estimate_ingest(TEXTS, ids=IDS)
    assert row_counts(url) == before
    assert (provider.chats, provider.embeddings) == ([], [])


# The command line


def test_a_dry_run_says_what_it_would_cost_and_touches_nothing(
    cli: Cli, write: Write, url: str, model_server: ModelServer
) -> None:
    write("docs/a.txt", TEXTS[0])
    write("docs/b.txt", TEXTS[1])
    before = row_counts(url)
    result = cli("ingest", "docs", "--dry-run", "--json")
    shown = json.loads(result.out)
    assert result.code == 0
    assert [each["id"] for each in shown["documents"]] == ["a.txt", "b.txt"]
    assert (shown["total"]["calls"], shown["total"]["chunks"]) == (4, 2)
    assert shown["total"]["tokens"] == sum(each["tokens"] for each in shown["documents"])
    told = cli("ingest", "docs", "--dry-run")
    assert f"about {shown['total']['tokens']} tokens in all" in told.out
    assert row_counts(url) == before
    assert model_server.count() == 0
    assert cli("workspace", "list", "--json").out.strip() == "[]"


def test_a_spent_budget_is_one_clear_line_and_the_same_command_goes_on(cli: Cli, write: Write) -> None:
    for number, text in enumerate(TEXTS):
        write(f"docs/{number}.txt", text)
    (write("docs/bad.txt", "x")).write_bytes(b"\xff")
    needed = json.loads(cli("ingest", "docs", "--dry-run", "--json").out)["total"]["tokens"]
    stopped = cli("ingest", "docs", "--max-tokens", needed // 2, "--json")
    assert stopped.code == 1
    assert "error: the budget is spent: " in stopped.err
    assert "documents are left" in stopped.err
    statuses = [each["status"] for each in json.loads(stopped.out)["documents"]]
    assert set(statuses) == {"ready", "queued", "failed"}
    (write("docs/bad.txt", "x")).unlink()
    assert cli("ingest", "docs").code == 0
    assert {each["status"] for each in json.loads(cli("documents", "--json").out)} == {"ready"}


def test_the_budget_of_a_workspace_is_set_and_shown(cli: Cli, write: Write) -> None:
    write("a.txt", TEXTS[0])
    cli("workspace", "create", "w")
    assert cli("workspace", "budget", "w", "--max-tokens", 5).out == "workspace w has spent 0 of 5 tokens\n"
    assert cli("ingest", "a.txt").code == 1
    assert json.loads(cli("workspace", "budget", "w", "--json").out) == {"max_tokens": 5, "spent_tokens": 0}
    assert cli("workspace", "budget", "w", "--unlimited").out == "workspace w has spent 0 of any number of tokens\n"
    assert cli("ingest", "a.txt").code == 0
    assert cli("workspace", "budget", "w", "--unlimited", "--max-tokens", 5).code == 2
    assert cli("workspace", "budget", "nowhere").code == 1
    assert cli("ingest", "a.txt", "--max-tokens", 0).code == 2
