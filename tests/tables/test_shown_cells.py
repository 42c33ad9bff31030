"""Cells of a workbook are read as they are seen, and not as they are stored, where number formats make these differ."""

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.tables.formats.shown_cells import IN_PERCENT, Shown, shown_by, shown_cells, shown_text
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


def as_ods(*, columns: str = "", third_row: str = "") -> bytes:
    """Return a workbook; ``columns`` stands before its rows, ``third_row`` in the tag of the third one."""

    def cell(text: str) -> str:
        return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'

    rows = "".join(
        f'<table:table-row>{cell(unit)}<table:table-cell office:value-type="percentage" office:value="{number}">'
        f"<text:p>{100 * number:.1f} %</text:p></table:table-cell></table:table-row>"
        for unit, number in zip(SMILES, STORED, strict=True)
    )
    rows = (
        "<table:table-row".join(rows.split("<table:table-row")[:2])
        + f"<table:table-row {third_row}"
        + ("<table:table-row".join(rows.split("<table:table-row")[2:]))
    )
    head = f"{columns}<table:table-row>{cell('smiles')}{cell('crystallinity (%)')}</table:table-row>"
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
    assert shown_cells(str(path), "Sheet", 4, 2) == {(1, 1): IN_PERCENT, (3, 1): Shown(0, "", "%")}
    assert shown_cells(str(path), "another", 4, 2) == {}


def test_cells_that_are_repeated_without_end_are_looked_at_as_far_as_the_sheet_reaches(tmp_path: Path) -> None:
    path = tmp_path / "endless.ods"
    with zipfile.ZipFile(io.BytesIO(as_ods())) as usual, zipfile.ZipFile(path, "w") as archive:
        before, _, rest = usual.read("content.xml").decode().rpartition("<table:table-row>")
        row = '<table:table-row table:number-rows-repeated="1048576">'
        rest = rest.replace('"percentage"', '"percentage" table:number-columns-repeated="16384"')
        archive.writestr("content.xml", before + row + rest)
    found = shown_cells(str(path), "Sheet", 5, 3)
    assert found.keys() == {(1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2)}
    assert set(found.values()) == {IN_PERCENT}


@pytest.mark.parametrize(
    ("stored", "shown"), [(0.07, "7%"), (0.086, "8.6%"), (1.1, "110%"), (-0.003, "-0.3%"), (0.0, "0%")]
)
def test_a_share_is_written_without_rounding_errors(stored: float, shown: str) -> None:
    assert shown_text(stored, IN_PERCENT) == shown


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("0.0%", IN_PERCENT),
        ("0.00,", Shown(-3)),
        ("#,##0.0,,", Shown(-6)),
        ('0.0" °C"', Shown(0, "", " °C")),
        ("0.0\\ \\K", Shown(0, "", " K")),
        ('"<"0', Shown(0, "<")),
        ('0.0" °C";-0.0" °C"', Shown(0, "", " °C")),
        ('[$-407]0.00" g/cm³"', Shown(0, "", " g/cm³")),
        *(
            (code, None)
            for code in ("General", "0.00", "#,##0", "0.00E+00", "0.0_);(0.0)", "[<1]0.00;0.0", "@", "# ?/?", "+0.0")
        ),
    ],
)
def test_what_a_number_format_shows_is_told_from_its_code(code: str, shown: Shown | None) -> None:
    assert shown_by(code) == shown


@pytest.mark.parametrize(
    ("heading", "code", "stored", "expected"),
    [
        ("Young's modulus (GPa)", "0.00,,", 1.5e6, 1.5),
        ("Young's modulus", '0" MPa"', 1500.0, 1.5),
        ("Young's modulus (MPa)", "0.0,,", 1.5e9, 1.5),
        ("Tg", '0.0" °C"', 100.0, 373.15),
    ],
)
def test_numbers_with_a_scale_or_a_unit_in_their_format_are_read_as_they_are_seen(
    tmp_path: Path, heading: str, code: str, stored: float, expected: float
) -> None:
    raw = read_table(_saved(tmp_path, heading, code, [stored] * 3))
    (column,) = to_polymer_table(raw, guess_roles(raw)).values.values()
    assert column.values.tolist() == [expected] * 3
    assert not column.remarks


