"""Editing by hand from outside: both clients and the command line, vectors included, on AGE and on joins alone."""

from __future__ import annotations

import asyncio
import json

import psycopg
import pytest
import sqlalchemy as sa
from support.model_server import ModelServer

from pgrag import AsyncPgRAG, PgRAG
from pgrag.errors import InvalidArgument, UnknownEntity, UnknownRelation
from pgrag.models.openai import OpenAIModels

from .conftest import Cli

TEXT = "Scrooge met Marley in London. Marley warned Ebenezer."


def stale(rag: PgRAG) -> int:
    return rag.workspaces()[0].stale_items


def test_every_change_leaves_nothing_stale_and_nothing_wrong(backend_url: str, models: OpenAIModels) -> None:
    with PgRAG(backend_url, workspace="w", models=models) as rag:
        rag.ingest([TEXT], ids=["t"])
        steps = (
            lambda: rag.merge_entities(["Scrooge"], into="Ebenezer"),
            lambda: rag.rename_entity("Ebenezer", "Ebenezer Scrooge"),
            lambda: rag.edit_entity("Scrooge", type="character", description="A miser."),
            lambda: rag.create_entity("Fan", type="person", description="His sister."),
            lambda: rag.create_relation("Fan", "scrooge", keywords=["kin"], description="Siblings.", weight=2),
            lambda: rag.edit_relation("Scrooge", "Fan", keywords=["family"]),
            lambda: rag.reset_relation("Fan", "Scrooge"),
            lambda: rag.reset_entity("Scrooge"),
            lambda: rag.unmerge_entity("Scrooge"),
            lambda: rag.delete_relation("Fan", "Ebenezer"),
            lambda: rag.delete_entity("Fan"),
        )
        for change in steps:
            change()
            assert stale(rag) == 0
            assert rag.check() == []


def test_what_is_told_of_an_entity_and_a_relation(rag: PgRAG) -> None:
    rag.ingest([TEXT], ids=["t"])
    merged = rag.merge_entities(["Scrooge"], into="Ebenezer")
    assert (merged.name, merged.aliases, merged.documents, merged.stale) == ("Ebenezer", ["Scrooge"], ["t"], False)
    assert rag.entity("scrooge") == merged
    assert "Ebenezer" in [each.name for each in rag.entities()]
    assert rag.match_entities("ebenezr")[0].name == "Ebenezer"
    edited = rag.edit_relation("Scrooge", "Marley", description="Partners.")
    assert (edited.description, edited.edited) == ("Partners.", ["description"])
    assert rag.relation("Marley", "Ebenezer") == edited
    apart = rag.unmerge_entity("Scrooge")
    assert apart is not None
    assert (apart.name, apart.aliases) == ("Scrooge", [])
    assert rag.delete_entity("Scrooge") == 1
    with pytest.raises(UnknownEntity, match="Scrooge"):
        rag.entity("Scrooge")
    with pytest.raises(UnknownRelation, match="London"):
        rag.relation("London", "Ebenezer")
    with pytest.raises(InvalidArgument, match="Marley"):
        rag.rename_entity("Ebenezer", "Marley")


def test_a_question_finds_what_a_hand_wrote(rag: PgRAG) -> None:
    rag.ingest([TEXT], ids=["t"])
    rag.edit_entity("Scrooge", description="He counts coins.")
    found = rag.retrieve("Who?", mode="local", low_level_keywords=["Scrooge"], max_distance=2)
    assert "He counts coins." in [each.description for each in found.entities]


def test_duplicates_are_candidates_to_merge(rag: PgRAG) -> None:
    rag.ingest(["Ebenezer Scrooge is here. Ebenezer Scroge is there."], ids=["t"])
    (pair,) = rag.duplicates(max_distance=0)
    assert (pair.entity, pair.other, pair.why) == ("Ebenezer Scroge", "Ebenezer Scrooge", "name")
    rag.merge_entities([pair.entity], into=pair.other)
    assert rag.duplicates(max_distance=0) == []


def test_within_the_callers_transaction_one_edits_and_nothing_is_embedded(
    url: str, rag: PgRAG, models: OpenAIModels, model_server: ModelServer
) -> None:
    rag.ingest([TEXT], ids=["t"])
    asked = model_server.count()
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        inside = PgRAG(connection=connection, workspace="w", models=models)
        assert inside.edit_entity("Scrooge", description="Never.").stale
        connection.rollback()
        inside.edit_entity("Scrooge", description="By hand.")
        connection.commit()
    engine.dispose()
    assert model_server.count() == asked
    assert rag.entity("Scrooge").description == "By hand."
    rag.edit_entity("Marley", type="ghost")
    assert stale(rag) == 0


