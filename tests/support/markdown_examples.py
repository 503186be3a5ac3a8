"""The examples of a Markdown document: its fenced blocks, what they are said to print, and its links.

A block marked bash, python or sql is an example, and is run. A block marked text right after it is what it prints. A
block that cannot be run has a comment before it that says why: <!-- not run: it needs Docker -->. Blocks of any other
kind are there to be read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

RUNNABLE = ("bash", "python", "sql")
_FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<language>\S*)")
_EXCUSE = re.compile(r"^<!-- not run: (?P<reason>.+) -->$")
_LINK = re.compile(r"(?<!!)\[(?P<label>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (?P<title>.+)$")


@dataclass(frozen=True)
class Example:
    """A block: its language, its text, the line it begins at (from 1), and what it is said to print.

    `excuse` is the reason why it is not run; None for a block that is.
    """

    language: str
    code: str
    line: int
    expected: tuple[str, ...] = ()
    excuse: str | None = None


@dataclass(frozen=True)
class Link:
    """A link: the text that is shown, and where it goes."""

    label: str
    target: str


def examples_of(document: str) -> list[Example]:
    """The blocks that can be run, in order, each with the output that follows it."""
    found: list[Example] = []
    follows = False
    for block in _blocks(document):
        if isinstance(block, str):
            follows = follows and not block.strip()
        elif block.language == "text" and follows:
            found[-1] = replace(found[-1], expected=tuple(block.code.splitlines()))
            follows = False
        else:
            follows = block.language in RUNNABLE
            if follows:
                found.append(block)
    return found


def _blocks(document: str) -> list[Example | str]:
    """The document as blocks, and the lines between them."""
    parts: list[Example | str] = []
    lines = iter(enumerate(document.splitlines(), start=1))
    excuse: str | None = None
    for number, line in lines:
        if opening := _FENCE.match(line):
            code = []
            for _, inner in lines:
                if inner.rstrip() == opening["ticks"]:
                    break
                code.append(inner)
            else:
                raise ValueError(f"the block that begins at line {number} does not end")
            parts.append(Example(opening["language"], "\n".join(code) + "\n", number, excuse=excuse))
            excuse = None
            continue
        parts.append(line)
        if reason := _EXCUSE.match(line):
            excuse = reason["reason"]
        elif line.strip():
            excuse = None
    return parts


def missing_from(output: str, expected: Sequence[str]) -> str | None:
    """The first expected line that the output lacks: lines must come in order, others may stand between them.

    Blanks count as one, rules of tables do not count, and … stands for anything.
    """
    printed = iter([_plain(line) for line in output.splitlines()])
    for wanted in expected:
        plain = _plain(wanted)
        if not plain or re.fullmatch(r"[-+ ]+", plain):
            continue
        pattern = re.compile(".*".join(map(re.escape, plain.split("…"))))
        if not any(pattern.fullmatch(line) for line in printed):
            return wanted
    return None


def _plain(line: str) -> str:
    return re.sub(r" ?… ?", "…", " ".join(line.split()))


def links_of(document: str) -> list[Link]:
    """The links in running text, in order; what stands in blocks is no link."""
    text = "\n".join(part for part in _blocks(document) if isinstance(part, str))
    return [Link(link["label"], link["target"]) for link in _LINK.finditer(text)]


def anchors_of(document: str) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    headings = (_HEADING.match(part) for part in _blocks(document) if isinstance(part, str))
    return {_anchor(heading["title"]) for heading in headings if heading}


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
