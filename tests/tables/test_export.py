"""Files are written whole or not at all, read back identically, and never run anything in a spreadsheet."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.invisible import without_invisible
from affinecal_gui.tables.cells.formula_texts import neutralised, pasted_cell, restored
from affinecal_gui.tables.cells.numbers import read_number
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.single_numbers import NumberFormat
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.writing.csv_export import (
    COEFFICIENT_COLUMNS,
    PREDICTION_COLUMNS,
    CoefficientRow,
    CsvStyle,
    DescriptorWriter,
    PredictionRow,
    csv_bytes,
    number_text,
    write_coefficients,
    write_predictions,
    write_table,
)


def rows_of(path: Path, delimiter: str = ",") -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def test_a_failure_in_the_middle_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")

    def rows() -> object:
        yield ("a", 1.0)
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        write_table(path, ("name", "value"), rows(), overwrite=True)  # type: ignore[arg-type]

    def describe() -> None:
        with DescriptorWriter(path, ("x",), overwrite=True) as writer:
            writer.ok("1", "*CC*", [1.0])
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        describe()
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]


PREDICTION = PredictionRow("PI1", "polyethylene", "*CC*", 4699.0, math.nan, 2310.123456789, "J/(kg K)", False, "affine")


def test_predictions_have_the_promised_columns(tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    write_predictions(path, [PREDICTION])
    heading, row = rows_of(path)
    assert heading == list(PREDICTION_COLUMNS)
    found = dict(zip(heading, row, strict=True))
    assert found["id"] == "PI1"
    assert found["MD value"] == "4699"
    assert found["measured value"] == ""
    assert float(found["calibrated value"]) == 2310.123456789
    assert found["used for fitting"] == "no"
    assert found["unit"] == "J/(kg K)"


def test_predictions_with_a_decimal_comma_are_split_by_semicolons(tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    write_predictions(path, [PREDICTION], style=CsvStyle(byte_order_mark=True, decimal_comma=True))
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    heading, row = rows_of(path, ";")
    assert dict(zip(heading, row, strict=True))["calibrated value"] == "2310,123456789"


def test_coefficients_have_the_promised_columns(tmp_path: Path) -> None:
    path = tmp_path / "coefficients.csv"
    write_coefficients(
        path,
        [CoefficientRow("mass", "mass_H", "H", "", 0.125), CoefficientRow("charge", "charge_0", -0.95, "e", -1e-5)],
    )
    heading, first, second = rows_of(path)
    assert heading == list(COEFFICIENT_COLUMNS)
    assert first[:5] == ["mass", "mass_H", "H", "", "0.125"]
    assert second[:5] == ["charge", "charge_0", "-0.95", "e", "-1e-05"]


def test_descriptors_are_written_row_by_row_with_status(tmp_path: Path) -> None:
    path = tmp_path / "descriptors.csv"
    with DescriptorWriter(path, ("mass_H", "mass_C")) as writer:
        writer.ok("PI1", "*CC*", [0.74, 0.1 + 0.2])
        assert not path.exists()
        writer.error("PI2", "*C", "only one attachment point, at 1")
    assert (writer.rows, writer.errors) == (2, 1)
    heading, good, bad = rows_of(path)
    assert heading == ["id", "smiles", "mass_H", "mass_C", "status", "message"]
    assert good == ["PI1", "*CC*", "0.74", "0.30000000000000004", "ok", ""]
    assert bad == ["PI2", "*C", "", "", "error", "only one attachment point, at 1"]


def test_descriptor_rows_must_be_complete(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1 values for 2"), DescriptorWriter(tmp_path / "x.csv", ("a", "b")) as writer:
        writer.ok("1", "*CC*", [1.0])


RUN = ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", "\t=1", " =1", "＝1", '=HYPERLINK("x")', "-"]
RUN += ["\u200b=1+1", "\ufeff=1", "\u00ad@x", "\u202e+1|a", " \u2060 -x", "\u200b＋1"]


@pytest.mark.parametrize("text", RUN)
def test_formulas_are_neutralised(text: str) -> None:
    assert neutralised(text) == "'" + text
    assert restored(neutralised(text)) == text


@pytest.mark.parametrize(
    "text", ["*CC*", "-5.2", "+7", "-1e-5", "polyethylene", "2'-methyl", "", "'quoted'", "[*]CC[*]"]
)
def test_ordinary_cells_stay_as_they_are(text: str) -> None:
    assert neutralised(text) == text
    assert restored(text) == text


@given(st.text(max_size=20))
def test_neutralising_can_always_be_undone(text: str) -> None:
    assert restored(neutralised(text)) == text


@given(st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_numbers_come_back_exactly(number: float, comma: bool) -> None:
    text = number_text(number, decimal_comma=comma)
    assert read_number(text, NumberFormat("," if comma else ".")).value == number


CELLS = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\n\t,;\"'|#=*"), max_size=12)


STYLES = [CsvStyle(), CsvStyle(byte_order_mark=True), CsvStyle(decimal_comma=True), CsvStyle(True, True)]


@given(
    rows=st.lists(st.tuples(CELLS, st.floats(allow_nan=False, allow_infinity=False), CELLS), min_size=1, max_size=8),
    style=st.sampled_from(STYLES),
)
def test_what_is_written_is_read_back_identically(
    rows: list[tuple[str, float, str]], style: CsvStyle, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("round") / "table.csv"
    smiles = ["*CC*"] * len(rows)
    table = [(name, unit, value, text) for unit, (name, value, text) in zip(smiles, rows, strict=True)]
    path.write_bytes(csv_bytes(("name", "smiles", "Cp [J/(kg K)]", "remark"), table, style))
    raw = read_table(path)
    assert raw.headings[:3] == ("name", "smiles", "Cp [J/(kg K)]")
    assert raw.row_count == len(rows)
    decimal = NumberFormat("," if style.decimal_comma else ".")
    for index, (name, value, text) in enumerate(rows):
        cells = dict(zip(raw.headings, raw.row(index), strict=True))
        # Blanks around a cell, and characters that cannot be seen, are all that reading takes away.
        assert restored(cells["name"]).strip() == without_invisible(name).strip()
        assert cells["smiles"] == "*CC*"
        assert read_number(cells["Cp [J/(kg K)]"], decimal).value == value
        assert restored(cells.get("remark", "")).strip() == without_invisible(text).strip()


def test_names_that_were_neutralised_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    names = ["=cmd|' /C calc'!A0", "+1+1", "@SUM(A1)", "-2+3", "'=quoted", "plain"]
    rows = [(name, f"*{'C' * length}O*", 1000.0 + length, name) for length, name in enumerate(names, start=1)]
    path.write_bytes(csv_bytes(("name", "smiles", "Cp exp [J/(kg K)]", "remark"), rows, CsvStyle()))
    raw = read_table(path)
    table = to_polymer_table(raw, guess_roles(raw))
    assert list(table.names) == names
    assert list(table.details["remark"]) == names


def test_our_own_predictions_are_understood_without_a_question(tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    rows = [
        PredictionRow(
            "PI1", "polyethylene", "*CC*", 4699.0, 2300.0, 2310.5, "J/(kg K)", True, "affine", 2200.0, 2400.0
        ),
        PredictionRow("PI2", "polypropylene", "*CC(*)C", 4332.5, math.nan, 1950.0, "J/(kg K)", False, "affine"),
    ]
    for style in STYLES:
        write_predictions(path, rows, style=style, overwrite=True)
        raw = read_table(path)
        roles = guess_roles(raw)
        assert roles.questions == ()
        table = to_polymer_table(raw, roles)
        assert table.ids == ("PI1", "PI2")
        np.testing.assert_array_equal(table.values[("md", "Cp")].values, [4699.0, 4332.5])
        np.testing.assert_array_equal(table.values[("measured", "Cp")].values, [2300.0, math.nan])


def test_our_own_descriptors_are_ready_descriptors(tmp_path: Path) -> None:
    path = tmp_path / "descriptors.csv"
    names = [f"charge_{i}" for i in range(20)]
    with DescriptorWriter(path, names) as writer:
        writer.ok("PI1", "*CC*", [i / 7 for i in range(20)])
        writer.error("PI2", "*C", "only one attachment point")
    raw = read_table(path)
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.ids == ("PI1",)
    assert table.descriptors is not None
    np.testing.assert_array_equal(table.descriptors[0], [i / 7 for i in range(20)])


def test_very_long_paths_are_written_and_read(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["Messwerte für Wärmekapazität 比熱"] * 12)
    folder.mkdir(parents=True)
    path = folder / "table.csv"
    assert len(str(path)) > 300
    write_table(path, ("smiles", "Cp"), [("*CC*", 2300.0)])
    assert read_table(path).row(0) == ("*CC*", "2300")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("\t=1", "'=1"),
        ("\u200b=1", "'\u200b=1"),
        ("@x", "'@x"),
        ("-5.2", "-5.2"),
        ("name\tof two\r\nlines", "name of two lines"),
        ('"a\tb', '"""a b"'),
        ('3" tube', '3" tube'),
        ("", ""),
    ],
)
def test_a_text_is_pasted_into_one_cell_and_is_no_formula_there(text: str, cell: str) -> None:
    assert pasted_cell(text) == cell
