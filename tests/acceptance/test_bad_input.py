"""What cannot be taken: one clear sentence, exit 1, nothing left half-done. Each through the command line, and through
Python where that differs."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from support.model_server import ModelServer
from support.tables import row_counts

from pgrag import AsyncPgRAG, PgRAG, errors
from pgrag.loaders import MAX_FILE_BYTES
from pgrag.models.openai import OpenAIModels
from pgrag.models.retrying import Patience
from pgrag.models.scripted import ScriptedModels

from .conftest import Cli, Result

TEXT = "Alice met Bob in Paris."
Write = Callable[[str, str], Path]
# What a failed document leaves: its own row with the reason, and what was paid for.
KEPT_OF_A_FAILURE = ("document", "job", "extraction", "model_usage")


def one_sentence(result: Result, *words: str) -> str:
    """Checks that the command failed with one sentence, and at most a cure: that sentence."""
    assert result.code == 1, result
    lines = result.err.strip().splitlines()
    assert len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("cure: ")), result.err
    assert lines[0].startswith(("error: ", "failed: ")), result.err
    said = result.out + result.err
    assert "Traceback" not in said
    assert "secret" not in said
    for word in words:
        assert word in lines[0], result.err
    return lines[0]


@contextmanager
def unharmed(url: str, *, without: tuple[str, ...] = ()) -> Iterator[None]:
    """Every table has as many rows afterwards as before."""
    before = row_counts(url, without=without)
    assert before
    yield
    assert row_counts(url, without=without) == before


@pytest.fixture
def filled(rag: PgRAG, here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Workspace `w` holds a document; retries come at once."""
    rag.ingest([TEXT], ids=["old.txt"])
    monkeypatch.setattr(Patience, "wait", lambda self, state: 0.01)
    return here


# Files


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ("bad.txt", "empty")),
        (b" \n\t \r\n", ("bad.txt", "empty")),
        (b"\xef\xbb\xbf", ("bad.txt", "empty")),
        (b"abc \xff\xfe def", ("bad.txt", "UTF-8", "byte 4")),
        (b"\xff\xfeab\x00", ("bad.txt", "UTF-16")),
        ("Zoë".encode("latin-1"), ("bad.txt", "UTF-8", "byte 2")),
        (b"first\nse\x00cond", ("bad.txt", "NUL", "line 2")),
    ],
)
def test_a_file_that_is_no_text(cli: Cli, url: str, filled: Path, content: bytes, words: tuple[str, ...]) -> None:
    (filled / "bad.txt").write_bytes(content)
    with unharmed(url):
        one_sentence(cli("ingest", "bad.txt"), *words)


def test_a_bad_file_holds_up_no_good_one(cli: Cli, url: str, filled: Path, write: Write) -> None:
    (filled / "docs").mkdir()
    (filled / "docs" / "bad.txt").write_bytes(b"\xff")
    write("docs/good.txt", "Carol knows Dora.")
    result = cli("ingest", "docs")
    one_sentence(result, "bad.txt", "UTF-8")
    assert "good.txt: 1 chunks" in result.out
    with PgRAG(url, workspace="w") as rag:
        assert [each.document for each in rag.documents()] == ["good.txt", "old.txt"]


@pytest.mark.parametrize("path", ["nowhere", "nowhere/", "old.txt/inside", "x" * 300])
def test_a_path_where_nothing_is(cli: Cli, url: str, filled: Path, path: str) -> None:
    (filled / "old.txt").write_text(TEXT)
    with unharmed(url):
        one_sentence(cli("ingest", path), path.rstrip("/"))


def test_one_path_where_nothing_is_takes_none_of_the_others_in(cli: Cli, url: str, filled: Path, write: Write) -> None:
    write("good.txt", "Carol knows Dora.")
    with unharmed(url):
        one_sentence(cli("ingest", "good.txt", "nowhere"), "'nowhere'")


def test_a_file_of_an_unknown_kind(cli: Cli, url: str, filled: Path, write: Write) -> None:
    write("film.mp4", "Carol knows Dora.")
    with unharmed(url):
        one_sentence(cli("ingest", "film.mp4"), ".mp4")


def test_a_folder_without_a_file_is_no_failure_and_says_so(cli: Cli, url: str, filled: Path, write: Write) -> None:
    write("empty/film.mp4", "")
    with unharmed(url):
        result = cli("ingest", "empty")
    assert result.code == 0
    assert "film.mp4" in result.err
    assert "no file to read" in result.err


