"""Files as data frames, and frames as tables again: no number changes on the way."""

import subprocess
import sys
import warnings
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import affinecal_gui as ac
from affinecal_gui.python.frames import table_of
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table


def test_a_table_comes_with_its_headings_lines_units_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(
        "name;smiles;Cp [kJ/(kg K)];Quelle\nPE;*CC*;2,1;A\nPP;*CC(*)C;n.b.;\nPS;*CC(*)c1ccccc1;1,2;B\n",
        encoding="utf-8",
    )
    frame = ac.read_table(path)
    assert list(frame.columns) == ["name", "smiles", "Cp [kJ/(kg K)]", "Quelle"]
    assert frame.index.tolist() == [2, 3, 4]
    np.testing.assert_array_equal(frame["Cp [kJ/(kg K)]"], [2.1, np.nan, 1.2])
    assert frame.attrs["units"] == {"Cp [kJ/(kg K)]": "kJ/(kg K)"}
    assert frame["Quelle"].isna().tolist() == [False, True, False]


def test_cells_that_are_more_than_numbers_stay_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("smiles,density [g/cm3]\n*CC*,0.85-0.95\n*CC(*)C,0.90\n", encoding="utf-8")
    assert ac.read_table(path)["density [g/cm3]"].tolist() == ["0.85-0.95", "0.90"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "There is no file nothing.csv"),
        ("", "nothing.csv is empty"),
        ("smiles,Cp\n*CC*,1,2,3\n*CC(*)C,1\n", r"nothing.csv, line 2: .*cells"),
    ],
)
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "nothing.csv"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        ac.read_table(path)


@given(st.lists(st.floats(1e-30, 1e30), min_size=1, max_size=30), st.sampled_from([".", ","]))
def test_numbers_of_a_frame_come_back_to_the_last_digit(values: list[float], decimal: str) -> None:
    frame = pd.DataFrame({"smiles": "*CC*", "own quantity": values})
    frame.attrs["decimal"] = decimal
    raw = table_of(frame, "measured")
    table = to_polymer_table(raw, guess_roles(raw), allow_empty=True)
    column = table.values[("measured", "own quantity")]
    np.testing.assert_array_equal(column.values, values)


@pytest.mark.parametrize("name", ["heat_capacity_measured.csv", "density_measured.csv", "optical_measured_and_md.csv"])
def test_a_file_by_way_of_a_frame_is_the_table_that_it_is_without(examples: Path, name: str) -> None:
    from affinecal_gui.tasks.reading.data_files import read_as

    straight = read_as(examples / name, None).table
    raw = table_of(ac.read_table(examples / name), "frame")
    around = to_polymer_table(raw, guess_roles(raw))
    assert (around.name, around.lines, around.smiles, around.names, around.ids) == (
        straight.name,
        straight.lines,
        straight.smiles,
        straight.names,
        straight.ids,
    )
    assert list(around.values) == list(straight.values)
    for key, column in straight.values.items():
        np.testing.assert_array_equal(around.values[key].values, column.values)
        np.testing.assert_array_equal(around.values[key].uncertainty, column.uncertainty)
        assert around.values[key].remarks == column.remarks


def test_texts_of_numbers_beside_real_numbers_cannot_turn_a_point_into_a_thousand() -> None:
    frame = pd.DataFrame({"smiles": ["*CC*", "*CC(*)C"], "density": [1.234, 0.987], "remark": ["1,5 mg", "2,0 mg"]})
    raw = table_of(frame, "measured")
    column = to_polymer_table(raw, guess_roles(raw)).values[("measured", "density")]
    np.testing.assert_array_equal(column.values, [1.234, 0.987])


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame([["*CC*", 1.0, 2.0]], columns=["smiles", "Cp", "Cp"])
    with pytest.raises(ValueError, match="more than one column called “Cp”"):
        table_of(frame, "measured")


