"""How fast a parity plot of many polymers is shown and pans, beside the same points drawn one by one by pyqtgraph.

Run by hand: ``python -m tests.benchmarks.parity_plot [number of polymers]``. Times are of one run on this computer; only
their ratios mean something.
"""

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QApplication

from affinecal_gui.calibration.calibrators.registry import linear_keys
from affinecal_gui.calibration.results import Calibration, Metrics, ModelResult, Recommendation, Validity
from affinecal_gui.study.data.row_columns import row_columns
from affinecal_gui.study.snapshot import PolymerRow, Settings, Snapshot
from affinecal_gui.tables.units.properties import PROPERTIES
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.views.plots.parity.parity_view import ParityView
from tests.benchmarks.options import Options

FRAMES = 30


def study_of(count: int) -> Snapshot:
    """A calibration of invented numbers."""
    random = np.random.default_rng(0)
    measured = np.exp(random.normal(7.3, 0.25, count))
    rows = tuple(
        PolymerRow(
            f"k{i}", f"polymer {i}", f"P{i}", "*CC*", float(measured[i]), float(2.0 * measured[i]), "used", "", i, i
        )
        for i in range(count)
    )
    models = {}
    for model in linear_keys():
        value = measured * np.exp(random.normal(0.7 if model == "md" else 0.0, 0.15, count))
        metrics = Metrics(count, 250.0, 200.0, 0.6, 0.17, 0.01, count // 2)
        models[model] = ModelResult(
            model, {}, None, None, None, None, value, value, value * 0.8, value * 1.25, value, value * 0.8, value * 1.25,
            metrics, metrics,
        )  # fmt: skip
    nothing = np.zeros(count, dtype=bool)
    validity = Validity(
        nothing, nothing, np.zeros(count, dtype=np.int64), np.zeros(count), 1.0,
        np.zeros((count, 1), dtype=np.int64), np.zeros((count, 1)),
    )  # fmt: skip
    calibration = Calibration(
        measured, 2.0 * measured, 2.0 * measured, True, 0.9, "", models,
        Recommendation("affine", "affine", "", ()), validity, (), 0, 0.0,
    )  # fmt: skip
    return Snapshot(
        quantity=PROPERTIES[0], rows=rows, calibration=calibration, settings=Settings(), columns=row_columns(rows)
    )


def frame_time(pan: Callable[[], None], app: QApplication) -> tuple[float, float]:
    """Median time of one frame while panning, in milliseconds: by the clock, and of the processor.

    On a computer that has other work to do the second is what the frame costs.
    """
    clock, processor = [], []
    for _ in range(FRAMES):
        start = time.perf_counter(), time.process_time()
        pan()
        app.processEvents()  # paints once
        clock.append(1e3 * (time.perf_counter() - start[0]))
        processor.append(1e3 * (time.process_time() - start[1]))
    return statistics.median(clock), statistics.median(processor)


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.size("polymers", 100_000, 500)
    chosen = options.read()
    count = chosen.polymers
    app = QApplication.instance() or QApplication([])
    ThemeKeeper(app, "light")
    snapshot = study_of(count)
    view = ParityView()
    view.resize(440, 620)
    view.show()
    app.processEvents()
    start = time.perf_counter()
    view.show_snapshot(snapshot)
    shown = 1e3 * (time.perf_counter() - start)
    app.processEvents()
    start = time.perf_counter()
    view.show_snapshot(replace(snapshot, can_undo="something"))
    again = 1e3 * (time.perf_counter() - start)
    start = time.perf_counter()
    view.show_selection(snapshot.rows[count // 2].key)
    selected = 1e3 * (time.perf_counter() - start)
    ours = frame_time(lambda: view.large.box.translateBy(x=0.002, y=0.001), app)
    place = view.large.box.sceneBoundingRect().center()
    start = time.perf_counter()
    view.canvas.hovered.emit(place)
    hovered = 1e3 * (time.perf_counter() - start)

    plain = pg.GraphicsView()
    box = pg.ViewBox()
    plain.setCentralItem(box)
    plain.resize(370, 370)
    plain.show()
    points = view.points
    assert points is not None
    x, y = np.log10(points.measured), np.log10(points.models["affine"].value)
    box.addItem(pg.ScatterPlotItem(x, y, size=6, brush="#0072B2", pen=None))
    ends = np.column_stack((np.log10(points.models["affine"].lower), np.log10(points.models["affine"].upper)))
    box.addItem(pg.PlotCurveItem(np.repeat(x, 2), ends.ravel(), connect="pairs", pen="#9CC3DC", skipFiniteCheck=True))
    app.processEvents()
    theirs = frame_time(lambda: box.translateBy(x=0.002, y=0.001), app)
    print(f"{count} polymers: shown in {shown:.0f} ms, unchanged {again:.2f} ms, selection {selected:.1f} ms, "
          f"mouse {hovered:.1f} ms")  # fmt: skip
    print(f"one frame of panning: {ours[0]:.1f} ms, of the processor {ours[1]:.1f} ms; pyqtgraph's own items "
          f"{theirs[0]:.1f} ms, {theirs[1]:.1f} ms; ratio {theirs[1] / ours[1]:.1f}")  # fmt: skip
    print(f"frames a second: {1e3 / ours[0]:.0f} by the clock, {1e3 / ours[1]:.0f} by the processor (target 30)")


if __name__ == "__main__":
    main()
