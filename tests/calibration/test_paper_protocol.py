"""The paper's protocol against a re-implementation from its text, with scikit-learn's own splitter."""

from inspect import signature

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from affinecal_gui.calibration.checking.paper_protocol import (
    PAPER_LAMBDA_1,
    PAPER_LAMBDA_2,
    run_paper_protocol,
    shuffled_split,
)
from affinecal_gui.calibration.cross_validation import held_out_errors
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.task import Task
from tests.calibration import textbook_calibrators as textbook
from tests.calibration.bundled_examples import SIZES, load_example


@pytest.fixture
def fast_textbook(monkeypatch):
    """The textbook with plain inverses."""
    monkeypatch.setattr(textbook, "INVERSE", np.linalg.inv)


def invented_table(seed, n, sizes):
    """Descriptors like densities, MD values too high by a factor that depends on them."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0.0, 1.0, (n, sum(sizes))) ** 3
    md = np.exp(rng.normal(7.8, 0.25, n))
    measured = np.exp(1.5 + 0.7 * np.log(md) + X @ rng.normal(0.0, 0.15, sum(sizes)) + rng.normal(0.0, 0.08, n))
    return X, md, measured


def check_repetition(ours, theirs, iterations=True):
    assert ours.test.tolist() == theirs["test"].tolist()
    assert ours.train.tolist() == theirs["train"].tolist()
    for model in ("md", "ordinary", "log_difference", "affine"):
        if model in theirs:
            assert ours.rmse[model] == pytest.approx(theirs[model], abs=1e-9), model
    assert (ours.log_difference_lambda_1, ours.log_difference_lambda_2) == theirs["log_difference_penalties"]
    if "affine" in theirs:
        assert (ours.affine_lambda_1, ours.affine_lambda_2) == theirs["affine_penalties"]
        alpha_1, alpha_0, beta, _ = theirs["affine_parameters"]
        assert ours.alpha_1 == pytest.approx(alpha_1, abs=1e-9)
        assert ours.alpha_0 == pytest.approx(alpha_0, abs=1e-9)
        assert ours.beta == pytest.approx(beta, abs=1e-9)
        assert (ours.iterations, ours.converged) == (theirs["iterations"], theirs["converged"])


@pytest.mark.parametrize(("n", "train", "test"), [(70, 60, 10), (62, 53, 9), (71, 50, 21), (12, 10, 2), (200, 60, 10)])
def test_splits_are_scikit_learn_s(n, train, test):
    for seed in (0, 1, 19, 12345):
        ours = shuffled_split(n, train, test, seed)
        peer = train_test_split(np.arange(n), train_size=train, test_size=test, random_state=seed)
        assert ours[0].tolist() == peer[0].tolist()
        assert ours[1].tolist() == peer[1].tolist()


def test_seventy_polymers_split_as_published():
    # train_test_split(train_size=60) of 70 leaves 10 for testing: the published call names no test size.
    for seed in range(20):
        ours = shuffled_split(70, 60, 10, seed)
        peer = train_test_split(np.arange(70), train_size=60, random_state=seed)
        assert ours[0].tolist() == peer[0].tolist()
        assert ours[1].tolist() == peer[1].tolist()


def test_the_grid_is_the_published_one():
    np.testing.assert_allclose(PAPER_LAMBDA_1, textbook.LAMBDA_1, rtol=0)
    assert tuple(PAPER_LAMBDA_2) == textbook.LAMBDA_2


@pytest.mark.usefixtures("fast_textbook")
@pytest.mark.parametrize("kind", ["fewer polymers than descriptors", "more polymers than descriptors"])
def test_every_number_of_two_repetitions_is_the_textbook_s(kind):
    sizes = (10, 20, 20, 25) if kind.startswith("fewer") else (4, 5)
    X, md, measured = invented_table(0, 70, sizes)
    found = run_paper_protocol(X, md, measured, sizes, repetitions=2)
    assert (found.n_polymers, found.train_size, found.test_size, found.notes) == (70, 60, 10, ())
    for ours in found.repetitions:
        check_repetition(
            ours, textbook.paper_repetition(X, md, measured, sizes, ours.seed, 60, splitter=train_test_split)
        )


@pytest.mark.usefixtures("fast_textbook")
@pytest.mark.parametrize("tolerance", [1e-4])
def test_the_tolerance_of_the_paper_s_text_is_possible_too(tolerance):
    X, md, measured = invented_table(1, 70, (30, 45))
    found = run_paper_protocol(X, md, measured, (30, 45), repetitions=1, tolerance=tolerance)
    theirs = textbook.paper_repetition(X, md, measured, (30, 45), 0, 60, tolerance, splitter=train_test_split)
    check_repetition(found.repetitions[0], theirs)


@pytest.mark.usefixtures("fast_textbook")
def test_the_heat_capacity_example():
    """All polymers of the bundled example that have an MD value, with the product's own 190 descriptors."""
    measured, md, X, _, _ = load_example("heat_capacity")
    n = len(measured)
    found = run_paper_protocol(X, md, measured, SIZES, repetitions=2)
    train = round(n * 60 / 70)
    assert (found.train_size, found.test_size) == (train, n - train)
    assert f"Only {n} polymers" in found.notes[0]
    assert len(found.repetitions) == 2
    assert signature(run_paper_protocol).parameters["repetitions"].default == 20
    for values in (found.rmse_mean, found.rmse_sd):
        assert all(np.isfinite(value) for value in values.values())
    assert (X.std(axis=0, ddof=1) > 0).all()  # else the textbook would divide by zero
    # The affine model of the textbook takes half a minute with 190 descriptors: here without it, below with 30.
    theirs = textbook.paper_repetition(X, md, measured, SIZES, 0, train, splitter=train_test_split, affine=False)
    check_repetition(found.repetitions[0], theirs)


