"""When a difference between calibrators is more than noise, and what to advise."""

import numpy as np
import pytest
from scipy import stats

from affinecal_gui.calibration.checking.comparison import (
    HeldOutErrors,
    compare,
    held_out_errors,
    no_better_than,
    rounding_of,
    warning_about,
    welch_p_value,
)
from affinecal_gui.calibration.results import PairedComparison

GROUPS = np.arange(40)


def errors(rmse, jitter=0.3, seed=0):
    """Residuals of 40 polymers with exactly this root mean square."""
    residuals = 1.0 + jitter * np.random.default_rng(seed).normal(size=40)
    residuals *= rmse / np.sqrt(np.mean(residuals**2))
    return HeldOutErrors(residuals, rmse + 1e-3 * rmse * np.random.default_rng(seed).normal(size=5))


def compared(of, structure=float("nan"), *, log_scale=True, rounding=0.0):
    return compare(of, GROUPS, log_scale, rounding, structure=structure)


def test_welch_is_that_of_scipy():
    rng = np.random.default_rng(1)
    a, b = rng.normal(1.0, 0.1, 5), rng.normal(1.1, 0.3, 5)
    assert welch_p_value(a, b) == pytest.approx(stats.ttest_ind(a, b, equal_var=False).pvalue, rel=1e-12)


def test_welch_without_variation():
    assert welch_p_value(np.ones(5), np.ones(5)) == 1.0
    assert welch_p_value(np.ones(5), np.full(5, 2.0)) == 0.0
    assert np.isnan(welch_p_value(np.ones(1), np.ones(1)))


def test_errors_are_those_of_the_mean_over_repetitions():
    predicted = np.array([[1.0, 1.0, 2.0, 2.0], [3.0, 1.0, 1.0, 3.0]])
    found = held_out_errors(np.zeros(4), predicted)
    np.testing.assert_allclose(found.repetition_rmse, [np.sqrt(2.5), np.sqrt(5.0)])
    assert found.rmse == pytest.approx(np.sqrt(np.mean([4.0, 1.0, 2.25, 6.25])))


FOUR = {
    "md": errors(0.8, seed=1),
    "ordinary": errors(0.2, seed=2),
    "log_difference": errors(0.18, seed=3),
    "affine": errors(0.179, seed=4),
    "combined": errors(0.181, seed=5),
}


def test_values_given_by_physics_go_before_a_line_until_that_is_clearly_better():
    line = {"md": errors(0.8, seed=1), "ordinary": errors(0.17, seed=2)}
    by_chance = compared({**line, "quantum_corrected": errors(0.18, seed=3)})
    assert (by_chance.best, by_chance.recommended) == ("ordinary", "quantum_corrected")
    assert (
        "is recommended: it owes nothing to the measured polymers, and nothing fitted is clearly" in by_chance.sentence
    )
    assert compared({**line, "quantum_corrected": errors(0.4, seed=3)}).recommended == "ordinary"
    # Raw MD is no such knowledge: that it is biased is why there are calibrations.
    assert compared({"md": errors(0.18, seed=3), "ordinary": errors(0.17, seed=2)}).recommended == "ordinary"


def test_the_combined_calibrator_takes_the_place_of_a_line_and_says_how_far_it_leaves_it():
    chance, clear = compared(FOUR, 0.3), compared(FOUR, 0.001)
    assert (chance.best, chance.recommended) == ("affine", "combined")
    assert "it keeps to the line as far as it may be chance that polymers of like structure depart" in chance.sentence
    assert "asked for" not in chance.sentence
    assert (clear.best, clear.recommended) == ("affine", "combined")
    assert "it is more than chance that polymers of like structure depart alike" in clear.sentence
    assert clear.structure_p_value == 0.001
    assert len(clear.comparisons) == 10
    lowest = compared({**FOUR, "combined": errors(0.17, seed=5)}, 0.3)
    assert lowest.sentence.startswith(
        "The combined calibrator has the lowest error and is recommended: it keeps to the line"
    )


def test_md_as_it_is_stands_while_its_error_is_the_lower_one_and_no_structure_is_found():
    low = {**FOUR, "md": errors(0.178, seed=1)}
    chance, clear = compared(low, 0.3), compared(low, 0.001)
    assert chance.recommended == "md"
    assert clear.recommended == "combined"
    assert "which may be chance" in clear.sentence
    assert "more than chance that polymers of like structure" in clear.sentence
    advised_against = clear.sentence[clear.sentence.index("predict no better") - 60 :]
    assert "do not use their values" in advised_against
    assert "combined" not in advised_against


def test_nothing_with_a_larger_error_takes_the_place_of_values_given_by_physics():
    given = {**FOUR, "quantum_corrected": errors(0.175, seed=6)}
    assert compared(given, 1e-6).recommended == "quantum_corrected"
    assert compared({**given, "combined": errors(0.17, seed=5)}, 1e-6).recommended == "combined"
    assert compared({**given, "combined": errors(0.17, seed=5)}, 0.3).recommended == "quantum_corrected"


def test_what_is_clearly_better_goes_before_the_combined_calibrator():
    half = HeldOutErrors(0.5 * FOUR["combined"].residuals, 0.5 * FOUR["combined"].repetition_rmse)
    assert compared({**FOUR, "ordinary": half}, 0.3).recommended == "ordinary"


