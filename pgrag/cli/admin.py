"""`migrate`, `check`, `status`: looking after a database."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from pgrag.cli.options import Json, Url, client, examples, settings
from pgrag.cli.output import print_json, print_table, stderr, stdout

if TYPE_CHECKING:
    from pgrag.client import PgRAG

_WATCH_SECONDS = 2.0
_COLUMNS = {
    "workspace": "workspace",
    "documents": "documents",
    "ready": "ready_documents",
    "failed": "failed_documents",
    "chunks": "chunks",
    "entities": "entities",
    "relations": "relations",
    "stale": "stale_items",
    "version": "corpus_version",
}

MIGRATE_EXAMPLES = examples(
    "pgrag migrate",
    "pgrag migrate --url postgresql://me@db.example/corpus",
    "pgrag migrate --sql | psql -1 -v ON_ERROR_STOP=1 corpus",
)
CHECK_EXAMPLES = examples("pgrag check", "pgrag check --fix", "pgrag check --json")
STATUS_EXAMPLES = examples("pgrag status", "pgrag status --watch", "pgrag status --json")


def migrate(
    url: Url = None,
    sql: Annotated[bool, typer.Option("--sql", help="Print the script for an empty database, touch none.")] = False,
) -> None:
    """Bring the database to the state that this version needs. Safe to repeat.

    What is fixed for good the first time: the embedding model and its dimensions, and the tokenizer.
    """
    if sql:
        from pgrag import schema
        from pgrag.installation import schema_options

        print(schema.migration_sql(schema_options(settings())))
        return
    with client(url) as rag, stderr.status("migrating…"):
        rag.migrate()
    stdout.print("the database is up to date")


def check(
    url: Url = None,
    fix: Annotated[bool, typer.Option("--fix", help="Mend first what can be mended from the tables.")] = False,
    json: Json = False,
) -> None:
    """What is wrong with this installation, with the cure. Exit 0 when nothing is, 1 otherwise."""
    with client(url) as rag:
        if fix:
            for line in rag.repair():
                stderr.print(line)
        problems = rag.check()
    if json:
        print_json(problems)
    elif problems:
        print_table(("problem", "cure"), ((each.problem, each.cure) for each in problems))
    else:
        stdout.print("nothing is wrong")
    raise typer.Exit(1 if problems else 0)


def status(
    url: Url = None,
    watch: Annotated[bool, typer.Option("--watch", help="Again every two seconds, until Ctrl-C.")] = False,
    json: Json = False,
) -> None:
    """Workspaces, how much they hold, and what is still to be done.

    stale: entities and relations whose vectors do not fit their texts yet. version: counts the changes of the corpus.
    """
    with client(url) as rag:
        if not watch:
            print_status(rag, json)
            return
        try:
            while True:
                stdout.clear()
                print_status(rag, json, indent=None)
                time.sleep(_WATCH_SECONDS)
        except KeyboardInterrupt:
            return  # which is how one stops to watch


def print_status(rag: PgRAG, json: bool, indent: int | None = 2) -> None:
    """A row for each workspace."""
    found = rag.workspaces()
    if json:
        print_json(found, indent=indent)
    else:
        print_table(tuple(_COLUMNS), ([getattr(each, name) for name in _COLUMNS.values()] for each in found))
