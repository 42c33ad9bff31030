"""A penalty by hand: slider and number agree, changes are announced no faster than refits can follow."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.views.model.penalty_row import THROTTLE, PenaltyRow


@pytest.fixture
def row(qtbot: QtBot, light: QApplication) -> PenaltyRow:
    made = PenaltyRow("λ₁ size", "Penalty λ₁ on the size of the coefficients")
    qtbot.addWidget(made)
    made.set_range(1e-2, 1e2)
    made.resize(300, 28)
    made.show()
    return made


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.floats(1e-2, 1e2))
def test_setting_a_value_is_silent_and_exact(row: PenaltyRow, value: float) -> None:
    heard: list[float] = []
    for signal in (row.changed, row.value_changed):
        signal.connect(heard.append)
    row.set_value(value)
    assert row.value == value  # not the nearest step of the slider, nor what the number shows
    assert heard == []
    for signal in (row.changed, row.value_changed):
        signal.disconnect(heard.append)


@pytest.mark.parametrize("value", [0.0273, 0.00888, 88.8, 888.0])
def test_every_figure_of_the_number_is_seen(row: PenaltyRow, value: float) -> None:
    row.set_range(1e-3, 1e3)
    row.set_value(value)
    field = row.number.lineEdit()
    margins = 2 * 2  # that a field keeps free within itself
    assert field.fontMetrics().horizontalAdvance(field.text()) + margins <= field.width()


def test_the_slider_is_logarithmic(row: PenaltyRow) -> None:
    row.slider.setValue(row.slider.maximum() // 2)
    assert row.value == pytest.approx(1.0)
    assert row.number.text() == "1.00"
    row.slider.setValue(row.slider.maximum())
    assert row.value == pytest.approx(100.0)
    row.set_value(6.81)
    assert row.slider.value() == pytest.approx(row.slider.maximum() * 2.833 / 4, abs=1)
    assert row.number.text() == "6.81"


def test_values_beyond_the_range_stop_at_its_ends(row: PenaltyRow) -> None:
    row.set_value(1e9)
    assert row.value == 1e2
    row.set_value(0.0)
    assert row.value == 1e-2
    with pytest.raises(ValueError, match="positive and ascending"):
        row.set_range(0.0, 1.0)


@pytest.mark.parametrize(("typed", "value"), [("31.6", 31.6), ("0,5", 0.5), ("1e1", 10.0), ("100", 100.0)])
def test_typing(row: PenaltyRow, qtbot: QtBot, typed: str, value: float) -> None:
    heard: list[float] = []
    row.value_changed.connect(heard.append)
    row.number.setFocus()
    row.number.selectAll()
    qtbot.keyClicks(row.number, typed)
    assert heard == []  # not at every key
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert heard == pytest.approx([value])
    assert row.value == pytest.approx(value)


@pytest.mark.parametrize("typed", ["-5", "500", "0", "1e"])
def test_what_cannot_be_a_penalty_leaves_the_former_one_and_is_told(row: PenaltyRow, qtbot: QtBot, typed: str) -> None:
    row.set_value(6.8123)
    told: list[str] = []
    row.refused.connect(told.append)
    row.number.setFocus()
    row.number.selectAll()
    qtbot.keyClicks(row.number, typed)
    with qtbot.assertNotEmitted(row.value_changed):
        qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert row.value == 6.8123
    assert row.number.text() == "6.81"
    assert set(told) == {
        f"“{typed}” was not taken. Penalty λ₁ on the size of the coefficients can be from 0.0100 to 100."
    }


def test_an_emptied_field_shows_the_former_penalty_again(row: PenaltyRow, qtbot: QtBot) -> None:
    row.set_value(6.8123)
    row.number.selectAll()
    qtbot.keyClick(row.number, Qt.Key.Key_Backspace)
    with qtbot.assertNotEmitted(row.refused):
        qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert row.value == 6.8123
    assert row.number.text() == "6.81"


def test_what_is_not_a_number_cannot_be_typed(row: PenaltyRow) -> None:
    state, _, _ = row.number.validate("12x", 3)  # type: ignore[misc]
    assert state == QValidator.State.Invalid
    assert row.number.validate("", 0)[0] == QValidator.State.Intermediate  # type: ignore[index]


def test_arrow_keys_step_by_a_twentieth_of_a_decade(row: PenaltyRow, qtbot: QtBot) -> None:
    row.set_value(1.0)
    qtbot.keyClick(row.number, Qt.Key.Key_Up)
    assert row.value == pytest.approx(10 ** (1 / 20))
    qtbot.keyClick(row.slider, Qt.Key.Key_Right)
    assert row.value > 10 ** (1 / 20)


def test_announcements_are_throttled_and_the_last_arrives(row: PenaltyRow, qtbot: QtBot) -> None:
    every: list[float] = []
    throttled: list[float] = []
    row.value_changed.connect(every.append)
    row.changed.connect(throttled.append)
    for position in range(40, 80):
        row.slider.setValue(position)
    assert len(every) == 40
    assert throttled == every[:1]  # the first at once, the others wait
    qtbot.waitUntil(lambda: len(throttled) == 2, timeout=20 * THROTTLE)
    assert throttled == [every[0], every[-1]]
    row.slider.setValue(90)
    qtbot.waitUntil(lambda: throttled[-1] == every[-1], timeout=20 * THROTTLE)
    assert throttled == [every[0], every[-2], every[-1]]  # nothing more without a change


def test_letting_go_announces_at_once(row: PenaltyRow, qtbot: QtBot) -> None:
    throttled: list[float] = []
    row.changed.connect(throttled.append)
    row.slider.setSliderDown(True)
    assert row.is_moving
    row.slider.setSliderPosition(10)
    row.slider.setSliderPosition(20)
    row.slider.setSliderDown(False)
    assert not row.is_moving
    assert len(throttled) == 2


def test_accessible_names(row: PenaltyRow) -> None:
    for widget in (row.slider, row.number):
        assert widget.accessibleName() == "Penalty λ₁ on the size of the coefficients"
