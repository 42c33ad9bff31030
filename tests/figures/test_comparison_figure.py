"""The comparison of calibrators: the numbers of the calibration, the recommendation, and that it is legible."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from affinecal_gui.calibration.results import Calibration
from affinecal_gui.figures.plots.comparison import comparison_figure
from tests.figures.invented import DENSITY, HEAT_CAPACITY, calibration
from tests.figures.layout_checks import assert_legible, written


def words(figure: Figure) -> str:
    return " ".join(" ".join(text for text, _, _ in written(figure)).split())


def with_errors(values: list[float], errors: list[float]) -> Calibration:
    found = calibration(12, 3)
    given = ("md", "ordinary", "log_difference", "affine")
    models = {
        name: replace(
            found.models[name],
            metrics=replace(
                found.models[name].metrics,
                rmse_target_scale=value,
                rmse_target_scale_interval=(value - error, value + error),
            ),
        )
        for name, value, error in zip(given, values, errors, strict=True)
    }
    return replace(found, models=models)


def test_shows_errors_with_intervals_and_the_advice() -> None:
    given_one = with_errors([0.82, 0.186, 0.165, 0.171], [np.nan, 0.013, 0.007, 0.02])
    figure = comparison_figure(given_one, HEAT_CAPACITY)
    shown = words(figure)
    for expected in (
        "0.820",
        "0.186 (0.173 to 0.199)",
        "0.165 (0.158 to 0.172)",
        "0.171 (0.151 to 0.191)",
        "recommended",
        "lowest error",
    ):
        assert expected in shown
    assert given_one.recommendation.sentence in shown
    assert "Affine − Log-difference 0.0060, p = 0.62 (p = 0.31)" in shown.replace("\u00a0", " ")
    markers = {line.get_marker(): line.get_xdata() for line in figure.axes[0].lines if len(line.get_xdata()) == 1}
    assert float(markers["D"][0]) == 0.165
    assert float(markers["o"][0]) == 0.171
    assert "s" not in markers  # far beyond the axis: an arrow
    assert "Arrow" in shown
    assert_legible(figure)


def test_the_best_may_be_the_recommended_one() -> None:
    found = calibration(12, 3)
    found = replace(found, recommendation=replace(found.recommendation, best="affine", recommended="affine"))
    assert "lowest error and recommended" in words(comparison_figure(found, HEAT_CAPACITY))


def test_lowest_error_and_recommended_are_told_apart_and_explained() -> None:
    shown = words(comparison_figure(calibration(), HEAT_CAPACITY))
    assert "lowest error" in shown
    assert "recommended" in shown.replace("Recommended", "")
    assert "the combined calibrator, which keeps to a line in the MD values" in " ".join(shown.split())


def test_linear_quantities_show_their_unit_once() -> None:
    shown = words(comparison_figure(calibration(log=False, low=0.8, high=1.5), DENSITY))
    assert "ln" not in shown.split()
    assert "g/cm³" in shown
    assert "Difference" in shown.split()


@pytest.mark.parametrize("width", [85.0, 120.0, 180.0])
def test_columns_give_way_when_the_figure_is_narrow(width: float) -> None:
    figure = comparison_figure(calibration(), HEAT_CAPACITY, width_mm=width)
    assert ("MAE" in words(figure)) == (width > 100)
    assert_legible(figure)


values = st.one_of(st.just(float("nan")), st.floats(-9, 9).map(lambda power: 10.0**power), st.just(0.0))


@settings(max_examples=10, deadline=None)
@given(
    st.lists(values, min_size=4, max_size=4), st.lists(values, min_size=4, max_size=4), st.sampled_from([85.0, 180.0])
)
def test_is_legible_for_any_errors(rmse: list[float], errors: list[float], width: float) -> None:
    figure = comparison_figure(with_errors(rmse, errors), HEAT_CAPACITY, width_mm=width)
    assert_legible(figure)
