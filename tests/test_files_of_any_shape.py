"""Commands find the table in a workbook of several sheets, and in files that hold more than a table."""

import csv
import json
import math
from pathlib import Path

import openpyxl
import pytest

from affinecal_gui.cli import CANNOT, DONE, run_command
from affinecal_gui.study.data.assembly import assemble
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study

# Invented: nine polymers; the MD values lie 0.02 to 0.05 below the measured ones.
pytestmark = pytest.mark.usefixtures("blank_figures", "coarse_calibrations")

SMILES = [
    "*CC*", "*CC(*)C", "*CCO*", "*CC(*)O", "*CC(*)Cl", "*CC(*)C#N", "*CO*", "*CC(*)c1ccccc1",
    "*OCCOC(=O)c1ccc(cc1)C(*)=O",
]  # fmt: skip
MEASURED = [0.95, 1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35]
MD = [0.9255, 0.978, 1.018, 1.067, 1.115, 1.164, 1.212, 1.261, 1.31]
HEADINGS = ["id", "smiles", "density [g/cm3]"]
RMSE = 0.03380  # root mean square of the differences MEASURED - MD
RMSE_WITHOUT_P3 = 0.03402


def rows_of(values: list[float], ids: str = "P{}") -> list[list[object]]:
    numbered = enumerate(zip(SMILES, values, strict=True), 1)
    return [list(HEADINGS), *([ids.format(number), smiles, value] for number, (smiles, value) in numbered)]


