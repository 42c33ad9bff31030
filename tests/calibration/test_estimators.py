"""The calibrators under scikit-learn's own conventions."""

import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from simulated_polymers import simulate
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.estimators import AffineCalibrator, LogDifferenceCalibrator, OrdinaryCalibrator
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Penalties

ALL = [OrdinaryCalibrator(), LogDifferenceCalibrator(), AffineCalibrator()]


def table(seed=0, n=40):
    data = simulate(seed, n=n)
    return np.column_stack([np.log(data.md), data.X]), np.log(data.measured), data


@pytest.mark.parametrize("estimator", ALL, ids=lambda one: type(one).__name__)
def test_scikit_learns_own_checks(estimator):
    with warnings.catch_warnings():
        # It warns that the class does not inherit from BaseEstimator (on purpose: scikit-learn is not a dependency) and
        # that the array-API check is skipped unless an environment variable is set.
        warnings.simplefilter("ignore")
        outcome = check_estimator(estimator, on_fail=None)
    assert len(outcome) > 50
    assert [one for one in outcome if one["status"] not in ("passed", "skipped")] == []
    assert {one["check_name"] for one in outcome if one["status"] == "skipped"} <= {"check_array_api_input"}


def test_importing_the_estimators_does_not_import_scikit_learn():
    code = (
        "import sys, affinecal_gui.calibration.estimators; assert not any(n.startswith('sklearn') for n in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_ordinary_is_linear_regression():
    X, y, _ = table()
    reference = LinearRegression().fit(X[:, :1], y)
    one = OrdinaryCalibrator().fit(X, y)
    np.testing.assert_allclose(one.predict(X), reference.predict(X[:, :1]), rtol=1e-10)
    assert one.alpha_1_ == pytest.approx(reference.coef_[0])
    assert one.alpha_0_ == pytest.approx(reference.intercept_)
    assert one.score(X, y) == pytest.approx(reference.score(X[:, :1], y))


def test_estimators_and_the_calibration_agree():
    X, y, data = table()
    own = Penalties(0.5, 2.0)
    found = calibrate(
        data.measured,
        data.md,
        data.X,
        data.library_md,
        data.library_X,
        data.sizes,
        CalibrationOptions(repetitions=1, outer_folds=3, penalties={"log_difference": own, "affine": own}),
    )
    library = np.column_stack([np.log(data.library_md), data.library_X])
    difference = LogDifferenceCalibrator(0.5, 2.0, sizes=data.sizes).fit(X, y)
    np.testing.assert_allclose(np.exp(difference.predict(library)), found.models["log_difference"].library, rtol=1e-9)
    # The estimator takes values on the scale they come in, where beta's penalty depends on the unit of y.
    unit = float(np.sqrt(np.mean(y**2)))
    affine = AffineCalibrator(0.5, 2.0, 1.0 / unit**2, sizes=data.sizes).fit(X, y)
    linear = calibrate(
        y,
        X[:, 0],
        data.X,
        library[:, 0],
        data.library_X,
        data.sizes,
        CalibrationOptions(
            log_scale=False,
            repetitions=1,
            outer_folds=3,
            penalties={"affine": Penalties(0.5, 2.0, 1.0 / unit**2)},
        ),
    )
    np.testing.assert_allclose(affine.predict(library), linear.models["affine"].library, rtol=1e-9)
    assert affine.beta_ == pytest.approx(linear.models["affine"].parameters["beta"].value, rel=1e-6)
    np.testing.assert_allclose(affine.gamma_, linear.models["affine"].coefficients.gamma, rtol=1e-6, atol=1e-12)


def test_grid_search_and_cross_validation():
    X, y, data = table()
    search = GridSearchCV(
        AffineCalibrator(sizes=data.sizes), {"lambda_1": [0.1, 1.0], "lambda_2": [0.1, 1.0, 10.0]}, cv=4
    ).fit(X, y)
    assert search.best_score_ > 0.5
    assert search.best_estimator_.convergence_.converged
    out_of_fold = cross_val_predict(clone(search.best_estimator_), X, y, cv=5)
    assert np.sqrt(np.mean((out_of_fold - y) ** 2)) < np.std(y)


def test_pipeline_with_logarithms():
    _, y, data = table()
    raw = np.column_stack([data.md, data.X])

    def log_md(X):
        return np.column_stack([np.log(X[:, 0]), X[:, 1:]])

    model = TransformedTargetRegressor(
        make_pipeline(FunctionTransformer(log_md), LogDifferenceCalibrator(sizes=data.sizes)),
        func=np.log,
        inverse_func=np.exp,
    ).fit(raw, data.measured)
    direct = LogDifferenceCalibrator(sizes=data.sizes).fit(log_md(raw), y)
    np.testing.assert_allclose(model.predict(raw), np.exp(direct.predict(log_md(raw))), rtol=1e-10)


def test_data_frames_keep_their_names():
    X, y, data = table()
    frame = pd.DataFrame(X, columns=["md", *(f"block_{i}" for i in range(14))])
    one = AffineCalibrator(sizes=data.sizes).fit(frame, y)
    assert one.feature_names_in_.tolist() == list(frame.columns)
    np.testing.assert_allclose(one.predict(frame), one.predict(X))
    with pytest.raises(ValueError, match="feature names"):
        one.predict(frame[list(frame.columns)[::-1]])


def test_block_solver_and_wrong_sizes():
    X, y, data = table()
    direct = AffineCalibrator(0.5, 2.0, sizes=data.sizes).fit(X, y)
    block = AffineCalibrator(0.5, 2.0, sizes=data.sizes, solver="block", tol=1e-10).fit(X, y)
    np.testing.assert_allclose(block.predict(X), direct.predict(X), rtol=1e-6)
    with pytest.raises(ValueError, match="add up to 3"):
        AffineCalibrator(sizes=(1, 2)).fit(X, y)


def test_text_shows_what_was_changed():
    assert repr(AffineCalibrator(lambda_1=3.0)) == "AffineCalibrator(lambda_1=3.0)"
    assert repr(OrdinaryCalibrator()) == "OrdinaryCalibrator()"
