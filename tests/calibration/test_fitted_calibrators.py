"""Fits on standardised data, reported on natural scales."""

import numpy as np
import pytest

from affinecal_gui.calibration.calibrators import fitted
from affinecal_gui.calibration.calibrators.fitted import fit_calibrator, fit_parts, refit_with_weights
from affinecal_gui.calibration.calibrators.fitting.affine import AffineFitting
from affinecal_gui.calibration.calibrators.fitting.log_difference import DifferenceFitting
from affinecal_gui.calibration.calibrators.objectives.affine import fit_affine
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from tests.calibration.simulated_polymers import simulate

PENALTIES = Penalties(0.5, 1.5, 0.01)


def part_of(seed=0, n=30, beta=0.3, log_scale=True, unit=1.0, weights=None, sizes=(6, 8)):
    data = simulate(seed, n=n, beta=beta, sizes=sizes)
    y, f = (np.log(data.measured), np.log(data.md)) if log_scale else (unit * data.measured, unit * data.md)
    return training_part(y, f, learn_scale(data.X, sizes).apply(data.X), sizes, weights, log_scale)


@pytest.mark.parametrize("model", ["ordinary", "log_difference", "affine"])
@pytest.mark.parametrize("log_scale", [True, False])
def test_natural_parameters_are_the_same_model(model, log_scale):
    part = part_of(log_scale=log_scale)
    one = fit_calibrator(model, part, PENALTIES)
    correction = part.Z @ one.gamma if len(one.gamma) else 0.0
    natural = one.alpha_0 + one.alpha_1 * part.f + one.sign * (1.0 + one.beta * part.f) * correction
    np.testing.assert_allclose(natural, one.predict(part.f, part.Z), rtol=1e-9)
    if model == "affine":
        assert abs(one.beta) > 1e-4  # the test would be empty without a coupling


def test_natural_parameters_of_log_difference():
    one = fit_calibrator("log_difference", part_of(), PENALTIES)
    assert (one.alpha_1, one.beta, one.sign) == (1.0, 0.0, 1)


@pytest.mark.parametrize("unit", [1e-20, 1e20])
@pytest.mark.parametrize("model", ["ordinary", "log_difference", "affine"])
def test_the_unit_of_a_linear_property_does_not_matter(model, unit):
    one = fit_calibrator(model, part_of(log_scale=False), PENALTIES)
    other = fit_calibrator(model, part_of(log_scale=False, unit=unit), PENALTIES)
    base, scaled = part_of(log_scale=False), part_of(log_scale=False, unit=unit)
    np.testing.assert_allclose(other.predict(scaled.f, scaled.Z) / unit, one.predict(base.f, base.Z), rtol=1e-7)


def test_a_batch_equals_single_fits():
    parts = [part_of(seed, n) for seed, n in ((1, 20), (2, 20), (3, 17), (4, 21))]
    penalties = [Penalties(0.5, 1.0), Penalties(1.0, 3.0), Penalties(2.0, 0.5), Penalties(0.7, 0.7)]
    for model in ("md", "ordinary", "log_difference", "affine"):
        for one, part, own in zip(fit_parts(model, parts, penalties), parts, penalties, strict=True):
            single = fit_calibrator(model, part, own)
            np.testing.assert_allclose(
                one.predict(part.f, part.Z), single.predict(part.f, part.Z), rtol=1e-8, err_msg=model
            )


@pytest.mark.parametrize(("model", "fitting"), [("log_difference", DifferenceFitting), ("affine", AffineFitting)])
@pytest.mark.parametrize("sizes", [(6, 8), (20, 20)])
def test_parts_that_do_not_fit_into_memory_together_are_fitted_in_several_batches(monkeypatch, model, fitting, sizes):
    parts = [part_of(seed, 25, sizes=sizes) for seed in range(7)]
    whole = fit_parts(model, parts, [PENALTIES] * 7)
    monkeypatch.setattr(fitted, "MOST_STACKED", 3 * parts[0].Z.size)
    together = []

    def counted(self, chosen, *more, batch=fitting.fit_batch):
        together.append(len(chosen))
        return batch(self, chosen, *more)

    monkeypatch.setattr(fitting, "fit_batch", counted)
    monkeypatch.setattr(fitting, "fit", None)  # none is fitted alone
    for one, other in zip(whole, fit_parts(model, parts, [PENALTIES] * 7), strict=True):
        np.testing.assert_allclose(other.c, one.c, rtol=1e-10)
    assert together == [3, 3, 1]


@pytest.mark.parametrize("model", ["log_difference", "affine"])
@pytest.mark.parametrize("smallest", [1e-2, 1e-5])
def test_a_batch_of_more_polymers_than_descriptors_loses_nothing_to_small_penalties(model, smallest):
    """In the space of the polymers, in which few of them are solved for, what little remains of the residuals is rounded."""
    parts = [part_of(seed, 40) for seed in (1, 2)]
    own = Penalties(smallest, smallest, 0.01)
    for one, part in zip(fit_parts(model, parts, [own] * 2), parts, strict=True):
        np.testing.assert_allclose(one.c, fit_calibrator(model, part, own).c, rtol=1e-5)


@pytest.mark.parametrize("model", ["ordinary", "log_difference", "affine"])
@pytest.mark.parametrize("sizes", [(6, 8), (20, 20)])
def test_refits_with_weights_equal_repeated_rows(model, sizes):
    part = part_of(5, n=25, sizes=sizes)
    counts = np.random.default_rng(0).integers(1, 4, (3, 25))
    one = fit_calibrator(model, part, PENALTIES)
    for again, own in zip(refit_with_weights(one, part, counts.astype(float)), counts, strict=True):
        rows = np.repeat(np.arange(25), own)
        if model == "affine":
            penalty = FusedRidge(sizes, PENALTIES.lambda_1, PENALTIES.lambda_2)
            fit = fit_affine(part.Z[rows], part.t[rows], part.y[rows], penalty, PENALTIES.lambda_beta)
            expected = fit.predict(part.Z, part.t)
        else:
            full = np.ones(len(rows))
            repeated = training_part(part.y[rows], part.f[rows], part.Z[rows], sizes, full, True)
            expected = fit_calibrator(model, repeated, PENALTIES).predict(part.f, part.Z)
        np.testing.assert_allclose(again.predict(part.f, part.Z), expected, rtol=1e-7)


def test_without_descriptors_affine_is_ordinary():
    data = simulate(0)
    part = training_part(np.log(data.measured), np.log(data.md), np.zeros((30, 0)), (), None, True)
    nothing = np.zeros((30, 0))
    np.testing.assert_allclose(
        fit_calibrator("affine", part, PENALTIES).predict(part.f, nothing),
        fit_calibrator("ordinary", part).predict(part.f, nothing),
        rtol=1e-12,
    )
    difference = fit_calibrator("log_difference", part, PENALTIES)
    np.testing.assert_allclose(difference.predict(part.f, nothing), part.f + np.mean(part.y - part.f), rtol=1e-12)


def test_equal_md_values_give_a_flat_line():
    part = training_part(np.arange(9.0), np.full(9, 8.0), np.zeros((9, 0)), (), None, True)
    one = fit_calibrator("ordinary", part)
    assert one.alpha_1 == 0.0
    np.testing.assert_allclose(one.predict(part.f, part.Z), 4.0)