def test_a_sign_of_a_limit_in_the_format_makes_no_value(tmp_path: Path) -> None:
    raw = read_table(_saved(tmp_path, "Tg (K)", '"<"0', [195.0] * 3))
    with pytest.raises(UserError, match="is a limit, not a value"):
        to_polymer_table(raw, guess_roles(raw))


def test_hidden_rows_and_columns_are_read_and_told(tmp_path: Path) -> None:
    path = _saved(tmp_path, "Tg (K)", "0.0", [195.0, 260.0, 206.0])
    assert not read_table(path).notes
    book = openpyxl.load_workbook(path)
    sheet = book.active
    assert sheet is not None
    sheet.row_dimensions[3].hidden = True
    sheet.row_dimensions[9].hidden = True  # it holds nothing
    sheet.column_dimensions["B"].hidden = True
    book.save(path)
    raw = read_table(path)
    assert raw.row_count == 3
    assert any("has 1 row that is hidden (3)" in note for note in raw.notes)
    assert any("has hidden columns (B)" in note for note in raw.notes)


@pytest.mark.parametrize("how", ["filter", "collapse"])
def test_hidden_rows_and_columns_of_open_document_are_told(tmp_path: Path, how: str) -> None:
    path = tmp_path / "hidden.ods"
    column = (
        '<table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="1023"/>'
    )
    path.write_bytes(as_ods(columns=column, third_row=f'table:visibility="{how}"'))
    raw = read_table(path)
    assert raw.row_count == 3
    assert any("has 1 row that is hidden (3)" in note for note in raw.notes)
    assert any("has hidden columns (B)" in note for note in raw.notes)
    path.write_bytes(as_ods())
    assert not read_table(path).notes


@pytest.mark.parametrize("code", ["0.0;-0.0;", "0;-0;;@", 'General;-General;""', "0.0;;"])
def test_a_zero_that_is_not_shown_is_no_value(tmp_path: Path, code: str) -> None:
    raw = read_table(_saved(tmp_path, "Tg (°C)", code, [-78.0, 0.0, -67.5]))
    assert list(raw.columns[1]) == ["-78", "", "-67.5"]


@pytest.mark.parametrize("code", ["0.0", "0;-0;0", '0;-0;"0"', "#,##0;[Red]-#,##0"])
def test_a_zero_that_is_shown_is_a_value(tmp_path: Path, code: str) -> None:
    raw = read_table(_saved(tmp_path, "Tg (°C)", code, [-78.0, 0.0, -67.5]))
    assert list(raw.columns[1]) == ["-78", "0", "-67.5"]


def test_cells_that_are_struck_through_are_read_and_told(tmp_path: Path) -> None:
    path = _saved(tmp_path, "Tg (K)", "0.0", [195.0, 260.0, 206.0])
    book = openpyxl.load_workbook(path)
    sheet = book.active
    assert sheet is not None
    sheet["B3"].font = openpyxl.styles.Font(strike=True)
    sheet["D9"].font = openpyxl.styles.Font(strike=True)  # it holds nothing
    book.save(path)
    raw = read_table(path)
    assert raw.row_count == 3
    assert [note for note in raw.notes if "has a cell struck through (B3)" in note]


def _saved(folder: Path, heading: str, code: str, stored: list[float]) -> Path:
    """Write a workbook with one column of numbers in a format."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["smiles", heading])
    for row, (unit, number) in enumerate(zip(SMILES, stored, strict=True), 2):
        sheet.append([unit, number])
        sheet.cell(row=row, column=2).number_format = code
    path = folder / "shown.xlsx"
    book.save(path)
    return path
