"""The wheel scrolls and zooms; it changes no choice that one only passes, and no plot is lost by it."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.dialogs.exporting.figure_dialog import FigureDialog
from affinecal_gui.ui.dialogs.matching.match_dialog import MatchDialog
from affinecal_gui.ui.views.model.model_panel import ModelPanel
from affinecal_gui.ui.views.plots.canvas.plot_box import FURTHEST, NEAREST, PlotBox
from affinecal_gui.ui.views.plots.parity.parity_view import ParityView
from affinecal_gui.ui.views.plots.surface_view import SurfaceView
from affinecal_gui.ui.views.polymers.data_panel import DataPanel
from tests.ui.sample_snapshot import sample_snapshot
from tests.ui.wheel import turn_wheel


def inputs(widget: QWidget) -> list[QWidget]:
    """Return everything that the wheel could change."""
    kinds = (QComboBox, QAbstractSpinBox, QAbstractSlider)
    return [found for kind in kinds for found in widget.findChildren(kind) if not isinstance(found, QScrollBar)]


def value_of(found: QWidget) -> object:
    return found.currentIndex() if isinstance(found, QComboBox) else found.property("value")


def spans(box: PlotBox) -> list[float]:
    return [high - low for low, high in box.viewRange()]


def figure_dialog() -> FigureDialog:
    nowhere = Path(tempfile.mkdtemp()) / "settings.ini"  # Qt replaces the file that it is told to write
    return FigureDialog(QSettings(str(nowhere), QSettings.Format.IniFormat))


@pytest.mark.parametrize("make", [ModelPanel, DataPanel, ParityView, MatchDialog, figure_dialog])
def test_nothing_changes_that_the_wheel_passes(make: Callable[[], QWidget], qtbot: QtBot, light: QApplication) -> None:
    widget = make()
    qtbot.addWidget(widget)
    if hasattr(widget, "show_snapshot"):
        widget.show_snapshot(sample_snapshot())
    widget.show()
    found = inputs(widget)
    assert found
    before = [value_of(one) for one in found]
    for one in found:
        one.clearFocus()
        turn_wheel(one, -2)
        turn_wheel(one, 1)
        assert not one.hasFocus()
    assert [value_of(one) for one in found] == before


def test_over_a_box_of_the_model_panel_the_panel_scrolls(model_panel: ModelPanel) -> None:
    model_panel.resize(320, 400)
    QApplication.processEvents()
    bar = model_panel.verticalScrollBar()
    for found in inputs(model_panel):
        bar.setValue(0)
        turn_wheel(found)
        assert bar.value() > 0, found.accessibleName()


def test_what_has_the_focus_heeds_the_wheel(model_panel: ModelPanel, qtbot: QtBot) -> None:
    row = model_panel.penalties.rows["lambda_1"]
    for part in (row.slider, row.number):
        part.setFocus(Qt.FocusReason.MouseFocusReason)
        qtbot.waitUntil(part.hasFocus)
        before = row.value
        turn_wheel(part, 1)
        assert row.value > before


def test_the_surface_leaves_the_wheel_to_its_panel_and_zooms_with_ctrl(qtbot: QtBot, light: QApplication) -> None:
    view = SurfaceView()
    qtbot.addWidget(view)
    view.resize(300, 190)
    view.show_snapshot(sample_snapshot())
    view.show()
    light.processEvents()
    whole = spans(view.panel.box)
    turn_wheel(view.canvas.viewport(), -3)
    assert spans(view.panel.box) == whole
    turn_wheel(view.canvas.viewport(), 3, keys=Qt.KeyboardModifier.ControlModifier)
    assert all(now < before for now, before in zip(spans(view.panel.box), whole, strict=True))


def test_no_plot_can_be_zoomed_away(qtbot: QtBot, light: QApplication) -> None:
    view = ParityView()
    qtbot.addWidget(view)
    view.resize(500, 600)
    view.show_snapshot(sample_snapshot())
    view.show()
    light.processEvents()
    box = view.large.box
    whole, home = spans(box), box.viewRange()
    corner = view.canvas.mapFromScene(box.sceneBoundingRect().topLeft()).toPointF()
    corner.setX(corner.x() + 3)
    corner.setY(corner.y() + 3)
    turn_wheel(view.canvas.viewport(), -200, at=corner)
    assert spans(box) == pytest.approx([FURTHEST * span for span in whole])
    turn_wheel(view.canvas.viewport(), 400, at=corner)
    assert min(now / before for now, before in zip(spans(box), whole, strict=True)) == pytest.approx(NEAREST)
    for _ in range(40):
        box.translateBy(x=whole[0], y=whole[1])
    for (low, high), (least, most) in zip(box.viewRange(), home, strict=True):
        assert least <= (low + high) / 2.0 <= most * (1.0 + 1e-9)
    view.reset_view()
    assert np.array(box.viewRange()) == pytest.approx(np.array(home))