def test_without_a_combined_calibrator_the_best_with_descriptors_takes_its_place():
    assert compared({name: one for name, one in FOUR.items() if name != "combined"}, 0.001).recommended == "affine"


def test_what_is_clearly_better_is_recommended_whatever_it_is():
    """Half the residual of every polymer: no difference could be clearer."""
    half = HeldOutErrors(0.5 * FOUR["ordinary"].residuals, 0.5 * FOUR["ordinary"].repetition_rmse)
    assert compared({**FOUR, "direct": half}, 0.3).recommended == "direct"


def test_md_as_it_is_gives_way_to_a_line_that_errs_less_by_however_little():
    assert compared({"md": errors(0.0435, seed=1), "ordinary": errors(0.0434, seed=2)}).recommended == "ordinary"


def test_a_clear_winner_is_named_with_its_margin():
    found = compared({"md": errors(0.8, seed=1), "ordinary": errors(0.2, seed=2)})
    assert (found.best, found.recommended) == ("ordinary", "ordinary")
    assert "0.600 below that of the MD value as it is (0." in found.sentence
    assert "with 95 %), more than chance explains" in found.sentence


def test_affine_is_mentioned_for_its_parameters():
    jumping = HeldOutErrors(FOUR["affine"].residuals, 0.179 + 0.01 * np.array([-1.0, 1.0, -1.0, 1.0, 0.0]))
    found = compared({**FOUR, "affine": jumping}, 0.001)
    assert found.sentence.endswith("; affine also shows α₁ and β.")


def test_md_may_need_no_calibration():
    best = compared({"md": errors(0.1, seed=1), "ordinary": errors(0.101, seed=2)})
    assert best.recommended == "md"
    assert "do not call for a calibration" in best.sentence


def test_numbers_in_the_sentence_have_digits_in_any_unit():
    small = compared({"md": errors(8e-7, seed=1), "ordinary": errors(2e-7, seed=2)}, log_scale=False)
    large = compared({"md": errors(8e6, seed=1), "ordinary": errors(2e6, seed=2)}, log_scale=False)
    assert "6.0\u00a0×\u00a010⁻⁷ below" in small.sentence or "6.00\u00a0×\u00a010⁻⁷ below" in small.sentence
    assert "\u00a0×\u00a010⁶ below" in large.sentence


def test_a_calibrator_worse_than_md_is_not_advised_but_warned_of():
    found = compared(
        {
            "md": errors(0.057, seed=1),
            "ordinary": errors(0.0328, seed=2),
            "log_difference": errors(0.0295, seed=3),
            "affine": errors(0.0622, seed=4),
        },
        log_scale=False,
    )
    assert found.best == "log_difference"
    assert "affine also shows" not in found.sentence
    assert found.sentence.endswith(
        "Affine predicts no better than the MD value as it is (out-of-fold RMSE 0.0622 against 0.0570): do not use its "
        "values."
    )


def test_several_calibrators_worse_than_md_are_named_in_one_sentence():
    found = compared(
        {
            "md": errors(0.057, seed=1),
            "ordinary": errors(0.0328, seed=2),
            "affine": errors(0.0622, seed=4),
            "only_source": errors(0.0710, seed=5),
            "htl_offset": errors(0.0689, seed=6),
        },
        log_scale=False,
    )
    assert found.sentence.endswith(
        "Affine, only source and HTL-offset predict no better than the MD value as it is (out-of-fold RMSE 0.0622 to 0.0710 "
        "against 0.0570): do not use their values."
    )


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
        "md": HeldOutErrors(np.full(40, 2e-15), np.full(5, 2e-15)),
        "ordinary": HeldOutErrors(np.zeros(40), np.zeros(5)),
        "affine": errors(0.1, seed=4),
    }
    found = compared(exact, rounding=rounding)
    assert (found.best, found.recommended) == ("md", "md")
    first = found.comparisons[0]
    assert (first.better, first.worse, first.difference, first.paired_p_value) == ("md", "ordinary", 0.0, 1.0)
    assert found.comparisons[1].paired_p_value < 0.001
    assert "e-" not in found.sentence
    assert "10⁻" not in found.sentence
    assert no_better_than("ordinary", {name: one.rmse for name, one in exact.items()}, found.comparisons) == "md"


def test_rounding_follows_the_unit():
    y = np.array([1.0, 2.0, 3.0])
    assert rounding_of(1e-17 * y, log_scale=False) == pytest.approx(1e-17 * rounding_of(y, log_scale=False))
    small = {"md": errors(8e-17, seed=1), "ordinary": errors(2e-17, seed=2)}
    assert (
        compared(small, log_scale=False, rounding=rounding_of(1e-16 * y, log_scale=False)).comparisons[0].paired_p_value
        < 0.05
    )


def test_p_values_do_not_depend_on_the_unit_however_extreme():
    rng = np.random.default_rng(6)
    a, b = rng.normal(1.0, 0.1, 5), rng.normal(1.1, 0.1, 5)
    for unit in (1e-120, 1e120):
        assert welch_p_value(unit * a, unit * b) == pytest.approx(welch_p_value(a, b), rel=1e-9)
