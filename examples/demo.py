"""The main job on real documents: migrate, ingest, ask, draw. `make demo` runs this.

It keeps to a database of its own on the embedded server, so trying it decides nothing about yours.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding

from pgrag import Answer, PgRAG, PgragError, Settings, embedded
from pgrag.cli.ingest import progress_bars
from pgrag.picture import render_page

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus" / "a_christmas_carol.txt"
GRAPH = HERE / "graphs" / "a_christmas_carol"
PICTURE = HERE.parent / "demo-output" / "graph.html"
QUESTIONS = (
    ("carol", "naive", "What did Scrooge's nephew say of Christmas?"),
    ("carol", "mix", "Who was Fezziwig?"),
    ("carol-llm", "local", "How is Bob Cratchit related to Tiny Tim?"),
)

console = Console(highlight=False)


def main() -> None:
    """Run the demo from beginning to end."""
    begun = time.perf_counter()
    settings = Settings()
    console.rule("pgrag demo")
    console.print(
        f"Models: {settings.llm_model} over an OpenAI-compatible server."
        if settings.models == "openai"
        else "Models: offline, no key, no network: a small embedding model, linguistics, quotations. No LLM answers."
    )
    url = start_server(settings)
    with PgRAG(url, workspace="carol", settings=settings) as carol:
        with step("migrating the database"):
            carol.migrate()
        ingest_the_book(carol)
    with PgRAG(url, workspace="carol-llm", settings=settings) as graph:
        import_the_graph(graph)
        picture = graph.graph_picture()
    for workspace, mode, question in QUESTIONS:
        with PgRAG(url, workspace=workspace, settings=settings) as rag:
            ask(rag, mode, question)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(render_page(picture), encoding="utf-8")
    console.rule()
    console.print(f"The graph as a picture: {PICTURE.as_uri()}")
    console.print(f"All of this took {time.perf_counter() - begun:.0f} s.")
    what_next(url)


class step:  # noqa: N801 - reads as a statement
    """Say what is done, and how long it took."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        self.begun = time.perf_counter()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            console.print(f"[green]✓[/green] {self.what} [dim]{time.perf_counter() - self.begun:.1f} s[/dim]")


def start_server(settings: Settings) -> str:
    """The embedded server, and the demo's own database on it (one for each provider: dimensions differ)."""
    with step("starting PostgreSQL"):
        server = embedded.start(settings.data_dir)
        url = embedded.ensure_database(server, f"pgrag_demo_{settings.models}")
    console.print(f"  PostgreSQL {server.version}, {'with' if server.age else 'without'} Apache AGE")
    return url


def ingest_the_book(rag: PgRAG) -> None:
    """Chunks, entities, relations, vectors of the novel, in one transaction."""
    with step("reading A Christmas Carol"), progress_bars() as on_progress:
        report = rag.ingest_files(CORPUS, on_progress=on_progress)
    for each in report.documents:
        if each.status == "failed":
            sys.exit(f"ingest failed: {each.error}")
        told = "unchanged since the last run"
        if each.status == "ready":
            told = f"{each.chunks} chunks, {each.entities} entities, {each.relations} relations"
        console.print(f"  {each.id}: {told}")


def import_the_graph(rag: PgRAG) -> None:
    """A graph of the same book that an LLM made, as a workspace beside."""
    if any(each.workspace == rag.workspace and each.documents for each in rag.workspaces()):
        console.print("  the graph that an LLM made of the same book is there already")
        return
    with step("importing a graph that an LLM made of the same book"), progress_bars() as on_progress:
        report = rag.import_graph(GRAPH, on_progress=on_progress)
    console.print(f"  {report.entities} entities, {report.relations} relations")


def ask(rag: PgRAG, mode: str, question: str) -> Answer:
    """Ask, and show answer, references and timings."""
    console.rule(f"[bold]{question}[/bold]", align="left")
    begun = time.perf_counter()
    answer = rag.query(question, mode=mode)
    milliseconds = (time.perf_counter() - begun) * 1000
    console.print(Padding(Markdown(answer.text), (0, 2)))
    for reference in answer.references:
        console.print(f"  \\[{reference.reference_id}] {reference.file_path}")
    spent = ", ".join(f"{stage} {seconds * 1000:.0f}" for stage, seconds in answer.trace.seconds.items())
    kept = "kept from the last run" if answer.is_cached else f"ms by stage: {spent}"
    console.print(f"  [dim]workspace {rag.workspace}, mode {mode}: {milliseconds:.0f} ms ({kept})[/dim]")
    return answer


def what_next(url: str) -> None:
    """The lines to type next."""
    console.print("\nType next:")
    for line in (
        f"export PGRAG_DATABASE_URL='{url}'",
        ".venv/bin/pgrag query 'What did Marley wear?' -w carol",
        ".venv/bin/pgrag query 'Who visits Scrooge?' -w carol-llm --mode hybrid --context-only",
        "psql \"$PGRAG_DATABASE_URL\" -c \"SELECT * FROM pgrag.match_entities('carol', 'cratchit')\"",
        "unset PGRAG_DATABASE_URL; .venv/bin/pgrag --help",
    ):
        console.print(f"  {line}", soft_wrap=True)


if __name__ == "__main__":
    os.chdir(HERE.parent)
    try:
        main()
    except PgragError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted; what was finished stays, run it again to go on")
