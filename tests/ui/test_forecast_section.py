"""How many more measurements would help, beside the list of what to measure next."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.views.polymers.forecast_section import ForecastSection
from tests.study.invented_forecast import invented_forecast
from tests.study.small_study import small_result, small_state
from tests.ui.sample_snapshot import sample_snapshot


@pytest.fixture
def section(qtbot: QtBot, light: QApplication) -> ForecastSection:
    made = ForecastSection()
    qtbot.addWidget(made)
    made.resize(480, 400)
    made.show_snapshot(sample_snapshot())
    made.show()
    return made


def forecast_snapshot(**fields: object) -> Snapshot:
    made = sample_snapshot()
    assert made.calibration is not None
    return replace(made, calibration=replace(made.calibration, forecast=invented_forecast(**fields)))


def test_the_forecast_is_asked_for_and_shown_with_its_words(qtbot: QtBot, section: ForecastSection) -> None:
    assert section.button.isVisible()
    assert not section.chart.isVisible()
    with qtbot.waitSignal(section.wanted, timeout=2000):
        section.button.click()
    section.show_snapshot(forecast_snapshot())
    assert section.chart.isVisible()
    assert not section.button.isVisible()
    assert "0.0750 (0.0625 to 0.0900) forecast with 80" in section.words.text
    assert section.chart.canvas.accessibleDescription() == section.words.text
    section.apply_theme(DARK_THEME)
    section.show_snapshot(sample_snapshot())  # another calibration has none
    assert section.button.isVisible()


def test_a_stale_calibration_is_not_forecast(section: ForecastSection) -> None:
    section.show_snapshot(replace(sample_snapshot(), stale=True))
    assert not section.button.isEnabled()


def test_a_wished_error_is_answered_while_it_is_typed(section: ForecastSection) -> None:
    section.show_snapshot(forecast_snapshot())
    section.wish.setText("0,0801")
    assert section.answer.text.startswith("For an RMSE of 0.0801, 4 to 80 more must be measured")
    section.wish.setText("a lot")
    assert section.answer.text == "“a lot” is not a number."
    section.wish.clear()
    assert not section.answer.isVisible()


def test_too_few_measurements_are_told_and_the_study_stays_as_it_is(qtbot: QtBot) -> None:
    session = Session()
    session.study.open(small_state(), small_result())
    with qtbot.waitSignal(session.noticed, timeout=20000) as heard:
        session.forecast()
    assert "at least 16 measured polymers" in heard.args[0].text
    assert session.study.derived is small_result()
    session.shut_down()
    assert await_late_jobs(60.0)
