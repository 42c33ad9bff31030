"""Calibrators whose values come with the data: checked and ranked beside those that are fitted."""

import numpy as np
import pytest

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.calibrator import Calibrator
from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.calibrators.registry import (
    calibrator_keys,
    given_keys,
    kernel_keys,
    linear_keys,
    source_keys,
)
from affinecal_gui.calibration.cross_validation.given_values import GivenValues
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators, linear_part
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import refit
from affinecal_gui.calibration.results import Calibration, Penalties
from tests.calibration.simulated_polymers import FEW_PENALTIES

KEY = QUANTUM_CORRECTED.key
RNG = np.random.default_rng(7)
N, M = 24, 30
MEASURED = RNG.uniform(1000.0, 2000.0, N)
MD = MEASURED * 2.3 * np.exp(RNG.normal(0.0, 0.1, N))
GIVEN = MEASURED * np.exp(RNG.normal(0.05, 0.08, N))
LIBRARY_MD = np.concatenate([MD, RNG.uniform(2500.0, 4500.0, M - N)])
LIBRARY = np.concatenate([GIVEN, RNG.uniform(1000.0, 2000.0, M - N)])
X = RNG.normal(size=(M, 4))
LISTED = tuple(key for key in calibrator_keys() if key in (*linear_keys(), KEY))


def calibrated(given: np.ndarray = GIVEN, library: np.ndarray = LIBRARY, *, log_scale: bool = True) -> Calibration:
    options = CalibrationOptions(log_scale=log_scale, repetitions=2, outer_folds=4, **FEW_PENALTIES)
    values = {KEY: GivenValues(given, library)}
    return calibrate(MEASURED, MD, X[:N], LIBRARY_MD, X, (4,), options, groups=np.arange(N), given=values)


@pytest.mark.parametrize("log_scale", [True, False])
def test_given_values_are_shown_as_they_are(log_scale: bool) -> None:
    found = calibrated(log_scale=log_scale).models[KEY]
    assert found.out_of_fold == pytest.approx(GIVEN)
    assert found.fitted == pytest.approx(GIVEN)
    assert found.library == pytest.approx(LIBRARY)
    errors = np.log(GIVEN / MEASURED) if log_scale else GIVEN - MEASURED
    assert found.metrics.rmse_target_scale == pytest.approx(np.sqrt(np.mean(errors**2)))
    assert found.coefficients is None
    assert not found.parameters


def test_the_interval_is_that_of_the_errors() -> None:
    found = calibrated()
    own = found.models[KEY]
    errors = np.sort(np.abs(np.log(GIVEN / MEASURED)))
    # 0.9 (n + 1) of n = 24 errors: the 23rd.
    assert np.log(own.library_upper / own.library) == pytest.approx(errors[22])
    inside = (own.out_of_fold_lower <= MEASURED) & (own.out_of_fold_upper >= MEASURED)
    assert inside.mean() >= 0.9


def test_given_values_are_ranked_with_the_others_in_the_order_of_the_registry() -> None:
    found = calibrated()
    assert tuple(found.models) == LISTED
    assert LISTED.index(KEY) == 1
    pairs = {(pair.better, pair.worse) for pair in found.recommendation.comparisons}
    assert (KEY, "md") in pairs
    assert len(pairs) == len(LISTED) * (len(LISTED) - 1) // 2


def test_without_a_value_for_a_polymer_of_the_fit_they_are_not_compared() -> None:
    for value in (np.nan, -5.0, np.inf):
        given = GIVEN.copy()
        given[3] = value
        assert tuple(calibrated(given).models) == linear_keys()


def test_a_polymer_of_the_library_without_a_value_stays_without() -> None:
    library = LIBRARY.copy()
    library[-1] = np.nan
    found = calibrated(library=library).models[KEY]
    assert np.isnan([found.library[-1], found.library_lower[-1], found.library_upper[-1]]).all()
    assert np.isfinite(found.library[:-1]).all()


def test_given_values_stay_when_penalties_change_and_methods_with_kernels_come_and_go() -> None:
    first = calibrated()
    again = refit(first, {"affine": Penalties(1.0, 10.0)})
    compared = compare_calibrators(again, ("direct",)).calibration
    alone = linear_part(compared)
    for one in (again, compared, alone):
        assert one.models[KEY].library == pytest.approx(LIBRARY)
        sides = {side for pair in one.recommendation.comparisons for side in (pair.better, pair.worse)}
        assert KEY in sides
    assert tuple(compared.models) == (*LISTED, "direct")
    assert tuple(alone.models) == tuple(first.models)


def test_the_kinds_of_calibrators_make_up_the_registry() -> None:
    assert given_keys() == (KEY,)
    assert sorted((*given_keys(), *linear_keys(), *source_keys(), *kernel_keys())) == sorted(calibrator_keys())


def test_a_calibrator_comes_in_one_way() -> None:
    with pytest.raises(ValueError, match="must come in one way"):
        Calibrator("x", "x", "x", "grey", "y = f", "Nothing.")


def test_given_values_must_be_as_many_as_polymers() -> None:
    with pytest.raises(ValueError, match="23 given values for 24 polymers"):
        calibrated(GIVEN[1:])
