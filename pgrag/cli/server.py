"""`pgrag db`: the embedded server."""

from __future__ import annotations

import typer

from pgrag.cli.options import Json, examples, settings
from pgrag.cli.output import print_json, stderr, stdout

app = typer.Typer(
    no_args_is_help=True,
    help="The embedded server: PostgreSQL with pgvector and Apache AGE, on a unix socket of your own.",
)


@app.command(epilog=examples("pgrag db start"))
def start() -> None:
    """Start the server, or join the one that runs; create the database."""
    from pgrag import embedded
    from pgrag.address import EMBEDDED_DATABASE

    with stderr.status("starting the embedded server…"):
        server = embedded.start(settings().data_dir)
        url = embedded.ensure_database(server, EMBEDDED_DATABASE)
    stderr.print(f"PostgreSQL {server.version} is running, {'with' if server.age else 'without'} Apache AGE")
    print(url)


@app.command(epilog=examples("pgrag db stop"))
def stop() -> None:
    """Stop the server, whoever uses it; the data stays."""
    from pgrag import embedded

    stopped = embedded.stop(settings().data_dir)
    stdout.print("stopped" if stopped else "it was not running")


@app.command(epilog=examples("pgrag db status", "pgrag db status --json"))
def status(json: Json = False) -> None:
    """Whether the server runs, and where its data is. Exit 1 when it does not."""
    from pgrag import embedded

    data_dir = settings().data_dir
    server = embedded.status(data_dir)
    if json:
        print_json(
            {
                "running": server is not None,
                "data_dir": str(server.data_dir if server else data_dir),
                "version": server.version if server else None,
                "age": server.age if server else None,
            }
        )
    elif server:
        stdout.print(f"running: PostgreSQL {server.version}, data in {server.data_dir}")
    else:
        stdout.print("not running (pgrag db start starts it)")
    raise typer.Exit(0 if server else 1)


@app.command(epilog=examples('psql "$(pgrag db url)"'))
def url() -> None:
    """Print the URL of the server's superuser, for psql and others; starts the server when it is not running."""
    from pgrag import embedded
    from pgrag.address import EMBEDDED_DATABASE

    server = embedded.start(settings().data_dir)
    print(embedded.ensure_database(server, EMBEDDED_DATABASE))
