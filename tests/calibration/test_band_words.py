"""What is said of bands: by how they are made, the same wherever it stands."""

from dataclasses import replace

import pytest

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import refit
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.calibration.uncertainty.band_words import (
    BY_REFITS,
    OF_AVERAGE_EFFECTS,
    ON_AVERAGE,
    PENALTIES_AS_KNOWN,
    said_of_bands,
)
from tests.calibration.simulated_polymers import simulate

OPTIONS = CalibrationOptions(
    repetitions=1, outer_folds=3, lambda_1_grid=(0.1, 1.0), lambda_2_grid=(0.1, 1.0), measure_next=0, bootstrap=20
)
ALL = (ON_AVERAGE, PENALTIES_AS_KNOWN, BY_REFITS, OF_AVERAGE_EFFECTS)


def run(**changes):
    data = simulate(2, n=20, m=3)
    options = replace(OPTIONS, **changes)
    return calibrate(data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, options)


def noted(found):
    """Which of the sentences the notes hold."""
    return [sentence for sentence in ALL if any(sentence in note for note in found.notes)]


@pytest.fixture(scope="module")
def searched():
    return run()


def test_bands_of_penalties_that_were_searched_hold_their_share_on_average(searched):
    assert [said_of_bands(searched, name) for name in ("ordinary", "affine", "combined")] == [
        "",
        ON_AVERAGE,
        ON_AVERAGE,
    ]
    assert noted(searched) == [ON_AVERAGE]


def test_a_penalty_set_by_hand_is_taken_as_known_in_the_combined_calibrator_too(searched):
    found = refit(searched, {"affine": Penalties(1.0, 1.0)})
    said = [said_of_bands(found, name) for name in ("log_difference", "affine", "combined")]
    assert said == [ON_AVERAGE, PENALTIES_AS_KNOWN, PENALTIES_AS_KNOWN]
    assert noted(found) == [ON_AVERAGE, PENALTIES_AS_KNOWN]
    assert any(note.startswith("Affine, Combined: Bands take the penalties") for note in found.notes)


def test_bands_by_refits_are_told_as_such():
    found = run(bands="bootstrap")
    assert {said_of_bands(found, name) for name in ("log_difference", "affine", "combined")} == {BY_REFITS}
    assert noted(found) == [BY_REFITS]


def test_nothing_is_said_where_there_are_no_bands():
    assert noted(run(bands="none")) == []


def test_average_effects_have_a_word_of_their_own(searched):
    own = searched.models["affine"]
    effects = replace(own, coefficients=replace(own.coefficients, average=True))
    assert said_of_bands(replace(searched, models={"affine": effects}), "affine") == OF_AVERAGE_EFFECTS