def test_the_async_client_does_the_same(url: str, models: OpenAIModels) -> None:
    async def edit() -> list[str]:
        async with AsyncPgRAG(url, workspace="w", models=models) as rag:
            await rag.ingest([TEXT], ids=["t"])
            await rag.merge_entities(["Scrooge"], into="Ebenezer")
            await rag.create_entity("Fan")
            await rag.create_relation("Fan", "Scrooge")
            await rag.unmerge_entity("Scrooge")
            await rag.delete_relation("Scrooge", "Marley")
            assert await rag.check() == []
            return [each.name for each in await rag.entities()]

    assert set(asyncio.run(edit())) >= {"Fan", "Ebenezer", "Scrooge", "Marley"}


# The command line


def test_entities_on_the_command_line(cli: Cli, rag: PgRAG, here: object) -> None:
    rag.ingest([TEXT], ids=["t"])
    assert "Scrooge" in cli("entity", "list").out
    assert json.loads(cli("entity", "list", "--like", "scroge", "--json").out)[0]["match"] == "similar"
    assert json.loads(cli("entity", "create", "Fan", "--type", "person", "-d", "Sister.", "--json").out)["by_hand"]
    assert json.loads(cli("entity", "edit", "Fan", "--type", "girl", "--json").out)["edited"] == ["name", "type"]
    assert json.loads(cli("entity", "reset", "Fan", "--json").out)["type"] == "person"
    assert json.loads(cli("entity", "rename", "Fan", "Fanny", "--json").out)["aliases"] == ["Fan"]
    merged = cli("entity", "merge", "Scrooge", "Fan", "--into", "Ebenezer")
    assert merged.code == 0
    assert "Fan, Fanny, Scrooge" in " ".join(merged.out.split())
    assert json.loads(cli("entity", "show", "scrooge", "--json").out)["name"] == "Ebenezer"
    assert cli("entity", "duplicates").code == 0
    assert isinstance(json.loads(cli("entity", "duplicates", "--json").out), list)
    assert json.loads(cli("entity", "unmerge", "Scrooge", "--json").out)["name"] == "Scrooge"
    assert cli("entity", "delete", "--yes", "Scrooge").out == "deleted Scrooge and 1 relations\n"
    assert cli("check").code == 0


def test_relations_on_the_command_line(cli: Cli, rag: PgRAG, here: object) -> None:
    rag.ingest([TEXT], ids=["t"])
    made = json.loads(cli("relation", "create", "Scrooge", "Ebenezer", "-k", "b", "-k", "a", "--json").out)
    assert (made["keywords"], made["by_hand"], made["stale"]) == (["a", "b"], True, False)
    assert json.loads(cli("relation", "edit", "Ebenezer", "Scrooge", "--weight", "5", "--json").out)["weight"] == 5
    assert json.loads(cli("relation", "reset", "Ebenezer", "Scrooge", "--json").out)["weight"] == 1
    assert "a, b" in cli("relation", "show", "Ebenezer", "Scrooge").out
    assert cli("relation", "delete", "-y", "Ebenezer", "Scrooge").code == 0
    gone = cli("relation", "show", "Ebenezer", "Scrooge")
    assert (gone.code, gone.out) == (1, "")
    assert "error: no relation between 'Ebenezer' and 'Scrooge'" in gone.err
    assert cli("check").code == 0


def test_what_destroys_asks_first(cli: Cli, url: str, rag: PgRAG, here: object) -> None:
    rag.ingest([TEXT], ids=["t"])
    for command in (("entity", "delete", "Scrooge"), ("relation", "delete", "Scrooge", "Marley")):
        assert cli(*command).code == 1
    assert cli("entity", "delete", "--yes", "Scrooge", "nobody").code == 1
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pgrag.entity WHERE name = 'Scrooge'").fetchone() == (1,)


@pytest.mark.parametrize(
    "args",
    [
        ("entity", "edit", "Scrooge"),
        ("entity", "merge", "Scrooge"),
        ("entity", "rename", "Scrooge"),
        ("entity", "list", "--limit", "0"),
        ("relation", "edit", "Scrooge", "Marley"),
        ("relation", "create", "Scrooge", "Marley", "--weight", "-1"),
    ],
)
def test_wrong_usage_is_2(cli: Cli, args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRAG_DATABASE_URL", "postgresql://127.0.0.1:1/nobody-is-asked")
    assert cli(*args).code == 2


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("entity", "show", "nobody"), "nobody"),
        (("entity", "create", "Scrooge"), "already"),
        (("entity", "rename", "Scrooge", "Marley"), "cure: Merge"),
        (("entity", "unmerge", "Scrooge"), "not merged"),
        (("entity", "merge", "nobody", "--into", "Scrooge"), "nobody"),
        (("relation", "create", "Scrooge", "scrooge"), "itself"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(cli: Cli, rag: PgRAG, here: object, args: tuple, word: str) -> None:
    rag.ingest([TEXT], ids=["t"])
    result = cli(*args)
    assert (result.code, result.out) == (1, "")
    assert word in result.err
    assert "Traceback" not in result.err
