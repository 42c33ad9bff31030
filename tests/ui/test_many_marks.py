"""Marks that are shapes of their own while they are few, and one picture when they are many."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.theme.theme import current_theme
from affinecal_gui.ui.views.plots.line_chart import ChartLine, LineChart
from affinecal_gui.ui.views.plots.points.dense_points import MANY
from affinecal_gui.ui.views.plots.points.many_marks import ManyMarks
from tests.ui.unit_box import unit_box

BLUE, GREY = QColor("#0072B2"), QColor("#777777")


def test_from_some_number_on_marks_are_one_picture(qtbot: QtBot, qapp: QApplication) -> None:
    canvas, box = unit_box(qtbot)
    marks = ManyMarks(box, z=6)
    marks.set_look(7.0, pg.mkPen(GREY), BLUE, GREY)
    x, y = np.full(MANY, 0.25), np.full(MANY, 0.75)
    marks.put(x[1:], y[1:])
    assert len(marks.data) == MANY - 1
    assert marks.dense is None

    def seen(at_x: float, at_y: float) -> str:
        qapp.processEvents()
        image = canvas.grab().toImage()
        return image.pixelColor(canvas.mapFromScene(box.mapViewToScene(pg.Point(at_x, at_y)))).name()

    assert seen(0.25, 0.75) == BLUE.name()
    marks.put(x, np.where(np.arange(MANY) == 7, np.nan, y))
    assert len(marks.data) == MANY - 1  # a mark without a place is none
    marks.put(x, y)
    assert len(marks.data) == 0
    assert marks.dense is not None
    assert 5 < marks.dense.zValue() < 6
    assert seen(0.25, 0.75) == GREY.name()
    marks.set_look(7.0, pg.mkPen(GREY), BLUE, BLUE)
    assert seen(0.25, 0.75) == BLUE.name()
    marks.put(x[:1], y[:1] - 0.5)
    assert len(marks.data) == 1
    assert seen(0.25, 0.75) == "#ffffff"
    marks.put(x, y)
    marks.setData([], [])
    assert seen(0.25, 0.75) == "#ffffff"


def test_a_chart_of_a_hundred_thousand_values_has_no_shape_for_each(qtbot: QtBot, qapp: QApplication) -> None:
    chart = LineChart("MD against corrected values", 2, lowest=180)
    qtbot.addWidget(chart)
    chart.resize(400, 300)
    chart.show()
    x = np.linspace(1000.0, 3000.0, 100_001)
    ends = np.array([1000.0, 3000.0])
    lines = (ChartLine(ends, ends, "grey"), ChartLine(x, 0.4 * x, "teal", symbol="o"))
    chart.show_lines(lines, "MD", "corrected", "100,001 values")
    marks = chart.marks[1]
    assert len(marks.data) == 0
    assert marks.dense is not None
    qapp.processEvents()
    image = chart.grab().toImage()
    place = chart.canvas.mapTo(chart, chart.canvas.mapFromScene(marks.getViewBox().mapViewToScene(pg.Point(2000, 800))))
    assert image.pixelColor(place).name() == current_theme().colour("teal").name()
