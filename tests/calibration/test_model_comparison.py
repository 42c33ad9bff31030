"""When a difference between calibrators is more than noise, and what to advise."""

import re

import numpy as np
import pytest
from scipy import stats

from affinecal_gui.calibration.checking.comparison import (
    RepetitionErrors,
    compare,
    corrected_p_value,
    no_better_than,
    repetition_errors,
    rounding_of,
    warning_about,
    welch_p_value,
)
from affinecal_gui.calibration.results import PairedComparison


def errors(rmse, jitter=0.002, folds=25, seed=0):
    rng = np.random.default_rng(seed)
    repetitions = rmse + jitter * rng.normal(size=5)
    return RepetitionErrors(rmse, repetitions, rmse**2 + jitter * rmse * rng.normal(size=folds))


def test_welch_is_that_of_scipy():
    rng = np.random.default_rng(1)
    a, b = rng.normal(1.0, 0.1, 5), rng.normal(1.1, 0.3, 5)
    assert welch_p_value(a, b) == pytest.approx(stats.ttest_ind(a, b, equal_var=False).pvalue, rel=1e-12)


def test_welch_without_variation():
    assert welch_p_value(np.ones(5), np.ones(5)) == 1.0
    assert welch_p_value(np.ones(5), np.full(5, 2.0)) == 0.0
    assert np.isnan(welch_p_value(np.ones(1), np.ones(1)))


def test_corrected_test_is_the_textbook_formula():
    difference = np.random.default_rng(2).normal(0.1, 0.3, 25)
    # Nadeau and Bengio 2003, equation for the corrected resampled t statistic, by hand.
    t = difference.mean() / np.sqrt((1 / 25 + 1 / 4) * difference.var(ddof=1))
    assert corrected_p_value(difference, 1 / 4) == pytest.approx(2 * stats.t.sf(abs(t), 24), rel=1e-12)


def test_corrected_test_holds_its_level_where_welch_does_not():
    """Two equally good models on the same data, repeated cross-validation: the share of false alarms at 5 %."""
    rng = np.random.default_rng(3)
    alarms = {"welch": 0, "corrected": 0}
    trials = 200
    for _ in range(trials):
        x, noise = rng.normal(size=(40, 2)), rng.normal(size=40)
        y = x[:, 0] + x[:, 1] + noise  # either column alone is equally good
        predicted = {0: np.empty((5, 40)), 1: np.empty((5, 40))}
        fold = np.stack([rng.permutation(40) % 5 for _ in range(5)])
        for r in range(5):
            for k in range(5):
                train, test = fold[r] != k, fold[r] == k
                for j in (0, 1):
                    slope = x[train, j] @ y[train] / (x[train, j] @ x[train, j])
                    predicted[j][r, test] = slope * x[test, j]
        a, b = (repetition_errors(y, predicted[j], fold) for j in (0, 1))
        alarms["welch"] += welch_p_value(a.repetition_rmse, b.repetition_rmse) < 0.05
        alarms["corrected"] += corrected_p_value(a.fold_squared_error - b.fold_squared_error, 0.25) < 0.05
    assert alarms["corrected"] / trials < 0.12
    assert alarms["welch"] / trials > 0.5


def test_errors_by_repetition_and_fold():
    y = np.array([0.0, 0.0, 0.0, 0.0])
    predicted = np.array([[1.0, 1.0, 2.0, 2.0], [3.0, 1.0, 1.0, 3.0]])
    fold = np.array([[0, 0, 1, 1], [0, 1, 1, 0]])
    found = repetition_errors(y, predicted, fold)
    np.testing.assert_allclose(found.repetition_rmse, [np.sqrt(2.5), np.sqrt(5.0)])
    np.testing.assert_allclose(found.fold_squared_error, [1.0, 4.0, 9.0, 1.0])
    assert found.rmse == pytest.approx(np.sqrt(np.mean([4.0, 1.0, 2.25, 6.25])))


