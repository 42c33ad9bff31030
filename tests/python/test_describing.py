"""Descriptors as a data frame: the numbers of the command, the index of the Series, and a reason for each failure."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import affinecal_gui as ac
from affinecal_gui.__main__ import main

UNITS = ["*CC*", "*CC(*)c1ccccc1", "*C", "", "*CC*|*CC(*)C|0.7|0.3"]


def test_the_numbers_are_those_of_the_command(tmp_path: Path) -> None:
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    pd.DataFrame({"id": ["a", "b", "c", "d", "e"], "smiles": UNITS}).to_csv(source, index=False)
    assert main(["describe", str(source), "--output", str(output), "--quiet", "--no-cache"]) == 0
    with output.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    frame = ac.describe(pd.Series(UNITS, index=["a", "b", "c", "d", "e"]))
    assert list(frame.columns) == [name for name in rows[0] if name not in ("id", "smiles", "status", "message")]
    assert frame.index.tolist() == ["a", "b", "c", "d", "e"]
    for row in rows:
        own = frame.loc[row["id"]]
        if row["status"] == "ok":
            assert own.tolist() == [float(row[name]) for name in frame.columns]
        else:
            assert own.isna().all()
    assert frame.attrs["failures"]["c"] == next(row["message"] for row in rows if row["id"] == "c")
    assert set(frame.attrs["failures"]) == {"c", "d"}


def test_one_repeat_unit_is_one_row_of_190_numbers() -> None:
    frame = ac.describe("*CC*")
    assert frame.shape == (1, 190)
    assert np.isfinite(frame.to_numpy()).all()
    assert frame.attrs["failures"] == {}
    assert sum(map(len, frame.attrs["blocks"].values())) == 190


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, "", "  "])
def test_a_missing_repeat_unit_is_a_reason(missing: object) -> None:
    frame = ac.describe(pd.Series(["*CC*", missing], dtype=object))
    assert frame.attrs["failures"] == {1: "There is no repeat unit."}


def test_who_wants_no_failures_is_told_all_of_them_with_row_and_value() -> None:
    with pytest.raises(ValueError, match=r"(?s)Row PX, “\*C”: .*\nRow PY, “hello”: ") as caught:
        ac.describe(pd.Series({"PE": "*CC*", "PX": "*C", "PY": "hello"}), errors="raise")
    assert "PE" not in str(caught.value)


def test_the_blocks_of_the_frame_are_those_of_the_estimators() -> None:
    frame = ac.describe(["*CC*", "*CC(*)C", "*CC(*)c1ccccc1", "*C(C)O*"])
    table = frame.assign(MD=[7.1, 7.2, 7.3, 7.4])
    one = ac.AffineRegressor(md_column="MD").fit(table, [6.9, 7.0, 7.15, 7.2])
    same = ac.AffineRegressor(md_column="MD", blocks=frame.attrs["blocks"]).fit(table, [6.9, 7.0, 7.15, 7.2])
    assert one.columns_ == same.columns_


@pytest.mark.parametrize("smiles", [None, 5, b"*CC*", {"PE": "*CC*"}, pd.DataFrame({"smiles": ["*CC*"]})])
def test_what_holds_no_repeat_units_is_refused_by_its_type(smiles: object) -> None:
    with pytest.raises(TypeError, match=f"smiles must be a repeat unit.*not {type(smiles).__name__}"):
        ac.describe(smiles)


@pytest.mark.parametrize("processes", [-1, "2", 1.5, True])
def test_a_number_of_processes_is_a_whole_one(processes: object) -> None:
    with pytest.raises(ValueError, match="processes must be a whole number that is not negative"):
        ac.describe("*CC*", processes=processes)
