"""Values that no calibrator can know are not shown as numbers; all others stay what they are."""

import numpy as np
import pytest

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.checking.extrapolation import FARTHEST, SMALLEST_RANGE, WIDEST, without_meaning
from affinecal_gui.calibration.options import CalibrationOptions
from tests.calibration.simulated_polymers import FEW_PENALTIES

y, f = np.linspace(7.0, 8.0, 11), np.linspace(8.0, 8.5, 11)


def judged(value, half_width=0.1, md=8.2, log=True, scale=1.0):
    """One library polymer against measured values of range 1 and MD values of range 0.5."""
    v = np.array([value])
    return bool(without_meaning(scale * y, scale * f, scale * np.array([md]), scale * v, scale * (v - half_width),
                                scale * (v + half_width), log)[0])  # fmt: skip


@pytest.mark.parametrize("scale", [1.0, 1e-25, 1e25])
def test_a_value_may_lie_one_range_beyond_the_measured_ones(scale):
    assert FARTHEST == 1.0
    for inside in (7.0, 7.5, 8.99, 6.01):
        assert not judged(inside, log=False, scale=scale)
    for outside in (9.01, 5.99):
        assert judged(outside, log=False, scale=scale)


def test_by_as_much_as_md_leads_beyond_its_own_range():
    assert judged(9.8)
    assert not judged(9.8, md=9.4)  # MD lies 0.9 beyond
    assert not judged(5.3, md=7.2)


def test_an_interval_that_says_nothing():
    assert not judged(7.5, half_width=0.49 * WIDEST)
    assert judged(7.5, half_width=0.51 * WIDEST)
    assert judged(7.5, half_width=np.inf)


def test_what_is_missing_is_no_extrapolation():
    assert not judged(np.nan)


def test_measured_values_that_happen_to_be_alike_leave_some_room():
    same = np.full(9, 7.3)
    beyond = np.array([7.3 + 0.9 * SMALLEST_RANGE, 7.3 + 1.1 * SMALLEST_RANGE])
    assert without_meaning(same, same, same[:2], beyond, beyond, beyond, True).tolist() == [False, True]


@pytest.fixture(scope="module")
def problem():
    """20 measured polymers, 30 of the library; one descriptor hardly varies among the measured (an absent element)."""
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(30, 12))
    X[:, 3] = 1e-26 * rng.uniform(size=30)
    X[25:, 3] = 0.2
    md = np.exp(rng.normal(8.0, 0.2, 30))
    measured = md[:20] * np.exp(-0.5 - 0.4 * X[:20, 0] + 0.05 * rng.normal(size=20))
    return measured, md, X


@pytest.mark.parametrize("protocol", ["default", "paper"])
def test_a_library_polymer_is_either_plausible_or_without_a_value(problem, protocol):
    measured, md, X = problem
    options = CalibrationOptions(protocol=protocol, repetitions=1)
    found = calibrate(measured, md[:20], X[:20], md, X, (12,), options)
    span = max(np.ptp(np.log(measured)), np.ptp(np.log(md[:20])))
    for model in list(found.models)[1:]:
        result = found.models[model]
        given = np.isfinite(result.library)
        assert given[:20].all()  # polymers of the fit are never extrapolations
        for values in (result.library_lower, result.library_upper):
            assert (np.isfinite(values) == given).all()
        lead = np.maximum(np.log(md) - np.log(md[:20]).max(), 0.0)[given]
        assert (np.log(result.library[given]) <= np.log(measured).max() + lead + span + 1e-9).all()
    withheld = int((~np.isfinite(found.models["affine"].library)).sum())
    assert withheld == (5 if protocol == "paper" else 0)  # plain z-scores make 1e25 standard units of the five
    assert any("No calibrated value is given" in note for note in found.notes) == (withheld > 0)
    assert all(one.library_index < 25 for one in found.measure_next) or protocol == "default"


def test_values_inside_the_training_domain_are_those_of_the_formula(problem):
    measured, md, X = problem
    found = calibrate(measured, md[:20], X[:20], md, X, (12,), CalibrationOptions(repetitions=1))
    affine = found.models["affine"]
    p, c = affine.parameters, affine.coefficients
    t = np.log(md)
    z = (X - c.mean) / c.scale
    by_hand = p["alpha_0"].value + p["alpha_1"].value * t - (1 + p["beta"].value * t) * (z @ c.gamma)
    np.testing.assert_allclose(np.log(affine.library[:25]), by_hand[:25], rtol=1e-9)


def test_a_perfect_fit_lies_inside_its_intervals():
    rng = np.random.default_rng(2)
    X, md = rng.uniform(size=(40, 12)), np.exp(rng.normal(8.0, 0.2, 40))
    for log in (True, False):
        for measured in (md, 0.7 * md):
            options = CalibrationOptions(log_scale=log, repetitions=1, outer_folds=5, **FEW_PENALTIES)
            found = calibrate(measured, md, X, md, X, (12,), options)
            best = found.models[found.recommendation.best]
            inside = (best.out_of_fold_lower <= measured) & (measured <= best.out_of_fold_upper)
            assert inside.sum() >= 36
            assert np.all(best.out_of_fold_upper - best.out_of_fold_lower <= 1e-9 * measured)


@pytest.mark.parametrize("value", [1e300, 1e-300, 5e-324, -1e200])
def test_values_that_cannot_be_calculated_with_are_named(problem, value):
    measured, md, X = (array.copy() for array in problem)
    measured[4] = value
    with pytest.raises(ValueError, match=r"too large or too small.*\(polymer 5, value"):
        calibrate(measured, md[:20], X[:20], md, X, (12,), CalibrationOptions(log_scale=value > 0))
