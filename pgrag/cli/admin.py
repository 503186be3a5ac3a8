"""`migrate`, `check`, `status`: looking after a database."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from pgrag import schema
from pgrag.cli.options import Json, Url, client
from pgrag.cli.output import print_json, print_table, stderr, stdout
from pgrag.client import PgRAG
from pgrag.installation import schema_options
from pgrag.settings import Settings

_WATCH_SECONDS = 2.0


def migrate(
    url: Url = None,
    sql: Annotated[bool, typer.Option("--sql", help="Print the script for psql, touch nothing.")] = False,
) -> None:
    """Bring the database to the state this version needs. Safe to repeat."""
    if sql:
        print(schema.migration_sql(schema_options(Settings())))
        return
    with stderr.status("migrating…"), client(url) as rag:
        rag.migrate()
    stdout.print("the database is up to date")


def check(
    url: Url = None,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended from the tables.")] = False,
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
    watch: Annotated[bool, typer.Option("--watch", help="Go on until Ctrl-C.")] = False,
    json: Json = False,
) -> None:
    """Workspaces, how much they hold, and what is still to be done."""
    with client(url) as rag:
        while True:
            _print_status(rag, json)
            if not watch:
                return
            time.sleep(_WATCH_SECONDS)
            if not json:
                stdout.clear()


def _print_status(rag: PgRAG, json: bool) -> None:
    found = rag.workspaces()
    if json:
        print_json(found)
        return
    columns = ("workspace", "documents", "ready", "failed", "chunks", "entities", "relations", "stale", "version")
    print_table(
        columns,
        (
            (
                each.workspace,
                each.documents,
                each.ready_documents,
                each.failed_documents,
                each.chunks,
                each.entities,
                each.relations,
                each.stale_items,
                each.corpus_version,
            )
            for each in found
        ),
    )
