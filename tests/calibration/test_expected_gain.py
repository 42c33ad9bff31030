"""The gain of a measurement or a simulation is what the search for polymers that meet wishes finds more, by brute force."""

import numpy as np
import pytest
from scipy.special import ndtr

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.expected_gain import (
    Errors,
    Outlook,
    best_other,
    correlations_of,
    gain_of_measuring,
    gain_of_simulating,
)
from affinecal_gui.calibration.sharing.wishes import ErrorsShown, Wanted, errors_alone, worth_of_all

NORMAL = Errors((errors_alone(ErrorsShown(np.random.default_rng(8).normal(size=(1, 4000)), 4000, 0.9)),))
WISH = Wanted(low=1.0)


def outlook(centre: FloatArray, spread: FloatArray) -> Outlook:
    return Outlook(centre[:, None], spread[:, None], (NORMAL,), np.zeros(len(centre), dtype=np.int64))


def found_in(probabilities: FloatArray, further: int) -> FloatArray:
    """Return (draws,) how many of the ``further`` best of (draws, k) are expected to meet the wish."""
    return np.asarray(-np.sort(-probabilities, axis=1)[:, :further].sum(axis=1))


CENTRE = np.array([0.9, 0.3, 0.0, 1.6, -0.8, 0.6])
SPREAD = np.array([0.5, 1.0, 1.4, 0.4, 1.2, 0.8])


def test_the_best_of_the_others_is_the_one_that_a_polymer_would_replace_or_leave_its_place_to() -> None:
    worth = np.array([0.9, 0.5, 0.5, 0.1])
    np.testing.assert_array_equal(best_other(worth, 2), [0.5, 0.5, 0.5, 0.5])
    np.testing.assert_array_equal(best_other(worth, 1), [0.5, 0.9, 0.9, 0.9])
    np.testing.assert_array_equal(best_other(worth, 4), 0.0)
    assert np.isinf(best_other(worth, 0)).all()


@pytest.mark.parametrize("further", [1, 3])
def test_a_measurement_gains_what_a_simulated_search_finds_more(further: int) -> None:
    generator = np.random.default_rng(3)
    mixed = generator.normal(size=(6, 3))
    covariance = mixed @ mixed.T + 0.05 * np.eye(6)
    correlation = covariance / np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    now = outlook(CENTRE, SPREAD)
    worth = now.worth([WISH])
    found = gain_of_measuring(now, [WISH], worth, correlation[None], further)

    exact = 1.0 - ndtr((1.0 - CENTRE) / SPREAD)
    np.testing.assert_allclose(worth, exact, atol=0.01)
    draws = generator.normal(size=40_000)
    for measured in range(6):
        others = np.array([number for number in range(6) if number != measured])
        shared = correlation[measured, others]
        # The textbook's normal distribution of the others, once one of them is known.
        middle = CENTRE[others] + SPREAD[others] * shared * draws[:, None]
        left = SPREAD[others] * np.sqrt(1.0 - shared**2)
        after = 1.0 - ndtr((1.0 - middle) / left)
        met = CENTRE[measured] + SPREAD[measured] * draws > 1.0
        expected = (met + found_in(after, further)).mean() - found_in(exact[None], further)[0]
        assert found[measured] == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("further", [1, 2])
def test_a_simulation_gains_what_a_simulated_search_finds_more(further: int) -> None:
    now, sharper = outlook(CENTRE, SPREAD), SPREAD * np.array([0.4, 0.6, 0.3, 0.9, 0.5, 1.0])
    worth = now.worth([WISH])
    found = gain_of_simulating(now, outlook(CENTRE, sharper), [WISH], best_other(worth, further))

    exact = 1.0 - ndtr((1.0 - CENTRE) / SPREAD)
    draws = np.random.default_rng(4).normal(size=40_000)
    for simulated in range(6):
        probabilities = np.tile(exact, (len(draws), 1))
        moved = CENTRE[simulated] + np.sqrt(SPREAD[simulated] ** 2 - sharper[simulated] ** 2) * draws
        probabilities[:, simulated] = 1.0 - ndtr((1.0 - moved) / sharper[simulated])
        expected = found_in(probabilities, further).mean() - found_in(exact[None], further)[0]
        assert found[simulated] == pytest.approx(expected, abs=0.01)
    assert found[5] == 0.0  # nothing becomes sharper
    wider = gain_of_simulating(now, outlook(CENTRE, 1.4 * SPREAD), [WISH], best_other(worth, further))
    np.testing.assert_array_equal(wider, 0.0)


