"""Affine transfer with networks under scikit-learn's conventions, and what its coefficients say."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import RidgeCV
from sklearn.utils.estimator_checks import check_estimator

from affinecal_gui.calibration.estimators.neural import NeuralAffineClassifier, NeuralAffineRegressor
from affinecal_gui.errors import UserError
from affinecal_gui.python.texts import text_features

QUICK = {"max_epochs": 2, "starts": 1, "hidden_source": 2}


def data(n=200, seed=0):
    """Y = 3 + tanh f1 + (1 + f2 / 2) (x1 - x2), with noise of 0.1."""
    rng = np.random.default_rng(seed)
    f, x = rng.standard_normal((n, 2)), rng.standard_normal((n, 6))
    clean = 3 + np.tanh(f[:, 0]) + (1 + 0.5 * f[:, 1]) * (x[:, 0] - x[:, 1])
    return np.hstack([f, x]), clean + 0.1 * rng.standard_normal(n)


@pytest.mark.parametrize("estimator", [NeuralAffineRegressor(**QUICK), NeuralAffineClassifier(**QUICK)])
def test_scikit_learns_own_checks(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two epochs do not converge
        outcome = check_estimator(estimator, on_fail=None)
    assert len(outcome) > 45
    assert [one["check_name"] for one in outcome if one["status"] not in ("passed", "skipped")] == []
    assert {one["check_name"] for one in outcome if one["status"] == "skipped"} <= {"check_array_api_input"}


def test_a_product_of_source_and_descriptors_is_learned_where_a_line_cannot():
    X, y = data()
    found = NeuralAffineRegressor(md_column=(0, 1), starts=3).fit(X[:150], y[:150])
    line = RidgeCV().fit(X[:150], y[:150])
    assert found.score(X[150:], y[150:]) > 0.95 > 0.8 > line.score(X[150:], y[150:])
    g1, g2, g3 = found.terms(X[150:])
    np.testing.assert_allclose(g1 + g2 * g3, found.predict(X[150:]), rtol=1e-9)
    np.testing.assert_allclose(X[150:, 2:] @ found.coef_ - g3, (X[150:, 2:] @ found.coef_ - g3)[0], atol=1e-9)
    assert len(found.held_out_losses_) == 3


def test_the_unit_of_y_and_the_scale_of_the_columns_change_nothing():
    X, y = data(80)
    settings = {"md_column": (0, 1), "starts": 1, "max_epochs": 30}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one = NeuralAffineRegressor(**settings).fit(X, y)
        other = NeuralAffineRegressor(**settings).fit(X * 10.0 - 3.0, 1000.0 * y + 7.0)
    np.testing.assert_allclose(other.predict(X * 10.0 - 3.0), 1000.0 * one.predict(X) + 7.0, rtol=1e-5)


def test_what_has_not_converged_and_what_diverges_is_said():
    X, y = data(60)
    with pytest.warns(ConvergenceWarning, match="still falling after 3 epochs"):
        NeuralAffineRegressor(max_epochs=3, starts=1).fit(X, y)
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="diverges: choose a smaller learning rate"):
        NeuralAffineRegressor(learning_rate=1e200, starts=1).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        NeuralAffineRegressor().fit(np.where(X > 2.0, np.nan, X), y)


def reviews(n=400, phrases=60, seed=1):
    """Made texts: the class follows the embedding, and three phrases beyond it."""
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((n, 8))
    counts = (rng.random((n, phrases)) < 0.15).astype(float)
    odds = vectors[:, 0] + 4.0 * counts[:, 3] - 4.0 * counts[:, 11] + 3.0 * counts[:, 20]
    classes = np.where(odds + 0.3 * rng.standard_normal(n) > 0.3, "good", "bad")
    names = [f"phrase {number}" for number in range(phrases)]
    texts = [f"t{number}" for number in range(n)]
    one = pd.DataFrame(vectors, index=texts).rename(columns=str).assign(verdict=classes)
    other = pd.DataFrame(counts, index=texts, columns=names).astype(pd.SparseDtype(float, 0.0))
    return one, other.iloc[::-1]


@pytest.fixture(scope="module")
def texts():
    return text_features(*reviews(), target="verdict")


def test_phrases_that_speak_for_a_class_have_the_largest_coefficients_and_their_sign(texts):
    found = NeuralAffineClassifier(
        md_column=texts.md_column,
        factor="positive",
        l1=0.01,
        l2=0.001,
        hidden_source=2,
        starts=1,
        learning_rate=0.03,
        batch_size=80,
    ).fit(texts.X[:300], texts.y[:300])
    names = texts.phrases
    spoken = found.coefficients(names)
    assert found.coefficients()[0] == (f"column {8 + names.index(spoken[0][0])}", spoken[0][1])
    assert list(found.classes_) == ["bad", "good"]
    assert {name for name, _ in spoken[:3]} == {names[3], names[11], names[20]}
    signs = dict(spoken)
    assert (signs[names[3]] > 0, signs[names[11]] > 0, signs[names[20]] > 0) == (True, False, True)
    assert len(spoken) < 40, "the others are exactly zero for the most part"
    assert found.score(texts.X[300:], texts.y[300:]) > 0.8
    np.testing.assert_allclose(found.predict_proba(texts.X[300:]).sum(axis=1), 1.0)
    _, g2, _ = found.terms(texts.X[300:])
    assert np.all((g2 > 0.0) & (g2 < 1.0))


def test_sparse_and_dense_counts_are_one_and_the_same_table(texts):
    assert isinstance(texts.X, csr_array)
    one, other = reviews()
    np.testing.assert_allclose(texts.X.toarray()[:, :8], one.drop(columns="verdict"))
    np.testing.assert_allclose(texts.X.toarray()[:, 8:], other.sparse.to_dense().loc[one.index])
    assert texts.phrases == tuple(other.columns)
    dense = text_features(one, other.sparse.to_dense(), target="verdict")
    np.testing.assert_array_equal(dense.X.toarray(), texts.X.toarray())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda one, other: (one, other.drop(index="t3")), "counts has no row for the text “t3”"),
        (
            lambda one, other: (one.drop(index=["t3", "t4"]), other),
            "embeddings has no row for the text “t3” and 1 other",
        ),
        (lambda one, other: (pd.concat([one, one.loc[["t3"]]]), other), "embeddings has the text “t3” more than once"),
        (lambda one, other: (one.drop(columns="verdict"), other), "Neither table has the column “verdict”"),
        (lambda one, other: (one.assign(source="web"), other), "other things than numbers in the column “source”"),
        (lambda one, other: (one.replace({"0": {one.loc["t3", "0"]: np.nan}}), other), "no number for the text “t3”"),
    ],
)
def test_tables_of_texts_that_do_not_fit_are_refused_in_one_sentence(change, words):
    with pytest.raises(UserError, match=words):
        text_features(*change(*reviews(20)), target="verdict")


def test_more_than_two_classes_and_one_alone_are_refused(texts):
    with pytest.raises(ValueError, match="binary"):
        NeuralAffineClassifier().fit(texts.X[:9], [0, 1, 2] * 3)
    with pytest.raises(ValueError, match="one class"):
        NeuralAffineClassifier().fit(texts.X[:9], [1] * 9)