def test_the_simplest_that_is_not_significantly_worse_is_recommended():
    found = compare(
        {
            "md": errors(0.8, seed=1),
            "ordinary": errors(0.2, seed=2),
            "log_difference": errors(0.150, 0.02, seed=3),
            "affine": errors(0.149, 0.02, seed=4),
        },
        0.25,
        True,
    )
    assert (found.best, found.recommended) == ("affine", "log_difference")
    assert found.sentence.startswith("Affine has the lowest error, by 0.001 over log-difference, less than the 0.0")
    assert "Log-difference is recommended: the simplest that is not clearly worse" in found.sentence
    assert len(found.comparisons) == 6


def test_a_clear_winner_is_named_with_its_margin():
    found = compare({"md": errors(0.8, seed=1), "ordinary": errors(0.2, seed=2)}, 0.25, True)
    assert (found.best, found.recommended) == ("ordinary", "ordinary")
    assert "0.600 below that of the MD value as it is, more than chance explains" in found.sentence


def test_affine_is_mentioned_for_its_parameters():
    found = compare(
        {
            "md": errors(0.8, seed=1),
            "ordinary": errors(0.186, seed=2),
            "log_difference": errors(0.165, 0.007, seed=3),
            "affine": errors(0.171, 0.02, seed=4),
        },
        0.25,
        True,
    )
    assert found.sentence.endswith("; affine also shows α₁ and β.")


def test_md_may_need_no_calibration():
    best = compare({"md": errors(0.1, seed=1), "ordinary": errors(0.101, 0.05, seed=2)}, 0.25, True)
    assert best.recommended == "md"
    assert "do not call for a calibration" in best.sentence


def test_numbers_in_the_sentence_have_digits_in_any_unit():
    small = compare({"md": errors(8e-7, 1e-8, seed=1), "ordinary": errors(2e-7, 1e-9, seed=2)}, 0.25, False)
    large = compare({"md": errors(8e6, 1e5, seed=1), "ordinary": errors(2e6, 1e4, seed=2)}, 0.25, False)
    assert "6.00\u00a0×\u00a010⁻⁷ below" in small.sentence
    assert "6.000\u00a0×\u00a010⁶ below" in large.sentence


def test_a_calibrator_worse_than_md_is_not_advised_but_warned_of():
    found = compare(
        {
            "md": errors(0.057, 0.001, seed=1),
            "ordinary": errors(0.0328, 0.004, seed=2),
            "log_difference": errors(0.0295, 0.004, seed=3),
            "affine": errors(0.0622, 0.05, seed=4),
        },
        1 / 9,
        False,
    )
    assert found.best == "log_difference"
    assert "affine also shows" not in found.sentence
    assert found.sentence.endswith(
        "Affine predicts no better than the MD value as it is (out-of-fold RMSE 0.0622 against 0.0570): do not use its "
        "values."
    )


def test_several_calibrators_worse_than_md_are_named_in_one_sentence():
    found = compare(
        {
            "md": errors(0.057, 0.001, seed=1),
            "ordinary": errors(0.0328, 0.004, seed=2),
            "affine": errors(0.0622, 0.05, seed=4),
            "only_source": errors(0.0710, 0.05, seed=5),
            "htl_offset": errors(0.0689, 0.05, seed=6),
        },
        1 / 9,
        False,
    )
    assert found.sentence.endswith(
        "Affine, only source and HTL-offset predict no better than the MD value as it is (out-of-fold RMSE 0.0622 to 0.0710 "
        "against 0.0570): do not use their values."
    )


def test_noise_of_its_own_does_not_save_a_calibrator_that_errs_more_than_a_rejected_one():
    folds = np.random.default_rng(5).normal(size=25)
    found = compare(
        {
            "md": errors(0.2, 0.001, seed=1),  # clearly worse than the best
            "ordinary": RepetitionErrors(
                0.3, np.full(5, 0.3), 0.09 + 0.5 * folds
            ),  # worse still, but too noisy to tell
            "log_difference": errors(0.1, 0.001, seed=3),
        },
        1 / 9,
        True,
    )
    assert found.comparisons[0].better == "md"
    assert found.recommended == "log_difference"


def pair(better, worse, p):
    return PairedComparison(better, worse, 0.01, p, p)


