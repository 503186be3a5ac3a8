"""DOCX: the body in its order, with what other walks leave out."""

from __future__ import annotations

from datetime import datetime

from docx.document import Document
from support.book_files import exchanged, word, workbook

from .conftest import Load, Refusal

SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def by_hand(body: str) -> bytes:
    made = word(lambda document: None)
    return exchanged(made, "word/document.xml", f"<w:document {SPACES}><w:body>{body}</w:body></w:document>")


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def paragraph(text: str) -> str:
    return f"<w:p>{run(text)}</w:p>"


def fill(document: Document) -> None:
    document.add_heading("Engines", 0)
    document.add_heading("Of numbers", 1)
    document.add_paragraph("Ada\twrote.\nAnd wrote.")
    document.add_paragraph("")
    document.add_paragraph("first", style="List Bullet")
    document.add_heading("Costs\nof it", 2)
    table = document.add_table(2, 2)
    for cell, text in zip(table.columns[0].cells, ("item", "gear"), strict=True):
        cell.text = text
    table.cell(1, 1).text = "3|4"
    document.add_paragraph("End.")
    document.core_properties.title = "On engines"
    document.core_properties.author = "Ada"
    document.core_properties.created = datetime(1843, 9, 1)


def test_headings_paragraphs_lists_and_tables(load: Load) -> None:
    loaded = load("a.docx", word(fill))
    assert loaded.text.split("\n\n") == [
        "# Engines",
        "# Of numbers",
        "Ada\twrote.\nAnd wrote.",
        "- first",
        "## Costs of it",
        "| item |  |\n| --- | --- |\n| gear | 3\\|4 |",
        "End.",
    ]
    assert [part.place for part in loaded.parts] == [{}]
    assert loaded.metadata["title"] == "On engines"
    assert loaded.metadata["author"] == "Ada"
    assert str(loaded.metadata["created"]).startswith("1843-09-01T00:00:00")


def test_a_style_that_is_based_on_a_heading(load: Load) -> None:
    def styled(document: Document) -> None:
        own = document.styles.add_style("My own", 1)
        own.base_style = document.styles["Heading 3"]
        document.add_paragraph("Chapter", style=own)

    assert load("a.docx", word(styled)).text == "### Chapter"


def test_content_controls_and_tracked_changes(load: Load) -> None:
    control = f"<w:sdt><w:sdtContent>{paragraph('in a control')}</w:sdtContent></w:sdt>"
    tracked = f"<w:p>{run('was ')}<w:ins>{run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
    moved = f"<w:moveFrom>{run('moved away')}</w:moveFrom><w:hyperlink>{run(' link')}</w:hyperlink></w:p>"
    assert load("a.docx", by_hand(control + tracked + moved)).text == "in a control\n\nwas new link"


def test_text_boxes_once_and_formulas(load: Load) -> None:
    box = f"<w:txbxContent>{paragraph('boxed')}</w:txbxContent>"
    both = f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    formula = "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>"
    body = f"<w:p>{run('let ')}{formula}<w:r>{both}</w:r></w:p>"
    assert load("a.docx", by_hand(body)).text == "let x=1\n\nboxed"


def test_a_cell_over_two_columns_and_a_table_within_a_cell(load: Load) -> None:
    wide = f'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("wide")}</w:tc></w:tr>'
    inner = f"<w:tbl><w:tr><w:tc>{paragraph('inner')}</w:tc></w:tr></w:tbl>"
    row = f"<w:tr><w:tc>{inner}</w:tc><w:tc>{paragraph('b')}{paragraph('c')}</w:tc></w:tr>"
    text = load("a.docx", by_hand(f"<w:tbl>{wide}{row}</w:tbl>")).text
    assert text.splitlines() == ["| wide |  |", "| --- | --- |", "| inner | b c |"]


def test_a_file_outside_is_not_looked_up(load: Load, refusal: Refusal) -> None:
    made = word(lambda document: None)
    declared = '<!DOCTYPE w [<!ENTITY out SYSTEM "file:///etc/passwd">]>'
    document = f"{declared}<w:document {SPACES}><w:body>{paragraph('in &out;')}</w:body></w:document>"
    assert load("a.docx", exchanged(made, "word/document.xml", document)).text == "in"


def test_refused(refusal: Refusal) -> None:
    assert "no Word document, but of another kind" in refusal("a.docx", workbook({"A": [[1]]}))
    assert "is empty" in refusal("a.docx", word(lambda document: None))
    assert "too large once unfolded" in refusal(
        "a.docx", by_hand('<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99999999"/></w:tcPr></w:tc></w:tr></w:tbl>')
    )
    assert "is damaged" in refusal("a.docx", by_hand("<w:sdt>" * 3000 + "</w:sdt>" * 3000))
