"""Robust fits: measured values that lie far away count less, by Student's t distribution."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.fitted import fit_parts
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.robust import FREEDOM, robust_weights, student_weights
from affinecal_gui.calibration.calibrators.training import TrainingPart, training_part
from affinecal_gui.calibration.checking.forecast import forecast_errors
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration, Penalties
from tests.calibration.random_problems import random_problem

FloatArray = NDArray[np.float64]
QUICK: dict[str, Any] = {"measure_next": 0, "bands": "none", "repetitions": 2, "outer_folds": 4, "log_scale": False}
QUICK |= {"penalties": {name: Penalties(20.0, 20.0) for name in ("affine", "log_difference")}}


def part_of(seed: int, *, wrong: int = 2, weighted: bool = False) -> TrainingPart:
    """A small part of which some values are off by twenty times the noise."""
    drawn = random_problem(seed)
    y = drawn.y.copy()
    y[:wrong] += 2.0
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, len(y)) if weighted else None
    return training_part(y, drawn.f, drawn.X, drawn.sizes, weights, log_scale=True)


@pytest.mark.parametrize(("seed", "weighted"), [(0, False), (1, False), (2, True)])
def test_the_fit_is_the_greatest_penalised_likelihood_of_students_t(seed: int, weighted: bool) -> None:
    part, penalties = part_of(seed, weighted=weighted), Penalties(1.0, 2.0)
    (found,) = robust_weights([part], [penalties], settled=1e-10)
    weighed = TrainingPart(**{name: getattr(part, name) for name in part.__slots__} | {"weights": part.weights * found})
    (fit,) = fit_parts(AFFINE.key, [weighed], [penalties], tolerance=1e-12)
    residuals = part.y - fit.predict(part.f, part.Z)
    scale = float(np.mean(found * part.weights * residuals**2))  # at which the weights reproduce it
    ridge = part.ridge(penalties.lambda_1, penalties.lambda_2)
    # The penalty of beta goes with the sum of the weights of the fit.
    of_beta = float(weighed.weights.sum()) * penalties.lambda_beta

    def unlikely(p: FloatArray) -> float:
        a0, a1, b, c = p[0], p[1], p[2], p[3:]
        missed = part.y - (a0 + a1 * part.t - (1.0 + b * part.t) * (part.Z @ c))
        far = part.weights * missed**2 / scale
        penalty = of_beta * b**2 + float(c @ ridge.dense() @ c)
        return float((FREEDOM + 1.0) * scale * np.log1p(far / FREEDOM).sum() + penalty)

    here = np.concatenate([[fit.a0, fit.a1, fit.b], fit.c])
    best = minimize(unlikely, here, method="BFGS", options={"gtol": 1e-9})
    assert unlikely(here) <= best.fun * (1.0 + 1e-7)
    assert here == pytest.approx(best.x, abs=2e-4)


def test_what_lies_near_counts_as_it_did_and_what_is_wrong_hardly_counts() -> None:
    (found,) = robust_weights([part_of(0, wrong=1)], [Penalties(10.0, 30.0)])
    assert found[0] < 0.3
    assert np.median(found[1:]) > 0.9
    assert found[1:].min() > 0.4
    assert found.max() <= (FREEDOM + 1.0) / FREEDOM


def test_on_normal_residuals_the_loss_is_below_five_per_cent_of_the_variance() -> None:
    # Of a fitted mean: E psi' squared over E psi squared, with psi = u z at the scale at which the weights settle.
    z = np.linspace(-9.0, 9.0, 4001)
    density = np.exp(-0.5 * z**2) / np.exp(-0.5 * z**2).sum()
    u, settled = np.ones(len(z)), False
    for _ in range(200):
        scale = float(density @ (u * z**2))
        before, u = u, (FREEDOM + 1.0) / (FREEDOM + z**2 / scale)
        settled = bool(np.abs(u - before).max() < 1e-10)
    assert settled
    psi = u * z
    slope = np.gradient(psi, z)
    efficiency = float(density @ slope) ** 2 / float(density @ psi**2)
    assert 0.95 < efficiency < 1.0
    sample = np.random.default_rng(0).normal(size=50_000)
    weights = np.ones(len(sample))
    for _ in range(50):
        weights = student_weights(sample, np.ones(len(sample)), weights)
    assert weights == pytest.approx((FREEDOM + 1.0) / (FREEDOM + sample**2 / scale), abs=0.01)


def test_parts_are_weighed_each_by_its_own_values() -> None:
    parts = [part_of(seed) for seed in range(3)]
    together = robust_weights(parts, [Penalties(1.0, 2.0)] * 3)
    for part, found in zip(parts, together, strict=True):
        assert found == pytest.approx(robust_weights([part], [Penalties(1.0, 2.0)])[0], abs=5e-3)


def test_an_exact_fit_leaves_every_weight_as_it_is() -> None:
    assert student_weights(np.zeros(5), np.ones(5), np.ones(5)).tolist() == [1.0] * 5
    drawn = random_problem(0)
    exact = training_part(2.0 + 0.5 * drawn.f, drawn.f, np.zeros((20, 0)), (), None, log_scale=True)
    (found,) = robust_weights([exact], [None])
    assert np.isfinite(found).all()


@cache
def calibrated(
    robust: bool, *, wrong: float = 0.0, whose: tuple[int, ...] = (3, 11), **options: Any
) -> tuple[Calibration, FloatArray]:
    """A line with noise of 0.1, of which some values are moved, and its true values."""
    rng = np.random.default_rng(7)
    f, X = rng.normal(0.0, 0.5, 40), rng.normal(size=(40, 60))
    truth = 3.0 + 0.8 * f
    y = truth + 0.1 * rng.normal(size=40)
    y[list(whose)] += wrong
    made = calibrate(y, f, X, f, X, (60,), CalibrationOptions(**QUICK | options, robust=robust))
    return made, truth


def test_wrong_values_hardly_move_a_robust_fit_and_their_errors_are_shown() -> None:
    (plain, truth), (robust, _) = calibrated(False, wrong=1.5), calibrated(True, wrong=1.5)
    for name in ("ordinary", "log_difference", "affine", "combined"):
        off = [float(np.sqrt(np.mean((made.models[name].library - truth) ** 2))) for made in (plain, robust)]
        assert off[1] < 0.75 * off[0], name
    # The wrong values are held out and missed, whoever fits.
    assert robust.models["ordinary"].metrics.rmse_target_scale > 0.3
    assert any(note.startswith("Robust fit: 2 of 40 measured values count less than half") for note in robust.notes)
    assert robust.protocol.startswith("leak-free, robust, ")
    assert robust.settings["robust"] is True


def test_without_the_choice_nothing_changes_and_with_it_clean_values_cost_little() -> None:
    (plain, truth), (robust, _) = calibrated(False), calibrated(True)
    assert not any("Robust" in note for note in plain.notes)
    assert plain.protocol.startswith("leak-free, 2")
    off = [float(np.sqrt(np.mean((m.models["ordinary"].library - truth) ** 2))) for m in (plain, robust)]
    assert off[1] < off[0] + 0.01


def test_a_held_out_value_has_no_say_in_the_weights_of_its_part() -> None:
    first, _ = calibrated(True)
    second, _ = calibrated(True, wrong=5.0, whose=(3,))
    kept_fit = [one.kept_fit for one in (first, second)]
    assert all(isinstance(one, KeptFit) for one in kept_fit)
    own, other = (one.held_out for one in kept_fit if isinstance(one, KeptFit))
    moved = np.flatnonzero(first.measured != second.measured)
    order = kept_fit[0].problem.order.given  # type: ignore[union-attr]
    alike = 0
    for before, after in zip(own.parts, other.parts, strict=True):
        if not np.isin(order[before.rows], moved).any():
            assert before.part.weights == pytest.approx(after.part.weights, abs=1e-12)
            alike += 1
    assert alike > 0


def test_a_forecast_of_a_robust_study_fits_robustly() -> None:
    found = []
    for robust in (False, True):
        made, _ = calibrated(robust, wrong=1.5)
        assert isinstance(made.kept_fit, KeptFit)
        found.append(forecast_errors(made.kept_fit.problem, "ordinary"))
    assert found[1].found.tolist() != found[0].found.tolist()


@pytest.mark.parametrize("protocol", ["default", "paper"])
def test_both_protocols_can_be_robust(protocol: str) -> None:
    made, _ = calibrated(True, wrong=1.5, protocol=protocol)
    assert np.isfinite(made.models["affine"].library).all()
