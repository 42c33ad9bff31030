"""A plot box whose axes go from 0 to 1, on a canvas of its own."""

import pyqtgraph as pg
from pytestqt.qtbot import QtBot


def unit_box(qtbot: QtBot) -> tuple[pg.GraphicsView, pg.ViewBox]:
    """Return the canvas, which is shown, and the box that fills it."""
    canvas = pg.GraphicsView(background="w")
    qtbot.addWidget(canvas)
    box = pg.ViewBox(enableMenu=False)
    canvas.setCentralItem(box)
    canvas.resize(240, 200)
    canvas.show()
    box.setRange(xRange=(0, 1), yRange=(0, 1), padding=0, disableAutoRange=True)
    return canvas, box
