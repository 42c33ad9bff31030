"""Calibrated values of polymers nobody has simulated, against a calibration that had them in its library from the start."""

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.cross_validation.said_of_new import part_fits
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.surrogate.surrogate import NOTHING_LEFT_OUT
from affinecal_gui.calibration.surrogate.training_rows import training_rows
from affinecal_gui.calibration.surrogate.unsimulated import UnsimulatedMD
from affinecal_gui.calibration.unsimulated import UnsimulatedCalibrator, calibrate_unsimulated
from tests.calibration.textbook_calibrators import penalty_matrix

FloatArray = NDArray[np.float64]
SIZES = (4, 3)
OPTIONS = CalibrationOptions(
    log_scale=False,
    repetitions=2,
    outer_folds=3,
    lambda_1_grid=(0.3, 3.0),
    lambda_2_grid=(0.0, 1.0),
    bands="none",
    measure_next=0,
)
MEASURED, ROWS, NEW = 20, 70, 6
WEIGHTS = np.linspace(0.5, 1.5, MEASURED)


def polymers() -> tuple[FloatArray, FloatArray]:
    """MD values and seven descriptors; the first are measured, the last new."""
    generator = np.random.default_rng(3)
    X = generator.normal(size=(ROWS + NEW, 7))
    return X[:, 0] + np.sin(X[:, 1]) + 0.05 * generator.normal(size=len(X)), X


def measured() -> FloatArray:
    f, X = polymers()
    return 2.0 * f[:MEASURED] + 1.0 + 0.3 * X[:MEASURED, 2]


@pytest.fixture(scope="module")
def trained() -> UnsimulatedCalibrator:
    f, X = polymers()
    return calibrate_unsimulated(
        measured(), np.arange(MEASURED), X[:MEASURED], f[:ROWS], X[:ROWS], SIZES, OPTIONS, weights=WEIGHTS
    )


def test_what_comes_later_gets_the_values_it_would_have_had_in_the_library(trained: UnsimulatedCalibrator) -> None:
    f, X = polymers()
    surrogate = UnsimulatedMD(training_rows(f[:ROWS], X[:ROWS], SIZES), np.arange(MEASURED), X[:MEASURED], X[ROWS:])
    (guessed,) = surrogate.without([NOTHING_LEFT_OUT])
    whole = calibrate(
        measured(),
        guessed.measured,
        X[:MEASURED],
        guessed.library,
        X[ROWS:],
        SIZES,
        OPTIONS,
        weights=WEIGHTS,
        predicted=surrogate,
    )
    assert trained.models == tuple(whole.models)
    for model, expected in whole.models.items():
        found = trained.apply(X[ROWS:], model, (OPTIONS.interval_level,))
        (own,) = found.applied
        np.testing.assert_allclose(found.md, guessed.library, rtol=1e-9)
        np.testing.assert_allclose(found.deviation, guessed.library_deviation, rtol=1e-7)
        np.testing.assert_allclose(own.values, expected.library, rtol=1e-9)
        np.testing.assert_allclose(own.lower, expected.library_lower, rtol=1e-7)
        np.testing.assert_allclose(own.upper, expected.library_upper, rtol=1e-7)
        assert own.inside.tolist() == whole.validity.inside.tolist()
        assert found.validity.nearest.tolist() == whole.validity.nearest.tolist()
        np.testing.assert_allclose(found.validity.nearest_distance, whole.validity.nearest_distance, rtol=1e-9)
        assert found.validity.descriptors_inside.tolist() == whole.validity.descriptors_inside.tolist()


def test_the_share_of_predicted_md_values_is_in_the_scatter_that_is_the_unit_of_the_spread() -> None:
    """About a line that is what generalised least squares leaves, with structure as the prior of log-difference has it."""
    f, X = polymers()
    y = measured() + 1.5 * np.random.default_rng(4).normal(size=MEASURED)
    found = calibrate_unsimulated(
        y, np.arange(MEASURED), X[:MEASURED], f[:ROWS], X[:ROWS], SIZES, OPTIONS, weights=WEIGHTS
    )
    kept_fit = found.calibration.kept_fit
    assert isinstance(kept_fit, KeptFit)
    held_out = kept_fit.held_out
    of_parts = part_fits(kept_fit.problem, held_out, "ordinary")
    for position, wider in enumerate(of_parts.widenings):
        own, penalties = held_out.parts[position], held_out.fits["log_difference"][position].penalties
        assert penalties is not None
        deviation = held_out.known[position].deviation
        assert deviation is not None
        part, typical = own.part, np.mean(deviation[own.rows] ** 2)
        Lambda = penalty_matrix(SIZES, penalties.lambda_1, penalties.lambda_2)
        inverse = np.linalg.inv(np.diag(1.0 / part.weights) + part.Z @ np.linalg.solve(Lambda, part.Z.T))
        H = np.column_stack([np.ones(len(part.y)), part.f])
        left = part.y - H @ np.linalg.solve(H.T @ inverse @ H, H.T @ inverse @ part.y)
        scatter = left @ inverse @ left / (len(part.y) - 2)
        slope = np.polyfit(part.f, part.y, 1, w=np.sqrt(part.weights))[0]
        assert wider.share == pytest.approx(slope**2 * typical / scatter, rel=1e-6)
        assert wider.typical == pytest.approx(typical)


def test_a_polymer_alone_gets_what_it_gets_among_others_and_a_higher_level_a_wider_interval(
    trained: UnsimulatedCalibrator,
) -> None:
    X = polymers()[1][ROWS:]
    together = trained.apply(X, "combined", (0.5, 0.9))
    alone = trained.apply(X[[2]], "combined", (0.5, 0.9))
    np.testing.assert_allclose(alone.applied[1].values, together.applied[1].values[[2]], rtol=1e-9)
    np.testing.assert_allclose(alone.applied[1].upper, together.applied[1].upper[[2]], rtol=1e-8)
    narrow, wide = together.applied
    assert (narrow.lower > wide.lower).all()
    assert (narrow.upper < wide.upper).all()


def test_a_polymer_without_descriptors_has_no_value_and_none_at_all_is_no_error(trained: UnsimulatedCalibrator) -> None:
    X = polymers()[1][ROWS:].copy()
    X[1, 3] = np.nan
    (found,) = trained.apply(X, "affine", (0.9,)).applied
    assert np.isfinite(found.values).tolist() == [True, False, True, True, True, True]
    assert found.usable.tolist() == np.isfinite(found.values).tolist()
    assert len(trained.apply(X[:0], "affine", (0.9,)).md) == 0


def test_a_measured_polymer_that_was_not_simulated_is_calibrated_with_all_the_same() -> None:
    f, X = polymers()
    own = np.arange(MEASURED)
    own[-3:] = -1
    simulated = np.r_[0 : MEASURED - 3, MEASURED:ROWS]
    own[:-3] = np.arange(MEASURED - 3)
    found = calibrate_unsimulated(measured(), own, X[:MEASURED], f[simulated], X[simulated], SIZES, OPTIONS)
    assert len(found.calibration.measured) == MEASURED
    assert found.md_rows == ROWS - 3
    error = found.apply(X[ROWS:], "affine", (0.9,)).md - f[ROWS:]
    assert np.sqrt(np.mean(error**2)) < 0.5 * f.std()


def test_one_polymer_takes_a_fraction_of_a_second_once_everything_is_learned(trained: UnsimulatedCalibrator) -> None:
    X = polymers()[1][ROWS:]
    trained.prepare("combined")
    began = time.process_time()
    trained.apply(X[[0]], "combined", (0.9,))
    assert time.process_time() - began < 0.5
