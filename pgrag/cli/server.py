"""`pgrag db`: the embedded server."""

from __future__ import annotations

import typer

from pgrag import embedded
from pgrag.address import EMBEDDED_DATABASE
from pgrag.cli.options import Json
from pgrag.cli.output import print_json, stderr, stdout
from pgrag.settings import Settings

app = typer.Typer(no_args_is_help=True)


@app.command()
def start() -> None:
    """Start the server, or join the one that runs; create the database."""
    with stderr.status("starting the embedded server…"):
        server = embedded.start(Settings().data_dir)
        url = embedded.ensure_database(server, EMBEDDED_DATABASE)
    stdout.print(f"PostgreSQL {server.version} is running, {'with' if server.age else 'without'} Apache AGE")
    stdout.print(url)


@app.command()
def stop() -> None:
    """Stop the server; data stays."""
    stopped = embedded.stop(Settings().data_dir)
    stdout.print("stopped" if stopped else "it was not running")


@app.command()
def status(json: Json = False) -> None:
    """Whether the server runs, and where its data is. Exit 1 when it does not."""
    server = embedded.status(Settings().data_dir)
    if json:
        print_json({"running": server is not None, **({"data_dir": str(server.data_dir)} if server else {})})
    elif server:
        stdout.print(f"running: PostgreSQL {server.version}, data in {server.data_dir}")
    else:
        stdout.print("not running (pgrag db start starts it)")
    raise typer.Exit(0 if server else 1)


@app.command()
def url() -> None:
    """Print the URL of the server's superuser, for psql and others; starts the server when it is not running."""
    server = embedded.start(Settings().data_dir)
    print(embedded.ensure_database(server, EMBEDDED_DATABASE))