@pytest.mark.usefixtures("fast_textbook")
def test_two_blocks_of_every_second_polymer_of_the_heat_capacity_example():
    measured, md, X, _, _ = (values[::2] for values in load_example("heat_capacity"))
    X, sizes = X[:, :30], SIZES[:2]  # masses and charges: still more descriptors than polymers that are trained with
    train = round(len(measured) * 60 / 70)
    assert (X.std(axis=0, ddof=1) > 0).all()  # else the textbook would divide by zero
    assert train < sum(sizes)
    (ours,) = run_paper_protocol(X, md, measured, sizes, repetitions=1, tolerance=1e-2).repetitions
    theirs = textbook.paper_repetition(X, md, measured, sizes, ours.seed, train, 1e-2, splitter=train_test_split)
    check_repetition(ours, theirs)


def test_both_solvers_agree_about_the_models():
    X, md, measured = invented_table(2, 70, (30, 45))
    block = run_paper_protocol(X, md, measured, (30, 45), repetitions=3, tolerance=1e-9)
    direct = run_paper_protocol(X, md, measured, (30, 45), repetitions=3, solver="direct", tolerance=1e-9)
    for one, other in zip(block.repetitions, direct.repetitions, strict=True):
        assert (one.affine_lambda_1, one.affine_lambda_2) == (other.affine_lambda_1, other.affine_lambda_2)
        assert one.rmse["affine"] == pytest.approx(other.rmse["affine"], abs=1e-6)
        assert one.beta == pytest.approx(other.beta, abs=1e-6)


def test_it_does_not_matter_whether_expansions_are_kept(monkeypatch):
    X, md, measured = invented_table(3, 40, (30, 35))
    kept = run_paper_protocol(X, md, measured, (30, 35), repetitions=2)
    monkeypatch.setattr(held_out_errors, "KEPT_BYTES", 0)
    again = run_paper_protocol(X, md, measured, (30, 35), repetitions=2)
    for one, other in zip(kept.repetitions, again.repetitions, strict=True):
        assert one.rmse == pytest.approx(other.rmse, rel=1e-9)
        assert one.affine_lambda_1 == other.affine_lambda_1


def test_constant_descriptors_and_constant_md_values_give_numbers():
    X, md, measured = invented_table(4, 40, (20, 30))
    X[:, 7] = 0.1  # its standard deviation is a rounding error, not zero
    X[:, 11] = 0.0
    found = run_paper_protocol(X, md, measured, (20, 30), repetitions=2)
    assert np.isfinite(list(found.rmse_mean.values())).all()
    without = np.delete(X, [7, 11], axis=1)
    assert np.isfinite(run_paper_protocol(without, md, measured, (18, 30), repetitions=1).rmse_mean["affine"])
    flat = run_paper_protocol(X, np.full(40, 2500.0), measured, (20, 30), repetitions=2)
    assert np.isfinite(list(flat.rmse_mean.values())).all()
    assert flat.repetitions[0].alpha_1 == 0.0


def test_mean_and_standard_deviation_are_over_the_repetitions():
    X, md, measured = invented_table(5, 30, (5, 6))
    found = run_paper_protocol(X, md, measured, (5, 6), repetitions=4)
    for model in ("md", "ordinary", "log_difference", "affine"):
        values = [repetition.rmse[model] for repetition in found.repetitions]
        assert found.rmse_mean[model] == pytest.approx(np.mean(values))
        assert found.rmse_sd[model] == pytest.approx(np.std(values, ddof=1))
    assert [repetition.seed for repetition in found.repetitions] == [0, 1, 2, 3]


def test_more_polymers_than_seventy_leave_more_for_testing():
    X, md, measured = invented_table(6, 80, (5, 6))
    found = run_paper_protocol(X, md, measured, (5, 6), repetitions=1)
    assert (found.train_size, found.test_size) == (60, 20)
    peer = train_test_split(np.arange(80), train_size=60, random_state=0)
    assert found.repetitions[0].test.tolist() == peer[1].tolist()


def test_it_reports_and_can_be_stopped():
    X, md, measured = invented_table(7, 30, (15, 26))
    seen = []
    run_paper_protocol(X, md, measured, (15, 26), repetitions=2, task=Task(lambda share, words: seen.append(share)))
    assert seen[-1] == pytest.approx(1.0)
    assert seen == sorted(seen)
    with pytest.raises(Cancelled):
        run_paper_protocol(X, md, measured, (15, 26), repetitions=2, task=Task(cancelled=lambda: True))


def test_bad_input_is_refused_in_words():
    X, md, measured = invented_table(8, 30, (5, 6))
    with pytest.raises(UserError, match="MD values: row 3 is not positive"):
        run_paper_protocol(X, np.r_[md[:2], 0.0, md[3:]], measured, (5, 6))
    with pytest.raises(UserError, match="Measured values: row 1 is missing"):
        run_paper_protocol(X, md, np.r_[np.nan, measured[1:]], (5, 6))
    with pytest.raises(UserError, match="at least 12 polymers"):
        run_paper_protocol(X[:9], md[:9], measured[:9], (5, 6))