def workbook(path: Path, **sheets: list[list[object]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def table(path: Path, rows: list[list[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


WRONG = [[*row[:2], float(str(row[2])) + 0.5] if n else row for n, row in enumerate(rows_of(MD))]


def compared(experiment: Path, md: Path, **chosen: str) -> tuple[float, list[str]]:
    """Return the RMSE of the MD values as they are, as ``fit`` would see them, and everything that is noted."""
    state, tables = read_study(DataFiles(experiment, md, **chosen))
    report = assemble(state.tables, state.quantity, state.settings.matching).report
    differences = [report.measured[link.measured].value - report.library[link.library].value for link in report.links]
    notes = [
        *report.notes,
        *(one.reason for one in report.unmatched),
        *(n for table in tables for n in table.remarks()),
    ]
    return math.sqrt(sum(d * d for d in differences) / len(differences)), notes


@pytest.mark.parametrize("sheet", ["Right", "right", " RIGHT "])
def test_fit_reads_the_sheet_that_is_named(tmp_path: Path, sheet: str) -> None:
    measured = table(tmp_path / "e.csv", rows_of(MEASURED))
    md = workbook(tmp_path / "m.xlsx", Wrong=WRONG, Right=rows_of(MD))
    assert compared(measured, md, sheet=sheet)[0] == pytest.approx(RMSE, rel=1e-3)


def test_two_sheets_of_one_workbook_are_two_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = str(workbook(tmp_path / "both.xlsx", Notes=[["nothing"]], MD=rows_of(MD), Measured=rows_of(MEASURED)))
    words = ["--experiment", book, "--md", book, "--sheet", "Measured", "--md-sheet", "MD"]
    assert run_command(["fit", "--quiet", *words, "--output", str(tmp_path / "out")]) == DONE
    printed = capsys.readouterr().out
    assert "MD values: both.xlsx, sheet MD, column" in printed
    assert "9 of 9 measured polymers have an MD value." in printed


def test_which_sheet_was_read_is_said_where_none_was_named(tmp_path: Path) -> None:
    measured = table(tmp_path / "e.csv", rows_of(MEASURED))
    md = workbook(tmp_path / "m.xlsx", First=rows_of(MD), Second=WRONG)
    said = "The sheet First of m.xlsx was read, one of 2. Not read: Second."
    assert said in compared(measured, md)[1]
    assert said not in compared(measured, md, sheet="First")[1]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--sheet", "Third"], "There is no sheet “Third”: m.xlsx has First, Second. Name one of these with --sheet."),
        (
            ["--md-sheet", "Third"],
            "There is no sheet “Third”: m.xlsx has First, Second. Name one of these with --md-sheet.",
        ),
    ],
)
def test_a_sheet_that_is_not_there_is_one_sentence(
    tmp_path: Path, words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = str(table(tmp_path / "e.csv", rows_of(MEASURED)))
    md = str(workbook(tmp_path / "m.xlsx", First=rows_of(MD), Second=WRONG))
    given = ["--quiet", "--experiment", measured, "--md", md, *words, "--output", str(tmp_path / "out")]
    for command in ("fit", "compare"):
        assert run_command([command, *given]) == CANNOT
        assert reason in capsys.readouterr().err


def test_a_sheet_of_no_workbook_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(table(tmp_path / "e.csv", rows_of(MEASURED)))
    assert run_command(["describe", path, "--sheet", "A", "--output", str(tmp_path / "out.csv")]) == CANNOT
    assert "--sheet names a sheet of a workbook, but e.csv is no workbook." in capsys.readouterr().err


def described(folder: Path, path: Path, *words: str) -> list[tuple[str, str]]:
    words = ("describe", "--quiet", "--no-cache", str(path), *words, "--output", str(folder / "d.csv"), "--overwrite")
    assert run_command(list(words)) == DONE
    with (folder / "d.csv").open(encoding="utf-8", newline="") as file:
        return [(row["smiles"], row["status"]) for row in csv.DictReader(file)]


def test_describe_reads_the_sheet_that_is_named_or_says_which(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = workbook(tmp_path / "b.xlsx", First=rows_of(MD)[:3], Second=rows_of(MD)[:5])
    assert len(described(tmp_path, book, "--sheet", "Second")) == 4
    assert len(described(tmp_path, book)) == 2
    assert "The sheet First of b.xlsx was read, one of 2. Not read: Second." in capsys.readouterr().out


def test_describe_has_a_row_for_every_list_of_a_file_without_headings(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(
        json.dumps([[smiles, value] for smiles, value in zip(SMILES, MEASURED, strict=True)]), encoding="utf-8"
    )
    assert described(tmp_path, path) == [(smiles, "ok") for smiles in SMILES]


def test_predict_reads_the_sheet_of_the_new_polymers(tmp_path: Path) -> None:
    measured, md = table(tmp_path / "e.csv", rows_of(MEASURED)), table(tmp_path / "m.csv", rows_of(MD))
    new = workbook(tmp_path / "n.xlsx", First=rows_of(MD)[:3], Second=rows_of(MD)[:5])
    words = ["predict", "--quiet", str(new), "--experiment", str(measured), "--md", str(md), "--sheet", "Second"]
    assert run_command([*words, "--output", str(tmp_path / "out.csv")]) == DONE
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 4


def test_a_polymer_whose_id_names_two_is_left_out_with_the_reason(tmp_path: Path) -> None:
    measured = table(tmp_path / "e.csv", [[row[0], row[2]] for row in rows_of(MEASURED)])
    md = table(tmp_path / "m.csv", [HEADINGS, ["P3", "*CC(*)Br", 1.9], *rows_of(MD)[1:]])
    found, notes = compared(measured, md)
    assert found == pytest.approx(RMSE_WITHOUT_P3, rel=1e-3)
    assert any("P3: the id P3 stands for 2 polymers in m.csv (lines 2, 5)" in note for note in notes)


def test_numbers_stand_for_ids_with_letters_and_that_is_said(tmp_path: Path) -> None:
    measured = table(tmp_path / "e.csv", [[row[0], row[2]] for row in rows_of(MEASURED, "{}")])
    found, notes = compared(measured, table(tmp_path / "m.csv", rows_of(MD, "PI 00{}")))
    assert found == pytest.approx(RMSE, rel=1e-3)
    assert "Ids of e.csv were taken for those of m.csv: 1 for PI 001, 2 for PI 002, 3 for PI 003, and so on." in notes


def test_a_workbook_with_a_title_and_stray_cells_is_read(tmp_path: Path) -> None:
    rows = rows_of(MEASURED)
    rows[4] = [*rows[4], *[None] * 20, "checked again", 4711]
    measured = workbook(tmp_path / "e.xlsx", Data=[["Results of 2024"], [], *rows])
    found, notes = compared(measured, table(tmp_path / "m.csv", rows_of(MD)))
    assert found == pytest.approx(RMSE, rel=1e-3)
    assert "e.xlsx: “checked again” (line 7), “4711” (line 7) stand beside the table and are not read." in notes


def test_merged_cells_name_the_polymer_of_each_of_their_rows(tmp_path: Path) -> None:
    rows = rows_of(MEASURED)
    again = [row for row in rows[1:] for row in (row, [None, None, float(str(row[2])) + 0.02])]
    path = workbook(tmp_path / "e.xlsx", Data=[["Results", None, None], HEADINGS, *again, [None, None, None]])
    book = openpyxl.load_workbook(path)
    book["Data"].merge_cells("A1:C1")
    for first in range(3, 21, 2):
        for column in "AB":
            book["Data"].merge_cells(f"{column}{first}:{column}{first + 1}")
    book.save(path)
    found, notes = compared(path, table(tmp_path / "m.csv", rows_of([value + 0.01 for value in MD])))
    # Both reports of a polymer count: their median is 0.01 above the first, as the MD values are here.
    assert found == pytest.approx(RMSE, rel=1e-3)
    assert "e.xlsx: merged cells in id, smiles were read as standing in each of their rows." in notes


def test_one_value_over_several_rows_is_one_measurement(tmp_path: Path) -> None:
    path = workbook(tmp_path / "e.xlsx", Data=[*rows_of(MEASURED)[:3], ["P2", "*CC(*)C", None], ["P3", "*CCO*", 1.05]])
    book = openpyxl.load_workbook(path)
    book["Data"].merge_cells("C3:C4")
    book.save(path)
    raw = read_table(path)
    assert list(raw.column("density [g/cm3]")) == ["0.95", "1", "", "1.05"]


def test_a_workbook_of_merged_headings_is_read_by_both_rows(tmp_path: Path) -> None:
    heads = [["Polymer", "smiles", "Measured", None], [None, None, "Tg [K]", "density [g/cm3]"]]
    path = workbook(tmp_path / "e.xlsx", Data=[*heads, *[["P", s, 300 + n, 1 + n / 10] for n, s in enumerate(SMILES)]])
    book = openpyxl.load_workbook(path)
    for cells in ("A1:A2", "B1:B2", "C1:D1"):
        book["Data"].merge_cells(cells)
    book.save(path)
    assert read_table(path).headings == ("Polymer", "smiles", "Measured Tg [K]", "Measured density [g/cm3]")


def test_the_robot_arm_has_no_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "benchmark",
        "--protocol",
        "sarcos",
        "--data",
        "arm.mat",
        "--sheet",
        "A",
        "--output",
        str(tmp_path / "out"),
    ]
    assert run_command(words) == CANNOT
    assert "--sheet belongs to --protocol paper" in capsys.readouterr().err
