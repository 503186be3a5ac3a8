"""ByMarkdown: which lines are headings, what path each section has, and that sections do not mix."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from support.chunk_checks import TOKENIZER, check_chunks, sizes, texts

from pgrag.chunking import ByMarkdown, ChunkSize, chunk_text
from pgrag.chunking.by_markdown import LONGEST_HEADING, headings_of, sections_of

GUIDE = """Before everything.

# Chapter 1

## Rooms

A room has walls.

## Doors

```markdown
# no heading
```

Chapter 2
=========

The *end* is near.
"""


def sections(text: str, tokens: int = 1000, overlap: int = 0) -> list[tuple[str | None, str]]:
    found = chunk_text(text, TOKENIZER, ByMarkdown(), ChunkSize(tokens, overlap))
    return [(chunk.section, chunk.content) for chunk in found]


def test_each_section_knows_the_headings_it_stands_under() -> None:
    assert sections(GUIDE) == [
        (None, "Before everything."),
        ("Chapter 1 > Rooms", "# Chapter 1\n\n## Rooms\n\nA room has walls."),
        ("Chapter 1 > Doors", "## Doors\n\n```markdown\n# no heading\n```"),
        ("Chapter 2", "Chapter 2\n=========\n\nThe *end* is near."),
    ]


def test_a_section_over_the_size_is_cut_inside() -> None:
    text = "# A\n\nOne two three. Four five six. Seven eight nine.\n\n# B\n\nTen."
    assert sections(text, 9, 4) == [
        ("A", "# A\n\nOne two three."),
        ("A", "One two three. Four five six."),
        ("A", "Four five six. Seven eight nine."),
        ("B", "# B\n\nTen."),
    ]


def test_the_section_is_in_the_metadata() -> None:
    (chunk,) = chunk_text("# A\n\ntext", TOKENIZER, ByMarkdown(), ChunkSize())
    assert chunk.metadata == {"section": "A"}


def test_a_heading_alone_waits_for_a_deeper_one_only() -> None:
    assert sections("# A\n## B\n## C\n### D\ntext\n# E") == [
        ("A > B", "# A\n## B"),
        ("A > C > D", "## C\n### D\ntext"),
        ("E", "# E"),
    ]


def test_levels_may_be_left_out() -> None:
    assert [path for path, _ in sections("### A\na\n# B\nb\n### C\nc\n## D\nd")] == ["A", "B", "B > C", "B > D"]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# code\n```",
        "~~~~ python\n# code\n~~~\n# still code\n~~~~",
        "    # indented code",
        "> # quoted",
        "- # in a list",
        "#no blank",
        "####### seven",
        "\\# escaped",
        "#",
        "<pre>\n# html\n</pre>",
        "---\ntitle: front matter\n---\n\ntext",
        "---\r\ntitle: front matter\r\n---\r\n",
    ],
)
def test_these_are_no_headings(text: str) -> None:
    assert headings_of(text) == []


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# A", "A"),
        ("  ## A  ##", "A"),
        ("# **Bold** and `code` and [link](https://x.org)", "Bold and code and link"),
        ("# 技術底座", "技術底座"),
        ("A\nB\n---", "A B"),
        ("# a < b & c", "a < b & c"),
    ],
)
def test_the_words_of_a_heading(line: str, title: str) -> None:
    assert [heading.title for heading in headings_of(line)] == [title]


def test_a_long_heading_is_shortened() -> None:
    (heading,) = headings_of("# " + "word " * 1000)
    assert heading.title.endswith("word…")
    titles = ["x" * LONGEST_HEADING, "x" * (LONGEST_HEADING + 1)]
    (whole, cut) = headings_of(f"# {titles[0]}\n# {titles[1]}")
    assert (whole.title, cut.title) == (titles[0], "x" * (LONGEST_HEADING - 1) + "…")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(end: str) -> None:
    text = end.join(("---", "a: 1", "---", "# A", "a", "## B", "b"))
    assert [path for path, _ in sections(text)] == [None, "A", "A > B"]


@given(texts)
def test_sections_are_the_text(text: str) -> None:
    assert "".join(text[section.start : section.end] for section in sections_of(text)) == text


@given(texts, sizes)
def test_it_keeps_what_chunking_promises(text: str, size: ChunkSize) -> None:
    chunks = chunk_text(text, TOKENIZER, ByMarkdown(), size)
    check_chunks(text, chunks, size)
    for section in sections_of(text):
        for chunk in chunks:
            if section.start <= chunk.start < section.end:
                assert (chunk.section, chunk.end <= section.end) == (section.path, True)


@pytest.mark.parametrize(
    "text", ["# " + "[" * 200_000, "---\n" + "\r\n" * 100_000, "> " * 5000 + "# x", "# a\n" * 20_000]
)
def test_no_text_takes_forever(text: str) -> None:
    begin = time.process_time()
    list(sections_of(text))
    assert time.process_time() - begin < 3
