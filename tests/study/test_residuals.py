"""Residuals over what is known of polymers, and over normal quantiles, against textbook numbers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, spearmanr

from affinecal_gui.study.shown.residuals import (
    NORMAL,
    normal_quantiles,
    quartile_line,
    rank_correlation,
    residuals,
)
from affinecal_gui.study.shown.traits import MEASURED, numbers_of, traits_of
from affinecal_gui.study.snapshot import Snapshot
from tests.ui.sample_snapshot import sample_snapshot


def test_residuals_are_those_of_the_shown_calibrator_on_the_scale_of_the_fit() -> None:
    snapshot = sample_snapshot()
    assert snapshot.calibration is not None
    found = residuals(snapshot, "out_of_fold")
    result = snapshot.calibration.models[snapshot.settings.model]
    expected = np.log(result.out_of_fold / snapshot.calibration.measured)
    used = ~found.points.left_out
    training = [snapshot.rows[row].training_index for row in found.points.rows[used]]
    np.testing.assert_allclose(found.y[used], expected[training])
    assert found.mean == pytest.approx(expected.mean())
    assert found.spread == pytest.approx(expected.std(ddof=1))
    assert found.log_scale
    assert found.log_x


def test_on_a_linear_scale_residuals_are_differences() -> None:
    snapshot = sample_snapshot()
    assert snapshot.calibration is not None
    linear = replace(snapshot, calibration=replace(snapshot.calibration, log_scale=False))
    found = residuals(linear, "fitted")
    value = found.points.models[found.model].value
    np.testing.assert_allclose(found.y, value - found.points.measured)
    assert not found.log_x


@pytest.mark.parametrize("key", ["md", "descriptor:mass_C", "column:values_found"])
def test_residuals_stand_over_any_trait_that_is_a_number(key: str) -> None:
    snapshot = sample_snapshot()
    found = residuals(with_counts(snapshot), "out_of_fold", key)
    assert found.against.key == key
    np.testing.assert_array_equal(found.x, numbers_of(with_counts(snapshot), found.points.rows, key))
    used = ~found.points.left_out & np.isfinite(found.x)
    assert found.rank_correlation == pytest.approx(spearmanr(found.x[used], found.y[used]).statistic)


def with_counts(snapshot: Snapshot) -> Snapshot:
    rows = tuple(
        replace(row, details=(("values_found", str(number % 7)), ("source", f"book {number % 3}")))
        for number, row in enumerate(snapshot.rows)
    )
    return replace(snapshot, rows=rows, columns=None)


def test_of_the_measured_value_no_correlation_is_told_because_the_residual_contains_it() -> None:
    assert np.isnan(residuals(sample_snapshot(), "out_of_fold", MEASURED).rank_correlation)


def test_a_trait_that_is_not_there_is_replaced_by_the_measured_value() -> None:
    assert residuals(sample_snapshot(), "out_of_fold", "column:nowhere").against.key == MEASURED


def test_a_text_is_no_axis_but_is_a_trait() -> None:
    snapshot = with_counts(sample_snapshot())
    found = residuals(snapshot, "out_of_fold", "column:source")
    assert found.against.key == MEASURED
    kinds = {trait.key: trait.is_number for trait in traits_of(snapshot, found.points.rows)}
    assert kinds["column:values_found"]
    assert not kinds["column:source"]
    assert kinds["descriptor:mass_C"]


def test_normal_quantiles_are_those_of_blom() -> None:
    y = np.array([0.3, -1.0, 0.0, 2.0, 9.0])
    which = np.array([True, True, True, True, False])
    found = normal_quantiles(y, which)
    # Blom 1958: the quantiles of (i - 3/8) / (n + 1/4); here n = 4
    expected = norm.ppf((np.array([3, 1, 2, 4]) - 0.375) / 4.25)
    np.testing.assert_allclose(found[:4], expected)
    assert np.isnan(found[4])


def test_the_line_of_a_normal_plot_is_that_of_its_distribution() -> None:
    x = norm.ppf((np.arange(1, 400) - 0.375) / 399.25)
    line = quartile_line(x, 0.1 + 0.17 * x)
    assert line == pytest.approx((0.1, 0.17))
    with_tails = np.where(np.abs(x) > 1.5, 3.0 * x, 0.1 + 0.17 * x)
    assert quartile_line(x, with_tails) == pytest.approx((0.1, 0.17))
    assert quartile_line(x[:2], x[:2]) is None


def test_the_line_goes_with_the_normal_plot_alone() -> None:
    assert residuals(sample_snapshot(), "out_of_fold", NORMAL).line is not None
    assert residuals(sample_snapshot(), "out_of_fold", "md").line is None


def test_too_few_or_equal_values_have_no_rank_correlation() -> None:
    assert np.isnan(rank_correlation(np.array([1.0, 2.0]), np.array([1.0, 2.0])))
    assert np.isnan(rank_correlation(np.ones(9), np.arange(9.0)))
    assert rank_correlation(np.arange(9.0), np.exp(np.arange(9.0))) == pytest.approx(1.0)
