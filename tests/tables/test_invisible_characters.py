"""Characters that cannot be seen are gone after reading, whatever the file: what looks alike is alike."""

import json
from pathlib import Path

import pytest
from xlsxwriter import Workbook  # type: ignore[import-untyped, unused-ignore]

from affinecal_gui.__main__ import main
from affinecal_gui.invisible import without_invisible
from affinecal_gui.polymers.chain.identity import polymer_identity
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from tests.tables.making import pasted

SPREAD = tuple("\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad\u202a\u2069\u061c\ufe0f")
CLEAN = (
    ("name", "smiles", "Cp [J/(kg K)]"),
    ("PE", "*CC*", "1900"),
    ("PP", "*CC(*)C", "1930"),
    ("PS", "*CCO*", "1210"),
)


def spoilt(mark: str) -> list[list[str]]:
    """Put the mark around every cell and behind its first character; not before a digit, where a soft hyphen is a hyphen."""
    return [
        [mark + cell[0] + mark + cell[1:] + mark if cell.isalpha() else cell + mark for cell in row] for row in CLEAN
    ]


def assert_clean(table: RawTable) -> None:
    assert table.headings == CLEAN[0]
    assert [table.row(index) for index in range(table.row_count)] == list(CLEAN[1:])


@pytest.mark.parametrize("mark", SPREAD)
def test_texts(mark: str) -> None:
    assert_clean(pasted("\n".join(",".join(row) for row in spoilt(mark))))


@pytest.mark.parametrize("mark", SPREAD[:4])
def test_workbooks(mark: str, tmp_path: Path) -> None:
    with Workbook(tmp_path / "book.xlsx") as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(spoilt(mark)):
            for column, cell in enumerate(row):
                sheet.write_string(number, column, cell)
    assert_clean(read_table(tmp_path / "book.xlsx"))


@pytest.mark.parametrize("mark", SPREAD[:4])
def test_records(mark: str, tmp_path: Path) -> None:
    headings, *rows = spoilt(mark)
    (tmp_path / "records.json").write_text(json.dumps([dict(zip(headings, row, strict=True)) for row in rows]), "utf-8")
    assert_clean(read_table(tmp_path / "records.json"))


def test_a_soft_hyphen_before_a_digit_is_the_hyphen_that_is_seen() -> None:
    table = pasted("name\tTg\nnylon\u00ad6\t\u00ad1.5\npoly\u00admer\t1.1\u00ad1.3\n")
    assert table.column("name")[0:2] == ["nylon-6", "polymer"]
    assert table.column("Tg")[0:2] == ["-1.5", "1.1-1.3"]


def test_joined_files_repeat_their_headings_behind_a_mark() -> None:
    table = pasted("smiles,Cp\n*CC*,1900\n\ufeffsmiles,Cp\n*CCO*,2000\n")
    assert table.row_count == 2
    assert [line.kind for line in table.skipped] == ["heading"]


def test_what_a_person_types_is_cleaned_too() -> None:
    table = pasted("smiles,Cp\n*CC*,1900\n*CCO*,2000\n").with_cells({(2, "Cp"): "\u200b1950\ufeff"})
    assert table.column("Cp")[0] == "1950"


@pytest.mark.parametrize("mark", SPREAD)
def test_a_repeat_unit_is_the_polymer_that_is_seen(mark: str) -> None:
    unit = parse_repeat_unit(f"{mark}*C{mark}C(*)C{mark}")
    assert polymer_identity(unit).key == polymer_identity(parse_repeat_unit("*CC(*)C")).key


def test_plain_texts_stay_what_they_are() -> None:
    for text in ("", "PE", "Polyäthylen", "聚乙烯", "ポリエチレン", "1\u202f234", "a\u00a0b"):
        assert without_invisible(text) == text


@pytest.mark.usefixtures("blank_figures", "coarse_calibrations")
def test_a_name_behind_a_byte_order_mark_stands_in_the_report(tmp_path: Path) -> None:
    units = ("CC", "CC(C)", "CCO", "CC(O)", "CC(F)", "CC(Cl)", "CC(C#N)", "CC(OC)", "CCS", "CC(CC)")
    own = ",".join(f"own_{number}" for number in range(12))
    for name, factor in (("measured", 1.0), ("md", 1.1)):
        rows = [
            f"\ufeffP{i},*{unit}*,{factor * (1000 + 97 * i)}," + ",".join(f"{(i * j) % 7}" for j in range(12))
            for i, unit in enumerate(units)
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"name,smiles,Cp,{own}", *rows]), encoding="utf-8")
    words = ["--experiment", str(tmp_path / "measured.csv"), "--md", str(tmp_path / "md.csv"), "--penalties", "1", "1"]
    assert main(["fit", *words, "--quiet", "--report", "--output", str(tmp_path / "out")]) == 0
    assert "\ufeff" not in (tmp_path / "out" / "predictions.csv").read_text(encoding="utf-8")
