"""State machines over whole workspaces: whatever is done, in whatever order, nothing is out of step after any step.

`DocumentsComeAndGo`: documents alone. At the end a workspace is what a fresh build of the surviving documents gives.

`HandsAtWork`: hands too. One document speaks of everybody throughout, so that what a hand can do never depends on which
others are there. Then documents and deeds commute: a fresh workspace in which the deeds are done first, in their order,
and the documents come last, holds the same. (What a hand deletes is said again: at once by a new edition of that one
document, by the others when they are taken in again.)

`AnythingGoes`: documents speak of what hands make, too, and of everybody or nobody. What is possible depends on what
is there, and what is stated or edited goes with the last that speaks of it, so no other order need lead to the same.

In the last two, undoing all that hands did leaves exactly the fresh build of the documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from support.corpora import Corpus, World
from support.hands import Deed, Hand
from support.sentences import text_about_all, texts
from support.workspace_rows import Rows, assert_same_rows

CAST = ("Ada", "Bob", "Éva")
SPELLINGS = (*CAST, "ADA", "Ａda", "bob", "ÉVA")
MADE_BY_HAND = ("Zoe",)
NEW_NAMES = ("Wanda", "Vera")
KEYS = ("a", "B", "10", "9")
EVERYBODY = "everybody"
METADATA: tuple[dict[str, Any], ...] = ({}, {"year": 1}, {"year": 2, "of": ["x"]})

place = st.integers(0, 1)
key = st.sampled_from(KEYS)
texts_of_cast = texts(SPELLINGS)
texts_of_all = texts((*SPELLINGS, *MADE_BY_HAND, *NEW_NAMES))
name = st.sampled_from((*CAST, *MADE_BY_HAND, *NEW_NAMES))
said_by_hand = st.sampled_from([None, "By hand.", "By another hand."])
keywords = st.sampled_from([None, ("k",), ("b", "a")])
weight = st.sampled_from([None, 0.5, 7.0])


@dataclass(frozen=True)
class Seen:
    """A workspace after a step; its graph is compared with its tables elsewhere."""

    version: int
    rows: Rows

    def retrievable(self) -> Rows:
        """What a question can find."""
        return {table: rows for table, rows in self.rows.items() if table not in ("documents", "jobs")}


class DocumentsComeAndGo(RuleBasedStateMachine):
    """Documents are inserted, replaced, described anew and deleted in two workspaces of one database."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.corpora = [world.corpus() for _ in range(2)]
        self.begin()
        self.seen = [_seen(corpus) for corpus in self.corpora]
        self.touched: Corpus | None = None

    def begin(self) -> None:
        """What is there from the start."""

    def at(self, number: int) -> Corpus:
        """The workspace that this step may change."""
        self.touched = self.corpora[number]
        return self.touched

    @rule(at=place, key=key, text=texts_of_cast, metadata=st.none() | st.sampled_from(METADATA), wait=st.booleans())
    def insert_or_update(self, at: int, key: str, text: str, metadata: dict[str, Any] | None, wait: bool) -> None:
        assert self.at(at).ingest(key, text, metadata, wait=wait) in ("ready", "unchanged")

    @rule(at=place, key=key, text=texts_of_cast)
    def insert_or_update_while_the_model_is_down(self, at: int, key: str, text: str) -> None:
        self.world.models.is_down = True
        try:
            self.at(at).ingest(key, text, wait=False)
        finally:
            self.world.models.is_down = False

    @rule(at=place, key=key, metadata=st.sampled_from(METADATA))
    def take_in_again(self, at: int, key: str, metadata: dict[str, Any]) -> None:
        corpus = self.at(at)
        if key in corpus.documents and key not in corpus.unread:
            chats = len(self.world.models.chats)
            assert corpus.ingest(key, corpus.documents[key].text, metadata, wait=False) == "unchanged"
            assert len(self.world.models.chats) == chats

    @rule(at=place, key=key, keep_extractions=st.booleans(), wait=st.booleans())
    def delete(self, at: int, key: str, keep_extractions: bool, wait: bool) -> None:
        corpus = self.at(at)
        if key in corpus.documents:
            corpus.delete(key, keep_extractions=keep_extractions, wait=wait)

    @rule(at=place)
    def retry_and_refresh(self, at: int) -> None:
        self.at(at).retry_and_refresh()

    @invariant()
    def nothing_is_wrong(self) -> None:
        assert self.corpora[0].rag.check() == []

    @invariant()
    def workspaces_do_not_see_each_other(self) -> None:
        """What is not touched stays as it is; what changes has a new version, so that no answer is kept too long."""
        for number, corpus in enumerate(self.corpora):
            before, now = self.seen[number], _seen(corpus)
            if corpus is not self.touched:
                assert_same_rows(now.rows, before.rows)
                assert now.version == before.version
            elif now.retrievable() != before.retrievable():
                assert now.version > before.version
            self.seen[number] = now

    def teardown(self) -> None:
        for corpus in self.corpora:
            self.end(corpus)
        for corpus in self.corpora:
            corpus.drop()
        assert self.corpora[0].rag.check() == []

    def end(self, corpus: Corpus) -> None:
        """What must hold of a workspace in the end."""
        corpus.calm()
        self.holds_the_same(corpus, corpus.built_anew())

    def holds_the_same(self, corpus: Corpus, fresh: Corpus) -> None:
        """Both hold the same rows, vectors included; the fresh one is dropped."""
        rows = fresh.rows()
        fresh.drop()
        assert_same_rows(corpus.rows(), rows)