def test_two_properties_that_go_together_are_simulated_together() -> None:
    generator = np.random.default_rng(5)
    correlation = np.array([[1.0, -0.7], [-0.7, 1.0]])
    pairs = Errors((generator.multivariate_normal([0.0, 0.0], correlation, 3000)[:600],))
    centre, spread = np.array([[0.8, 0.9], [0.2, 1.5], [0.6, 0.6]]), np.array([[0.8, 0.6], [1.0, 0.5], [0.9, 0.9]])
    kind = np.zeros(3, dtype=np.int64)
    now, after = Outlook(centre, spread, (pairs,), kind), Outlook(centre, 0.5 * spread, (pairs,), kind)
    wishes = [WISH, WISH]
    worth = now.worth(wishes)
    threshold = best_other(worth, 1)
    found = gain_of_simulating(now, after, wishes, threshold)
    draws = generator.multivariate_normal([0.0, 0.0], correlation, 4000)
    for number in range(3):
        moved = centre[number] + spread[number] * np.sqrt(0.75) * draws
        outcome = worth_of_all(pairs.parts, moved, np.tile(0.5 * spread[number], (len(draws), 1)), wishes)
        expected = np.maximum(outcome, threshold[number]).mean() - max(outcome.mean(), threshold[number])
        assert found[number] == pytest.approx(expected, abs=0.015)


def test_without_likes_a_measurement_gains_its_probability_up_to_that_of_the_one_that_it_makes_room_for() -> None:
    now = outlook(CENTRE, SPREAD)
    worth = now.worth([WISH])
    ordered = np.sort(worth)[::-1]
    np.testing.assert_allclose(gain_of_measuring(now, [WISH], worth, None, 2), np.minimum(worth, ordered[2]))
    alone = np.eye(6)[None]
    np.testing.assert_allclose(gain_of_measuring(now, [WISH], worth, alone, 2), np.minimum(worth, ordered[2]))
    # Where the search ends with this measurement, nothing but its own polymer can be found.
    np.testing.assert_array_equal(gain_of_measuring(now, [WISH], worth, alone, 0), worth)
    np.testing.assert_array_equal(gain_of_simulating(now, now, [WISH], best_other(worth, 0)), 0.0)


@pytest.mark.parametrize("downwards", [False, True])
def test_as_high_as_possible_is_worth_the_expected_improvement_within_the_bounds(downwards: bool) -> None:
    sign = -1.0 if downwards else 1.0
    wish = Wanted(-1.8, 1.8, beyond=sign * 0.5, downwards=downwards)
    draws = np.random.default_rng(6).normal(size=200_000)
    centre, spread = np.array([0.0, 0.4, 2.5]), np.array([1.0, 0.5, 0.7])
    found = outlook(sign * centre, spread).worth([wish])
    for number in range(3):
        values = centre[number] + spread[number] * draws
        expected = np.where(values < 1.8, np.maximum(values - 0.5, 0.0), 0.0).mean()
        assert found[number] == pytest.approx(expected, abs=0.012)
    nothing = Wanted(high=0.2, beyond=0.5)
    np.testing.assert_array_equal(outlook(centre, spread).worth([nothing]), 0.0)


def test_errors_of_measurements_go_together_less_where_measurements_scatter_or_md_values_are_predicted() -> None:
    covariance = np.array([[1.0, 0.8], [0.8, 3.0]])
    found = correlations_of(covariance, np.array([1.0, 1.0]))
    assert found[0, 1] == pytest.approx(0.8 / np.sqrt(2.0 * 4.0))
    assert correlations_of(covariance, np.array([1.0, 4.0]))[0, 1] == pytest.approx(found[0, 1] / 2.0)
    np.testing.assert_array_equal(np.diag(found), 1.0)
