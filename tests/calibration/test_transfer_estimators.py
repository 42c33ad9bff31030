"""The seven methods under scikit-learn's own conventions."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils.estimator_checks import check_estimator, estimator_checks_generator

from affinecal_gui.calibration.estimators.kernel import (
    AugmentedRegressor,
    CokrigingRegressor,
    DirectRegressor,
    HtlOffsetRegressor,
    HtlScaleRegressor,
    KernelAffineConstRegressor,
    KernelAffineRegressor,
    OnlySourceRegressor,
)

FEW = (0.01, 1.0)
ALL = [
    OnlySourceRegressor(ridge=FEW),
    DirectRegressor(ridge=FEW),
    AugmentedRegressor(ridge=FEW),
    HtlOffsetRegressor(ridge=FEW),
    HtlScaleRegressor(ridge=FEW),
    CokrigingRegressor(ridge=FEW),
    KernelAffineConstRegressor(l1=FEW, l3=FEW),
    KernelAffineRegressor(l1=(0.1,), l2=(10.0,), l3=(1.0,), starts=1),
]


SINGLE = [
    OnlySourceRegressor(ridge=(0.1,)),
    DirectRegressor(ridge=(0.1,)),
    AugmentedRegressor(ridge=(0.1,)),
    HtlOffsetRegressor(ridge=(0.1,)),
    HtlScaleRegressor(ridge=(0.1,)),
    CokrigingRegressor(ridge=(0.1,)),
    KernelAffineConstRegressor(l1=(0.1,), l3=(0.1,)),
    ALL[-1],
]
"""With one penalty of each kind."""


WEIGHTS_AND_ROWS = "check_sample_weight_equivalence_on_dense_data"


def data(n=30):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 5))
    return X, 2.0 + X[:, 0] + np.sin(X[:, 2]) * (1 + 0.5 * X[:, 1]) + 0.05 * rng.standard_normal(n)


@pytest.mark.parametrize("estimator", ALL, ids=repr)
def test_scikit_learns_own_checks(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the check of array-API input is skipped
        outcome = check_estimator(estimator, on_fail=None)
    assert len(outcome) > 50
    # Repeated rows lie in other folds than one row of a larger weight, so that another penalty may be chosen from several.
    failed = {one["check_name"] for one in outcome if one["status"] not in ("passed", "skipped")}
    assert failed <= {WEIGHTS_AND_ROWS}
    assert {one["check_name"] for one in outcome if one["status"] == "skipped"} <= {"check_array_api_input"}


@pytest.mark.parametrize("estimator", SINGLE, ids=lambda one: type(one).__name__)
def test_a_weight_is_a_repeated_row_where_no_penalty_is_chosen(estimator):
    checks = [check for _, check in estimator_checks_generator(estimator) if check.func.__name__ == WEIGHTS_AND_ROWS]
    assert checks
    for check in checks:
        check(clone(estimator))


@pytest.mark.parametrize("estimator", ALL, ids=lambda one: type(one).__name__)
def test_clones_fit_the_same_and_predictions_do_not_depend_on_company(estimator):
    X, y = data()
    one = clone(estimator).set_params(md_column=(0, 1)).fit(X, y)
    again = clone(one).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), again.predict(X))
    np.testing.assert_allclose(one.predict(X)[3:5], one.predict(X[3:5]), rtol=1e-9)
    assert one.score(X, y) > 0.3
    assert set(one.penalties_) in ({"λ"}, {"l1", "l3"}, {"l1", "l2", "l3"})
    assert len(one.cv_errors_) == len(one.cv_grid_)


def test_transfer_helps_where_the_source_knows_most():
    X, y = data(40)
    direct = cross_val_predict(DirectRegressor(md_column=(0, 1)), X, y)
    full = cross_val_predict(KernelAffineRegressor(md_column=(0, 1), starts=1), X, y)
    assert np.mean((full - y) ** 2) < 0.5 * np.mean((direct - y) ** 2)


@pytest.mark.parametrize("kernel", ["linear", "matern12", "matern32", "matern52"])
def test_other_kernels_and_lengths(kernel):
    X, y = data()
    one = KernelAffineConstRegressor(
        md_column=(0, 1), kernel_source=kernel, kernel_target=kernel, length_source=1.3
    ).fit(X, y)
    assert one.score(X, y) > 0.5


def test_starts_and_solvers_of_the_full_model():
    X, y = data(20)
    grids = {"l1": (0.1,), "l2": (1.0,), "l3": (0.1,)}
    newton = KernelAffineRegressor(md_column=(0, 1), **grids, starts=4, random_state=1).fit(X, y)
    assert newton.converged_
    assert newton.objectives_.shape == (4,)
    block = KernelAffineRegressor(md_column=(0, 1), **grids, solver="block").fit(X, y)
    assert newton.objectives_.min() <= block.objectives_[0] * (1 + 1e-6)


def test_columns_must_fit():
    X, y = data()
    with pytest.raises(ValueError, match="md_column is column 9, but X has 5 columns"):
        DirectRegressor(md_column=9).fit(X, y)
    with pytest.raises(ValueError, match="blocks add up to 2"):
        DirectRegressor(md_column=(0, 1), blocks=(2,)).fit(X, y)


def test_weights_and_factors_of_the_estimators():
    X, y = data()
    w = np.where(y > np.median(y), 5.0, 0.2)
    plain, one = (
        DirectRegressor(md_column=(0, 1)).fit(X, y),
        DirectRegressor(md_column=(0, 1)).fit(X, y, sample_weight=w),
    )
    heavy = w > 1.0
    assert np.mean((one.predict(X)[heavy] - y[heavy]) ** 2) < np.mean((plain.predict(X)[heavy] - y[heavy]) ** 2)
    off = DirectRegressor(md_column=(0, 1), blocks=(1, 2), block_factors=(1.0, 1e6)).fit(X, y).predict(X)
    np.testing.assert_allclose(
        off, DirectRegressor(md_column=(0, 1), blocks=(1,)).fit(X[:, :3], y).predict(X[:, :3]), rtol=1e-5
    )
    for wrong in ((1.0,), (1.0, 0.0)):
        with pytest.raises(ValueError, match="block_factors"):
            DirectRegressor(md_column=(0, 1), blocks=(1, 2), block_factors=wrong).fit(X, y)
    with pytest.raises(ValueError, match="block_factors"):
        DirectRegressor(md_column=(0, 1), block_factors=(1.0,)).fit(X, y)
