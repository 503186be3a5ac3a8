"""What hands do to a workspace: as values that can be done again elsewhere, and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, LiteralString

from pgrag.errors import InvalidArgument, UnknownEntity, UnknownRelation
from support.corpora import Corpus

REFUSALS = (InvalidArgument, UnknownEntity, UnknownRelation)

_ALIASES: LiteralString = """
    SELECT m.alias, coalesce(m.canonical, m.canonical_key), m.kept ->> 'renamed_from'
      FROM pgrag.entity_alias m JOIN pgrag.workspace w ON w.id = m.workspace_id
     WHERE w.name = %s ORDER BY m.created_at DESC, m.alias_key COLLATE "C" """
_ENTITIES: LiteralString = """
    SELECT e.name, e.by_hand OR e.edited_name IS NOT NULL, num_nonnulls(e.edited_type, e.edited_description) > 0
      FROM pgrag.entity e JOIN pgrag.workspace w ON w.id = e.workspace_id
     WHERE w.name = %s ORDER BY e.name_key COLLATE "C" """
_RELATIONS: LiteralString = """
    SELECT a.name, b.name, r.by_hand, num_nonnulls(r.edited_keywords, r.edited_description, r.edited_weight) > 0
      FROM pgrag.relation r JOIN pgrag.workspace w ON w.id = r.workspace_id
      JOIN pgrag.entity a ON a.id = r.source_id JOIN pgrag.entity b ON b.id = r.target_id
     WHERE w.name = %s ORDER BY a.name_key COLLATE "C", b.name_key COLLATE "C" """


@dataclass(frozen=True)
class Deed:
    """A method of the client's that edits, and what it is given."""

    method: str
    given: tuple[Any, ...]
    named: Mapping[str, Any] = field(default_factory=dict)


class Hand:
    """Edits a workspace. What it deletes spoils the documents that said it."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def do(self, deed: Deed) -> bool:
        """Whether it was done; what is refused changes nothing."""
        try:
            said_by = self._said_by(deed)
            getattr(self.corpus.rag, deed.method)(*deed.given, **deed.named)
        except REFUSALS:
            return False
        self.corpus.spoilt |= said_by
        return True

    def aliases(self) -> list[str]:
        """The names that lead to another, the newest first."""
        return [alias for alias, _, _ in self._rows(_ALIASES)]

    def undo_all(self) -> None:
        """Take back everything that hands did: the newest name first, then what they made and what they edited.

        Deleted is what only so can be taken back: what was made by hand, another spelling of a name, a name that texts
        use since it was given. The documents that this spoils are the caller's to take in again.
        """
        self._undo_names()
        for name, made, _ in self._rows(_ENTITIES):
            if made:
                self._must(Deed("delete_entity", (name,)))
        for source, target, made, _ in self._rows(_RELATIONS):
            if made:
                self._must(Deed("delete_relation", (source, target)))
        for name, _, edited in self._rows(_ENTITIES):
            if edited:
                self._must(Deed("reset_entity", (name,)))
        for source, target, _, edited in self._rows(_RELATIONS):
            if edited:
                self._must(Deed("reset_relation", (source, target)))

    def _undo_names(self) -> None:
        called_back = set()
        while aliases := self._rows(_ALIASES):
            alias, name, renamed_from = aliases[0]
            if renamed_from is None:
                self._must(Deed("unmerge_entity", (alias,)))
                continue
            self.do(Deed("create_entity", (name,)))  # An alias outlives what it means.
            if (name, renamed_from) in called_back:
                self._must(Deed("delete_entity", (name,)))
            else:
                called_back.add((name, renamed_from))
                self._must(Deed("rename_entity", (name, renamed_from)))

    def _must(self, deed: Deed) -> None:
        assert self.do(deed), f"refused: {deed}"

    def _said_by(self, deed: Deed) -> set[str]:
        if deed.method == "delete_entity":
            return set(self.corpus.rag.entity(*deed.given).documents)
        if deed.method == "delete_relation":
            return set(self.corpus.rag.relation(*deed.given).documents)
        return set()

    def _rows(self, query: LiteralString) -> list[tuple[Any, ...]]:
        return self.corpus.world.connection.execute(query, (self.corpus.name,)).fetchall()
