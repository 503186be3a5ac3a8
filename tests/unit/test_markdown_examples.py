"""The reader of documents finds every example, its output and its excuse, and does not take one thing for another."""

from __future__ import annotations

import pytest
from support.markdown_examples import Example, Link, anchors_of, examples_of, links_of, missing_from

FENCE = "```"


def block(language: str, *lines: str) -> str:
    return "\n".join([f"{FENCE}{language}", *lines, FENCE])


def test_blocks_that_run_and_what_they_print() -> None:
    document = "\n\n".join(
        [
            "# Title",
            block("bash", "echo 1"),
            block("text", "1", "2"),
            block("sql", "SELECT 1;"),
            block("python", "x = 1"),
        ]
    )
    assert examples_of(document) == [
        Example("bash", "echo 1\n", 3, ("1", "2")),
        Example("sql", "SELECT 1;\n", 12),
        Example("python", "x = 1\n", 16),
    ]


def test_blocks_that_are_there_to_be_read() -> None:
    assert examples_of("\n".join([block("", "a"), block("console", "$ pgrag"), block("text", "b")])) == []


@pytest.mark.parametrize("between", ["Some words.", "## A heading", block("json", "{}")])
def test_text_belongs_to_the_block_right_before_it(between: str) -> None:
    (example,) = examples_of("\n".join([block("bash", "echo 1"), between, block("text", "1")]))
    assert example.expected == ()


def test_an_excuse_is_for_the_next_block_alone() -> None:
    document = "\n".join(["<!-- not run: it needs Docker -->", "", block("bash", "docker ps"), block("bash", "true")])
    assert [each.excuse for each in examples_of(document)] == ["it needs Docker", None]
    apart = "\n".join(["<!-- not run: it needs Docker -->", "Words.", block("bash", "docker ps")])
    assert [each.excuse for each in examples_of(apart)] == [None]
    assert [each.excuse for each in examples_of("<!-- some other comment -->\n" + block("bash", "true"))] == [None]


def test_a_block_in_a_longer_fence_is_text() -> None:
    document = "\n".join(["````markdown", block("bash", "rm -r /"), "````", block("bash", "true")])
    assert [each.code for each in examples_of(document)] == ["true\n"]


def test_a_block_that_does_not_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="line 2 does not end"):
        examples_of("\n```bash\ntrue\n")


@pytest.mark.parametrize(
    "expected",
    [
        (),
        ("id | name",),
        ("  id |   name", "----+------", "  1 | Ada"),
        ("1 | …", "2 | Bob"),
        ("… rows)",),
        ("", "id | name"),
    ],
)
def test_output_as_it_is_expected(expected: tuple[str, ...]) -> None:
    assert missing_from(" id | name \n----+------\n  1 | Ada\n  2 | Bob\n(2 rows)\n", expected) is None


@pytest.mark.parametrize(
    ("expected", "missing"),
    [
        (("2 | Bob", "1 | Ada"), "1 | Ada"),
        (("1 | Ad",), "1 | Ad"),
        (("| Ada",), "| Ada"),
        (("3 | …",), "3 | …"),
        (("1 | Ada", "1 | Ada"), "1 | Ada"),
        (("1 . Ada",), "1 . Ada"),
    ],
)
def test_output_that_is_not_as_expected(expected: tuple[str, ...], missing: str) -> None:
    assert missing_from(" id | name \n----+------\n  1 | Ada\n  2 | Bob\n(2 rows)\n", expected) == missing


def test_links_of_running_text() -> None:
    document = "\n".join(["See [a\nb](x.md#y), [`c[0]`](d.md).", block("python", "a[0](1)"), "![picture](p.png)"])
    assert links_of(document) == [Link("a\nb", "x.md#y"), Link("`c[0]`", "d.md")]


def test_anchors_of_headings() -> None:
    document = "\n".join(
        ["# What is `sql/`?", "## 5. Delete, exactly", block("bash", "# no heading"), "### snake_case"]
    )
    assert anchors_of(document) == {"what-is-sql", "5-delete-exactly", "snake_case"}
