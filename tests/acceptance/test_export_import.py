"""What is exported and imported into an empty workspace is the same, row for row, whatever it went through before."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.graph_folders import Line, chunk, document, entity, importer, relation, write_graph
from support.workspace_rows import workspace_rows

from pgrag import PgRAG
from pgrag.models.scripted import ScriptedModels

NAMES = ["Ada", "ADA", "Bob", "Cid", "Dan", "Zoë", "名"]
names = st.sampled_from(NAMES)
texts = st.sampled_from(["", "one", "two", "one<SEP>three", 'quoted "so"\n\tand so', "漢字\u2028"])
chunk_ids = st.sampled_from(["c0", "c1", "c2"])
floats = st.floats(0, 1e6) | st.sampled_from([0.1, 1 / 3, 1e-9])
keywords = st.lists(st.sampled_from(["a", "b", "ü", "c d"]), max_size=3)
sources = st.sampled_from([None, "joined", "summarized", "manual", "imported"])
entity_pieces = st.lists(
    st.fixed_dictionaries({"chunk_id": chunk_ids, "description": texts, "name": names | st.none()}), max_size=3
)
relation_pieces = st.lists(
    st.fixed_dictionaries(
        {"chunk_id": chunk_ids, "description": texts, "weight": floats | st.none(), "keywords": keywords}
    ),
    max_size=3,
)


@st.composite
def entity_lines(draw: st.DrawFn) -> Line:
    more = {"description": draw(texts), "description_source": draw(sources)}
    return entity(draw(names), *draw(entity_pieces), type=draw(st.sampled_from(["person", "place"])), **more)


@st.composite
def relation_lines(draw: st.DrawFn) -> Line:
    more = {"description": draw(texts), "description_source": draw(sources), "keywords": draw(keywords)}
    return relation(draw(names), draw(names), *draw(relation_pieces), weight=draw(floats), **more)


records = st.fixed_dictionaries(
    {
        "entities": st.lists(
            st.fixed_dictionaries({"name": names, "type": st.just("person"), "description": texts}), max_size=4
        ),
        "relations": st.lists(
            st.fixed_dictionaries(
                {"source": names, "target": names, "keywords": keywords, "description": texts, "weight": floats}
            ),
            max_size=4,
        ),
    }
)


@dataclass(frozen=True)
class Edit:
    """What a hand does to a row: SQL, and what goes into it."""

    statement: str
    value: object


EDITS = {
    "entity": {"edited_name": "ADA", "edited_type": "thing", "edited_description": "By hand.", "by_hand": True},
    "relation": {
        "edited_keywords": ["z", "y"],
        "edited_description": "By hand.",
        "edited_weight": 0.7,
        "by_hand": True,
        "summary_of": "0123",
    },
}
edits = st.lists(
    st.sampled_from([(table, column) for table, columns in EDITS.items() for column in columns]), max_size=3
)


class World:
    """One database in which graphs are made, exported, and imported into other workspaces."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder, self._made = url, folder, 0
        self.models = ScriptedModels(dimensions=8)

    def new(self, what: str) -> str:
        self._made += 1
        return f"{what} {self._made}"

    def client(self, workspace: str) -> PgRAG:
        return PgRAG(self.url, workspace=workspace, models=self.models)

    @contextlib.contextmanager
    def database(self) -> Iterator[psycopg.Connection]:
        with psycopg.connect(self.url) as connection:
            yield connection

    def edit(self, workspace: str, chosen: list[tuple[str, str]]) -> None:
        """Edit the first entity or relation, as hands do: the column, and what is derived from it."""
        with self.database() as db:
            (home,) = db.execute("SELECT id FROM pgrag.workspace WHERE name = %s", (workspace,)).fetchone() or (0,)
            for table, column in chosen:
                db.execute(
                    f"UPDATE pgrag.{table} SET {column} = %s WHERE workspace_id = %s AND id ="
                    f" (SELECT min(id) FROM pgrag.{table} WHERE workspace_id = %s)",
                    (EDITS[table][column], home, home),
                )
            db.execute(
                "SELECT pgrag.settle(%s, ARRAY(SELECT id FROM pgrag.entity WHERE workspace_id = %s),"
                " ARRAY(SELECT id FROM pgrag.relation WHERE workspace_id = %s))",
                (home, home, home),
            )

    def merge(self, workspace: str, name: str, into: str) -> None:
        """Make a name mean another entity, as a merge does: the alias, what is kept, evidence moved, relations asleep."""
        with self.database() as db:
            db.execute(MERGE, {"workspace": workspace, "name": name, "into": into})
            db.execute(MOVE, {"workspace": workspace})


MERGE = """
    INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key, kept)
    SELECT w.id, pgrag.name_key(%(name)s), %(name)s, pgrag.name_key(%(into)s),
           '{"stated_description": "What it was.", "by_hand": false, "nothing": null}'
      FROM pgrag.workspace w WHERE w.name = %(workspace)s
"""
MOVE = """
    DO $$ BEGIN END $$
"""


@pytest.fixture
def world(url: str, tmp_path: Path) -> World:
    return World(url, tmp_path)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def assert_comes_back(world: World, workspace: str) -> None:
    """Export, import into an empty workspace, compare the rows; export that, compare the folders."""
    there, again = world.folder / world.new("there"), world.folder / world.new("again")
    other = world.new("other")
    with world.client(workspace) as rag:
        rag.export_graph(there)
    with world.client(other) as rag:
        rag.import_graph(there)
        rag.export_graph(again)
    with world.database() as db:
        before, after = workspace_rows(db, workspace), workspace_rows(db, other)
        assert not db.execute("SELECT * FROM pgrag.check_installation()").fetchall()
    for table, rows in before.items():
        assert after[table] == rows, table
    assert files(there) == files(again)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_random_graphs_come_back(world: World, data: st.DataObject) -> None:
    workspace = world.new("w")
    imported = write_graph(
        world.folder / workspace,
        documents=[document(metadata={"a": None, "b": [1.5, "x"]}), document("bare", content="The text.")],
        chunks=[chunk(f"c{i}", i, f"Text {i}.") for i in range(3)],
        entities=data.draw(st.lists(entity_lines(), max_size=5)),
        relations=data.draw(st.lists(relation_lines(), max_size=5)),
        aliases=data.draw(st.sampled_from([None, [{"alias": "Countess", "name": "Ada"}]])),
    )
    importer(world.url, workspace, world.models)(imported)
    reply = data.draw(records)
    world.models = ScriptedModels({"extract": lambda request: __import__("json").dumps(reply)}, dimensions=8)
    with world.client(workspace) as rag:
        rag.ingest(["A text of our own."], ids=["own"], metadata={"year": 1843})
    world.edit(workspace, data.draw(edits))
    with world.client(workspace) as rag:
        rag._performer.run(refreshed(rag))
    assert_comes_back(world, workspace)


def refreshed(rag: PgRAG):  # type: ignore[no-untyped-def]
    from pgrag.refresh import refresh

    setup = yield from rag._flows.setup()
    return (yield from refresh(setup))
