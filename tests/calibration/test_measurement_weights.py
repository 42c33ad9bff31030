"""Weights from uncertainties and from numbers of repeats."""

import numpy as np
import pytest

from affinecal_gui.calibration.calibrators.noise.weights import weights_from_repeats, weights_from_uncertainties
from affinecal_gui.calibration.input_errors import CalibrationInputError


def test_exact_uncertainties_are_recovered():
    """Scatter of 0.1 beyond uncertainties between 0 and 0.3: weights proportional to 1 / (0.01 + u^2)."""
    rng = np.random.default_rng(0)
    u = rng.uniform(0.0, 0.3, 3000)
    md = rng.normal(5.0, 1.0, 3000)
    measured = 1.0 + 0.9 * md + np.sqrt(0.01 + u**2) * rng.normal(size=3000)
    found = weights_from_uncertainties(measured, md, u, log_scale=False)
    ideal = 1.0 / (0.01 + u**2)
    np.testing.assert_allclose(found, ideal / ideal.mean(), rtol=0.15)


def test_one_tiny_uncertainty_does_not_take_over():
    rng = np.random.default_rng(1)
    md = rng.normal(5.0, 1.0, 30)
    u = np.full(30, 0.05)
    u[3] = 1e-9
    found = weights_from_uncertainties(md + 0.3 * rng.normal(size=30), md, u, log_scale=False)
    assert found[3] < 1.5


def test_on_a_log_scale_uncertainties_are_relative():
    rng = np.random.default_rng(2)
    md = np.exp(rng.normal(7.0, 0.5, 25))
    measured = 0.5 * md * np.exp(0.2 * rng.normal(size=25))
    relative = rng.uniform(0.01, 0.5, 25)
    logs = weights_from_uncertainties(measured, md, relative * measured, log_scale=True)
    direct = weights_from_uncertainties(np.log(measured), np.log(md), relative, log_scale=False)
    np.testing.assert_allclose(logs, direct, rtol=1e-6)


@pytest.mark.parametrize("unit", [1e-20, 1e20])
def test_the_unit_does_not_matter(unit):
    rng = np.random.default_rng(3)
    md, noise, u = rng.normal(5.0, 1.0, 20), rng.normal(size=20), rng.uniform(0.1, 0.5, 20)
    np.testing.assert_allclose(
        weights_from_uncertainties(unit * (md + noise), unit * md, unit * u, log_scale=False),
        weights_from_uncertainties(md + noise, md, u, log_scale=False),
        rtol=1e-6,
    )


def test_missing_uncertainties_count_as_usual_ones():
    md = np.arange(1.0, 11.0)
    u = np.full(10, 0.5)
    u[4] = np.nan
    found = weights_from_uncertainties(md + np.sin(md), md, u, log_scale=False)
    np.testing.assert_allclose(found, 1.0)


def test_bad_uncertainties_are_named():
    with pytest.raises(CalibrationInputError, match="polymer 2 has -1") as caught:
        weights_from_uncertainties(np.ones(3), np.ones(3), np.array([1.0, -1.0, np.inf]), log_scale=False)
    assert caught.value.rows == (1, 2)
    with pytest.raises(CalibrationInputError, match="No measured value has an uncertainty"):
        weights_from_uncertainties(np.ones(3), np.ones(3), np.full(3, np.nan), log_scale=False)


def test_repeats():
    np.testing.assert_allclose(weights_from_repeats([1.0, 2.0, np.nan], 0.0), np.array([1.0, 2.0, 1.0]) * 0.75)
    np.testing.assert_allclose(weights_from_repeats([1.0, 9.0], 1.0), 1.0)
    found = weights_from_repeats([1.0, 1e9])
    assert found[1] / found[0] == pytest.approx(2.0)
    with pytest.raises(CalibrationInputError, match="polymer 2 has 0"):
        weights_from_repeats([1.0, 0.0])