def test_a_named_index_is_a_column_too() -> None:
    frame = pd.DataFrame({"smiles": ["*CC*"], "Cp": [1900.0]}, index=pd.Index(["PE"], name="name"))
    raw = table_of(frame, "measured")
    assert raw.headings == ("name", "smiles", "Cp")
    assert raw.row(0) == ("PE", "*CC*", "1900.0")


def test_a_script_without_a_guard_reads_a_workbook(tmp_path: Path) -> None:
    pd.DataFrame({"smiles": ["*CC*"], "Cp [J/(kg K)]": [1900.0]}).to_excel(tmp_path / "measured.xlsx", index=False)
    script = tmp_path / "script.py"
    script.write_text(
        'import affinecal_gui as ac\nprint(ac.read_table("measured.xlsx").iloc[0, 1])\n', encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, timeout=250, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("1900.0", "")


@pytest.mark.parametrize(
    ("cells", "question"),
    [
        (("0,91", "0.90"), "Some numbers have a decimal point, others a comma"),
        (("2,300", "1,250"), "Is the comma in “2,300” a decimal mark or a thousands mark"),
    ],
)
def test_marks_that_can_be_read_in_two_ways_are_left_to_the_study_to_ask_about(
    tmp_path: Path, cells: tuple[str, str], question: str
) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(f"smiles;Cp [J/(kg K)]\n*CC*;{cells[0]}\n*CC(*)C;{cells[1]}\n", encoding="utf-8")
    frame = ac.read_table(path)
    assert tuple(frame["Cp [J/(kg K)]"]) == cells
    md = pd.DataFrame({"smiles": ["*CC*", "*CC(*)C"], "Cp [J/(kg K)]": [4000.0, 3900.0]})
    with pytest.raises(ValueError, match=question):
        ac.Study.from_frames(frame, md)


def test_who_names_the_decimal_mark_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("smiles;Cp [kJ/(kg K)]\n*CC*;2,300\n*CC(*)C;1,250\n", encoding="utf-8")
    assert ac.read_table(path, decimal=",")["Cp [kJ/(kg K)]"].tolist() == [2.3, 1.25]


def test_a_thousands_mark_that_was_taken_out_is_told() -> None:
    path = Path(__file__).resolve().parents[1] / "data" / "tables" / "english_thousands.tsv"
    with pytest.warns(UserWarning, match=r"english_thousands\.tsv: .*“2,300” was read as a thousands mark: 2300"):
        frame = ac.read_table(path)
    assert 2300.0 in frame["Cp [J/(kg K)]"].tolist()


def _densities(cells: Sequence[object], **others: object) -> pd.DataFrame:
    columns = {
        "smiles": ["*CC*", "*CC(*)C", "*CC(*)c1ccccc1"],
        "density [g/cm3]": pd.Series(cells, dtype=object),
        **others,
    }
    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    "cells",
    [
        [Decimal("1.234"), Decimal("0.987"), Decimal("1.1")],
        [Fraction(1234, 1000), Fraction(987, 1000), Fraction(11, 10)],
        [np.float32(1.234), np.float16(0.987), np.array(1.1)],
        [b"1.234", b"0.987", b"1.1"],
    ],
    ids=["decimal", "fraction", "of numpy", "bytes"],
)
@pytest.mark.parametrize("others", [{}, {"remark": ["1,5 mg", "2,0 mg", ""]}], ids=["alone", "beside commas"])
def test_numbers_of_any_type_are_these_numbers(cells: Sequence[object], others: dict[str, object]) -> None:
    raw = table_of(_densities(cells, **others), "measured")
    column = to_polymer_table(raw, guess_roles(raw)).values[("measured", "density")]
    np.testing.assert_allclose(column.values, [1.234, 0.987, 1.1], rtol=2e-4)  # of a float16


def test_a_decimal_has_the_mark_of_a_table_with_commas() -> None:
    frame = _densities([Decimal("1.234"), "0,987", 1.1])
    frame.attrs["decimal"] = ","
    raw = table_of(frame, "measured")
    column = to_polymer_table(raw, guess_roles(raw)).values[("measured", "density")]
    np.testing.assert_array_equal(column.values, [1.234, 0.987, 1.1])


