"""Which measurement next: the closed form against refitting with the polymer added."""

import numpy as np
import pytest

from affinecal_gui.calibration.calibrators.fitted import directions, fit_calibrator, posterior
from affinecal_gui.calibration.calibrators.posterior import Posterior
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.checking.measure_next import suggest_measurements
from affinecal_gui.calibration.results import Penalties


def library(seed=0, n=15, m=12):
    rng = np.random.default_rng(seed)
    part = training_part(rng.normal(size=n), rng.normal(8.0, 0.3, n), rng.normal(size=(n, 5)), (5,), None, True)
    one = fit_calibrator("affine", part, Penalties(1.0, 1.0))
    new = directions(one, part, rng.normal(8.0, 0.3, m), rng.normal(size=(m, 5)))
    return posterior(one, part), new


def with_measurements(known, new, chosen):
    """The posterior after the chosen library polymers joined the training part."""
    training = type(known.training)(
        np.vstack([known.training.flat, new.flat[chosen]]),
        np.vstack([known.training.penalised, new.penalised[chosen]]),
    )
    return Posterior(training, known.precision, np.append(known.weights, np.ones(len(chosen))))


def mean_width(known, new):
    return float(np.sqrt(1.0 + known.variance(new)).mean())


def test_every_step_is_the_best_one_and_its_effect_is_exact():
    known, new = library()
    before = mean_width(known, new)
    found = suggest_measurements(known.covariance(new), np.ones(12, bool), np.arange(12), before, 4)
    chosen: list[int] = []
    for one in found:
        assert one.mean_width_before == pytest.approx(mean_width(with_measurements(known, new, chosen), new), rel=1e-9)
        options = {
            j: mean_width(with_measurements(known, new, [*chosen, j]), new) for j in range(12) if j not in chosen
        }
        assert one.library_index == min(options, key=options.__getitem__)
        assert one.mean_width_after == pytest.approx(options[one.library_index], rel=1e-9)
        chosen.append(one.library_index)


def test_widths_are_shares_of_the_given_width():
    known, new = library(1)
    covariance = known.covariance(new)
    one = suggest_measurements(covariance, np.ones(12, bool), np.arange(12), 1.0, 1)[0]
    ten = suggest_measurements(covariance, np.ones(12, bool), np.arange(12), 10.0, 1)[0]
    assert ten.mean_width_before == pytest.approx(10.0)
    assert ten.mean_width_after == pytest.approx(10.0 * one.mean_width_after)


def test_only_candidates_are_suggested_under_their_own_numbers():
    known, new = library(2)
    candidates = np.zeros(12, bool)
    candidates[[3, 7]] = True
    found = suggest_measurements(known.covariance(new), candidates, np.arange(100, 112), 1.0, 5)
    assert {one.library_index for one in found} == {103, 107}


def test_a_twin_of_a_chosen_polymer_is_not_chosen_next():
    rng = np.random.default_rng(3)
    factor = rng.normal(size=(8, 4))
    factor[1] = factor[0] * 1.0001
    factor[0] *= 5.0
    factor[1] *= 5.0
    found = suggest_measurements(factor @ factor.T, np.ones(8, bool), np.arange(8), 1.0, 2)
    assert found[0].library_index in (0, 1)
    assert found[1].library_index not in (0, 1)
