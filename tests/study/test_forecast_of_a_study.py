"""The forecast of the error with more measurements: in words, as a table, in a study file, and from the command line."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import linear_keys
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration, Penalties
from affinecal_gui.errors import UserError
from affinecal_gui.study.derive import derive
from affinecal_gui.study.fitting.forecasting import forecast_calibrator, with_forecast
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.results.forecast_table import FORECAST_COLUMNS, forecast_rows
from affinecal_gui.study.stored.stored_result import check_calibration
from affinecal_gui.study.stored.study_file import open_study, save_study
from affinecal_gui.study.words.forecast_words import forecast_sentences, needed_sentence
from tests.study.invented_forecast import invented_forecast, with_invented_forecast
from tests.study.small_study import assert_same, small_result, small_state


def calibration(**fields: object) -> Calibration:
    made = with_invented_forecast(**fields).snapshot.calibration
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("wished", "sentence"),
    [
        # 0.05 + 2 / n = 1.2 w at the lower end of the band, w / 1.2 at the upper one.
        (0.0899, "For an RMSE of 0.0899, up to 41 more must be measured, 81 in all."),
        (0.0801, "For an RMSE of 0.0801, 4 to 80 more must be measured, 44 to 120 in all."),
        (
            0.0551,
            "For an RMSE of 0.0551, at least 85 more must be measured; whether 400 in all are enough cannot be told.",
        ),
        (0.04, "An RMSE of 0.0400 is not reached with 400 measured polymers."),
        (0.2, "An RMSE of 0.200 is reached already with 40 measured polymers."),
        (float("nan"), "The error that is wished for must be a number above 0."),
        (-1.0, "The error that is wished for must be a number above 0."),
    ],
)
def test_how_many_more_are_needed_is_a_range_or_cannot_be_told(wished: float, sentence: str) -> None:
    assert needed_sentence(calibration(), wished) == sentence


def test_nothing_is_promised_where_the_band_of_the_exponent_holds_0() -> None:
    flat = calibration(exponent=0.3, exponent_lower=0.0)
    assert needed_sentence(flat, 0.08) == (
        "Whether more measurements lead to an RMSE of 0.0800 cannot be told: they may not lower the error at all."
    )
    assert forecast_sentences(flat, None)[1] == (
        "Whether more measurements lower it cannot be told: the 80 % band of the power by which it falls, 0 to 1.60, holds 0."
    )
    assert needed_sentence(flat, 0.2).endswith("is reached already with 40 measured polymers.")


def test_the_forecast_is_told_with_its_band_and_the_calibrator_whose_it_is() -> None:
    told = calibration()
    quantity = small_result().snapshot.quantity
    first, second, *others = forecast_sentences(told, quantity)
    assert first == (
        "RMSE of ln Cp by affine: 0.100 (0.0833 to 0.120) with the 40 measured polymers, 0.0750 (0.0625 to 0.0900) forecast "
        "with 80 (80 % bands)."
    )
    assert second == (
        "What falls of the error goes with n to the power of −1.00 (−1.60 to −0.400 with 80 %); 0.0500 remains, however many "
        "are measured."
    )
    recommended = told.recommendation.recommended
    assert bool(others) == (recommended != "affine")
    assert forecast_sentences(replace(told, forecast=None), quantity) == ()
    assert needed_sentence(replace(told, forecast=None), 0.1) == ""


def test_the_recommended_calibrator_is_forecast_or_the_best_that_learns() -> None:
    made = calibration()
    for recommended, forecast in (("ordinary", "ordinary"), ("affine", "affine")):
        advice = replace(made.recommendation, recommended=recommended)
        assert forecast_calibrator(replace(made, recommendation=advice)) == forecast
    advice = replace(made.recommendation, recommended="md")
    found = forecast_calibrator(replace(made, recommendation=advice))
    able = linear_keys()[1:]  # all but the MD value as it is
    assert found == min(able, key=lambda name: made.models[name].metrics.rmse_target_scale)


def test_the_table_has_what_was_found_and_what_is_forecast() -> None:
    rows = [dict(zip(FORECAST_COLUMNS, row, strict=True)) for row in forecast_rows(with_invented_forecast().snapshot)]
    assert [row["measured polymers"] for row in rows if row["kind"] == "found"] == [16, 20, 25, 30, 36]
    forecast = {row["measured polymers"]: row for row in rows if row["kind"] == "forecast"}
    assert list(forecast) == [40, 50, 60, 80, 120, 160, 240, 320, 400]
    assert forecast[80]["RMSE"] == pytest.approx(0.075, rel=1e-3)
    assert forecast[80]["upper"] == pytest.approx(0.09, rel=1e-3)
    with pytest.raises(UserError, match="has not been forecast yet"):
        forecast_rows(small_result().snapshot)


def test_a_study_file_keeps_the_forecast_and_other_penalties_forget_it(tmp_path: Path) -> None:
    made = with_invented_forecast()
    save_study(tmp_path / "s.affinecal", small_state(), made)
    opened = open_study(tmp_path / "s.affinecal").derived
    assert opened is not None
    assert opened.snapshot.calibration is not None
    assert_same(opened.snapshot.calibration.forecast, invented_forecast())
    assert made.snapshot.calibration is not None
    by_hand = replace(small_state().settings, penalties=Penalties(3.0, 30.0))
    again = derive(replace(small_state(), settings=by_hand), made)
    assert again.snapshot.calibration is not None
    assert again.snapshot.calibration.forecast is None
    with pytest.raises(UserError, match="comes out of a study file"):
        with_forecast(opened.snapshot.calibration)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"upper": np.ones(3)}, "not of one length"),
        ({"found": np.ones(3)}, "do not belong"),
        ({"sizes": np.array([20.0, 16.0, 25.0, 30.0, 36.0])}, "do not ascend"),
        ({"numbers": np.linspace(0.0, 400.0, 1200)}, "do not ascend"),
        ({"level": 1.5}, "no level"),
    ],
)
def test_a_damaged_forecast_is_refused(fields: dict[str, object], words: str) -> None:
    with pytest.raises(DamagedContent, match=words):
        check_calibration(calibration(**fields))


def test_too_few_measured_polymers_are_told_with_their_number() -> None:
    made = small_result().snapshot.calibration
    assert made is not None
    with pytest.raises(UserError, match=r"at least 16 measured polymers.*there are"):
        with_forecast(made)


def test_a_calibration_of_this_session_gets_its_forecast() -> None:
    rng = np.random.default_rng(2)
    md, nothing = rng.uniform(1.0, 3.0, 20), np.zeros((20, 0))
    measured = md * 0.7 + 0.1 * rng.normal(size=20)
    options = CalibrationOptions(log_scale=False, repetitions=1, outer_folds=4, bands="none", measure_next=0)
    made = calibrate(measured, md, nothing, md, nothing, (), options)
    found = with_forecast(made).forecast
    assert made.forecast is None
    assert found is not None
    assert (found.model, found.polymers) == (forecast_calibrator(made), 20)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--wished-error", "0.1"], "give --forecast too"),
        (["--forecast", "--wished-error", "0"], "--wished-error must be a number above 0, for example 0.1; 0 is not."),
        (["--forecast", "--wished-error", "nan"], "nan is not"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(
    options: list[str], words: str, examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(examples / "optical_measured_and_md.csv")
    assert main(["fit", "--experiment", table, "--md", table, "--output", str(tmp_path / "o"), *options]) == 2
    assert words in capsys.readouterr().err
