"""The cross-validation surface: every cell, the chosen pair, the warnings, and grids of any kind."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

from affinecal_gui.calibration.results import Calibration, Penalties, PenaltySurface
from affinecal_gui.figures.plots.surface import surface_figure
from tests.figures.invented import HEAT_CAPACITY, calibration, surface
from tests.figures.layout_checks import assert_legible, written


def with_surface(found: PenaltySurface) -> Calibration:
    given_one = calibration(10, 3)
    return replace(given_one, models={"affine": replace(given_one.models["affine"], surface=found)})


def words(figure: Figure) -> str:
    return " ".join(text for text, _, _ in written(figure))


def test_shows_every_cell_and_the_chosen_pair() -> None:
    found = surface()
    figure = surface_figure(with_surface(found), HEAT_CAPACITY)
    axes = figure.axes[0]
    (cells,) = [c for c in axes.collections if isinstance(c, QuadMesh)]
    np.testing.assert_array_equal(np.asarray(cells.get_array()), found.rmse.T)
    (point,) = [line for line in axes.lines if line.get_marker() == "o"]
    i, j = found.chosen
    assert point.get_xdata()[0] == found.lambda_1[i]
    assert point.get_ydata()[0] == found.lambda_2[j]
    assert "lowest: λ₁ = 6.81, λ₂ = 31.6, RMSE 0.165" in words(figure)
    assert_legible(figure)


def test_warns_when_the_best_penalty_lies_on_an_edge() -> None:
    assert "edge" not in words(surface_figure(with_surface(surface()), HEAT_CAPACITY))
    at_edge = words(surface_figure(with_surface(surface(best=(5.0, 1.5))), HEAT_CAPACITY))
    assert "The best λ₁ lies on an edge of the grid" in " ".join(at_edge.split())


def test_refuses_a_model_without_a_grid() -> None:
    with pytest.raises(ValueError, match="no penalty surface"):
        surface_figure(calibration(10, 3), HEAT_CAPACITY, model="ordinary")


@settings(max_examples=10, deadline=None)
@given(
    st.sampled_from([(0.0,), (1.0,), (0.0, 1.0), (1e-2, 1.0, 1e2), (50.0, 100.0, 150.0), (1e-30, 1e30)]),
    st.sampled_from([(2.0,), (0.0, 0.5, 1.0), tuple(np.logspace(-8, 8, 25)), (7.0, 7.1)]),
    st.sampled_from(["flat", "steep", "nan", "all nan", "tiny"]),
    st.sampled_from([85.0, 180.0]),
)
def test_is_legible_for_any_grid(first: tuple[float, ...], second: tuple[float, ...], kind: str, width: float) -> None:
    rmse = np.random.default_rng(0).uniform(1, 1 if kind == "flat" else 2, (len(first), len(second)))
    if kind == "steep":
        rmse = 10.0 ** (20 * rmse)
    if kind == "tiny":
        rmse *= 1e-15
    if kind == "nan":
        rmse[0, 0] = np.nan
    if kind == "all nan":
        rmse[:] = np.nan
    found = PenaltySurface(np.array(first), np.array(second), rmse, (len(first) - 1, 0), ("lambda_1", "lambda_2"))
    figure = surface_figure(with_surface(found), HEAT_CAPACITY, width_mm=width)
    assert_legible(figure)


def test_says_which_penalties_are_used_where_they_are_not_those_of_the_lowest_cell() -> None:
    given_one = with_surface(surface())
    one = replace(given_one.models["affine"], penalties=Penalties(12.3, 45.6))
    figure = surface_figure(replace(given_one, models={"affine": one}), HEAT_CAPACITY)
    assert "Used: λ₁ = 12.3, λ₂ = 45.6." in " ".join(words(figure).split())
