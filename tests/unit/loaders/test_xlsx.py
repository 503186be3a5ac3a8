"""XLSX: a part for each sheet, and sheets that say they are endless."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from support.book_files import exchanged, word, workbook

from pgrag.loaders.limits import Allowance

from .conftest import Load, Refusal

SHEET = "xl/worksheets/sheet1.xml"
LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


def sheet(rows: str, size: str = "A1", before: str = "") -> bytes:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    content = f'{before}<worksheet xmlns="{space}"><dimension ref="{size}"/><sheetData>{rows}</sheetData></worksheet>'
    return exchanged(workbook({"Costs": [[1]]}), SHEET, content)


def cell(text: str) -> str:
    return f'<row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row>'


def test_a_part_for_each_sheet_with_values(load: Load) -> None:
    day, hour = datetime(1843, 9, 1), time(9, 30)
    content = workbook(
        {
            "Costs": [["item", None, "price"], [], ["gear", None, 1.5], ["wheel", None, 2]],
            "Empty": [],
            "Days": [[day, hour, True]],
        }
    )
    loaded = load("a.xlsx", content)
    assert [(part.place, part.text) for part in loaded.parts] == [
        ({"sheet": "Costs"}, "| item | price |\n| --- | --- |\n| gear | 1.5 |\n| wheel | 2 |"),
        ({"sheet": "Days"}, "| 1843-09-01 | 09:30:00 | TRUE |\n| --- | --- | --- |"),
    ]
    assert loaded.metadata["author"] == "Ada"
    assert date.fromisoformat(str(loaded.metadata["created"])[:10])


def test_what_a_sheet_says_of_its_size_is_not_believed(load: Load) -> None:
    row = '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>'
    for size in ("A1", "A1:XFD1048576"):
        assert load("a.xlsx", sheet(row, size)).text == "| 1 |\n| --- |\n| 2 |"


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>',
        "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 99)),
    ],
)
def test_cells_without_end(refusal: Refusal, monkeypatch: pytest.MonkeyPatch, rows: str) -> None:
    monkeypatch.setattr("pgrag.loaders.xlsx.Allowance", lambda path: Allowance(path, steps=1_000_000))
    assert "too large once unfolded" in refusal("a.xlsx", sheet(rows))


def test_entities(refusal: Refusal) -> None:
    laughs = f'<!DOCTYPE w [<!ENTITY a0 "lollollol">{LAUGHS}]>'
    assert "amplification" in refusal("a.xlsx", sheet(cell("&a9;"), before=laughs))
    outside = '<!DOCTYPE w [<!ENTITY out SYSTEM "file:///etc/passwd">]>'
    assert "is damaged" in refusal("a.xlsx", sheet(cell("x&out;"), before=outside))


def test_refused(refusal: Refusal) -> None:
    assert "is damaged, or of another kind than .xlsx" in refusal("a.xlsx", word(lambda document: None))
    assert "is empty" in refusal("a.xlsx", workbook({"A": []}))
    assert "not a valid column" in refusal("a.xlsx", sheet('<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>'))
