"""Whatever hands do and documents say, in any order: nothing is out of step, and a fresh build gives the same rows."""

from __future__ import annotations

from typing import Any

import psycopg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.documents import Publisher, entity, relation
from support.graph_rows import assert_sound, graph_rows

NAMES = ["Ada", "ADA", "Bob", "Carol", "Dora", "Eve"]
name = st.sampled_from(NAMES)
said = st.tuples(
    st.lists(st.tuples(name, st.sampled_from(["person", "place"]), st.sampled_from("xyz")), max_size=4),
    st.lists(st.tuples(name, name, st.sampled_from("pq")), max_size=4),
)
document = st.sampled_from("abc")
# Speaks of everybody, so that most steps find what they are about.
everybody = st.tuples(
    st.just([(each, "person", "x") for each in NAMES]),
    st.lists(st.tuples(name, name, st.sampled_from("pq")), min_size=3),
)
by_hand = st.one_of(
    st.tuples(st.just("create_entity"), name, st.none(), st.sampled_from(["made", None])),
    st.tuples(st.just("edit_entity"), name, st.sampled_from(["kind", None]), st.sampled_from(["edited", None])),
    st.tuples(st.just("create_relation"), name, name, st.just(["k"]), st.sampled_from(["made", None]), st.just(2.5)),
    st.tuples(st.just("edit_relation"), name, name, st.just(["e"]), st.sampled_from(["edited", None]), st.none()),
)
step = st.one_of(
    by_hand,
    st.tuples(st.just("ingest"), document, said),
    st.tuples(st.just("delete_document"), document),
    st.tuples(st.just("merge_entities"), st.lists(name, min_size=1, max_size=2), st.sampled_from([*NAMES, "New"])),
    st.tuples(st.just("unmerge_entity"), name),
    st.tuples(st.just("rename_entity"), name, st.sampled_from([*NAMES, "Other", "New"])),
    st.tuples(st.just("reset_entity"), name),
    st.tuples(st.just("reset_relation"), name, name),
    st.tuples(st.just("delete_relation"), name, name),
    st.tuples(st.just("delete_entity"), name),
)
some = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def publish(publisher: Publisher, key: str, records: tuple[list, list]) -> None:
    entities, relations = records
    publisher(
        key,
        [f"{key}: {records!r}"],
        [entity(0, *each) for each in entities],
        [relation(0, source, target, [text], text) for source, target, text in relations],
    )


class Corpus:
    """A workspace with what its documents say at present; steps that are refused change nothing."""

    def __init__(self, db: psycopg.Connection, workspace: str) -> None:
        self.db, self.workspace = db, workspace
        self.publisher = Publisher(db, workspace)
        self.documents: dict[str, tuple[list, list]] = {}

    def take(self, function: str, *args: Any) -> bool:
        """Whether the step was done."""
        try:
            with self.db.transaction():
                self._take(function, *args)
        except psycopg.Error as error:
            if not (error.sqlstate or "").startswith("RG"):
                raise
            return False
        return True

    def _take(self, function: str, *args: Any) -> None:
        if function == "ingest":
            if self.documents.get(args[0]) != args[1]:
                publish(self.publisher, *args)
                self.documents[args[0]] = args[1]
            return
        marks = ", ".join(["%s"] * len(args))
        self.db.execute(f"SELECT pgrag.{function}(%s, {marks})", (self.workspace, *args))
        if function == "delete_document":
            del self.documents[args[0]]


