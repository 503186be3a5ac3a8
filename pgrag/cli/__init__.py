"""The command line: `pgrag …`, also `python -m pgrag …`.

Results go to stdout, progress and warnings to stderr. Exit codes: 0 done, 1 failed (one clear line), 2 wrong usage,
130 interrupted, 143 terminated.

Every command imports what it needs when it runs: the help of all of them costs no database driver and no model.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from pgrag import __version__
from pgrag.cli import (
    admin,
    cache,
    documents,
    entities,
    graph,
    ingest,
    interchange,
    query,
    relations,
    search,
    server,
    worker,
    workspace,
)
from pgrag.cli.options import examples
from pgrag.cli.output import ConsoleHandler, fail, failure_of, leave, stderr
from pgrag.errors import PgragError

_EVERY_DAY, _CARE = "Every day", "Setting up and looking after"


class _Commands(TyperGroup):
    """Runs a command; what fails is one line on stderr. Wrong usage is left to typer."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _end_of_pipe()
        except (PgragError, OSError) as error:
            raise typer.Exit(fail(failure_of(error))) from error
        except KeyboardInterrupt as interrupt:
            _interrupted(interrupt)


app = typer.Typer(
    name="pgrag",
    cls=_Commands,
    help="Graph RAG that lives inside PostgreSQL: take documents in, ask questions, see the graph.",
    epilog=examples(
        "pgrag migrate",
        "pgrag ingest docs/",
        "pgrag query 'Who was Fezziwig?'",
        "pgrag COMMAND --help",
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"pgrag {__version__}")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_print_version)
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show on stderr what happens.")] = False,
) -> None:
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, format="%(message)s", handlers=[ConsoleHandler()]
    )
    for noisy in ("httpx", "alembic", "openai"):
        logging.getLogger(noisy).setLevel(logging.INFO if verbose else logging.ERROR)
    logging.getLogger("pgrag.rerank").setLevel(logging.ERROR)  # `query` shows the warnings of its answer
    if not verbose:  # it says what is odd in a PDF, and reads on
        logging.getLogger("pypdf").setLevel(logging.CRITICAL)


app.command("ingest", epilog=ingest.EXAMPLES, rich_help_panel=_EVERY_DAY)(ingest.ingest)
app.command("query", epilog=query.EXAMPLES, rich_help_panel=_EVERY_DAY)(query.query)
app.command("search", epilog=search.EXAMPLES, rich_help_panel=_EVERY_DAY)(search.search)
app.command("worker", epilog=worker.EXAMPLES, rich_help_panel=_EVERY_DAY)(worker.worker)
app.command("status", epilog=admin.STATUS_EXAMPLES, rich_help_panel=_EVERY_DAY)(admin.status)
app.add_typer(documents.app, name="documents", rich_help_panel=_EVERY_DAY)
app.command("delete", epilog=documents.DELETE_EXAMPLES, rich_help_panel=_EVERY_DAY)(documents.delete)
app.add_typer(entities.app, name="entity", rich_help_panel=_EVERY_DAY)
app.add_typer(relations.app, name="relation", rich_help_panel=_EVERY_DAY)
app.add_typer(graph.app, name="graph", rich_help_panel=_EVERY_DAY)
app.command("import", epilog=interchange.IMPORT_EXAMPLES, rich_help_panel=_EVERY_DAY)(interchange.import_)
app.command("export", epilog=interchange.EXPORT_EXAMPLES, rich_help_panel=_EVERY_DAY)(interchange.export)
app.add_typer(server.app, name="db", rich_help_panel=_CARE)
app.command("migrate", epilog=admin.MIGRATE_EXAMPLES, rich_help_panel=_CARE)(admin.migrate)
app.command("check", epilog=admin.CHECK_EXAMPLES, rich_help_panel=_CARE)(admin.check)
app.add_typer(workspace.app, name="workspace", rich_help_panel=_CARE)
app.add_typer(cache.app, name="cache", rich_help_panel=_CARE)


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that knows no Chinese shows \\uXXXX, which JSON reads as well, rather than a traceback.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # typed as any TextIO
    try:
        try:
            app(prog_name="pgrag")  # however it was started: help and errors name one command
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _end_of_pipe()
    except KeyboardInterrupt as interrupt:
        _interrupted(interrupt)


def _end_of_pipe() -> NoReturn:
    """Whoever reads has read enough (`| head`): nothing failed, and nothing more is to be said, at exit neither."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


class _Terminated(KeyboardInterrupt):
    """SIGTERM: it ends a command as Ctrl-C does."""


def _terminate(number: int, frame: object) -> NoReturn:
    raise _Terminated


def _interrupted(interrupt: KeyboardInterrupt) -> NoReturn:
    stderr.print("interrupted; what was finished stays, run the same command again to go on")
    leave(143 if isinstance(interrupt, _Terminated) else 130)
