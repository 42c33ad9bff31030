"""Sliders go where one presses."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.quiet_inputs import QuietSlider

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def slider(qtbot: QtBot, light: QApplication) -> QuietSlider:
    made = QuietSlider(Qt.Orientation.Horizontal)
    qtbot.addWidget(made)
    made.setRange(0, 100)
    made.resize(220, 24)
    made.show()
    return made


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_press_on_the_groove_brings_the_handle_there_and_the_mouse_drags_it_on(
    slider: QuietSlider, share: float
) -> None:
    place = QPoint(round(share * slider.width()), slider.height() // 2)
    QTest.mousePress(slider, LEFT, pos=place)
    assert slider.value() == pytest.approx(100 * share, abs=6)
    assert slider.isSliderDown()
    QTest.mouseMove(slider, place - QPoint(30, 0))
    assert slider.value() == pytest.approx(100 * share - 15, abs=6)
    QTest.mouseRelease(slider, LEFT, pos=place - QPoint(30, 0))
    assert not slider.isSliderDown()


def test_a_press_on_the_handle_changes_nothing(slider: QuietSlider) -> None:
    slider.setValue(50)
    QTest.mousePress(slider, LEFT, pos=slider.rect().center())
    assert slider.value() == 50
    QTest.mouseRelease(slider, LEFT, pos=slider.rect().center())
