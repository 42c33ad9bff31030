"""Which number stands for a polymer: out of fold in the fit, by the final fit elsewhere, none where there is none."""

import math
from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from tests.ui.sample_snapshot import sample_snapshot  # the finished study that the views are tested on


def test_polymers_of_the_fit_show_their_out_of_fold_value() -> None:
    snapshot = sample_snapshot()
    values = row_values(snapshot)
    result = snapshot.calibration.models["affine"]
    for number, row in enumerate(snapshot.rows):
        if row.training_index >= 0:
            assert values.calibrated[number] == result.out_of_fold[row.training_index]
            assert values.lower[number] == result.out_of_fold_lower[row.training_index]
            assert values.out_of_fold[number]
        elif row.library_index >= 0:
            assert values.calibrated[number] == result.library[row.library_index]
            assert values.upper[number] == result.library_upper[row.library_index]
            assert not values.out_of_fold[number]
        else:
            assert math.isnan(values.calibrated[number])


def test_the_residual_is_relative_to_the_measured_value() -> None:
    snapshot = sample_snapshot()
    values = row_values(snapshot)
    known = np.isfinite(values.residual_percent)
    assert known.sum() == 62
    assert np.allclose(values.residual_percent[known] / 100 + 1, (values.calibrated / values.measured)[known])


def test_values_follow_the_chosen_calibrator() -> None:
    snapshot = sample_snapshot()
    raw = replace(snapshot, settings=replace(snapshot.settings, model="md"))
    values = row_values(raw)
    known = np.isfinite(values.calibrated)
    assert np.allclose(values.calibrated[known], values.md[known])


def test_without_a_calibration_there_is_nothing_calibrated() -> None:
    values = row_values(replace(sample_snapshot(), calibration=None))
    assert np.isnan(values.calibrated).all()
    assert np.isfinite(values.measured).sum() == 81


@pytest.mark.parametrize("measured", [0.0, math.nan])
def test_rows_ahead_of_a_stale_calibration_have_no_value(measured: float) -> None:
    snapshot = sample_snapshot()
    row = PolymerRow("new", "new", "", "*CC*", measured, 1.0, "waiting", training_index=400, library_index=4000)
    values = row_values(replace(snapshot, rows=(row,)))
    assert np.isnan(values.calibrated).all()
    assert np.isnan(values.residual_percent).all()


def test_an_empty_study_has_no_values() -> None:
    assert row_values(Snapshot()).measured.shape == (0,)
