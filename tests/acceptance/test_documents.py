"""`documents list | show | retry`, `delete` and `cache forget`: looking after what was taken in."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from support.model_server import ModelServer

from pgrag import PgRAG
from pgrag.errors import InvalidArgument, UnknownDocument

from .conftest import Cli

Write = Callable[[str, str], Path]
RUBBISH = "no JSON at all"


def reply_unless(server: ModelServer, word: str) -> None:
    """Extraction fails for chunks with this word."""
    nothing = '{"entities": [], "relations": []}'
    server.reply("extract", lambda body: RUBBISH if word in str(body) else nothing)


@pytest.fixture(autouse=True)
def one_request_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRAG_MAX_GLEANING", "0")


@pytest.fixture
def half_failed(cli: Cli, write: Write, model_server: ModelServer) -> None:
    """`bad.txt` failed, `good.txt` is ready."""
    write("docs/good.txt", "Alice met Bob.")
    write("docs/bad.txt", "Mallory met Bob.")
    reply_unless(model_server, "Mallory")
    assert cli("ingest", "docs").code == 1
    model_server.forget()


def test_only_those_that_failed(cli: Cli, half_failed: None) -> None:
    (listed,) = json.loads(cli("documents", "list", "--status", "failed", "--json").out)
    assert (listed["document"], listed["status"]) == ("bad.txt", "failed")
    result = cli("documents", "list", "--status", "asleep")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: unknown status 'asleep'\ncure: ")


def test_everything_about_one(cli: Cli, half_failed: None) -> None:
    (good,) = json.loads(cli("documents", "show", "good.txt", "--json").out)
    assert (good["document"], good["status"], good["chunk_count"], good["error"]) == ("good.txt", "ready", 1, None)
    assert good["usage"]["extract"]["calls"] == 1
    assert good["job_state"] is None
    (bad,) = json.loads(cli("documents", "show", "bad.txt", "--json").out)
    assert (bad["status"], bad["job_state"], bad["attempts"]) == ("failed", "failed", 1)
    assert bad["error"]
    shown = cli("documents", "show", "good.txt").out
    assert [line for line in shown.splitlines() if line.split()[:2] == ["chunk_count", "1"]]


def test_what_failed_is_tried_again_and_only_what_is_missing_is_paid(
    cli: Cli, half_failed: None, model_server: ModelServer
) -> None:
    assert cli("documents", "retry").code == 1
    reply_unless(model_server, "Nobody")
    model_server.forget()
    result = cli("documents", "retry", "bad.txt")
    assert result.code == 0
    assert result.out.splitlines()[0] == "bad.txt: 1 chunks, 0 entities, 0 relations"
    assert model_server.count("extract") == 1
    assert cli("documents", "retry").out.startswith("0 documents ready, 0 failed")


def test_one_that_is_not_there_is_named(cli: Cli, half_failed: None) -> None:
    result = cli("documents", "retry", "nobody.txt")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: no document 'nobody.txt' in workspace 'w'\n")


def test_the_file_need_not_be_there_any_more(
    cli: Cli, here: Path, half_failed: None, model_server: ModelServer
) -> None:
    (here / "docs" / "bad.txt").unlink()
    reply_unless(model_server, "Nobody")
    report = json.loads(cli("documents", "retry", "--json").out)
    assert [(each["id"], each["status"]) for each in report["documents"]] == [("bad.txt", "ready")]


# delete


def share(rag: PgRAG) -> None:
    rag.ingest(["Alice met Bob in Paris.", "Alice met Bob in Rome."], ids=["a", "b"])


def test_deleting_with_a_dead_model_server_deletes_and_says_what_is_left(
    cli: Cli, rag: PgRAG, here: Path, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    share(rag)
    model_server.fail_next(1, status=401)
    result = cli("delete", "a", "--yes")
    assert (result.code, result.out) == (0, "deleted a\n")
    (told,) = caplog.messages
    assert told.startswith("the document is deleted; what it shared with others is found by its old vectors until")
    assert "401" in told
    assert rag.workspaces()[0].stale_items > 0
    rag.work(drain=True)
    assert rag.workspaces()[0].stale_items == 0


def test_deleting_many_makes_vectors_anew_once(cli: Cli, rag: PgRAG, here: Path, model_server: ModelServer) -> None:
    share(rag)
    rag.ingest(["Alice met Bob in London."], ids=["c"])
    model_server.forget()
    assert cli("delete", "a", "b", "--yes").out == "deleted a\ndeleted b\n"
    assert model_server.count("embeddings") == 1
    assert rag.workspaces()[0].stale_items == 0


def test_what_was_paid_for_is_kept_unless_it_is_to_be_forgotten(
    cli: Cli, rag: PgRAG, here: Path, model_server: ModelServer
) -> None:
    for options, asked in (((), 0), (("--keep-extractions",), 0), (("--forget-extractions",), 1)):
        rag.ingest(["Alice met Bob."], ids=["a"])
        assert cli("delete", "a", "--yes", *options).code == 0
        model_server.forget()
        rag.ingest(["Alice met Bob."], ids=["a"])
        assert model_server.count("extract") == asked, options


# forget


def test_old_things_are_forgotten(cli: Cli, rag: PgRAG, here: Path) -> None:
    rag.ingest(["Alice met Bob."], ids=["a"])
    assert cli("cache", "forget", "extractions", "--older-than", "1", "--yes").out == "0 rows forgotten\n"
    assert cli("cache", "forget", "extractions", "--older-than", "0", "--yes").out == "1 rows forgotten\n"
    assert rag.forget("usage", timedelta(0)) >= 1
    assert cli("cache", "forget", "usage").code == 2
    assert cli("cache", "forget", "letters", "--older-than", "1", "--yes").err.startswith("error: nothing of kind")


def test_forgetting_asks_first(cli: Cli, rag: PgRAG, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rag.ingest(["Alice met Bob."], ids=["a"])
    monkeypatch.setattr("sys.stdin", (here / "empty").open("w+"))
    assert cli("cache", "forget", "usage", "--older-than", "0").code == 1
    assert rag.forget("usage", timedelta(0)) >= 1


def test_python_refuses_as_sql_does(rag: PgRAG) -> None:
    rag.create_workspace()
    with pytest.raises(InvalidArgument):
        rag.documents("asleep")
    with pytest.raises(UnknownDocument):
        rag.document("nobody")
    with pytest.raises(InvalidArgument):
        rag.forget("usage", timedelta(days=-1))
