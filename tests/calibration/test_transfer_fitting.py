"""Whole fits: penalties by cross-validation against the textbook, guards, and awkward data."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.data.folds import contiguous_folds
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.kernels import search as search_module
from affinecal_gui.calibration.kernels.fits import AffineTLFits, ScaleFits
from affinecal_gui.calibration.kernels.fitting import fit_methods
from affinecal_gui.calibration.kernels.gram import gram_matrix
from affinecal_gui.calibration.kernels.method_fit import guard
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.training_sets import divide, make_sets
from affinecal_gui.errors import Cancelled
from affinecal_gui.task import Task
from tests.calibration.textbook_transfer import RIDGE, Const, Ridge, predictions, search, standardised

SMALL = TransferOptions(l1=(0.01, 1.0), l2=(0.1, 10.0), l3=(0.1, 10.0), starts=2)


def data(seed, n=15, p=2, d=4):
    rng = np.random.default_rng(seed)
    S, X = rng.standard_normal((n, p)), rng.standard_normal((n, d))
    y = 3.0 + S[:, 0] + (1 + 0.3 * S[:, 1]) * np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)
    return S, X, y


METHODS = kernel_keys()


def fit(S, X, y, options=SMALL, methods=METHODS, sizes=None):
    sets = make_sets([S], [X], [y], options, sizes)
    return sets, fit_methods(sets, contiguous_folds(len(y), min(5, len(y)))[None], methods, options)


def predict(sets, found, S, X, options=SMALL):
    grams = sets.scalings[0].grams(S, X, options)
    return {name: one.predict(sets, 0, grams) for name, one in found.items()}


def test_each_function_has_its_own_kernel():
    S, X, y = data(3)
    S_new, X_new, _ = data(103, n=6)
    kernels = {"kernel_source": "linear", "kernel_factor": "matern32", "kernel_target": "rbf"}
    options = TransferOptions(l1=(0.1,), l2=(1.0,), l3=(0.2,), starts=3, **kernels)
    sets, found = fit(S, X, y, options, ("affine_tl_const", "affine_tl_full"))
    own, fits = sets.scalings[0], found["affine_tl_full"].fits
    a, b, c, d = fits.a[0], fits.b[0], fits.c[0], fits.d[0]

    def grams(s, x):
        return gram_matrix("linear", s, own.S), gram_matrix("matern32", s, own.S), gram_matrix("rbf", x, own.Z)

    K1, K2, K3 = grams(own.S, own.Z)

    def objective(z):
        a, b, c, d = np.split(z, [15, 30, 45])
        missed = sets.y[0] - K1 @ a - (K2 @ b + 1.0) * (K3 @ c) - d
        return missed @ missed + 0.1 * a @ K1 @ a + b @ K2 @ b + 0.2 * c @ K3 @ c

    ended = np.concatenate([a, b, c, [d]])
    rng = np.random.default_rng(0)
    others = [minimize(objective, start, method="BFGS").fun for start in (ended, *rng.standard_normal((3, 46)))]
    assert objective(ended) <= min(others) * (1.0 + 1e-6)
    assert objective(ended) == pytest.approx(fits.objectives[0].min(), rel=1e-9)
    K1, K2, K3 = grams(own.source.apply(S_new), own.target.apply(X_new))
    predicted = (K1 @ a + (K2 @ b + 1.0) * (K3 @ c) + d) * own.y_sd + own.y_mean
    of_new = predict(sets, found, S_new, X_new, options)
    np.testing.assert_allclose(of_new["affine_tl_full"], predicted, rtol=1e-12)
    # The factor is AffineTL-full's alone; without a kernel of its own it has that of the source.
    alike = replace(options, kernel_factor=None)
    same, as_source = fit(S, X, y, alike, ("affine_tl_const", "affine_tl_full"))
    others = predict(same, as_source, S_new, X_new, alike)
    assert np.array_equal(others["affine_tl_const"], of_new["affine_tl_const"])
    assert not np.allclose(others["affine_tl_full"], of_new["affine_tl_full"])
    named = replace(options, kernel_factor="linear")
    again = predict(*fit(S, X, y, named, ("affine_tl_full",)), S_new, X_new, named)
    assert np.array_equal(again["affine_tl_full"], others["affine_tl_full"])


@pytest.mark.parametrize("seed", [0, 1])
def test_all_methods_are_those_of_the_textbook(seed):
    S, X, y = data(seed)
    S_new, X_new, _ = data(seed + 100, n=6)
    # The textbook's block updates start at random; at these penalties there is one optimum.
    options = TransferOptions(l1=(0.1, 1.0), l2=(10.0,), l3=(1.0, 10.0), starts=1)
    sets, found = fit(S, X, y, options)
    expected = predictions(S, X, y, S_new, X_new, list(product((0.1, 1.0), (10.0,), (1.0, 10.0))))
    own = predict(sets, found, S_new, X_new, options)
    for name in ("only_source", "direct", "augmented", "htl_offset", "htl_scale"):
        np.testing.assert_allclose(own[name], expected[name], rtol=1e-5, atol=1e-5, err_msg=name)
    np.testing.assert_allclose(own["affine_tl_full"], expected["affine_tl_full"], rtol=2e-3, atol=2e-3)
    # With the paper's grid, that of the textbook.
    sets, found = fit(S, X, y, TransferOptions(), ("affine_tl_const",))
    own = predict(sets, found, S_new, X_new, TransferOptions())
    np.testing.assert_allclose(own["affine_tl_const"], expected["affine_tl_const"], rtol=1e-5, atol=1e-5)


def test_cross_validated_errors_are_those_of_one_fit_at_a_time():
    S, X, y = data(3, n=13)  # folds of unequal sizes
    s, x, t = standardised(S, S), standardised(X, X), (y - y.mean()) / y.std(ddof=1)
    _, found = fit(S, X, y, TransferOptions(), ("direct", "affine_tl_const"))
    _, ridge_error = search(Ridge, [(penalty,) for penalty in RIDGE], (x,), t)
    assert found["direct"].search.errors.min() == pytest.approx(ridge_error, rel=1e-6)
    one = found["affine_tl_const"].search
    for number in (0, 7, 15):
        _, error = search(Const, [tuple(one.grid[number])], (s, x), t)
        assert one.errors[0, number] == pytest.approx(error, rel=1e-5)


def test_sets_fitted_together_and_alone_are_the_same():
    parts = [data(seed, n=11) for seed in range(3)]
    sets = make_sets(*zip(*parts, strict=True), SMALL)
    rng = np.random.default_rng(0)
    folds = np.stack([rng.permutation(np.arange(11) % 4) for _ in parts])
    together = fit_methods(sets, folds, kernel_keys(), SMALL)
    S_new, X_new, _ = data(50, n=5)
    for s, (S, X, y) in enumerate(parts):
        alone_sets = make_sets([S], [X], [y], SMALL)
        alone = fit_methods(alone_sets, folds[s : s + 1], kernel_keys(), SMALL)
        for name in kernel_keys():
            np.testing.assert_allclose(
                together[name].predict(sets, s, sets.scalings[s].grams(S_new, X_new, SMALL)),
                alone[name].predict(alone_sets, 0, alone_sets.scalings[0].grams(S_new, X_new, SMALL)),
                rtol=1e-6,
                err_msg=name,
            )


def test_divisions_cover_every_row_once():
    folds = np.stack([contiguous_folds(7, 3), np.array([0, 0, 0, 0, 0, 1, 2])])
    held = {
        (int(w), int(row))
        for part in divide(folds)
        for w, rows in zip(part.which, part.test, strict=True)
        for row in rows
    }
    assert held == {(s, row) for s in range(2) for row in range(7)}
    assert all(part.train.shape[1] + part.test.shape[1] == 7 for part in divide(folds))


def test_the_guard_keeps_signs_and_counts():
    divisor, changed = guard(np.array([[100.0, 4.0, -4.0, 0.0], [0.0, 0.0, 0.0, 0.0]]), 0.05)
    np.testing.assert_array_equal(divisor, [[100.0, 5.0, -5.0, 5.0], [1.0, 1.0, 1.0, 1.0]])
    np.testing.assert_array_equal(changed, [3, 4])


def test_htl_scale_survives_source_predictions_about_zero():
    S, X, y = data(4)
    sets, found = fit(S, X, y - y.mean(), methods=("htl_scale",))
    fits = found["htl_scale"].fits
    assert isinstance(fits, ScaleFits)
    assert fits.guarded[0] > 0
    assert np.isfinite(predict(sets, found, S, X)["htl_scale"]).all()


AWKWARD = {
    "two rows": lambda S, X, y: (S[:2], X[:2], y[:2]),
    "three rows": lambda S, X, y: (S[:3], X[:3], y[:3]),
    "constant columns": lambda S, X, y: (S * [1, 0], X * [1, 0, 1, 0], y),
    "all columns constant": lambda S, X, y: (S * 0 + 1e9, X * 0, y),
    "repeated rows": lambda S, X, y: (np.repeat(S[:5], 3, 0), np.repeat(X[:5], 3, 0), y),
    "all rows alike": lambda S, X, y: (np.repeat(S[:1], 15, 0), np.repeat(X[:1], 15, 0), y),
    "constant target": lambda S, X, y: (S, X, y * 0 + 7.0),
    "target of zeros": lambda S, X, y: (S, X, y * 0),
    "one row far away": lambda S, X, y: (
        np.vstack([S[:-1], [[1e6, -1e6]]]),
        np.vstack([X[:-1], np.full((1, 4), 1e8)]),
        y,
    ),
    "tiny units": lambda S, X, y: (S * 1e-150, X * 1e-150, y * 1e-150),
    "huge units": lambda S, X, y: (S * 1e100, X * 1e100, y * 1e100),
    "no descriptors": lambda S, X, y: (S, X[:, :0], y),
    "no source": lambda S, X, y: (S[:, :0], X, y),
}


@pytest.mark.parametrize("how", AWKWARD)
@pytest.mark.parametrize("kernel", ["rbf", "linear", "matern12"])
def test_awkward_data_never_give_nan(how, kernel):
    S, X, y = AWKWARD[how](*data(5))
    options = TransferOptions(
        kernel_source=kernel,
        kernel_target=kernel,
        ridge=(0.0, 1e-4, 1.0),
        l1=(0.001, 1.0),
        l2=(0.01,),
        l3=(0.01, 1.0),
        starts=2,
    )
    sets, found = fit(S, X, y, options)
    S_new, X_new, _ = data(6, n=4)
    S_new, X_new = S_new[:, : S.shape[1]], X_new[:, : X.shape[1]]
    for rows in ((S, X), (S_new, X_new)):
        for name, values in predict(sets, found, *rows, options).items():
            assert np.isfinite(values).all(), name
    if how == "constant target":
        for name, values in predict(sets, found, S, X, options).items():
            np.testing.assert_allclose(values, 7.0, rtol=1e-9, err_msg=name)


def test_what_did_not_converge_is_reported():
    S, X, y = data(7)
    block = TransferOptions(l1=(1e-3,), l2=(0.01,), l3=(0.01,), solver="block")
    _, found = fit(S, X, y, block, ("affine_tl_full",))
    fits = found["affine_tl_full"].fits
    assert isinstance(fits, AffineTLFits)
    assert fits.converged.shape == (1,)
    assert fits.objectives.shape == (1, 1)
    assert found["affine_tl_full"].search.unfinished >= 0


def test_a_wish_to_stop_is_heard():
    S, X, y = data(8)
    sets = make_sets([S], [X], [y], SMALL)
    with pytest.raises(Cancelled):
        fit_methods(sets, contiguous_folds(15, 5)[None], kernel_keys(), SMALL, task=Task(cancelled=lambda: True))


@pytest.mark.parametrize(
    "wrong",
    [
        {"ridge": ()},
        {"l1": (0.0,)},
        {"l2": (float("nan"),)},
        {"folds": 1},
        {"starts": 0},
        {"kernel_source": "cubic"},
        {"length_target": -1.0},
    ],
)
def test_choices_that_make_no_sense_are_refused(wrong):
    with pytest.raises(CalibrationInputError):
        TransferOptions(**wrong).check()


def test_large_grids_in_small_pieces_are_the_same(monkeypatch):
    S, X, y = data(9, n=14)
    _, whole = fit(S, X, y)
    monkeypatch.setattr(search_module, "GRID_NUMBERS", 300)
    monkeypatch.setattr(search_module, "RIDGE_NUMBERS", 300)
    _, pieces = fit(S, X, y)
    for name in kernel_keys():
        np.testing.assert_allclose(pieces[name].search.errors, whole[name].search.errors, rtol=1e-8, err_msg=name)
