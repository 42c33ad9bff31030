"""Files as data frames, and frames as tables again: no number changes on the way."""

import subprocess
import sys
from pathlib import Path

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
