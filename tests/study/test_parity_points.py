"""What a parity plot draws, against a plain loop over the rows."""

import math
from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.study.data.row_columns import row_columns
from affinecal_gui.study.shown.parity_points import Stage, coordinates, parity_points
from tests.ui.sample_snapshot import sample_snapshot


@pytest.mark.parametrize("stage", ["out_of_fold", "fitted"])
def test_points_are_those_of_the_calibration(stage: Stage) -> None:
    snapshot = sample_snapshot()
    calibration = snapshot.calibration
    assert calibration is not None
    points = parity_points(row_columns(snapshot.rows), calibration, stage)
    expected = []
    for number, row in enumerate(snapshot.rows):
        if row.training_index >= 0 or (row.state == "left out" and row.library_index >= 0):
            expected.append(number)
    assert points.rows.tolist() == expected
    assert points.left_out.sum() == 1
    for model, result in calibration.models.items():
        drawn = points.models[model]
        assert drawn.metrics == (result.metrics if stage == "out_of_fold" else result.fitted_metrics)
        for k, number in enumerate(expected):
            row = snapshot.rows[number]
            if row.training_index < 0:
                wanted = [
                    array[row.library_index] for array in (result.library, result.library_lower, result.library_upper)
                ]
            elif stage == "out_of_fold":
                wanted = [
                    array[row.training_index]
                    for array in (result.out_of_fold, result.out_of_fold_lower, result.out_of_fold_upper)
                ]
            else:
                wanted = [
                    result.fitted[row.training_index],
                    result.library_lower[row.library_index],
                    result.library_upper[row.library_index],
                ]
            assert [drawn.value[k], drawn.lower[k], drawn.upper[k]] == wanted
            assert points.measured[k] == row.measured


def test_rows_ahead_of_a_stale_calibration_are_passed_over() -> None:
    snapshot = sample_snapshot()
    assert snapshot.calibration is not None
    rows = (*snapshot.rows, replace(snapshot.rows[0], key="new", training_index=10_000, library_index=10_000))
    points = parity_points(row_columns(rows), snapshot.calibration, "out_of_fold")
    assert points.rows.max() < len(snapshot.rows)


def test_values_without_a_logarithm_have_no_place() -> None:
    assert coordinates(np.array([100.0, 0.0, -5.0, math.nan]), log=True).tolist()[0] == 2.0
    assert np.isnan(coordinates(np.array([0.0, -5.0, math.nan]), log=True)).all()
    assert coordinates(np.array([0.0, -5.0]), log=False).tolist() == [0.0, -5.0]