# Words of the command line and of Python that are no text


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("query", "a\udcffb"), 1),
        (("query", "   "), 1),
        (("query", "Who?", "-w", "\udcff"), 1),
        (("query", "Who?", "--user-prompt", "\udcff"), 2),
        (("query", "Who?", "--filter", '{"a": "\\ud800"}'), 2),
        (("query", "Who?", "--filter", '{"a": "\\u0000"}'), 2),
        (("documents", "show", "\udcff"), 1),
        (("delete", "\udcff", "--yes"), 1),
        (("workspace", "create", "\udcff"), 1),
    ],
)
def test_words_that_are_no_text(cli: Cli, url: str, filled: Path, args: tuple[str, ...], code: int) -> None:
    with unharmed(url):
        result = cli(*args)
    assert result.code == code, result
    assert "Traceback" not in result.err
    if code == 1:
        one_sentence(result)


@pytest.mark.parametrize("text", ["a\ud800b", "\udcff", "a\x00b", "\ufffe"])
def test_python_stores_what_can_be_stored_of_a_text(rag: PgRAG, text: str) -> None:
    (document,) = rag.ingest([f"Alice met Bob. {text}"]).documents
    assert document.status == "ready"
    (again,) = rag.ingest([f"Alice met Bob. {text}"]).documents
    assert (again.id, again.status) == (document.id, "unchanged")


@pytest.mark.parametrize("metadata", [{"a": {1, 2}}, {"a": float("nan")}, {"a": "\ud800"}, {"a": "\x00"}])
def test_metadata_that_is_no_json_fails_its_document(rag: PgRAG, url: str, metadata: dict) -> None:
    rag.create_workspace()
    with unharmed(url):
        (document,) = rag.ingest([TEXT], ids=["t"], metadata=metadata).documents
    assert document.status == "failed"
    assert "\n" not in (document.error or "\n")


@pytest.mark.parametrize("filter", [{"a": {1, 2}}, {"a": float("nan")}, {"a": "\ud800"}, [1]])
def test_a_filter_that_is_no_json_is_refused(rag: PgRAG, filter: object) -> None:
    with pytest.raises(errors.InvalidArgument, match="filter"):
        rag.query("Who?", filter=filter)


# Workspaces


@pytest.mark.parametrize(
    "args",
    [
        ("query", "Who?"),
        ("query", "Who?", "--stream"),
        ("query", "Who?", "--context-only"),
        ("query", "Who?", "--prompt-only"),
        ("documents",),
        ("documents", "list", "--json"),
        ("documents", "show", "old.txt"),
        ("delete", "old.txt", "--yes"),
        ("cache", "clear"),
        ("graph", "export"),
    ],
)
def test_an_unknown_workspace(cli: Cli, url: str, filled: Path, args: tuple[str, ...]) -> None:
    with unharmed(url):
        result = cli(*args, "-w", "nowhere")
    one_sentence(result, "unknown workspace", "nowhere")
    assert "cure: pgrag workspace list" in result.err
    assert result.out == ""
    assert not list(filled.iterdir())


def test_an_unknown_workspace_to_delete(cli: Cli, url: str, filled: Path) -> None:
    with unharmed(url):
        one_sentence(cli("workspace", "delete", "nowhere"), "unknown workspace", "nowhere")


def test_an_unknown_document(cli: Cli, url: str, filled: Path) -> None:
    for args in (("documents", "show", "none.txt"), ("delete", "none.txt", "--yes"), ("delete", "old.txt", "none.txt")):
        with unharmed(url):
            one_sentence(cli(*args), "'none.txt'", "'w'")


# The database


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://me:secret@127.0.0.1:1/x", ("cannot be reached", "refused")),
        ("postgresql://me:secret@nowhere.invalid/x", ("cannot be reached", "nowhere.invalid")),
        ("postgresql://me:secret@/x?host=/nowhere", ("cannot be reached", "/nowhere")),
        ("mysql://me:secret@127.0.0.1/x", ("not a PostgreSQL URL", "mysql")),
        ("me:secret@127.0.0.1/x", ("not a PostgreSQL URL",)),
        ("postgresql://me:secret@127.0.0.1:port/x", ("invalid", '"port"')),
        ("postgresql://me:secret@127.0.0.1/x?no_such=1", ("URL cannot be read", "no_such")),
    ],
)
def test_a_wrong_url(cli: Cli, here: Path, url: str, words: tuple[str, ...]) -> None:
    for args in (("status",), ("migrate",), ("query", "Who?")):
        one_sentence(cli(*args, "--url", url), *words)


def test_a_database_that_is_not_there(cli: Cli, url: str, here: Path) -> None:
    sentence = one_sentence(cli("status", "--url", url.replace("/test_", "/no_test_")), "does not exist")
    assert "no_test_" in sentence


