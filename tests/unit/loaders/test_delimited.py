"""CSV and TSV: which sign sets the cells apart, and quotes."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgrag.loaders.delimited import load_csv, load_tsv
from pgrag.loaders.tables import markdown_table

from .conftest import Refusal

PATH = Path("a.csv")
WORD = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=8)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_sign_between_cells_is_found(delimiter: str) -> None:
    content = f'name{delimiter}born\n"Ada{delimiter} Countess"{delimiter}1815\r\nCharles{delimiter}1791\n'
    assert load_csv(PATH, content.encode()).text.splitlines() == [
        "| name | born |",
        "| --- | --- |",
        f"| Ada{delimiter.strip().replace('|', chr(92) + '|') or ''} Countess | 1815 |",
        "| Charles | 1791 |",
    ]


def test_one_column_and_quotes_over_lines() -> None:
    assert load_csv(PATH, b'name\n"Ada ""the\nfirst"""\n').text == '| name |\n| --- |\n| Ada "the first" |'


def test_tabs_alone_in_a_tsv() -> None:
    assert load_tsv(PATH, b"a,b\tc\n").text == "| a,b | c |\n| --- | --- |"


@given(st.lists(st.lists(WORD, min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_tsv_comes_back(rows: list[list[str]]) -> None:
    stream = io.StringIO()
    csv.writer(stream, csv.excel_tab).writerows(rows)
    assert load_tsv(PATH, stream.getvalue().encode()).text == markdown_table(rows)


@given(st.text(st.sampled_from("ab,;\t|\"' \n"), max_size=60))
def test_any_text_is_a_table_of_its_words(text: str) -> None:
    words = "".join(sign for sign in text if sign in "ab")
    assert "".join(sign for sign in load_csv(PATH, text.encode()).text if sign in "ab") == words


@pytest.mark.parametrize("piece", ['"', "'\",", ',"\n', "a\"'"])
def test_looking_for_the_sign_ends(piece: str) -> None:
    started = time.process_time()
    load_csv(PATH, (piece * 9000).encode())
    assert time.process_time() - started < 5


def test_a_quote_left_open(refusal: Refusal) -> None:
    refused = refusal("a.csv", b'a,b\n"' + b"x,y\n" * 40_000)
    assert "cannot be read as a table" in refused
    assert "is a quote left open" in refused


def test_another_encoding(refusal: Refusal) -> None:
    assert "not UTF-8" in refusal("a.csv", "Zoë,1".encode("latin-1"))