def test_warnings_name_md_first_and_else_the_best_of_the_simpler_ones():
    rmse = {"md": 0.5, "ordinary": 0.21, "log_difference": 0.189, "affine": 0.19}
    assert no_better_than("ordinary", rmse) is None
    assert no_better_than("log_difference", rmse) is None
    assert no_better_than("affine", rmse) == "log_difference"
    assert no_better_than("affine", {**rmse, "md": 0.19}) == "md"
    assert "no better than the MD value as it is" in warning_about("affine", {**rmse, "md": 0.19}, (), log_scale=True)
    assert warning_about("md", rmse, (), log_scale=True) == ""


def test_a_calibrator_is_called_worse_only_where_that_is_clear_of_chance():
    rmse = {"md": 0.5, "ordinary": 0.21, "log_difference": 0.189, "affine": 0.19}
    numbers = "difference, which is simpler (out-of-fold RMSE 0.190 against 0.189)."
    clear, noise = [pair("log_difference", "affine", 0.01)], [pair("log_difference", "affine", 0.4)]
    assert warning_about("affine", rmse, clear, log_scale=False) == f"Affine predicts worse than {numbers}"
    assert warning_about("affine", rmse, noise, log_scale=False) == f"Affine predicts no better than {numbers}"
    assert warning_about("affine", rmse, (), log_scale=False) == f"Affine predicts no better than {numbers}"


def test_differences_within_rounding_are_no_differences_however_regular():
    y = np.linspace(7.0, 8.0, 40)
    rounding = rounding_of(y, log_scale=True)
    exact = {
        "md": RepetitionErrors(2e-15, np.full(5, 2e-15), np.full(25, 4e-30)),
        "ordinary": RepetitionErrors(0.0, np.zeros(5), np.zeros(25)),
        "affine": errors(0.1, seed=4),
    }
    found = compare(exact, 0.25, True, rounding)
    assert (found.best, found.recommended) == ("md", "md")
    first = found.comparisons[0]
    assert (first.better, first.worse, first.difference, first.corrected_p_value) == ("md", "ordinary", 0.0, 1.0)
    assert found.comparisons[1].corrected_p_value < 0.001
    assert "e-" not in found.sentence
    assert "10⁻" not in found.sentence
    assert no_better_than("ordinary", {name: one.rmse for name, one in exact.items()}, found.comparisons) == "md"


def test_rounding_follows_the_unit():
    y = np.array([1.0, 2.0, 3.0])
    assert rounding_of(1e-17 * y, log_scale=False) == pytest.approx(1e-17 * rounding_of(y, log_scale=False))
    small = {"md": errors(8e-17, 1e-18, seed=1), "ordinary": errors(2e-17, 1e-19, seed=2)}
    assert compare(small, 0.25, False, rounding_of(1e-16 * y, log_scale=False)).comparisons[0].corrected_p_value < 0.05


def test_a_gap_and_the_noise_it_is_compared_with_are_written_so_that_they_differ():
    """A gap of 0.0023 against a variation of 0.00234: one digit more."""
    repetitions = 0.15 + 0.00234 * np.array([-1.0, 1.0, -1.0, 1.0, 0.0])
    folds = np.random.default_rng(7).normal(size=25)
    found = compare(
        {
            "ordinary": RepetitionErrors(0.15229, repetitions, 0.0232 + 0.01 * folds),
            "affine": RepetitionErrors(0.15, repetitions, np.full(25, 0.0225)),
        },
        0.25,
        True,
    )
    numbers = re.search(r"by ([0-9.]+) over ordinary regression, less than the ([0-9.]+) by", found.sentence)
    assert numbers is not None
    assert float(numbers[1]) < float(numbers[2])


def test_p_values_do_not_depend_on_the_unit_however_extreme():
    rng = np.random.default_rng(6)
    a, b, difference = rng.normal(1.0, 0.1, 5), rng.normal(1.1, 0.1, 5), rng.normal(0.1, 0.3, 25)
    for unit in (1e-120, 1e120):
        assert welch_p_value(unit * a, unit * b) == pytest.approx(welch_p_value(a, b), rel=1e-9)
        assert corrected_p_value(unit * difference, 0.25) == pytest.approx(
            corrected_p_value(difference, 0.25), rel=1e-9
        )