def test_python_says_the_same_of_a_wrong_url(models: OpenAIModels) -> None:
    async def ask() -> None:
        async with AsyncPgRAG("postgresql://127.0.0.1:1/x", models=models) as rag:
            await rag.documents()

    with PgRAG("postgresql://127.0.0.1:1/x", models=models) as rag, pytest.raises(errors.DatabaseUnreachable):
        rag.documents()
    with pytest.raises(errors.DatabaseUnreachable):
        asyncio.run(ask())


def test_a_database_without_pgvector(cli: Cli, here: Path, fresh_database: Callable[..., str]) -> None:
    bare = fresh_database(migrated=False)
    with psycopg.connect(bare, autocommit=True) as connection:
        connection.execute("DROP EXTENSION vector")
    result = cli("migrate", "--url", bare)
    one_sentence(result, "vector")
    assert "CREATE EXTENSION" in result.err
    with psycopg.connect(bare) as connection:
        assert connection.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'pgrag'").fetchone() == (0,)


def test_a_database_that_is_not_migrated(
    cli: Cli, here: Path, write: Write, fresh_database: Callable[..., str]
) -> None:
    bare = fresh_database(migrated=False)
    write("a.txt", TEXT)
    for args in (("status",), ("check",), ("ingest", "a.txt"), ("query", "Who?"), ("documents",)):
        result = cli(*args, "--url", bare)
        one_sentence(result)
        assert "cure: run: pgrag migrate" in result.err


@pytest.mark.parametrize(("version", "cure"), [("0.0.1", "pgrag migrate"), ("999.0.0", "upgrade the package")])
def test_a_database_of_another_version(cli: Cli, url: str, filled: Path, write: Write, version: str, cure: str) -> None:
    write("a.txt", "Carol knows Dora.")
    with psycopg.connect(url) as connection:
        connection.execute(
            f"CREATE OR REPLACE FUNCTION pgrag.schema_version() RETURNS text LANGUAGE sql IMMUTABLE RETURN '{version}'"
        )
    for args in (("ingest", "a.txt"), ("query", "Who?"), ("check",)):
        with unharmed(url):
            result = cli(*args)
        one_sentence(result, version)
        assert cure in result.err


def test_a_database_of_a_newer_revision(cli: Cli, url: str, filled: Path) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE pgrag.alembic_version SET version_num = '9999'")
    with unharmed(url):
        result = cli("migrate")
    one_sentence(result, "9999")
    assert "upgrade the package" in result.err


