"""The sentence that is copied says how well the shown calibrator predicts, with the numbers of the result."""

from dataclasses import replace

from affinecal_gui.numbers import significant
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.result_sentence import result_sentence
from tests.ui.sample_snapshot import sample_snapshot


def test_the_sentence_holds_the_numbers_of_the_shown_calibrator() -> None:
    snapshot = sample_snapshot()
    calibration = snapshot.calibration
    assert calibration is not None
    for model in ("affine", "ordinary"):
        sentence = result_sentence(replace(snapshot, settings=replace(snapshot.settings, model=model)))
        errors = calibration.models[model].metrics
        assert sentence.startswith(f"The specific heat capacity of {len(calibration.measured)} polymers is predicted")
        assert f"RMSE {significant(errors.rmse, 3)} J/(kg K)" in sentence
        assert f"R² = {errors.r2:.2f}" in sentence
        assert "out-of-fold" in sentence
        assert sentence.count(".") >= 3
        assert sentence.endswith(").")


def test_without_a_result_there_is_no_sentence() -> None:
    assert result_sentence(Snapshot()) == ""