class HandsAtWork(DocumentsComeAndGo):
    """Hands merge, rename, edit, make and delete, while documents about the same cast come and go."""

    def begin(self) -> None:
        self.deeds: dict[Corpus, list[Deed]] = {corpus: [] for corpus in self.corpora}
        for corpus in self.corpora:
            _tell_of_everybody(corpus, 0)

    def do(self, at: int, method: str, *given: Any, **named: Any) -> None:
        """Do it, or find it refused: then nothing may have changed."""
        corpus, deed = self.corpora[at], Deed(method, given, named)
        self.touched = corpus if _do(corpus, deed, len(self.deeds[corpus])) else None
        if self.touched:
            self.deeds[corpus].append(deed)

    @rule(at=place, name=name, type=st.sampled_from([None, "kind"]), description=said_by_hand)
    def create_entity(self, at: int, name: str, type: str | None, description: str | None) -> None:
        self.do(at, "create_entity", name, type=type, description=description)

    @rule(at=place, name=name, type=st.sampled_from([None, "sort"]), description=said_by_hand)
    def edit_entity(self, at: int, name: str, type: str | None, description: str | None) -> None:
        self.do(at, "edit_entity", name, type=type, description=description)

    @rule(at=place, name=name)
    def reset_entity(self, at: int, name: str) -> None:
        self.do(at, "reset_entity", name)

    @rule(at=place, name=name, new_name=st.sampled_from((*NEW_NAMES, "ADA", *CAST)))
    def rename_entity(self, at: int, name: str, new_name: str) -> None:
        self.do(at, "rename_entity", name, new_name)

    @rule(at=place, names=st.lists(name, min_size=1, max_size=2), into=name)
    def merge_entities(self, at: int, names: list[str], into: str) -> None:
        self.do(at, "merge_entities", names, into=into)

    @rule(data=st.data())
    def unmerge_entity(self, data: st.DataObject) -> None:
        if aliases := [(at, name) for at, each in enumerate(self.corpora) for name in sorted(Hand(each).aliases())]:
            at, name = data.draw(st.sampled_from(aliases))
            self.do(at, "unmerge_entity", name)

    @rule(at=place, name=name)
    def delete_entity(self, at: int, name: str) -> None:
        self.do(at, "delete_entity", name)

    @rule(at=place, one=name, other=name, keywords=keywords, description=said_by_hand, weight=weight)
    def create_relation(self, at: int, one: str, other: str, **what: Any) -> None:
        self.do(at, "create_relation", one, other, **{key: value for key, value in what.items() if value})

    @rule(at=place, one=name, other=name, keywords=keywords, description=said_by_hand, weight=weight)
    def edit_relation(self, at: int, one: str, other: str, **what: Any) -> None:
        self.do(at, "edit_relation", one, other, **what)

    @rule(at=place, one=name, other=name)
    def reset_relation(self, at: int, one: str, other: str) -> None:
        self.do(at, "reset_relation", one, other)

    @rule(at=place, one=name, other=name)
    def delete_relation(self, at: int, one: str, other: str) -> None:
        self.do(at, "delete_relation", one, other)

    def end(self, corpus: Corpus) -> None:
        corpus.calm()
        self.holds_the_same(corpus, self.deeds_first(corpus))
        Hand(corpus).undo_all()
        super().end(corpus)

    def deeds_first(self, corpus: Corpus) -> Corpus:
        """A fresh workspace in which hands did the same, and then the documents came."""
        fresh = self.world.corpus()
        _tell_of_everybody(fresh, 0)
        for number, deed in enumerate(self.deeds[corpus]):
            assert _do(fresh, deed, number), f"refused without the documents: {deed}"
        fresh.take_all(corpus.documents)
        return fresh


class AnythingGoes(HandsAtWork):
    """Documents also speak of what hands have made, and nothing is there from the start."""

    def begin(self) -> None:
        self.deeds = {corpus: [] for corpus in self.corpora}

    @rule(at=place, key=key, text=texts_of_all, metadata=st.none() | st.sampled_from(METADATA), wait=st.booleans())
    def insert_or_update(self, at: int, key: str, text: str, metadata: dict[str, Any] | None, wait: bool) -> None:
        assert self.at(at).ingest(key, text, metadata, wait=wait) in ("ready", "unchanged")

    @rule(at=place, edition=st.integers(0, 3))
    def tell_of_everybody(self, at: int, edition: int) -> None:
        self.at(at).ingest(EVERYBODY, text_about_all((*CAST, *MADE_BY_HAND), edition))

    def end(self, corpus: Corpus) -> None:
        Hand(corpus).undo_all()
        DocumentsComeAndGo.end(self, corpus)


def _do(corpus: Corpus, deed: Deed, number: int) -> bool:
    done = Hand(corpus).do(deed)
    if EVERYBODY in corpus.spoilt:
        _tell_of_everybody(corpus, number + 1)
    return done


def _tell_of_everybody(corpus: Corpus, edition: int) -> None:
    corpus.ingest(EVERYBODY, text_about_all(CAST, edition))


def _seen(corpus: Corpus) -> Seen:
    return Seen(corpus.version(), corpus.rows("graph"))
