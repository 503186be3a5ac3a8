"""Turn a GraphRAG index into pgrag's interchange format.

    python examples/graphs/convert_graphrag.py INDEX OUT [--document a_christmas_carol.txt]

INDEX holds the index's tables as JSONL, one object a line: documents.jsonl, text_units.jsonl, entities.jsonl and
relationships.jsonl. From GraphRAG's own parquet files each is one line of pandas:

    pandas.read_parquet("entities.parquet").to_json("entities.jsonl", orient="records", lines=True)

OUT gets documents.jsonl, chunks.jsonl, entities.jsonl and relations.jsonl, ready for `pgrag import OUT`.

What changes on the way: GraphRAG writes names in capitals, so they get the case of titles; types become lower case. The
line that it puts before each text unit falls. So do the header and the licence of Project Gutenberg, when the text has
them, and with them what the graph says of nothing else, paragraphs of descriptions included. Nothing is made up: the
relations have no keywords, for GraphRAG has none.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]

START = re.compile(r"\A.*?\*\*\* ?START OF TH\w+ PROJECT GUTENBERG EBOOK[^\n]*\n(?:\s*Produced by .+?\n\s*\n)?", re.S)
END = re.compile(r"\*\*\* ?END OF TH\w+ PROJECT GUTENBERG EBOOK.*\Z", re.S)
FIRST_LINE = re.compile(r"\Atitle: [^\n]*\n")
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
SMALL_WORDS = {"a", "an", "and", "at", "but", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
ROMAN = re.compile(r"(?=[IVXLCDM]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


@dataclass(frozen=True)
class Unit:
    """A text unit that is kept: the id of its chunk, its text, and what was cut from it."""

    chunk_id: str
    text: str
    cut: str


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Turn a GraphRAG index into pgrag's interchange format.")
    parser.add_argument("index", type=Path, help="folder with the index's tables as JSONL")
    parser.add_argument("out", type=Path, help="folder to write; files of the same names are replaced")
    parser.add_argument("--document", help="id and path of the document; default: its title in the index")
    arguments = parser.parse_args()
    convert(arguments.index, arguments.out, arguments.document)


def convert(index: Path, out: Path, document: str | None = None) -> None:
    """Read the index of one document, write the folder."""
    (title,) = [record["title"] for record in read(index / "documents.jsonl")]
    key = document or title
    units = kept_units(key, read(index / "text_units.jsonl"))
    out.mkdir(parents=True, exist_ok=True)
    write(out / "documents.jsonl", [{"id": key, "file_path": key}])
    write(out / "chunks.jsonl", list(chunks(key, units)))
    found = list(entities(read(index / "entities.jsonl"), units))
    write(out / "entities.jsonl", found)
    write(out / "relations.jsonl", list(relations(read(index / "relationships.jsonl"), units)))


def kept_units(document: str, records: Sequence[Record]) -> dict[str, Unit]:
    """Units by their id in the index, in order, without the licence; those that are nothing else are left out."""
    kept: dict[str, Unit] = {}
    has_ended, text_before = False, ""
    for number, record in enumerate(records):
        whole = FIRST_LINE.sub("", record["text"])
        text = END.sub("", START.sub("", whole))
        ends_here = END.search(whole) is not None
        # Units overlap: the end of the book may stand in two of them, and the second says nothing new.
        if (ends_here or not has_ended) and text.strip() not in text_before:
            kept[record["id"]] = Unit(f"{document}#{number}", text, whole.replace(text, " "))
        has_ended, text_before = has_ended or ends_here, text
    return kept


def chunks(document: str, units: Mapping[str, Unit]) -> Iterator[Record]:
    """Lines of chunks.jsonl."""
    for number, unit in enumerate(units.values()):
        yield {"id": unit.chunk_id, "document_id": document, "chunk_index": number, "content": unit.text}


def entities(records: Sequence[Record], units: Mapping[str, Unit]) -> Iterator[Record]:
    """Lines of entities.jsonl: those that the kept text speaks of."""
    for record in records:
        evidence = evidence_of(record, [record["title"]], units)
        if evidence:
            yield {
                "name": readable(record["title"]),
                "type": record["type"].lower(),
                "description": without_licence(record["description"]),
                "evidence": evidence,
            }


def relations(records: Sequence[Record], units: Mapping[str, Unit]) -> Iterator[Record]:
    """Lines of relations.jsonl: those that the kept text speaks of."""
    for record in records:
        evidence = evidence_of(record, [record["source"], record["target"]], units)
        if evidence:
            yield {
                "source": readable(record["source"]),
                "target": readable(record["target"]),
                "keywords": [],
                "description": without_licence(record["description"]),
                "weight": record["weight"],
                "evidence": evidence,
            }


def evidence_of(record: Record, names: Sequence[str], units: Mapping[str, Unit]) -> list[Record]:
    """The chunks that an item rests on; of a unit that was cut, only if each name can stem from what is left of it."""
    found = [units[unit] for unit in record["text_unit_ids"] if unit in units]
    return [{"chunk_id": unit.chunk_id} for unit in found if not any(only_in_cut(name, unit) for name in names)]


def only_in_cut(name: str, unit: Unit) -> bool:
    """Whether the unit names this only in what was cut from it."""
    said = folded(name)
    return said in folded(unit.cut) and said not in folded(unit.text)


def folded(text: str) -> str:
    """Text to be compared: lower case, single spaces."""
    return " ".join(text.lower().split())


def without_licence(description: str) -> str:
    """The description without paragraphs on Project Gutenberg."""
    return "\n\n".join(part for part in description.split("\n\n") if "Project Gutenberg" not in part)


def readable(name: str) -> str:
    """A name in capitals, as a title is written: GHOST OF CHRISTMAS PAST → Ghost of Christmas Past."""
    return WORD.sub(lambda word: _cased(word.group(), is_first=word.start() == 0), name)


def _cased(word: str, *, is_first: bool) -> str:
    if word.lower() in SMALL_WORDS and not is_first:
        return word.lower()
    return word if ROMAN.fullmatch(word) else word[:1].upper() + word[1:].lower()


def read(path: Path) -> list[Record]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, records: Sequence[Record]) -> None:
    """A JSONL file."""
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
