"""Calibrators of several source features, against the textbook's dense formulas, and beside those of one source."""

from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.calibration.calibrate import calibrate, with_given
from affinecal_gui.calibration.calibrators.fitted import fit_calibrator
from affinecal_gui.calibration.calibrators.registry import calibrator, linear_keys, source_keys
from affinecal_gui.calibration.calibrators.source_fits import (
    LAMBDA_ALPHA,
    SourceFit,
    contrasts,
    errors_alone,
    fit_sources,
    posterior_of_sources,
    weight_directions,
)
from affinecal_gui.calibration.calibrators.training import TrainingPart, training_part
from affinecal_gui.calibration.checking.comparison import compare, held_out_errors
from affinecal_gui.calibration.cross_validation.several_sources import SourceFeatures, sets_of
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import refit
from affinecal_gui.calibration.results import Calibration, Penalties
from tests.calibration import textbook_calibrators as textbook

SIZES = (3, 4)
PENALTIES = Penalties(0.7, 1.9, 0.05)
LINEAR = ("ordinary", "log_difference", "affine")


def invented(
    n: int = 20, sources: int = 3, *, log_scale: bool = True, seed: int = 1
) -> tuple[TrainingPart, np.ndarray]:
    """A training part, weighted, and its sources, which tell the measured values in part."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, sum(SIZES)))
    truth = rng.normal(0.0, 0.3, n)
    F = truth[:, None] + rng.normal(0.0, 0.2, (n, sources)) + np.arange(sources)
    y = 0.3 + 0.8 * truth - (1.0 - 0.4 * truth) * (Z @ rng.normal(0.0, 0.1, sum(SIZES))) + rng.normal(0.0, 0.05, n)
    weights = rng.uniform(0.5, 2.0, n)
    if not log_scale:
        F, y = 100.0 * F, 100.0 * (y + 5.0)
    return training_part(y, F[:, 0], Z, SIZES, weights, log_scale), F


def textbook_objective(part: TrainingPart, F: np.ndarray, theta: np.ndarray) -> float:
    """J as docs/calibration.md writes it, of alpha_0, alpha, b (by the standardised mean source) and gamma; y / unit."""
    count = F.shape[1]
    alpha_0, alpha, b, gamma = theta[0], theta[1 : 1 + count], theta[1 + count], theta[2 + count :]
    w, y, mean = part.weights, part.y / part.unit, F.mean(axis=1)
    middle = w @ mean / w.sum()
    s = np.sqrt(w @ (mean - middle) ** 2 / w.sum())
    r = y - alpha_0 - F @ alpha + (1.0 + b * (mean - middle) / s) * (part.Z @ gamma)
    spread = w.sum() * LAMBDA_ALPHA * s**2 * np.sum((alpha - alpha.mean()) ** 2)
    Lambda = textbook.penalty_matrix(SIZES, PENALTIES.lambda_1, PENALTIES.lambda_2)
    return float(w @ r**2 + w.sum() * PENALTIES.lambda_beta * b**2 + spread + gamma @ Lambda @ gamma)


def all_of(part: TrainingPart, F: np.ndarray, model: str = "affine") -> SourceFit:
    penalties = PENALTIES if calibrator(model).uses_descriptors else None
    (fit,) = fit_sources(model, [part], [F], [penalties], [tuple(range(F.shape[1]))])
    return fit


@pytest.mark.parametrize("log_scale", [True, False])
@pytest.mark.parametrize(("n", "sources"), [(20, 2), (20, 3), (6, 4)])  # more and fewer polymers than descriptors
def test_the_affine_one_is_where_the_gradient_of_the_textbook_objective_vanishes(
    n: int, sources: int, log_scale: bool
) -> None:
    part, F = invented(n, sources, log_scale=log_scale)
    fit = all_of(part, F)
    theta = np.concatenate([[fit.alpha_0], fit.alpha, [0.0], fit.of_mean.c]) / part.unit
    theta[1 + sources], theta[2 + sources :] = fit.of_mean.b, fit.of_mean.c
    assert fit.of_mean.b != 0.0
    here = textbook_objective(part, F, theta)
    steps = np.where(np.arange(len(theta)) < 1 + sources, 1e-4 / np.abs(F).max(), 1e-4)
    for at, step in enumerate(steps):
        beside = np.zeros(len(theta))
        beside[at] = step
        up, down = (textbook_objective(part, F, theta + sign * beside) for sign in (1.0, -1.0))
        curved = up + down - 2.0 * here
        # (up - down) / 2 is the gradient times the step: of a minimum far below what the step itself raises J by.
        assert abs(up - down) / 2.0 < 1e-3 * curved
        assert curved > 0.0


def test_for_its_coupling_the_affine_one_is_the_dense_ridge_solution() -> None:
    part, F = invented(20, 3)
    fit = all_of(part, F)
    mean = F.mean(axis=1)
    t = (mean - np.average(mean, weights=part.weights)) / fit.of_mean.f_sd
    A = np.column_stack([np.ones(20), F, -(1.0 + fit.of_mean.b * t)[:, None] * part.Z])
    penalty = np.zeros((A.shape[1], A.shape[1]))
    even = np.eye(3) - 1.0 / 3.0
    penalty[1:4, 1:4] = part.weights.sum() * LAMBDA_ALPHA * fit.of_mean.f_sd**2 * even
    penalty[4:, 4:] = textbook.penalty_matrix(SIZES, PENALTIES.lambda_1, PENALTIES.lambda_2)
    W = np.diag(part.weights)
    dense = np.linalg.solve(A.T @ W @ A + penalty, A.T @ W @ part.y)
    assert [fit.alpha_0, *fit.alpha, *fit.of_mean.c] == pytest.approx(dense, rel=1e-7, abs=1e-9)
    assert fit.predict(F, part.Z) == pytest.approx(A @ dense, abs=1e-9)


@pytest.mark.parametrize("n", [20, 6])
def test_the_log_difference_is_the_dense_ridge_solution_with_weights_that_add_up_to_one(n: int) -> None:
    part, F = invented(n, 3)
    fit = all_of(part, F, "log_difference")
    assert fit.alpha.sum() == pytest.approx(1.0, rel=1e-14)
    # alpha = 1/3 + B d; the offset is the mean of what is left, as that of one source.
    B = contrasts(3)
    A = np.column_stack([F @ B, part.Z])
    A[:, :2] -= np.average(A[:, :2], axis=0, weights=part.weights)
    target = part.y - F.mean(axis=1)
    target = target - np.average(target, weights=part.weights)
    penalty = np.zeros((9, 9))
    s = np.sqrt(
        np.average((F.mean(axis=1) - np.average(F.mean(axis=1), weights=part.weights)) ** 2, weights=part.weights)
    )
    penalty[:2, :2] = part.weights.sum() * LAMBDA_ALPHA * s**2 * np.eye(2)
    penalty[2:, 2:] = textbook.penalty_matrix(SIZES, PENALTIES.lambda_1, PENALTIES.lambda_2)
    W = np.diag(part.weights)
    dense = np.linalg.solve(A.T @ W @ A + penalty, A.T @ W @ target)
    assert fit.alpha == pytest.approx(1.0 / 3.0 + B @ dense[:2], rel=1e-9)
    assert fit.of_mean.c == pytest.approx(dense[2:], rel=1e-8, abs=1e-10)


def test_ordinary_regression_is_the_dense_ridge_solution() -> None:
    part, F = invented(20, 3)
    fit = all_of(part, F, "ordinary")
    mean = F.mean(axis=1)
    s2 = np.average((mean - np.average(mean, weights=part.weights)) ** 2, weights=part.weights)
    A = np.column_stack([np.ones(20), F])
    penalty = np.zeros((4, 4))
    penalty[1:, 1:] = part.weights.sum() * LAMBDA_ALPHA * s2 * (np.eye(3) - 1.0 / 3.0)
    W = np.diag(part.weights)
    assert [fit.alpha_0, *fit.alpha] == pytest.approx(
        np.linalg.solve(A.T @ W @ A + penalty, A.T @ W @ part.y), rel=1e-9
    )


@pytest.mark.parametrize("model", LINEAR)
def test_with_one_source_nothing_moves_by_a_bit(model: str) -> None:
    part, F = invented()
    (fit,) = fit_sources(model, [part], [F], [PENALTIES], [(0,)])
    simple = fit_calibrator(model, part, PENALTIES)
    assert fit.predict(F, part.Z).tobytes() == simple.predict(part.f, part.Z).tobytes()
    assert (fit.alpha_0, fit.alpha.tolist()) == (simple.alpha_0, [simple.alpha_1])


@pytest.mark.parametrize("model", LINEAR)
def test_the_order_of_sources_changes_nothing_and_equal_ones_share_the_weight(model: str) -> None:
    part, F = invented()
    fit, turned = all_of(part, F, model), all_of(part, F[:, ::-1], model)
    assert turned.alpha[::-1] == pytest.approx(fit.alpha, rel=1e-7)
    twice = all_of(part, F[:, [1, 1]], model)
    assert twice.alpha[0] == pytest.approx(twice.alpha[1], rel=1e-12)
    (alone,) = fit_sources(model, [part], [F], [PENALTIES], [(1,)])
    assert twice.predict(F[:, [1, 1]], part.Z) == pytest.approx(alone.predict(F, part.Z), rel=1e-10)


@pytest.mark.parametrize("model", LINEAR)
def test_errors_of_polymers_held_out_alone_are_those_of_refits(model: str) -> None:
    part, F = invented(14, 2)
    own = replace(part, weights=np.ones(14))
    groups = np.repeat(np.arange(7), 2)  # two rows each
    missed = np.empty(14)
    free = [np.ones(14)] if model == "log_difference" else [np.ones(14), F.mean(axis=1)]
    target = part.y - F.mean(axis=1) if model == "log_difference" else part.y
    A = np.column_stack([*free, F @ contrasts(2), *([] if model == "ordinary" else [part.Z])])
    penalty = np.zeros((A.shape[1], A.shape[1]))
    at = len(free)
    penalty[at, at] = 14 * LAMBDA_ALPHA * F.mean(axis=1).var()
    if model != "ordinary":
        penalty[at + 1 :, at + 1 :] = textbook.penalty_matrix(SIZES, PENALTIES.lambda_1, PENALTIES.lambda_2)
    known = None if model == "ordinary" else PENALTIES
    found, second_alone = errors_alone(model, own, F, known, groups, [(0, 1), (1,)])
    for group in range(7):
        train = groups != group
        fit = np.linalg.solve(A[train].T @ A[train] + penalty, A[train].T @ target[train])
        missed[~train] = (A @ fit - target)[~train]
    # Sources are centred and scaled by all rows, which shifts what the offset takes up.
    assert found == pytest.approx(np.bincount(groups, weights=missed**2), rel=1e-6)
    (by_itself,) = errors_alone(model, own, F, known, groups, [(1,)])
    assert second_alone.tobytes() == by_itself.tobytes()  # whatever is tried beside it


def test_bounds_of_the_weights_are_those_of_the_linearised_model() -> None:
    part, F = invented(20, 2)
    fit = all_of(part, F, "ordinary")
    seen, known = posterior_of_sources(fit, part, F)
    variance = known.variance(weight_directions(fit, seen, known))
    mean = F.mean(axis=1)
    s2 = np.average((mean - np.average(mean, weights=part.weights)) ** 2, weights=part.weights)
    A = np.column_stack([np.ones(20), F])
    penalty = np.zeros((3, 3))
    penalty[1:, 1:] = part.weights.sum() * LAMBDA_ALPHA * s2 * (np.eye(2) - 0.5)
    covariance = np.linalg.inv(A.T @ np.diag(part.weights) @ A + penalty)
    assert variance == pytest.approx(np.diag(covariance), rel=1e-8)


def test_of_few_sources_all_sets_are_tried_and_of_many_each_alone_and_all() -> None:
    assert sets_of(2) == [(0,), (1,), (0, 1)]
    assert len(sets_of(4)) == 15
    assert sets_of(6) == [(0,), (1,), (2,), (3,), (4,), (5,), (0, 1, 2, 3, 4, 5)]


# -- in a calibration ---------------------------------------------------------------------------------------------------

N, M = 24, 30
RNG = np.random.default_rng(5)
DESCRIPTORS = RNG.normal(size=(M, 4))
TRUE = RNG.uniform(0.0, 0.5, M) + DESCRIPTORS @ np.array([0.2, -0.1, 0.0, 0.1])
MEASURED = np.exp(7.0 + TRUE[:N] + RNG.normal(0.0, 0.03, N))
MD = np.exp(7.5 + TRUE + RNG.normal(0.0, 0.15, M))
BETTER = np.exp(7.1 + TRUE + RNG.normal(0.0, 0.05, M))
OPTIONS = CalibrationOptions(
    log_scale=True, repetitions=1, outer_folds=4, lambda_1_grid=(0.5, 5.0), lambda_2_grid=(1.0, 10.0), measure_next=0
)


def calibrated(
    library: np.ndarray = BETTER, *, of_whole_library: bool = True, options: CalibrationOptions = OPTIONS
) -> Calibration:
    features = SourceFeatures(("a better one",), BETTER[:N, None], library[:, None], of_whole_library)
    return calibrate(MEASURED, MD[:N], DESCRIPTORS[:N], MD, DESCRIPTORS, (4,), options, sources=features)


@pytest.fixture(scope="module")
def known() -> Calibration:
    return calibrated()


def test_they_are_checked_and_ranked_beside_the_others_which_stay_as_they_are(known: Calibration) -> None:
    alone = calibrate(MEASURED, MD[:N], DESCRIPTORS[:N], MD, DESCRIPTORS, (4,), OPTIONS)
    assert tuple(known.models) == (*linear_keys(), *source_keys())
    for name in linear_keys():
        for field in ("out_of_fold", "library", "library_lower", "fitted"):
            assert getattr(known.models[name], field).tobytes() == getattr(alone.models[name], field).tobytes()
    for name in source_keys():
        assert known.models[name].metrics.rmse < known.models[calibrator(name).one_source].metrics.rmse
    sides = {side for pair in known.recommendation.comparisons for side in (pair.better, pair.worse)}
    assert set(source_keys()) <= sides


def test_the_weight_of_every_source_is_named_with_its_interval(known: Calibration) -> None:
    found = known.models["affine_sources"].parameters
    assert list(found) == ["alpha_0", "beta of the mean source", "alpha of MD as it is", "alpha of a better one"]
    for name in ("alpha_0", "alpha of MD as it is", "alpha of a better one"):
        one = found[name]
        assert one.value == 0.0 or one.lower < one.value < one.upper
    difference = known.models["log_difference_sources"].parameters
    assert difference["alpha of MD as it is"].value + difference["alpha of a better one"].value == pytest.approx(1.0)


def test_a_source_that_is_clearly_better_is_taken_alone() -> None:
    rng = np.random.default_rng(3)
    noise = np.exp(rng.normal(7.5, 0.3, M))
    exact = np.append(MEASURED, BETTER[N:])
    features = SourceFeatures(("exact",), exact[:N, None], exact[:, None])
    found = calibrate(MEASURED, noise[:N], DESCRIPTORS[:N], noise, DESCRIPTORS, (4,), OPTIONS, sources=features)
    parameters = found.models["ordinary_sources"].parameters
    assert parameters["alpha of MD as it is"].value == 0.0
    assert parameters["alpha of exact"].value == pytest.approx(1.0, rel=1e-6)


def test_a_polymer_that_lacks_a_source_has_the_value_of_the_calibrator_of_one_and_a_note_counts_it(
    known: Calibration,
) -> None:
    library = BETTER.copy()
    library[-2:] = np.nan
    found = calibrated(library)
    for name in source_keys():
        own, simple = found.models[name], found.models[calibrator(name).one_source]
        for field in ("library", "library_lower", "library_upper"):
            np.testing.assert_array_equal(getattr(own, field)[-2:], getattr(simple, field)[-2:])
            np.testing.assert_array_equal(getattr(own, field)[:-2], getattr(known.models[name], field)[:-2])
    assert any("2 polymers of the library lack a source" in note for note in found.notes)


def test_where_nobody_looked_for_a_source_there_is_no_value_until_it_comes(known: Calibration) -> None:
    library = np.where(np.arange(M) < N, BETTER, np.nan)
    first = calibrated(library, of_whole_library=False)
    own = first.models["affine_sources"]
    assert np.isnan(own.library[N:]).all()
    assert np.isfinite(own.library[:N]).all()
    later = with_given(first, {}, SourceFeatures(("a better one",), BETTER[:N, None], BETTER[:, None]))
    for field in ("library", "library_lower", "library_upper"):
        expected = getattr(known.models["affine_sources"], field)
        np.testing.assert_allclose(getattr(later.models["affine_sources"], field), expected, rtol=1e-12)


def test_a_polymer_of_the_fit_that_lacks_a_source_counts_with_the_calibrator_of_one() -> None:
    lacking = np.isin(np.arange(N), (3, 11))
    better = np.where(np.isin(np.arange(M), (3, 11)), np.nan, BETTER)
    features = SourceFeatures(("a better one",), better[:N, None], better[:, None])
    found = calibrate(MEASURED, MD[:N], DESCRIPTORS[:N], MD, DESCRIPTORS, (4,), OPTIONS, sources=features)
    for name in source_keys():
        own, simple = found.models[name], found.models[calibrator(name).one_source]
        for field in ("out_of_fold", "fitted"):
            np.testing.assert_allclose(getattr(own, field)[lacking], getattr(simple, field)[lacking], rtol=1e-12)
            assert np.isfinite(getattr(own, field)).all()
        assert own.metrics.rmse < simple.metrics.rmse
    assert any("2 of 24 polymers of the fit lack a source" in note for note in found.notes)


def test_where_fewer_than_eight_polymers_of_the_fit_have_all_sources_there_are_none() -> None:
    better = np.where(np.arange(M) < 7, BETTER, np.nan)
    features = SourceFeatures(("a better one",), better[:N, None], better[:, None])
    found = calibrate(MEASURED, MD[:N], DESCRIPTORS[:N], MD, DESCRIPTORS, (4,), OPTIONS, sources=features)
    assert tuple(found.models) == linear_keys()


def test_the_papers_protocol_knows_one_source() -> None:
    found = calibrated(options=replace(OPTIONS, protocol="paper"))
    assert not set(source_keys()) & set(found.models)


def test_they_follow_the_penalties_with_the_sources_of_before(known: Calibration) -> None:
    own = Penalties(2.0, 5.0)
    found = refit(known, {"affine": own, "log_difference": own})
    by_hand = replace(OPTIONS, penalties={"affine": own, "log_difference": own})
    anew = calibrated(options=by_hand)
    for name in ("affine_sources", "log_difference_sources"):
        assert found.models[name].penalties == own
        np.testing.assert_allclose(found.models[name].fitted, anew.models[name].fitted, rtol=1e-9)
    assert found.models["ordinary_sources"] is known.models["ordinary_sources"]


@pytest.mark.parametrize(("gain", "recommended"), [(0.9, "ordinary"), (0.3, "ordinary_sources")])
def test_several_sources_are_recommended_only_where_they_are_clearly_better(gain: float, recommended: str) -> None:
    rng = np.random.default_rng(2)
    errors = rng.normal(0.0, 0.1, 40)
    own = gain * errors + rng.normal(0.0, 0.02, 40)
    y = np.zeros(40)
    found = compare(
        {
            "md": held_out_errors(y, np.stack([errors + 0.5] * 2)),
            "ordinary": held_out_errors(y, np.stack([errors] * 2)),
            "ordinary_sources": held_out_errors(y, np.stack([own] * 2)),
        },
        np.arange(40),
        log_scale=True,
    )
    assert found.best == "ordinary_sources"
    assert found.recommended == recommended
    assert "several sources" in found.sentence


def test_whatever_the_unit_the_result_is_the_same(known: Calibration) -> None:
    features = SourceFeatures(("a better one",), 1e-3 * BETTER[:N, None], 1e-3 * BETTER[:, None])
    scaled = calibrate(
        1e-3 * MEASURED, 1e-3 * MD[:N], DESCRIPTORS[:N], 1e-3 * MD, DESCRIPTORS, (4,), OPTIONS, sources=features
    )
    for name in source_keys():
        np.testing.assert_allclose(1e3 * scaled.models[name].library, known.models[name].library, rtol=1e-7)
