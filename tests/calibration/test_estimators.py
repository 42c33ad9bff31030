"""The calibrators under scikit-learn's own conventions."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.estimators.linear import AffineRegressor, LogDifferenceRegressor, OrdinaryRegressor
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.polymers.descriptors.block_definitions import force_field_blocks
from tests.calibration.simulated_polymers import simulate

ALL = [OrdinaryRegressor(), LogDifferenceRegressor(), AffineRegressor()]


def table(seed=0, n=40):
    data = simulate(seed, n=n)
    return np.column_stack([np.log(data.md), data.X]), np.log(data.measured), data


@parametrize_with_checks(ALL)
@pytest.mark.filterwarnings("ignore:.*array-API.*", "ignore:.*array_api.*")
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_ordinary_is_linear_regression():
    X, y, _ = table()
    reference = LinearRegression().fit(X[:, :1], y)
    one = OrdinaryRegressor().fit(X, y)
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
    difference = LogDifferenceRegressor(0.5, 2.0, blocks=data.sizes).fit(X, y)
    np.testing.assert_allclose(np.exp(difference.predict(library)), found.models["log_difference"].library, rtol=1e-9)
    # The estimator takes values on the scale they come in, where beta's penalty depends on the unit of y.
    unit = float(np.sqrt(np.mean(y**2)))
    affine = AffineRegressor(0.5, 2.0, 1.0 / unit**2, blocks=data.sizes).fit(X, y)
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
        AffineRegressor(blocks=data.sizes), {"lambda_1": [0.1, 1.0], "lambda_2": [0.1, 1.0, 10.0]}, cv=4
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
        make_pipeline(FunctionTransformer(log_md), LogDifferenceRegressor(blocks=data.sizes)),
        func=np.log,
        inverse_func=np.exp,
    ).fit(raw, data.measured)
    direct = LogDifferenceRegressor(blocks=data.sizes).fit(log_md(raw), y)
    np.testing.assert_allclose(model.predict(raw), np.exp(direct.predict(log_md(raw))), rtol=1e-10)


def test_data_frames_keep_their_names():
    X, y, data = table()
    frame = pd.DataFrame(X, columns=["md", *(f"block_{i}" for i in range(14))])
    one = AffineRegressor(blocks=data.sizes).fit(frame, y)
    assert one.feature_names_in_.tolist() == list(frame.columns)
    np.testing.assert_allclose(one.predict(frame), AffineRegressor(blocks=data.sizes).fit(X, y).predict(X))
    with pytest.raises(ValueError, match="feature names should match"):
        one.predict(frame[list(frame.columns)[::-1]])


def test_block_solver_and_wrong_sizes():
    X, y, data = table()
    direct = AffineRegressor(0.5, 2.0, blocks=data.sizes).fit(X, y)
    block = AffineRegressor(0.5, 2.0, blocks=data.sizes, solver="block", tol=1e-10).fit(X, y)
    np.testing.assert_allclose(block.predict(X), direct.predict(X), rtol=1e-6)
    with pytest.raises(ValueError, match="add up to 3"):
        AffineRegressor(blocks=(1, 2)).fit(X, y)


def test_text_shows_what_was_changed():
    assert repr(AffineRegressor(lambda_1=3.0)) == "AffineRegressor(lambda_1=3.0)"
    assert repr(OrdinaryRegressor()) == "OrdinaryRegressor()"


def described(n=24):
    """A frame as ``describe`` gives it, the 190 descriptors with a column of MD values in their midst."""
    columns = force_field_blocks("GAFF2_mod").columns
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.gamma(2.0, size=(n, len(columns))), columns=list(columns))
    frame.insert(40, "Cp_md", rng.normal(7.0, 0.3, n))
    return frame, (0.4 * frame["Cp_md"] + 0.05 * frame["mass_O"] + 3.0).to_numpy()


def test_the_descriptors_of_the_force_field_form_their_ten_blocks_by_their_names():
    frame, y = described()
    blocks = force_field_blocks("GAFF2_mod")
    one = AffineRegressor(md_column="Cp_md").fit(frame, y)
    assert one.columns_.blocks == tuple(block.name for block in blocks.blocks)
    assert one.columns_.sizes == blocks.sizes
    ordered = frame[["Cp_md", *blocks.columns]]
    same = AffineRegressor(blocks=blocks.sizes).fit(ordered.to_numpy(), y)
    np.testing.assert_allclose(one.predict(frame), same.predict(ordered.to_numpy()), rtol=1e-12)
    np.testing.assert_allclose(one.gamma_, same.gamma_, rtol=1e-9, atol=1e-15)


def test_the_order_of_the_columns_does_not_change_a_fit_by_names():
    frame, y = described()
    sorted_by_text = frame[sorted(frame.columns)]
    one = LogDifferenceRegressor(md_column="Cp_md").fit(frame, y)
    other = LogDifferenceRegressor(md_column="Cp_md").fit(sorted_by_text, y)
    np.testing.assert_allclose(other.predict(sorted_by_text), one.predict(frame), rtol=1e-9)
    names = frame.columns.drop("Cp_md")
    gamma = pd.Series(other.gamma_, sorted_by_text.columns.drop("Cp_md"))[names]
    np.testing.assert_allclose(gamma, one.gamma_, rtol=1e-6, atol=1e-12)


def test_blocks_may_be_named_with_their_columns():
    X, y, _ = table()
    frame = pd.DataFrame(X[:, :5], columns=["MD", "a", "b", "c", "d"])
    one = AffineRegressor(md_column="MD", blocks={"left": ["b", "a"], "right": ["c", "d"]}).fit(frame, y)
    same = AffineRegressor(blocks=(2, 2)).fit(X[:, [0, 2, 1, 3, 4]], y)
    np.testing.assert_allclose(one.predict(frame), same.predict(X[:, [0, 2, 1, 3, 4]]), rtol=1e-12)
    np.testing.assert_allclose(one.gamma_[[1, 0, 2, 3]], same.gamma_, rtol=1e-12)
    by_place = AffineRegressor(md_column=0, blocks={"left": [2, 1], "right": [3, 4]}).fit(X[:, :5], y)
    np.testing.assert_allclose(by_place.predict(X[:, :5]), one.predict(frame), rtol=1e-12)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"md_column": "Cp"}, "no column 'Cp'; its columns are 'MD', 'a_0', 'a_1', 'b'"),
        ({"md_column": 4}, "md_column is column 4, but X has 4 columns"),
        ({"md_column": "MD", "blocks": {"a": ["a_0", "a_1"]}}, "'b': in no block"),
        ({"md_column": "MD", "blocks": {"a": ["a_0", "a_1"], "b": ["a_1", "b"]}}, "'a_1': named .* more than once"),
        ({"md_column": "MD", "blocks": {"a": ["MD", "a_0", "a_1", "b"]}}, "'MD': named .* more than once"),
        ({"blocks": (2, 2)}, "blocks add up to 4 columns, but X has 3"),
        ({"blocks": "ab"}, "blocks must be .*, not 'ab'"),
        ({"blocks": {"a": "a_0"}}, "block 'a' must be a list of columns, not 'a_0'"),
        ({"md_column": True}, "md_column must be the name of a column or its position, not True"),
        ({"md_column": 0.5}, "md_column must be the name of a column or its position, not 0.5"),
        ({"md_column": ["MD", "b"]}, "md_column must name one column, not 2"),
        ({"lambda_1": -1.0}, "lambda_1 must be positive"),
        ({"lambda_1": float("nan")}, "lambda_1 must be a finite number"),
    ],
)
def test_columns_that_are_not_there_are_named(parameters, message):
    X, y, _ = table()
    frame = pd.DataFrame(X[:, :4], columns=["MD", "a_0", "a_1", "b"])
    with pytest.raises(ValueError, match=message):
        AffineRegressor(**parameters).fit(frame, y)


@pytest.mark.parametrize("times", [pd.date_range("2024", periods=40), pd.date_range("2024", periods=40, tz="UTC")])
def test_dates_and_durations_are_no_numbers(times):
    X, y, _ = table()
    frame = pd.DataFrame(X[:, :4], columns=["MD", "a_0", "a_1", "b"])
    fitted = AffineRegressor().fit(frame, y)
    for wrong in (frame.assign(b=times), frame.assign(b=times - times[0])):
        with pytest.raises(ValueError, match=r"X: the column 'b' holds .*, no numbers"):
            AffineRegressor().fit(wrong, y)
        with pytest.raises(ValueError, match=r"X: the column 'b' holds .*, no numbers"):
            fitted.predict(wrong)
    with pytest.raises(ValueError, match=r"y holds datetime64.*, no numbers"):
        AffineRegressor().fit(frame, pd.Series(times))


def test_names_of_columns_need_a_frame():
    X, y, _ = table()
    with pytest.raises(ValueError, match="'Cp_md', but X has no names"):
        AffineRegressor(md_column="Cp_md").fit(X, y)


def test_a_pipeline_of_frames_can_be_searched_and_copied():
    frame, y = described(40)
    scaled = ColumnTransformer([("md", FunctionTransformer(np.exp), ["Cp_md"])], remainder="passthrough")
    scaled.set_output(transform="pandas").set_params(verbose_feature_names_out=False)
    pipeline = make_pipeline(scaled, AffineRegressor(md_column="Cp_md"))
    search = GridSearchCV(pipeline, {"affineregressor__lambda_1": [0.1, 10.0]}, cv=3).fit(frame, y)
    best = clone(search.best_estimator_).fit(frame, y)
    np.testing.assert_allclose(best.predict(frame), search.predict(frame), rtol=1e-12)
