"""What is exported and imported into an empty workspace is the same, row for row, whatever it went through before."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.copied_rows import workspace_rows
from support.graph_folders import Line, chunk, document, entity, relation, write_graph

from pgrag import PgRAG
from pgrag.errors import InvalidArgument, ModelError, UnknownEntity
from pgrag.models.protocols import Vectors
from pgrag.models.scripted import ScriptedModels

names = st.sampled_from(["Ada", "ADA", "Countess", "Bob", "Cid", "Dan", "Zoë", "名"])
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


replies = st.fixed_dictionaries(
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

# What hands can do to a row. The derived columns follow.
EDITS: Mapping[str, Mapping[str, object]] = {
    "entity": {"edited_name": "ADA", "edited_type": "thing", "edited_description": "By hand.", "by_hand": True},
    "relation": {
        "edited_keywords": ["z", "y"],
        "edited_description": "By hand.",
        "edited_weight": 0.7,
        "by_hand": True,
    },
    "entity_alias": {
        "kept": '{"stated_description": "What it was.", "by_hand": false, "nothing": null}',
        "canonical": None,
    },
}
edits = st.lists(st.sampled_from([(table, column) for table, to in EDITS.items() for column in to]), max_size=4)
merges = st.lists(st.tuples(st.sampled_from(["merge", "rename"]), names, names | st.just("Somebody else")), max_size=3)
SETTLE = """
    SELECT pgrag.settle(w.id, ARRAY(SELECT e.id FROM pgrag.entity e WHERE e.workspace_id = w.id),
                        ARRAY(SELECT r.id FROM pgrag.relation r WHERE r.workspace_id = w.id))
      FROM pgrag.workspace w WHERE w.name = %s
"""


class Silent(ScriptedModels):
    """A provider that embeds nothing: what was stale stays so."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise ModelError("not today")


