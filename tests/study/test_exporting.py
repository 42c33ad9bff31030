"""What files hold is what the window shows, number by number, and nothing is lost between them."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.study.results.exporting import (
    NEXT_COLUMNS,
    prediction_rows,
    write_measure_next,
    write_predictions,
)
from affinecal_gui.study.shown.next_measurements import measurement_sentence, next_measurements, what_the_list_is
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.snapshot import Snapshot
from tests.study.small_study import small_result, small_state


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return replace(small_result().snapshot, settings=small_state().settings)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def number(text: str) -> float:
    return float(text) if text else float("nan")


@pytest.mark.parametrize("model", ["md", "ordinary", "log_difference", "affine"])
def test_every_number_of_the_table_is_the_number_in_the_file(snapshot: Snapshot, model: str, tmp_path: Path) -> None:
    shown = replace(snapshot, settings=replace(snapshot.settings, model=model))  # type: ignore[arg-type]
    write_predictions(shown, tmp_path / "predictions.csv")
    lines = read(tmp_path / "predictions.csv")
    rows = tuple(row for row in shown.rows if row.library_index >= 0)
    values = row_values(shown, rows)
    assert len(lines) == len(rows) == len(shown.calibration.library_md)  # type: ignore[union-attr]
    for column, array in (
        ("MD value", values.md),
        ("measured value", values.measured),
        ("calibrated value", values.calibrated),
        ("lower", values.lower),
        ("upper", values.upper),
        ("residual, %", values.residual_percent),
    ):
        found = np.array([number(line[column]) for line in lines])
        assert np.array_equal(found, array, equal_nan=True), column


def test_polymers_of_the_fit_have_their_final_fit_value_beside_the_one_out_of_fold(snapshot: Snapshot) -> None:
    calibration = snapshot.calibration
    assert calibration is not None
    fitted = calibration.models["affine"].fitted
    rows = [row for row in snapshot.rows if row.library_index >= 0]
    for row, line in zip(rows, prediction_rows(snapshot), strict=True):
        if row.training_index >= 0:
            assert line.final_fit_value == fitted[row.training_index]
            assert line.out_of_fold_value == line.calibrated_value != line.final_fit_value
        else:
            assert np.isnan(line.out_of_fold_value)
            assert line.final_fit_value == line.calibrated_value


def test_the_difference_is_not_called_one_of_logarithms_on_a_linear_scale(snapshot: Snapshot) -> None:
    assert snapshot.calibration is not None
    chosen = replace(snapshot.settings, model="log_difference")
    linear = replace(snapshot, settings=chosen, calibration=replace(snapshot.calibration, log_scale=False))
    assert prediction_rows(replace(snapshot, settings=chosen))[0].model == "log-difference"
    assert prediction_rows(linear)[0].model == "difference"


def test_suggestions_add_up_and_are_told_in_words(snapshot: Snapshot) -> None:
    calibration = snapshot.calibration
    assert calibration is not None
    found = next_measurements(snapshot)
    assert [one.row.library_index for one in found] == [one.library_index for one in calibration.measure_next]
    assert [one.rank for one in found] == list(range(1, len(found) + 1))
    assert all(one.row.training_index < 0 for one in found)
    first, last = calibration.measure_next[0], calibration.measure_next[-1]
    in_all = 100 * (1 - last.mean_width_after / first.mean_width_before)
    assert found[-1].narrower_in_all == pytest.approx(in_all, rel=1e-12)
    assert sum(one.narrower for one in found) == pytest.approx(in_all, rel=1e-9)
    assert what_the_list_is(snapshot).startswith("The polymers whose measurement would narrow the 80 % intervals")
    sentence = measurement_sentence(snapshot, found[1])
    assert sentence.startswith(f"Measuring {found[1].row.label} would narrow")
    assert "Together with the one above it" in sentence
    assert "above it" not in measurement_sentence(snapshot, found[0])


def test_suggestions_as_a_file(snapshot: Snapshot, tmp_path: Path) -> None:
    write_measure_next(snapshot, tmp_path / "next.csv")
    lines = read(tmp_path / "next.csv")
    found = next_measurements(snapshot)
    assert tuple(lines[0]) == NEXT_COLUMNS
    assert [line["id"] for line in lines] == [one.row.id for one in found]
    assert [float(line["narrows the mean interval by, %"]) for line in lines] == [one.narrower for one in found]
    predicted = {line.id: line.calibrated_value for line in prediction_rows(snapshot)}
    assert all(float(line["calibrated value"]) == predicted[line["id"]] for line in lines)


def test_nothing_to_suggest_is_a_sentence(snapshot: Snapshot, tmp_path: Path) -> None:
    assert snapshot.calibration is not None
    bare = replace(snapshot, calibration=replace(snapshot.calibration, measure_next=()))
    assert next_measurements(bare) == ()
    assert what_the_list_is(bare) == ""
    with pytest.raises(UserError, match="nothing to suggest"):
        write_measure_next(bare, tmp_path / "next.csv")
    with pytest.raises(UserError, match="no calibration yet"):
        write_measure_next(Snapshot(), tmp_path / "next.csv")
    assert list(tmp_path.iterdir()) == []