def test_columns_in_levels_are_headings_of_all_their_levels() -> None:
    frame = _densities([1.0, 0.9, 1.1]).groupby("smiles").agg({"density [g/cm3]": ["mean", "count"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        raw = table_of(frame, "measured")
    assert raw.headings == ("smiles", "density [g/cm3] mean", "density [g/cm3] count")


@pytest.mark.parametrize("unit", ["g/cm^3", "g cm-3", "[g/cm³]", "kg/L"])
def test_a_unit_that_is_that_of_the_heading_in_other_words_contradicts_nothing(unit: str) -> None:
    assert table_of(_densities([1.0, 0.9, 1.1]), "measured", {"density [g/cm3]": unit}).row_count == 3


def test_what_attributes_of_others_hold_is_passed_over() -> None:
    frame = _densities([1.0, 0.9, 1.1])
    frame.attrs.update(questions=["?"], decimal=["."], name=None, path=3)
    assert len(ac.match(frame, _densities([1.1, 1.0, 1.2]))) == 3


@pytest.mark.parametrize(
    ("index", "named"),
    [
        (["PE", "PP", "PS"], "row PP"),
        ([10, 20, 30], "row 20"),
        ([-1, 0, 1], "row 0"),
        (pd.Index([2**63 + 1, 2**63 + 2, 2**63 + 3], dtype="uint64"), f"row {2**63 + 2}"),
        (pd.Index([5, 6, 7], name="line"), "line 6"),
        (pd.date_range("2024-01-01", periods=3, tz="Europe/Berlin"), "row 2024-01-02 00:00:00\\+01:00"),
    ],
    ids=["texts", "numbers", "negative", "beyond 64 bits", "lines", "times"],
)
def test_a_row_is_called_by_its_label_wherever_a_sentence_names_it(index: Any, named: str) -> None:
    md = _densities([1.1, 1.0, 1.2])
    with pytest.raises(ValueError, match=f"measured, {named}, .*“dense” is not a number"):
        ac.match(_densities([1.0, "dense", 1.1]).set_axis(index, axis=0), md)
    with pytest.warns(UserWarning, match=f"{named}, “0.9-1.1” as 1"):
        ac.match(_densities([1.0, "0.9-1.1", 1.1]).set_axis(index, axis=0), md)


def test_where_no_row_can_be_used_the_sentence_names_the_first_by_its_label() -> None:
    frame = _densities([True, False, True]).set_axis(["PE", "PP", "PS"], axis=0)
    with pytest.raises(ValueError, match="Row PE: “True” is not a number"):
        ac.match(frame, _densities([1.1, 1.0, 1.2]))


def test_advice_is_what_can_be_done_in_python() -> None:
    frame = _densities([1.0, 0.9, 1.1]).rename(columns={"density [g/cm3]": "density"})
    with pytest.raises(ValueError, match=r"“K” is not a unit of density.*or say it with units="):
        ac.match(frame, _densities([1.1, 1.0, 1.2]), units={"density": "K"})
    with pytest.raises(ValueError, match="with md, and read two sheets of one workbook one by one"):
        ac.match(_densities([1.0, 0.9, 1.1]))


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ({"decimal": ";"}, "decimal must be one of '.', ',', not ';'"),
        ({"thousands": "_"}, "thousands must be one of"),
        ({"decimal": ",", "thousands": ","}, "decimal and thousands cannot both be ','"),
        ({"delimiter": "x"}, "delimiter must be one of"),
        ({"header_line": "first"}, "header_line must be a whole number that is not negative, not 'first'"),
        ({"header_line": -1}, "header_line must be a whole number that is not negative, not -1"),
        ({"sheet": 2}, "sheet must be a text, not 2"),
        ({"use_flagged": "wrong"}, "use_flagged must be one of 'not-equilibrated'.*not 'wrong'"),
        ({"errors": "ignore"}, "errors must be one of"),
    ],
)
def test_a_way_to_read_that_there_is_not_is_refused(examples: Path, argument: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ac.read_table(examples / "optical_measured_and_md.csv", **argument)
