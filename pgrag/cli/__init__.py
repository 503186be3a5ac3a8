"""The command line: `pgrag …`, also `python -m pgrag …`.

Results go to stdout, progress and warnings to stderr; 0 done, 1 failed (one clear line), 2 wrong usage.
"""

from __future__ import annotations

import logging
import sys

import typer
from rich.logging import RichHandler

from pgrag import __version__
from pgrag.cli import admin, cache, documents, graph, ingest, query, server, workspace
from pgrag.cli.output import fail, stderr
from pgrag.errors import PgragError

app = typer.Typer(
    name="pgrag",
    help="Graph RAG that lives inside PostgreSQL.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(server.app, name="db", help="The embedded server: start, stop, status, url.")
app.add_typer(documents.app, name="documents", help="The documents of a workspace.")
app.add_typer(graph.app, name="graph", help="The knowledge graph.")
app.add_typer(workspace.app, name="workspace", help="Workspaces: corpora that share nothing.")
app.add_typer(cache.app, name="cache", help="Kept answers and keywords.")
app.command("migrate")(admin.migrate)
app.command("check")(admin.check)
app.command("status")(admin.status)
app.command("ingest")(ingest.ingest)
app.command("import")(ingest.import_)
app.command("delete")(documents.delete)
app.command("query")(query.query)


@app.callback(invoke_without_command=True)
def _start(
    version: bool = typer.Option(False, "--version", help="Print the version and stop.", is_eager=True),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Show what happens, on stderr."),
) -> None:
    if version:
        typer.echo(f"pgrag {__version__}")
        raise typer.Exit
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(message)s",
        handlers=[RichHandler(console=stderr, show_path=False, show_time=False)],
    )
    for noisy in ("httpx", "alembic", "openai"):
        logging.getLogger(noisy).setLevel(logging.INFO if verbose else logging.ERROR)


def main() -> None:
    """Run the command line; what fails is one line on stderr."""
    try:
        app()
    except PgragError as error:
        sys.exit(fail(error))
    except KeyboardInterrupt:
        stderr.print("interrupted; what was finished stays, run the same command again to go on")
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
