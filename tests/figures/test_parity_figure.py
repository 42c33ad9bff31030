"""The parity plot: what it shows, that it is legible for any data, and that it is the same every time."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from affinecal_gui.calibration.calibrators.registry import fitted_keys
from affinecal_gui.figures.parity.corner import Obstacles, bars_behind, place
from affinecal_gui.figures.parity.parity import parity_figure
from affinecal_gui.figures.parity.parity_window import PanelPoints, choose_window
from affinecal_gui.figures.quantity import Quantity
from tests.figures.invented import DENSITY, HEAT_CAPACITY, calibration
from tests.figures.layout_checks import assert_legible, tick_labels, written


def words(figure: Figure) -> str:
    return " ".join(content for content, _, _ in written(figure))


def points(axes: Axes, marker: str) -> np.ndarray:
    (line,) = [line for line in axes.lines if line.get_marker() == marker]
    return np.column_stack(line.get_data())


def numbers_of(figure: Figure, axes: Axes) -> list:
    """Boxes of the texts inside the frame of ``axes``."""
    frame = axes.get_window_extent()
    return [box for _, box, text in written(figure) if frame.contains(*((box.p0 + box.p1) / 2)) and text.figure]


def test_shows_all_calibrators_with_the_values_of_the_calibration() -> None:
    given_one = calibration()
    figure = parity_figure(given_one, HEAT_CAPACITY)
    panels = dict(zip(given_one.models, figure.axes, strict=True))
    for model, marker in (("md", "s"), ("ordinary", "^"), ("log_difference", "D"), ("affine", "o")):
        shown = points(panels[model], marker)
        np.testing.assert_allclose(shown[:, 0], given_one.measured, rtol=1e-12)
        np.testing.assert_allclose(shown[:, 1], given_one.models[model].out_of_fold, rtol=1e-12)
    said = words(figure)
    for expected in (
        "MD as it is",
        "Ordinary",
        "Log-difference",
        "Affine",
        "J/(kg K)",
        "RMSE",
        "MAE",
        "$R^2$",
        "±10 %",
    ):
        assert expected in said
    assert str(round(given_one.models["affine"].metrics.rmse)) in said
    assert "90 % prediction interval" in said


def test_says_whether_predictions_are_out_of_fold() -> None:
    out_of_fold = words(parity_figure(calibration(), HEAT_CAPACITY))
    assert "Out-of-fold prediction of" in out_of_fold
    assert "has not seen" in out_of_fold.replace("have", "has")
    fitted = words(parity_figure(calibration(), HEAT_CAPACITY, predictions="fitted"))
    assert "Out-of-fold" not in fitted
    assert "Fitted values" in fitted


def test_fitted_values_have_no_intervals_of_other_predictions() -> None:
    given_one = calibration()
    figure = parity_figure(given_one, HEAT_CAPACITY, models=("affine",), predictions="fitted")
    assert not [c for c in figure.axes[0].collections if isinstance(c, LineCollection)]
    np.testing.assert_allclose(points(figure.axes[0], "o")[:, 1], given_one.models["affine"].fitted, rtol=1e-12)


def test_intervals_reach_from_lower_to_upper() -> None:
    given_one = calibration(n=12)
    figure = parity_figure(given_one, HEAT_CAPACITY, models=("affine",))
    (bars,) = [c for c in figure.axes[0].collections if isinstance(c, LineCollection)]
    ends = np.array(bars.get_segments())
    np.testing.assert_allclose(ends[:, 0, 1], given_one.models["affine"].out_of_fold_lower, rtol=1e-12)
    np.testing.assert_allclose(ends[:, 1, 1], given_one.models["affine"].out_of_fold_upper, rtol=1e-12)
    assert "interval" not in words(parity_figure(given_one, HEAT_CAPACITY, intervals=False))


def test_a_panel_with_a_corner_free_of_bars_uses_it_whatever_the_others_need() -> None:
    """In a panel full of bars they pass below the numbers; that is no reason to cover those of its neighbour."""
    rng = np.random.default_rng(0)
    x = np.linspace(0.0, 1.0, 60)
    full = PanelPoints(x, x, x, x - 5.0, x + 5.0, 0.6)
    few = PanelPoints(x, x + 0.01 * rng.standard_normal(60), x[:3], x[:3] - 0.1, x[:3] + 3.0, 0.6)
    window = choose_window([[full], [few]], [(12.0, 10.0)] * 2, 40.0, 46.0, log=False)
    obstacles = Obstacles(
        (few.x - window.x0) * window.scale,
        (few.y - window.y0) * window.scale,
        0.6,
        (few.bar_x - window.x0) * window.scale,
        (few.bar_low - window.y0) * window.scale,
        (few.bar_high - window.y0) * window.scale,
        (window.x0 - window.y0) * window.scale,
        0.1 * window.scale,
    )
    assert bars_behind(place(window.corners[1], 12.0, 10.0, window.width, window.height), obstacles) == 0


@pytest.mark.parametrize("log", [True, False])
def test_a_unit_is_equally_long_on_both_axes(log: bool) -> None:
    figure = parity_figure(calibration(log=log), HEAT_CAPACITY)
    for axes in figure.axes:
        assert axes.get_xscale() == axes.get_yscale() == ("log" if log else "linear")
        frame = axes.get_window_extent()
        x, y = np.array(axes.get_xlim()), np.array(axes.get_ylim())
        if log:
            x, y = np.log(x), np.log(y)
        assert frame.width / np.ptp(x) == pytest.approx(frame.height / np.ptp(y), rel=1e-6)


def test_ticks_are_round_values_a_chemist_would_write() -> None:
    figure = parity_figure(calibration(), HEAT_CAPACITY, models=("affine",))
    labels = tick_labels(figure.axes[0], "x")
    assert {"600", "800", "1000", "1500", "2000"} <= set(labels)
    assert not any("e" in label or "10^" in label for label in labels)


def test_polymers_without_a_prediction_are_counted() -> None:
    figure = parity_figure(calibration(missing=3), HEAT_CAPACITY, models=("affine",))
    assert points(figure.axes[0], "o").shape[0] == 58
    assert "Affine: 3 without a finite prediction, not shown." in " ".join(words(figure).split())


def test_far_predictions_are_marked_at_the_edge_and_counted() -> None:
    given_one = calibration()
    result = given_one.models["affine"]
    exploded = result.out_of_fold.copy()
    exploded[:2] = 1e30, 1e-30
    given_one = replace(given_one, models={"affine": replace(result, out_of_fold=exploded)})
    figure = parity_figure(given_one, HEAT_CAPACITY)
    assert figure.axes[0].get_ylim()[1] < 1e5
    assert "2 outside the range shown" in words(figure)
    assert points(figure.axes[0], "o").shape[0] == 59
    assert points(figure.axes[0], r"$↑$").shape[0] == points(figure.axes[0], r"$↓$").shape[0] == 1
    assert_legible(figure)


def test_names_the_power_of_ten_of_tiny_values_once() -> None:
    figure = parity_figure(
        calibration(log=False, low=1e-9, high=9e-9), Quantity("Diffusivity", "D", "$D$", "m²/s"), models=("affine",)
    )
    assert "$10^{-9}$ m²/s" in words(figure)
    assert_legible(figure)


def test_texts_of_users_are_shown_as_they_are() -> None:
    odd = Quantity("a $ b", "x_$y", r"$\frac{", "100 $/{kg} 比熱\n\x07", False)
    figure = parity_figure(replace(calibration(), protocol="5 $fold$ <b>"), odd)
    shown = words(figure)
    assert r"100 \$/{kg}" in shown
    assert "5 $fold$ <b>" in shown
    assert_legible(figure)


def test_refuses_to_draw_nothing() -> None:
    with pytest.raises(ValueError, match="no calibrator"):
        parity_figure(calibration(), HEAT_CAPACITY, models=())


def test_overlaid_shows_all_calibrators_in_one_panel_with_a_legend_of_numbers() -> None:
    given_one = calibration()
    figure = parity_figure(given_one, HEAT_CAPACITY, arrangement="overlaid", width_mm=120)
    (axes,) = figure.axes
    for model, marker in (("md", "s"), ("ordinary", "^"), ("log_difference", "D"), ("affine", "o")):
        np.testing.assert_allclose(points(axes, marker)[:, 1], given_one.models[model].out_of_fold, rtol=1e-12)  # type: ignore[index]
    shown = words(figure)
    for expected in ("MD as it is", "Ordinary", "Log-difference", "Affine", "$n$ = 61", "RMSE"):
        assert shown.count(expected) >= 1
    assert_legible(figure)
    no_point_under_the_numbers(figure)


def no_point_under_the_numbers(figure: Figure) -> None:
    for axes in figure.axes:
        boxes = numbers_of(figure, axes)
        assert len(boxes) >= 8
        for line in axes.lines:
            if line.get_linestyle() == "None":
                at = axes.transData.transform(np.column_stack(line.get_data()))
                for box in boxes:
                    inside = (at[:, 0] > box.x0) & (at[:, 0] < box.x1) & (at[:, 1] > box.y0) & (at[:, 1] < box.y1)
                    assert not inside.any()


@st.composite
def data(draw: st.DrawFn) -> dict[str, object]:
    """Anything from 8 to 2000 polymers, from almost constant to six decades, on either scale."""
    log = draw(st.booleans())
    size = 10.0 ** draw(st.floats(-12, 9))
    larger = size * 10.0 ** draw(st.sampled_from([0.0, 1e-7, 0.01, 0.2, 0.6, 1.5, 6.0]))
    below_zero = not log and draw(st.integers(0, 2)) == 2
    return {
        "n": draw(st.sampled_from([8, 20, 61, 300, 2000])),
        "m": 10,
        "log": log,
        "low": -larger if below_zero else size,
        "high": -size if below_zero else larger,
        "noise": draw(st.sampled_from([0.0, 0.02, 0.2, 1.5])),
        "bias": draw(st.sampled_from([1.0, 2.3, 0.4, 1000.0])),
        "intervals": draw(st.booleans()),
        "missing": draw(st.sampled_from([0, 3, 10_000])),
        "seed": draw(st.integers(0, 3)),
    }


QUANTITIES = {"Cp": HEAT_CAPACITY, "density": DENSITY, "n": Quantity("Refractive index", "n", "$n$", "")}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data(), st.sampled_from(sorted(QUANTITIES)), st.sampled_from([85.0, 120.0, 180.0]), st.sampled_from([1, 2, 4]))
def test_is_legible_for_any_data(case: dict[str, object], name: str, width: float, panels: int) -> None:
    models = fitted_keys()[-panels:]
    found = calibration(**case)  # type: ignore[arg-type]
    arrangement = "overlaid" if case["seed"] == 0 else "panels"
    figure = parity_figure(found, QUANTITIES[name], models=models, width_mm=width, arrangement=arrangement)  # type: ignore[arg-type]
    assert figure.get_size_inches()[0] * 25.4 == pytest.approx(width)
    assert figure.get_size_inches()[1] * 25.4 < 260
    assert_legible(figure)
    no_point_under_the_numbers(figure)
    for axes in figure.axes:
        assert len(tick_labels(axes, "x")) >= 2
    assert len(tick_labels(figure.axes[0], "y")) >= 2
