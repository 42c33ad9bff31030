"""Cells that a workbook shows in per cent are read as they are seen, not as the hundredth that is stored."""

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from affinecal_gui.tables.formats.percent_cells import percent_cells, percent_text
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table

STORED = (0.086, 0.07, 0.33)
SHOWN = [8.6, 7.0, 33.0]
SMILES = ("*CC*", "*CC(*)C", "*CCO*")
NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)


def as_xlsx(formats: tuple[str, str, str]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["smiles", "crystallinity (%)"])
    for row, (unit, number, style) in enumerate(zip(SMILES, STORED, formats, strict=True), 2):
        sheet.append([unit, number if "%" in style and '"' not in style else round(100 * number, 6)])
        sheet.cell(row=row, column=2).number_format = style
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def as_ods() -> bytes:
    def cell(text: str) -> str:
        return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'

    rows = "".join(
        f'<table:table-row>{cell(unit)}<table:table-cell office:value-type="percentage" office:value="{number}">'
        f"<text:p>{100 * number:.1f} %</text:p></table:table-cell></table:table-row>"
        for unit, number in zip(SMILES, STORED, strict=True)
    )
    head = f"<table:table-row>{cell('smiles')}{cell('crystallinity (%)')}</table:table-row>"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f'<office:document-content {NAMESPACES}><office:body><office:spreadsheet><table:table table:name="Sheet">'
            f"{head}{rows}</table:table></office:spreadsheet></office:body></office:document-content>",
        )
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return written.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("all.xlsx", as_xlsx(("0.0%", "0%", "0.00%"))),
        ("some.xlsx", as_xlsx(("0.0%", "General", '0.0"%"'))),
        ("all.ods", as_ods()),
    ],
)
def test_cells_in_per_cent_are_read_as_they_are_seen(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    raw = read_table(path)
    (values,) = to_polymer_table(raw, guess_roles(raw)).values.values()
    assert list(values.values) == SHOWN


def test_only_cells_of_the_sheet_that_are_shown_in_per_cent_are_found(tmp_path: Path) -> None:
    path = tmp_path / "some.xlsx"
    path.write_bytes(as_xlsx(("0.0%", "General", '0.0"%"')))
    assert percent_cells(str(path), "Sheet", 4, 2) == {(1, 1)}
    assert percent_cells(str(path), "another", 4, 2) == frozenset()


def test_cells_that_are_repeated_without_end_are_looked_at_as_far_as_the_sheet_reaches(tmp_path: Path) -> None:
    path = tmp_path / "endless.ods"
    with zipfile.ZipFile(io.BytesIO(as_ods())) as usual, zipfile.ZipFile(path, "w") as archive:
        before, _, rest = usual.read("content.xml").decode().rpartition("<table:table-row>")
        row = '<table:table-row table:number-rows-repeated="1048576">'
        rest = rest.replace('"percentage"', '"percentage" table:number-columns-repeated="16384"')
        archive.writestr("content.xml", before + row + rest)
    assert percent_cells(str(path), "Sheet", 5, 3) == {(1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2)}


@pytest.mark.parametrize(
    ("stored", "shown"), [(0.07, "7%"), (0.086, "8.6%"), (1.1, "110%"), (-0.003, "-0.3%"), (0.0, "0%")]
)
def test_a_share_is_written_without_rounding_errors(stored: float, shown: str) -> None:
    assert percent_text(stored) == shown