class World:
    """One database in which graphs are made, and imported into other workspaces."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder, self._made = url, folder, 0

    def new(self, what: str) -> str:
        """A name that nothing has yet."""
        self._made += 1
        return f"{what} {self._made}"

    def client(self, workspace: str, models: ScriptedModels | None = None) -> PgRAG:
        return PgRAG(self.url, workspace=workspace, models=models or ScriptedModels(dimensions=8))

    def ingest(self, workspace: str, reply: Mapping[str, Any]) -> None:
        """Ingest a document of one chunk, of which the model says this."""
        models = ScriptedModels({"extract": lambda request: json.dumps(reply)}, dimensions=8)
        with self.client(workspace, models) as rag:
            rag.ingest(["A text of our own."], ids=["own"], file_paths=["own.txt"], metadata={"year": 1843})

    def edit(self, workspace: str, chosen: Sequence[tuple[str, str]]) -> None:
        """Edit all rows of these tables in these columns, and what is derived from them."""
        with psycopg.connect(self.url) as connection:
            for table, column in chosen:
                condition = "id = (SELECT min(o.id) FROM pgrag.{t} o WHERE o.workspace_id = t.workspace_id)"
                every = "true" if table == "entity_alias" else condition.format(t=table)
                connection.execute(
                    f"UPDATE pgrag.{table} t SET {column} = %s"
                    f" WHERE workspace_id = (SELECT id FROM pgrag.workspace WHERE name = %s) AND {every}",
                    (EDITS[table][column], workspace),
                )
            connection.execute(SETTLE, (workspace,))

    def name_anew(self, workspace: str, chosen: Sequence[tuple[str, str, str]]) -> None:
        """Merge and rename, where the names allow it."""
        with self.client(workspace) as rag:
            for how, name, other in chosen:
                with suppress(InvalidArgument, UnknownEntity):
                    if how == "merge":
                        rag.merge_entities([name], into=other)
                    else:
                        rag.rename_entity(name, other)

    def assert_comes_back(self, workspace: str) -> None:
        """Export, import into an empty workspace, compare the rows; export that, compare the folders."""
        there, again = self.folder / self.new("there"), self.folder / self.new("again")
        other = self.new("other")
        with self.client(workspace) as rag:
            rag.export_graph(there)
        with self.client(other, Silent(dimensions=8)) as rag:
            with suppress(ModelError):  # of the refresh: then everything else is done
                rag.import_graph(there)
            rag.export_graph(again)
        with psycopg.connect(self.url) as connection:
            before, after = workspace_rows(connection, workspace), workspace_rows(connection, other)
            assert not connection.execute("SELECT * FROM pgrag.check_installation()").fetchall()
        for table, rows in before.items():
            assert after[table] == rows, table
        assert files(there) == files(again)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def world(url: str, tmp_path: Path) -> World:
    return World(url, tmp_path)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    entities=st.lists(entity_lines(), max_size=5),
    relations=st.lists(relation_lines(), max_size=5),
    aliases=st.sampled_from([None, [{"alias": "Countess", "name": "Ada"}], [{"alias": "Countess", "name": "Nobody"}]]),
    reply=replies,
    chosen=edits,
    renamed=merges,
)
def test_random_graphs_come_back(
    world: World,
    entities: list[Line],
    relations: list[Line],
    aliases: list[Line] | None,
    reply: dict[str, Any],
    chosen: list[tuple[str, str]],
    renamed: list[tuple[str, str, str]],
) -> None:
    workspace = world.new("w")
    folder = write_graph(
        world.folder / workspace,
        documents=[document(metadata={"a": None, "b": [1.5, "x"]}), document("bare", content="The text.")],
        chunks=[chunk(f"c{i}", i, f"Text {i}.") for i in range(3)],
        entities=entities,
        relations=relations,
        aliases=aliases,
    )
    with world.client(workspace) as rag:
        rag.import_graph(folder)
    world.ingest(workspace, reply)
    world.edit(workspace, chosen)
    world.name_anew(workspace, renamed)
    world.assert_comes_back(workspace)


def test_evidence_that_sleeps_comes_back_asleep(world: World) -> None:
    with world.client("w") as rag:
        rag.import_graph(write_graph(world.folder / "w", aliases=[{"alias": "Countess", "name": "Ada"}]))
    told = {
        "source": "Ada",
        "target": "Countess",
        "keywords": ["self"],
        "description": "One and the same.",
        "weight": 2,
    }
    world.ingest("w", {"entities": [], "relations": [told, {**told, "target": "Bob"}]})
    with psycopg.connect(world.url) as connection:
        asleep = connection.execute("SELECT count(*) FROM pgrag.relation_evidence WHERE relation_id IS NULL").fetchone()
    assert asleep == (1,)
    world.assert_comes_back("w")


def test_merges_can_be_undone_in_a_copy(world: World) -> None:
    with world.client("w") as rag:
        rag.import_graph(write_graph(world.folder / "w", entities=[entity("Ada", "c0"), entity("Bob", "c1")]))
        rag.create_entity("Countess", type="person", description="By hand.")
        rag.create_relation("Countess", "Bob", description="By hand.", weight=3)
        rag.merge_entities(["Countess"], into="Ada")
        rag.rename_entity("Ada", "Ada Lovelace")
        rag.export_graph(world.folder / "there")
    with world.client("copy") as copy:
        copy.import_graph(world.folder / "there")
    for workspace in ("w", "copy"):
        with world.client(workspace) as rag:
            rag.unmerge_entity("Countess")
            rag.rename_entity("Ada Lovelace", "Ada")
    with psycopg.connect(world.url) as connection:
        assert workspace_rows(connection, "copy") == workspace_rows(connection, "w")
    with world.client("copy") as copy:
        assert copy.relation("Countess", "Bob").description == "By hand."


def test_descriptions_that_were_found_short_enough_are_not_asked_for_again(world: World) -> None:
    said = "<SEP>".join(f"{number}." for number in range(9))
    world.ingest("w", {"entities": [{"name": "Ada", "type": "person", "description": said}], "relations": []})
    world.assert_comes_back("w")


def test_an_empty_workspace_comes_back(world: World) -> None:
    with world.client("w") as rag:
        rag.create_workspace()
    world.assert_comes_back("w")