def test_embeddings_of_another_size_or_model(
    cli: Cli, url: str, filled: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.txt", "Carol knows Dora.")
    for name, value in (("PGRAG_EMBEDDING_DIMENSIONS", "16"), ("PGRAG_EMBEDDING_MODEL", "another")):
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            for args in (("ingest", "a.txt"), ("query", "Who?"), ("query", "Who?", "--mode", "bypass")):
                with unharmed(url):
                    one_sentence(cli(*args), "8 dimensions", value)


# The models


@pytest.mark.parametrize("reply", ["no JSON at all", "", "[1, 2", '{"entities": "none"}', "null"])
def test_a_reply_that_is_not_what_was_asked_for(
    cli: Cli, url: str, filled: Path, write: Write, model_server: ModelServer, reply: str
) -> None:
    model_server.reply("extract", reply)
    write("new.txt", "Carol knows Dora.")
    with unharmed(url, without=KEPT_OF_A_FAILURE):
        result = cli("ingest", "new.txt")
    sentence = one_sentence(result, "new.txt")
    shown = cli("documents", "show", "new.txt", "--json")
    assert '"status": "failed"' in shown.out
    assert sentence.removeprefix("failed: new.txt: ")[:30] in shown.out.replace('\\"', '"')


def test_keywords_that_cannot_be_read_are_done_without(cli: Cli, filled: Path, model_server: ModelServer) -> None:
    model_server.reply("keywords", "no JSON at all")
    result = cli("query", "Who met Bob?", "--max-distance", 2)
    assert result.code == 0
    assert "old.txt" in result.out
    assert "the model named no keywords" in result.err


FAILING: dict[str, tuple[Callable[[ModelServer], None], tuple[str, ...]]] = {
    "500": (lambda server: server.fail_next(500, status=500), ("500",)),
    "401": (lambda server: server.fail_next(500, status=401, message="bad key secret-key"), ("401",)),
    "429": (lambda server: server.fail_next(500, status=429), ("429",)),
    "hang": (lambda server: server.hang_next(500), ("0.2",)),
    "drop": (lambda server: server.drop_next(500), ()),
    "rubbish": (lambda server: server.rubbish_next(500), ("reply",)),
}


@pytest.mark.parametrize("way", FAILING)
def test_a_model_server_that_fails(
    cli: Cli,
    url: str,
    filled: Path,
    write: Write,
    model_server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
) -> None:
    monkeypatch.setenv("PGRAG_LLM_TIMEOUT", "0.2")
    monkeypatch.setenv("PGRAG_EMBEDDING_TIMEOUT", "0.2")
    order, words = FAILING[way]
    order(model_server)
    write("new.txt", "Carol knows Dora.")
    with unharmed(url, without=KEPT_OF_A_FAILURE):
        one_sentence(cli("ingest", "new.txt"), "new.txt", *words)
    for args in (("query", "Who?"), ("query", "Who?", "--stream"), ("query", "Who?", "--mode", "naive", "--json")):
        with unharmed(url):
            result = cli(*args)
        one_sentence(result, *words)
        assert result.out == ""


def test_a_model_server_that_is_not_there(
    cli: Cli, url: str, filled: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://me:secret@{address}/v1")
        write("new.txt", "Carol knows Dora.")
        with unharmed(url, without=KEPT_OF_A_FAILURE):
            one_sentence(cli("ingest", "new.txt"), "new.txt", address)
        with unharmed(url):
            one_sentence(cli("query", "Who?"), address)


def test_a_document_that_failed_is_taken_up_again(
    cli: Cli, url: str, filled: Path, write: Write, model_server: ModelServer
) -> None:
    model_server.fail_next(8, status=500)
    write("new.txt", "Carol knows Dora.")
    one_sentence(cli("ingest", "new.txt"), "500")
    assert cli("ingest", "new.txt").code == 0
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pgrag.job").fetchone() == (0,)


# Settings


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PGRAG_LLM_CONCURRENCY", "many"),
        ("PGRAG_LLM_CONCURRENCY", "0"),
        ("PGRAG_MODELS", "clairvoyant"),
        ("PGRAG_EMBEDDING_DIMENSIONS", "5000"),
        ("PGRAG_GRAPH_BACKEND", "neo4j"),
    ],
)
def test_a_setting_that_makes_no_sense(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    one_sentence(cli("status"), variable, value)


def test_an_unknown_tokenizer(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRAG_TOKENIZER", "words")
    one_sentence(cli("migrate"), "unknown tokenizer", "words")


def test_a_missing_key(cli: Cli, url: str, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.setenv("PGRAG_MODELS", "openai")
    with unharmed(url):
        one_sentence(cli("query", "Who?"), "OPENAI_API_KEY")


# Sizes


@pytest.mark.parametrize("megabytes", [1, pytest.param(50, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])])
def test_a_large_file_is_taken_in_with_bounded_memory(url: str, here: Path, megabytes: int) -> None:
    script = f"""
from pathlib import Path
from pgrag import PgRAG
from pgrag.models.scripted import ScriptedModels
with open("large.txt", "w") as file:
    for number in range({megabytes} * 10_000):
        file.write(f"Sentence {{number:06}} tells of things that are not to be told here, or anywhere, and of "
                   "nothing else.\\n")
with PgRAG({url!r}, workspace="w", models=ScriptedModels(dimensions=8)) as rag:
    (document,) = rag.ingest_files("large.txt").documents
assert document.status == "ready", document.error
# Not getrusage: its maximum begins with that of the process that forked this one.
(peak,) = (line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(document.chunks, int(peak) // 1024)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    chunks, memory = map(int, done.stdout.split())
    assert chunks >= 150 * megabytes
    assert memory < 300 + 20 * megabytes  # MB
    with psycopg.connect(url) as connection:
        stored = connection.execute(
            "SELECT octet_length(content), (SELECT count(*) FROM pgrag.chunk) FROM pgrag.document"
        )
        size, kept = stored.fetchone() or (0, 0)
    assert size > megabytes * 950_000
    assert kept == chunks


def test_a_file_that_is_too_large_is_refused(cli: Cli, url: str, filled: Path) -> None:
    with (filled / "huge.txt").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with unharmed(url):
        result = cli("ingest", "huge.txt")
    assert result.code == 1
    assert "huge.txt is larger than 100 MB" in result.err


def test_a_long_file_without_any_blank(url: str, here: Path) -> None:
    """Byte-pair encoders are quadratic in the length of a word."""
    (here / "long.txt").write_text("x" * 1_000_000)
    with PgRAG(url, workspace="w", models=ScriptedModels(dimensions=8)) as rag:
        (document,) = rag.ingest_files("long.txt").documents
    assert document.status == "ready", document.error
