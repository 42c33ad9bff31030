"""What is said of measured values that the others do not let expect, and where it is said."""

import json
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from affinecal_gui.study.results.reporting import report_data
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.words.outlier_words import MOST_TOLD, flagged_polymers, notes_shown, outlier_notes
from affinecal_gui.tasks.fitting.fit_metrics import metrics_of
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot


def with_factors(factors: dict[int, float]) -> Snapshot:
    """Let the measured values of these polymers of the fit be so many times the calibrated ones, all others 3 % off."""
    snapshot = sample_snapshot()
    calibration = snapshot.calibration
    assert calibration is not None
    model = calibration.recommendation.recommended
    of = np.exp(np.random.default_rng(0).normal(0.0, 0.03, len(calibration.measured)))
    for position, factor in factors.items():
        of[position] = factor
    result = replace(calibration.models[model], out_of_fold=calibration.measured / of)
    models = MappingProxyType({**calibration.models, model: result})
    shown = replace(snapshot.settings, model=model)
    return replace(snapshot, settings=shown, calibration=replace(calibration, models=models))


def name_of(snapshot: Snapshot, position: int) -> str:
    return next(row.label for row in snapshot.rows if row.training_index == position)


@pytest.mark.parametrize(
    ("factor", "how", "question"),
    [
        (2.9, "2.9 times", "A factor, a unit or another sample?"),
        (1 / 3, "0.33 times", "A factor, a unit or another sample?"),
        (1000.0, "1000 times", "A factor, a unit or another sample?"),
        (1.31, "1.3 times", "A misprint or another sample?"),
        (0.82, "0.820 times", "A misprint or another sample?"),
    ],
)
def test_a_flagged_polymer_is_named_with_what_is_wrong(factor: float, how: str, question: str) -> None:
    snapshot = with_factors({5: factor})
    (found,) = flagged_polymers(snapshot)
    assert found.sentence.startswith(
        f"{name_of(snapshot, 5)}: the measured value is {how} the calibrated one; without it the "
        "out-of-fold RMSE would be 0.027 instead of "
    )
    assert found.sentence.endswith(question)
    assert notes_shown(snapshot)[0] == found.sentence


def test_values_without_a_flag_leave_the_notes_as_they_were() -> None:
    snapshot = with_factors({})
    assert snapshot.calibration is not None
    assert flagged_polymers(snapshot) == ()
    assert notes_shown(snapshot) == snapshot.calibration.notes
    assert notes_shown(uncalibrated_snapshot()) == ()


def test_of_many_the_farthest_have_a_sentence_and_all_are_named() -> None:
    snapshot = with_factors({position: 2.0 + 0.1 * position for position in range(6)})
    flagged = flagged_polymers(snapshot)
    assert [one.outlier.row for one in flagged] == [5, 4, 3, 2, 1, 0]
    notes = outlier_notes(flagged)
    assert len(notes) == MOST_TOLD + 1
    assert (
        notes[-1]
        == f"Measured values that are far from the calibrated ones, too: {name_of(snapshot, 0)}. Are they right?"
    )


def test_files_and_report_say_it() -> None:
    snapshot = with_factors({5: 2.9})
    (found,) = flagged_polymers(snapshot)
    metrics = json.loads(json.dumps(metrics_of(snapshot)))
    (told,) = metrics["flagged"]
    assert told["polymer"] == found.row.label
    assert told["factor"] == pytest.approx(2.9)
    assert told["rmse_target_scale_without"] < 0.04 < 0.13 < told["rmse_target_scale"]
    assert metrics["notes"][0] == found.sentence
    assert report_data(snapshot, StudyState()).calibration.notes[0] == found.sentence
