"""`pgrag export`, and `pgrag graph export` for other programs, as a user calls them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from support.graph_folders import chunk, entity, relation, write_graph
from support.model_server import ModelServer

from pgrag import PgRAG
from pgrag.cli import graph as graph_command
from pgrag.errors import InvalidArgument

from .conftest import Cli

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"


@pytest.fixture
def filled(here: Path, cli: Cli) -> Path:
    """A workspace with two entities and a relation, and the folder it came from."""
    folder = write_graph(
        here / "given",
        chunks=[chunk("c0")],
        entities=[entity("Ada", "c0"), entity('<Bob> & "co"\x01', "c0")],
        relations=[relation("Ada", '<Bob> & "co"\x01', "c0", weight=2.0, keywords=["maths", "letters"])],
        aliases=[{"alias": "Countess", "name": "Ada"}],
    )
    assert cli("import", folder).code == 0
    return here


def test_export_says_how_much_it_wrote(filled: Path, cli: Cli) -> None:
    result = cli("export", "deep/out")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("1 documents, 1 chunks, 2 entities, 1 relations, 1 aliases\nexported in ")
    written = {path.name for path in (filled / "deep" / "out").iterdir()}
    lines = {f"{name}.jsonl" for name in ("documents", "chunks", "entities", "relations", "aliases")}
    assert written == lines | {"origin.json", "chunks.npy", "entities.npy", "relations.npy"}
    assert json.loads(cli("export", "more", "--json").out)["entities"] == 2
    assert [path.name for path in (filled / "deep").iterdir()] == ["out"]


def test_embeddings_are_plain_arrays(filled: Path, cli: Cli) -> None:
    cli("export", "out")
    vectors = np.load(filled / "out" / "entities.npy")
    assert (vectors.dtype, vectors.shape) == (np.float32, (2, 8))
    assert np.isfinite(vectors).all()


def test_an_empty_folder_is_taken_and_any_other_is_refused(filled: Path, cli: Cli) -> None:
    (filled / "empty").mkdir()
    assert cli("export", "empty").code == 0
    before = sorted(path.name for path in filled.iterdir())
    for target, reason in (("empty", "is not empty"), ("given/chunks.jsonl", "is not a folder")):
        result = cli("export", target)
        assert (result.code, result.out) == (1, "")
        assert reason in result.err
    assert sorted(path.name for path in filled.iterdir()) == before


def test_an_unknown_workspace_leaves_nothing(filled: Path, cli: Cli) -> None:
    result = cli("export", "out", "-w", "nowhere")
    assert result.code == 1
    assert "unknown workspace 'nowhere'" in result.err
    assert [path.name for path in filled.iterdir()] == ["given"]


def test_an_interrupted_export_leaves_nothing(filled: Path, url: str, rag: PgRAG) -> None:
    def interrupt(progress: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rag.export_graph(filled / "out", on_progress=interrupt)
    assert [path.name for path in filled.iterdir()] == ["given"]
    assert rag.export_graph(filled / "out").entities == 2


def test_embeddings_of_another_model_are_refused(filled: Path, cli: Cli) -> None:
    cli("export", "out")
    origin = filled / "out" / "origin.json"
    origin.write_text(origin.read_text().replace("scripted-embedding", "another-model"))
    result = cli("import", "out", "-w", "copy")
    assert result.code == 1
    assert "embeddings of another-model, the database holds those of scripted-embedding" in result.err
    for vectors in (filled / "out").glob("*.npy"):
        vectors.unlink()
    assert cli("import", "out", "-w", "copy").code == 0


def test_rows_without_a_number_are_embedded(filled: Path, cli: Cli, model_server: ModelServer) -> None:
    cli("export", "out")
    for name in ("chunks", "entities"):
        vectors = np.load(filled / "out" / f"{name}.npy")
        vectors[0] = np.nan
        np.save(filled / "out" / f"{name}.npy", vectors)
    assert "1 refreshed" in cli("import", "out", "-w", "copy").out
    cli("export", "again", "-w", "copy")
    for name in ("chunks", "entities"):
        assert np.isfinite(np.load(filled / "again" / f"{name}.npy")).all()


def test_graphml_is_well_formed_and_whole(filled: Path, cli: Cli) -> None:
    result = cli("graph", "export", "--format", "graphml")
    assert (result.code, result.out) == (0, "w.graphml\n")
    assert "2 entities, 1 relations" in result.err
    root = ET.parse(filled / "w.graphml").getroot()
    keys = {key.get("id"): key.get("attr.name") for key in root.iter(f"{NAMESPACE}key")}
    told = {
        element.get("id"): {keys[data.get("key")]: data.text for data in element}
        for kind in ("node", "edge")
        for element in root.iter(f"{NAMESPACE}{kind}")
    }
    names = {told[node.get("id")]["name"]: node.get("id") for node in root.iter(f"{NAMESPACE}node")}
    assert set(names) == {"Ada", '<Bob> & "co"\ufffd'}
    (edge,) = root.iter(f"{NAMESPACE}edge")
    assert (edge.get("source"), edge.get("target")) == (names["Ada"], names['<Bob> & "co"\ufffd'])
    assert told[edge.get("id")]["keywords"] == "letters, maths"
    assert float(told[edge.get("id")]["weight"] or 0) == 2.0
    assert told[names["Ada"]]["degree"] == "1"


def test_jsonl_has_nodes_then_edges(filled: Path, cli: Cli) -> None:
    lines = [json.loads(line) for line in cli("graph", "export", "--format", "jsonl", "-o", "-").out.splitlines()]
    assert [line["kind"] for line in lines] == ["node", "node", "edge"]
    bob, ada, edge = lines  # of equal degree: by name
    assert (edge["source"], edge["target"]) == (ada["id"], bob["id"])
    assert (ada["name"], bob["name"]) == ("Ada", '<Bob> & "co"\x01')
    assert edge["keywords"] == ["letters", "maths"]


def test_max_nodes_leaves_out_the_rest(filled: Path, cli: Cli) -> None:
    result = cli("graph", "export", "--format", "jsonl", "-o", "-", "--max-nodes", 1)
    assert [json.loads(line)["kind"] for line in result.out.splitlines()] == ["node"]


def test_a_file_that_is_not_finished_does_not_take_its_name(filled: Path, cli: Cli) -> None:
    (filled / "old.graphml").write_text("old")
    assert cli("graph", "export", "--format", "graphml", "-o", "old.graphml", "-w", "nowhere").code == 1
    assert (filled / "old.graphml").read_text() == "old"
    assert sorted(path.name for path in filled.iterdir()) == ["given", "old.graphml"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    with graph_command._opened(Path("/dev/null")) as stream:
        stream.write("x")
    assert Path("/dev/null").is_char_device()


def test_an_unknown_format_is_refused(filled: Path, rag: PgRAG) -> None:
    with pytest.raises(InvalidArgument, match="unknown format 'dot'"):
        rag.write_graph(None, format="dot")  # type: ignore[arg-type]  # as one without types would