_COPY = (
    "INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key, canonical, kept) "
    "SELECT %(f)s, alias_key, alias, canonical_key, canonical, kept FROM pgrag.entity_alias WHERE workspace_id = %(w)s",
    "INSERT INTO pgrag.entity (workspace_id, name, name_key, type) "
    "SELECT %(f)s, name, name_key, type FROM pgrag.entity WHERE workspace_id = %(w)s "
    "ON CONFLICT (workspace_id, name_key) DO NOTHING",
    "UPDATE pgrag.entity e SET by_hand = o.by_hand, stated_type = o.stated_type, edited_name = o.edited_name, "
    "stated_description = o.stated_description, edited_type = o.edited_type, edited_description = o.edited_description "
    "FROM pgrag.entity o WHERE o.workspace_id = %(w)s AND e.workspace_id = %(f)s AND e.name_key = o.name_key",
    "SELECT pgrag.make_meant_relations(%(f)s, '{}', '{}')",
    "INSERT INTO pgrag.relation AS r (workspace_id, source_id, target_id, by_hand, stated_keywords, "
    "stated_description, stated_weight, edited_keywords, edited_description, edited_weight) "
    "SELECT %(f)s, c.id, d.id, o.by_hand, o.stated_keywords, o.stated_description, o.stated_weight, o.edited_keywords, "
    "o.edited_description, o.edited_weight FROM pgrag.relation o "
    "JOIN pgrag.entity a ON a.id = o.source_id JOIN pgrag.entity b ON b.id = o.target_id "
    "JOIN pgrag.entity c ON c.workspace_id = %(f)s AND c.name_key = a.name_key "
    "JOIN pgrag.entity d ON d.workspace_id = %(f)s AND d.name_key = b.name_key WHERE o.workspace_id = %(w)s "
    "ON CONFLICT (workspace_id, least(source_id, target_id), greatest(source_id, target_id)) DO UPDATE "
    "SET source_id = excluded.source_id, target_id = excluded.target_id, by_hand = excluded.by_hand, "
    "stated_keywords = excluded.stated_keywords, stated_description = excluded.stated_description, "
    "stated_weight = excluded.stated_weight, edited_keywords = excluded.edited_keywords, "
    "edited_description = excluded.edited_description, edited_weight = excluded.edited_weight",
    "SELECT pgrag.settle(%(f)s, ARRAY(SELECT id FROM pgrag.entity WHERE workspace_id = %(f)s), "
    "ARRAY(SELECT id FROM pgrag.relation WHERE workspace_id = %(f)s))",
)


def built_anew(corpus: Corpus) -> dict[str, list[Any]]:
    """The rows of a workspace that knows from the start what hands did, and then takes the documents."""
    fresh = Corpus(corpus.db, "fresh")
    keys = {
        mark: corpus.db.execute("SELECT id FROM pgrag.workspace WHERE name = %s", (each,)).fetchone()[0]
        for mark, each in (("w", corpus.workspace), ("f", "fresh"))
    }
    first, *others = _COPY
    corpus.db.execute(first, keys)
    for key, records in sorted(corpus.documents.items(), reverse=True):
        publish(fresh.publisher, key, records)
    for statement in others:
        corpus.db.execute(statement, keys)
    return graph_rows(corpus.db, "fresh")


@some
@given(first=everybody, steps=st.lists(step, min_size=3, max_size=12))
def test_any_history_leaves_what_a_fresh_build_gives(
    db: psycopg.Connection, first: tuple[list, list], steps: list[tuple]
) -> None:
    with db.transaction(force_rollback=True):
        corpus = Corpus(db, "w")
        corpus.take("ingest", "a", first)
        for each in steps:
            corpus.take(*each)
            assert_sound(db)
        deleted = any(each[0] in ("delete_entity", "delete_relation") for each in steps)
        if not deleted:  # deleted evidence is what no fresh build knows of
            assert graph_rows(db, "w") == built_anew(corpus)


@some
@given(
    first=everybody,
    documents=st.dictionaries(document, said),
    edits=st.lists(by_hand, min_size=3, max_size=5),
    merges=st.lists(st.tuples(name, name), min_size=2, max_size=5),
    data=st.data(),
)
def test_merges_undone_in_any_order_leave_no_trace(
    db: psycopg.Connection,
    first: tuple[list, list],
    documents: dict[str, tuple],
    edits: list[tuple],
    merges: list[tuple],
    data: st.DataObject,
) -> None:
    with db.transaction(force_rollback=True):
        corpus = Corpus(db, "w")
        for key, records in {"everybody": first, **documents}.items():
            corpus.take("ingest", key, records)
        for each in edits:
            corpus.take(*each)
        before = graph_rows(db)
        for merged, into in merges:
            corpus.take("merge_entities", [merged], into)
        assert_sound(db)
        aliases = [row[0] for row in db.execute("SELECT alias FROM pgrag.entity_alias ORDER BY alias_key")]
        for alias in data.draw(st.permutations(aliases)):
            assert corpus.take("unmerge_entity", alias)
            assert_sound(db)
        assert graph_rows(db) == before
