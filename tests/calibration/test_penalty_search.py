"""Cross-validation of the penalty grid: the batch against plain loops over single fits."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, fit_affine
from affinecal_gui.calibration.calibrators.objectives.log_difference import fit_log_difference
from affinecal_gui.calibration.cross_validation import held_out_errors
from affinecal_gui.calibration.cross_validation.penalty_search import surface_from_errors
from affinecal_gui.calibration.data.folds import contiguous_folds, held_out_in_turn
from affinecal_gui.calibration.results import Convergence
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.task import Task
from tests.calibration import textbook_calibrators as textbook
from tests.calibration.penalty_grid_search import search_penalties
from tests.calibration.random_problems import random_problem

LAMBDA_1 = np.array([0.05, 5.0])
LAMBDA_2 = np.array([0.5, 5.0])
RAGGED = (
    (np.array([0, 1, 2, 3, 4, 5, 6, 7]), np.array([8, 9, 10])),
    (np.array([4, 5, 6, 7, 8, 9, 10]), np.array([0, 1, 2, 3])),
    (np.array([0, 2, 8, 9, 10]), np.array([4, 6])),  # rows 1, 3, 5, 7 in neither part
)


def start_for(case):
    gamma = 0.1 * np.random.default_rng(9).standard_normal(sum(case.sizes))
    return AffineFit(7.0, 0.3, 0.0, gamma, np.nan, Convergence("closed form", 0, True))


def loop(model, case, folds, w, **how):
    """The same search with one fit after the other."""
    error = np.empty((len(LAMBDA_1), len(LAMBDA_2)))
    for i, first in enumerate(LAMBDA_1):
        for j, second in enumerate(LAMBDA_2):
            penalty = FusedRidge(case.sizes, first, second)
            scores = []
            for train, test in folds:
                if model == "affine":
                    fit = fit_affine(case.X[train], case.f[train], case.y[train], penalty, 0.5, weights=w[train], **how)
                else:
                    fit = fit_log_difference(case.X[train], case.f[train], case.y[train], penalty, w[train])
                residual = case.y[test] - fit.predict(case.X[test], case.f[test])
                scores.append(np.average(residual**2, weights=w[test]))
            error[i, j] = np.mean(scores)
    return np.sqrt(error)


@pytest.mark.parametrize("model", ["log_difference", "affine", "affine by blocks", "affine by blocks from a start"])
@pytest.mark.parametrize("n", [11, 26])
@pytest.mark.parametrize("kind", ["five folds", "ragged", "weighted"])
def test_the_batch_is_the_loop(model, n, kind):
    case = random_problem(21, n, beta=0.2)
    w = np.ones(n)
    folds = held_out_in_turn(contiguous_folds(n, 5))
    if kind == "ragged":
        folds = RAGGED
    if kind == "weighted":
        w = np.random.default_rng(0).uniform(0.2, 3.0, n)
        w[4] = 0.0
    how = {}
    if "blocks" in model:
        how = {"solver": "block", "tolerance": 1e-2}
    if "start" in model:
        how["start"] = start_for(case)
    name = model.split()[0]
    surface = search_penalties(
        name, case.X, case.f, case.y, case.sizes, LAMBDA_1, LAMBDA_2, 0.5, folds, weights=w, **how
    )
    np.testing.assert_allclose(surface.rmse, loop(name, case, folds, w, **how), rtol=1e-6)
    best = np.unravel_index(np.argmin(surface.rmse), surface.rmse.shape)
    assert surface.chosen == tuple(int(k) for k in best)


@pytest.mark.parametrize("n", [11, 26])
def test_equals_the_textbook_loop(n):
    case = random_problem(22, n, beta=0.2)
    start = (0.3, 7.0, 0.0, start_for(case).gamma)

    def affine(Lambda, train, test):
        theta, *_ = textbook.fit_affine(case.X[train], case.f[train], case.y[train], Lambda, 1.0, start, 1e-3)
        return case.y[test] - textbook.predict_affine(theta, case.X[test], case.f[test])

    errors, best = textbook.cross_validate(affine, n, case.sizes, 5, LAMBDA_1, LAMBDA_2)
    surface = search_penalties(
        "affine",
        case.X,
        case.f,
        case.y,
        case.sizes,
        LAMBDA_1,
        LAMBDA_2,
        solver="block",
        tolerance=1e-3,
        start=start_for(case),
    )
    np.testing.assert_allclose(surface.rmse**2, errors, rtol=1e-7)
    assert surface.chosen == best


@pytest.mark.parametrize("n", [11, 26])
def test_problems_that_the_series_cannot_follow_are_solved_one_by_one(n):
    # f up to 40 and a strong interaction: beta leaves the range of every series about 0.
    case = random_problem(23, n, beta=1.0)
    f = 15.0 * case.f
    y = 3.0 - (0.3 + 0.5 * f) * (case.X @ np.full(16, 0.2))
    wild = type(case)(case.X, f, y, case.sizes)
    folds = held_out_in_turn(contiguous_folds(n, 5))
    surface = search_penalties(
        "affine", wild.X, f, y, wild.sizes, LAMBDA_1, LAMBDA_2, 0.5, folds, solver="block", tolerance=1e-4
    )
    expected = loop("affine", wild, folds, np.ones(n), solver="block", tolerance=1e-4)
    np.testing.assert_allclose(surface.rmse, expected, rtol=1e-5)


@pytest.mark.parametrize("n", [11, 26])
def test_a_large_beta_is_found_directly_too(n):
    case = random_problem(23, n)
    y = 3.0 - (1.0 + 0.3 * case.f) * (case.X @ np.full(16, 0.5))
    steep = type(case)(case.X, case.f, y, case.sizes)
    folds = held_out_in_turn(contiguous_folds(n, 5))
    betas = [
        fit_affine(case.X[train], case.f[train], y[train], FusedRidge(case.sizes, 0.5, 0.5), 0.5).beta
        for train, _ in folds
    ]
    assert max(betas) * np.abs(case.f).max() > 0.12  # beyond what eight powers describe to seven digits
    surface = search_penalties("affine", case.X, case.f, y, case.sizes, LAMBDA_1, LAMBDA_2, 0.5, folds)
    np.testing.assert_allclose(surface.rmse, loop("affine", steep, folds, np.ones(n)), rtol=1e-6)


def test_one_worker_or_several_give_the_same(monkeypatch):
    case = random_problem(24, 11)
    monkeypatch.setattr(held_out_errors, "WORTH_THREADS", 0)
    answers = []
    for workers in (1, 3):
        monkeypatch.setattr(held_out_errors, "worker_count", lambda workers=workers: workers)
        answers.append(
            [
                search_penalties(model, case.X, case.f, case.y, case.sizes, LAMBDA_1, LAMBDA_2).rmse
                for model in ("log_difference", "affine")
            ]
        )
    np.testing.assert_allclose(answers[0], answers[1], rtol=1e-12)


@pytest.mark.parametrize(("n", "k"), [(10, 5), (13, 5), (7, 3), (60, 5)])
def test_contiguous_folds_are_scikit_learn_s(n, k):
    for (train, test), (peer_train, peer_test) in zip(
        held_out_in_turn(contiguous_folds(n, k)), KFold(k).split(np.zeros(n)), strict=True
    ):
        assert train.tolist() == peer_train.tolist()
        assert test.tolist() == peer_test.tolist()


def test_the_first_of_equal_errors_wins_with_lambda_1_outside():
    error = np.array([[3.0, 2.0, 2.0], [2.0, 1.0, 1.0], [1.0, 4.0, 1.0]])
    surface = surface_from_errors(np.arange(1.0, 4.0), np.arange(1.0, 4.0), error)
    assert surface.chosen == (1, 1)
    assert surface.on_edge == ()


@pytest.mark.parametrize(
    ("error", "edges"),
    [
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], ("lambda_1", "lambda_2")),
        ([[9.0, 1.0, 9.0], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0]], ("lambda_1",)),
        ([[9.0, 9.0, 9.0], [9.0, 9.0, 1.0], [9.0, 9.0, 9.0]], ("lambda_2",)),
    ],
)
def test_an_optimum_on_the_edge_is_reported(error, edges):
    assert surface_from_errors(np.arange(1.0, 4.0), np.arange(1.0, 4.0), np.array(error)).on_edge == edges


def test_a_grid_of_one_value_has_no_edge():
    assert surface_from_errors(np.array([1.0]), np.array([2.0]), np.array([[0.25]])).on_edge == ()


@pytest.mark.parametrize("model", ["log_difference", "affine"])
@pytest.mark.parametrize("n", [11, 26])
def test_it_reports_and_can_be_stopped(model, n):
    case = random_problem(25, n)
    seen = []
    search_penalties(
        model,
        case.X,
        case.f,
        case.y,
        case.sizes,
        LAMBDA_1,
        LAMBDA_2,
        task=Task(lambda share, words: seen.append(share)),
    )
    assert seen[-1] == pytest.approx(1.0)
    assert seen == sorted(seen)
    with pytest.raises(Cancelled):
        search_penalties(
            model, case.X, case.f, case.y, case.sizes, LAMBDA_1, LAMBDA_2, task=Task(cancelled=lambda: True)
        )


@pytest.mark.parametrize("model", ["log_difference", "affine"])
def test_awkward_data_give_finite_errors(model):
    case = random_problem(26, 11)
    X = case.X.copy()
    X[:, 3] = 0.0
    X[:, 5] = X[:, 4]
    for f in (case.f, np.full(11, 7.0)):
        surface = search_penalties(model, X, f, case.y, case.sizes, LAMBDA_1, LAMBDA_2)
        assert np.isfinite(surface.rmse).all()
    three = search_penalties(model, X[:3], case.f[:3], case.y[:3], case.sizes, LAMBDA_1, LAMBDA_2)
    assert np.isfinite(three.rmse).all()  # three folds of one polymer


def test_a_fold_whose_training_md_values_are_equal_has_no_slope():
    case = random_problem(27, 11)
    f = np.r_[np.zeros(8), 1.0, 2.0, 3.0]
    folds = ((np.arange(8), np.arange(8, 11)), (np.arange(3, 11), np.arange(3)))
    flat = type(case)(case.X, f, case.y, case.sizes)
    surface = search_penalties("affine", case.X, f, case.y, case.sizes, LAMBDA_1, LAMBDA_2, 0.5, folds)
    np.testing.assert_allclose(surface.rmse, loop("affine", flat, folds, np.ones(11)), rtol=1e-6)


@pytest.mark.parametrize("n", [11, 26])
def test_blocks_can_have_penalties_of_their_own(n):
    case = random_problem(29, n)
    factors = np.array([1.0, 3.0, 0.5, 10.0])
    folds = held_out_in_turn(contiguous_folds(n, 4))
    surface = search_penalties(
        "affine", case.X, case.f, case.y, case.sizes, [0.5], [5.0], block_factors=factors, folds=folds
    )
    penalty = FusedRidge(case.sizes, 0.5 * factors, 5.0 * factors)
    scores = []
    for train, test in folds:
        fit = fit_affine(case.X[train], case.f[train], case.y[train], penalty)
        scores.append(np.mean((case.y[test] - fit.predict(case.X[test], case.f[test])) ** 2))
    assert surface.rmse[0, 0] == pytest.approx(np.sqrt(np.mean(scores)), rel=1e-7)


@pytest.mark.parametrize("model", ["log_difference", "affine"])
def test_without_descriptors_every_penalty_is_as_good(model):
    rng = np.random.default_rng(0)
    f, y = rng.standard_normal(10), rng.standard_normal(10)
    surface = search_penalties(model, np.zeros((10, 0)), f, y, (), LAMBDA_1, LAMBDA_2)
    assert np.isfinite(surface.rmse).all()
    np.testing.assert_allclose(surface.rmse, surface.rmse[0, 0])
    assert surface.chosen == (0, 0)


def test_bad_input_is_refused_in_words():
    case = random_problem(28, 11)
    X = case.X.copy()
    X[3, 3] = np.inf
    with pytest.raises(UserError, match="Descriptors: row 4"):
        search_penalties("affine", X, case.f, case.y, case.sizes, LAMBDA_1, LAMBDA_2)
    with pytest.raises(UserError, match="grid is empty"):
        search_penalties("affine", case.X, case.f, case.y, case.sizes, [], LAMBDA_2)
    with pytest.raises(UserError, match="lambda_1 must be positive"):
        search_penalties("affine", case.X, case.f, case.y, case.sizes, [0.0, 1.0], LAMBDA_2)
    with pytest.raises(UserError, match="Too few polymers"):
        search_penalties("affine", case.X[:1], case.f[:1], case.y[:1], case.sizes, LAMBDA_1, LAMBDA_2)
    with pytest.raises(UserError, match="lambda_1 is too small"):
        search_penalties("affine", 1e9 * case.X, case.f, case.y, case.sizes, LAMBDA_1, LAMBDA_2)
