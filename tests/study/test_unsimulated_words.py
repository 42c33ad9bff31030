"""What is said of the three ways to predict a polymer: with a simulation, with a predicted MD value, without any."""

import numpy as np
import pytest

from affinecal_gui.calibration.kernels.comparing.unsimulated import LEVELS, WAYS, UnsimulatedTrial, WayTried
from affinecal_gui.study.words.unsimulated_words import what_md_adds

N = 40


def trial(*errors: float) -> UnsimulatedTrial:
    """Ways with these errors, each with a scatter of its own."""
    generator = np.random.default_rng(5)
    y = generator.normal(size=N)
    nothing = np.zeros((len(LEVELS), 1, N))
    ways = [
        WayTried(way, (y + error * generator.normal(size=N))[None], nothing)
        for way, error in zip(WAYS, errors, strict=True)
    ]
    return UnsimulatedTrial(y, np.arange(N), tuple(ways), np.arange(float(N))[None])


@pytest.mark.parametrize(
    ("errors", "beginning", "end"),
    [
        ((1.0, 1.0, 1.1), "That MD helps here may be chance (p", "predicted MD values."),
        ((3.0, 3.0, 1.0), "MD adds nothing here:", "predicted MD values."),
        ((0.1, 0.1, 1.0), "Simulations help here", "times as large as with simulated ones."),
        ((0.1, 0.3, 1.5), "Simulations help here", "times as large as with simulated ones."),
        ((0.1, 1.0, 1.0), "Simulations help here", "times as large as with simulated ones."),
    ],
)
def test_where_md_adds_nothing_the_sentence_says_so(errors: tuple[float, ...], beginning: str, end: str) -> None:
    said = what_md_adds(trial(*errors))
    assert said.startswith(beginning)
    assert said.endswith(end)


def test_predicted_md_values_nearly_replace_the_simulation_help_less_or_add_nothing() -> None:
    assert "nearly replace them" in what_md_adds(trial(0.1, 0.1, 1.0))
    assert "help less" in what_md_adds(trial(0.1, 0.3, 1.5))
    assert "Predicted MD values add nothing to the descriptors" in what_md_adds(trial(0.1, 1.0, 1.0))


def test_the_farthest_tenth_is_that_of_the_largest_distances() -> None:
    assert np.flatnonzero(trial(1.0, 1.0, 1.0).farthest[0]).tolist() == [36, 37, 38, 39]
