"""One parity plot: predicted against measured for one calibrator, or for all of them overlaid."""

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem

from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.study.shown.groups import Groups
from affinecal_gui.study.shown.parity_points import ParityPoints, coordinates
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.views.plots.canvas.plot_items import Curve, Marks
from affinecal_gui.ui.views.plots.canvas.plot_notes import NoteBlock, bar_colour
from affinecal_gui.ui.views.plots.canvas.plot_panel import Panel
from affinecal_gui.ui.views.plots.parity.parity_range import (
    NO_POINTS,
    CornerSize,
    Extremes,
    extremes,
    fitting_range,
    reaching,
)
from affinecal_gui.ui.views.plots.points.dense_points import MANY, DensePoints
from affinecal_gui.ui.views.plots.points.group_marks import GroupMarks
from affinecal_gui.ui.views.plots.points.many_marks import ManyMarks
from affinecal_gui.ui.views.plots.points.point_names import PointNames
from affinecal_gui.ui.views.plots.points.selected_points import SelectedPoints, nearest_point, points_in

_MARKS, _MARKS_ON_TOP = 4.0, 4.5  # the calibrator named last lies above the others
_TOLERANCE_LOG = (math.log10(0.9), math.log10(1.1))


def _flat_cap() -> QPainterPath:
    path = QPainterPath(QPointF(-0.5, 0.0))
    path.lineTo(0.5, 0.0)
    return path


class ParityPanel(Panel):
    """A panel with identity line, tolerance band, points, bars, and the selected point.

    Parameters
    ----------
    root
        Item of the canvas.
    mark_size
        Diameter of the marks in pixels.
    font_size
        Of the labels at the axes.
    """

    def __init__(self, root: QGraphicsItem, mark_size: float, font_size: float) -> None:
        super().__init__(root, font_size, same_density=True)
        self.box.setAspectLocked(True, ratio=1.0)
        self._mark_size = mark_size
        self._points: ParityPoints | None = None
        self.drawn: tuple[ModelName, ...] = ()
        self.x: FloatArray = np.zeros(0)
        self.y: dict[ModelName, FloatArray] = {}
        self._extremes = NO_POINTS
        self._theme: Theme | None = None
        self._selected = -1
        self.at_home = True
        self.beyond = 0  # predictions so far off that the view does not reach for them

        self._band = QGraphicsPathItem()
        self._band.setZValue(-25)
        self.box.addItem(self._band, ignoreBounds=True)
        self.identity = self._curve(-20)
        self.edges = self._curve(-21)
        self.bars = self._curve(-10)
        self.left_out_bars = self._curve(-9)
        self.marks: dict[ModelName, Marks] = {}
        self._dense: dict[ModelName, DensePoints] = {}
        self.group_marks = GroupMarks(self, mark_size)
        self.left_out = ManyMarks(self.box, z=6)
        self.from_predicted = ManyMarks(self.box, "d", z=6)
        self._intervals: ModelName | None = None
        self._interval_ends: tuple[FloatArray, FloatArray] = (np.zeros(0), np.zeros(0))
        self.selected_bar = self._curve(20)
        self._caps = self._scatter(20, _flat_cap())
        self._chosen_points = SelectedPoints(self, mark_size, self._places)
        self.ring, self.selected_mark = self._chosen_points.ring, self._chosen_points.mark
        self.under_mouse = self._chosen_points.under_mouse
        self._also_points: list[int] = []
        self.names = PointNames(self.box)
        self.note = NoteBlock(self.box)
        self.key = NoteBlock(self.box)
        self.box.sigRangeChangedManually.connect(self._moved_by_hand)

    # -- what is shown --------------------------------------------------------------------------------------------

    def show_points(self, points: ParityPoints, models: Sequence[ModelName], intervals: ModelName | None) -> None:
        """Draw the points of some calibrators, and the intervals of one of them.

        The items are kept from one call to the next; only their data change.
        """
        self._points = points
        self.drawn = tuple(model for model in models if model in points.models)
        self.log = points.log
        used = ~points.left_out
        self.x = coordinates(points.measured, points.log)
        self.y = {model: coordinates(points.models[model].value, points.log) for model in self.drawn}
        self._extremes = self._seen()
        dense = used.sum() >= MANY
        # Thousands of points would bury the lines that they are compared with.
        self.identity.setZValue(5 if dense else -20)
        self.edges.setZValue(4 if dense else -21)
        for model in {*self.marks, *self._dense} - set(self.drawn):
            self._clear(model)
        for model in self.drawn:
            self._show_model(model, used, dense, model == intervals)
        for model, marks in self.marks.items():
            marks.setZValue(_MARKS_ON_TOP if self.drawn[-1:] == (model,) else _MARKS)
        self._interval_ends = (np.zeros(0), np.zeros(0)) if intervals is None else self._ends(intervals)
        bars = None if intervals is None or dense else self._interval_ends
        self.bars.setData(*_pairs(self.x[used], *(end[used] for end in bars)) if bars else ([], []))
        out = points.left_out
        few_out = bars if out.sum() < MANY else None
        self.left_out_bars.setData(*_pairs(self.x[out], *(end[out] for end in few_out)) if few_out else ([], []))
        self.left_out.put(*self._places(out & ~points.from_predicted))
        self.from_predicted.put(*self._places(points.from_predicted))
        self._draw_lines()
        if bars:
            self._extremes = reaching(self._extremes, self.x, *(self._near(end) for end in bars))
        self._intervals = intervals
        self.select(self._selected)
        self.mark(self._also_points)

    def show_groups(self, groups: Groups | None) -> None:
        """Give the points of the one calibrator drawn the colours of their groups; None gives them that of the calibrator."""
        model = self.drawn[0] if len(self.drawn) == 1 else None
        if groups is None or self._points is None or model is None or self.x.size != groups.of.size:
            self.group_marks.show(None, self.x, self.x, np.zeros(0, dtype=bool))
        elif model in self.marks:
            self.marks[model].setData([], [])
            self.group_marks.show(groups, self.x, self.y[model], ~self._points.left_out)

    def clear(self) -> None:
        """Draw nothing."""
        self.show_groups(None)
        for model in {*self.marks, *self._dense}:
            self._clear(model)
        for item in (self.bars, self.left_out_bars, self.left_out, self.from_predicted, self.selected_bar):
            item.setData([], [])
        self._caps.setData([], [])
        self._chosen_points.clear()
        self._points = None
        self.drawn, self.y, self.x = (), {}, np.zeros(0)
        self.note.set_lines(())
        self.key.set_lines(())

    def select(self, point: int) -> None:
        """Ring the point of that number; -1 for none."""
        self._selected = point
        shown = self._points is not None and 0 <= point < self.x.size
        self._chosen_points.select([point] if shown else [])
        bar: tuple[list[float], list[float]] = ([], [])
        if shown and self._intervals is not None:
            lower, upper = (float(end[point]) for end in self._interval_ends)
            if math.isfinite(lower) and math.isfinite(upper):
                bar = ([float(self.x[point])] * 2, [lower, upper])
        self.selected_bar.setData(*bar)
        self._caps.setData(*bar)

    def mark(self, points: Sequence[int]) -> None:
        """Mark the points of these numbers as selected; the one that is gone to has a ring as well."""
        self._also_points = [point for point in points if 0 <= point < self.x.size]
        self._chosen_points.show_all(self._also_points)

    def place_of(self, point: int) -> tuple[float, float]:
        """Return where a point of the calibrator drawn last stands, in plot coordinates."""
        return float(self.x[point]), float(self.y[self.drawn[-1]][point])

    def points_in(self, frame: QRectF) -> list[int]:
        """Return the numbers of the points inside a frame in plot coordinates."""
        return points_in(frame, self.x, [self.y[model] for model in self.drawn])

    def point_under(self, scene: QPointF) -> int:
        """Return the number of the point nearest to a place on the canvas, -1 if none is within reach."""
        return nearest_point(self.box, scene, self.x, [self.y[model] for model in self.drawn])

    def mark_under_mouse(self, point: int) -> None:
        """Circle the point under the mouse; -1 for none."""
        shown = 0 <= point < self.x.size
        self._chosen_points.hover([point] if shown else [])

    def _places(self, which: NDArray[np.bool_] | list[int]) -> tuple[FloatArray, FloatArray]:
        """Return where the points chosen stand, once per calibrator drawn."""
        if not self.drawn:
            return np.zeros(0), np.zeros(0)
        return (
            np.concatenate([self.x[which] for _ in self.drawn]),
            np.concatenate([self.y[model][which] for model in self.drawn]),
        )

    # -- which part is seen ---------------------------------------------------------------------------------------

    @property
    def extremes(self) -> Extremes:
        """The points that decide what must be seen."""
        return self._extremes

    def go_home(self, shared: Extremes | None = None, corner: CornerSize | None = None, square: bool = True) -> None:
        """Show all points, and keep the corners with words free of them.

        Parameters
        ----------
        shared
            The points of all panels that share their ranges, instead of this panel's.
        corner
            The largest block at the bottom right of those panels.
        square
            Begin with the same range on both axes.
        """
        size = self.box.rect()
        x_range, y_range = fitting_range(
            shared or self._extremes,
            size.width(),
            size.height(),
            self._extent(self.note),
            corner or self._extent(self.key),
            square=square,
        )
        self.box.show_home(x_range, y_range)
        self.at_home = True
        self._place_blocks()

    @property
    def corner(self) -> CornerSize:
        """Size of the words at the bottom right."""
        return self._extent(self.key)

    def place_blocks(self) -> None:
        """Put the words into their corners."""
        self._place_blocks()

    @staticmethod
    def _extent(block: NoteBlock) -> CornerSize:
        size = block.boundingRect()
        return (
            CornerSize(size.width() + 4.0, size.height() + 2.0)
            if size.width() > 0.0 and block.isVisible()
            else CornerSize()
        )

    def _place_blocks(self) -> None:
        size = self.box.rect()
        key = self.key.boundingRect()
        self.note.setPos(4.0, 2.0)
        self.key.setPos(size.width() - key.width() - 3.0, size.height() - key.height() - 2.0)

    def _moved_by_hand(self, *_: object) -> None:
        self.at_home = False

    def _seen(self) -> Extremes:
        """Points that the view must hold; a prediction that ran away must not squeeze all others into a corner."""
        self.beyond = 0
        if not self.drawn:
            return extremes(np.zeros(0), np.zeros(0))
        x = np.concatenate([self.x for _ in self.drawn])
        y = np.concatenate([self.y[model] for model in self.drawn])
        near = self._near(y)
        self.beyond = int((np.isfinite(y) & ~np.isfinite(near)).sum())
        return extremes(x, near)

    def _near(self, y: FloatArray) -> FloatArray:
        """Return places on the axis, nan for those so far from all measured values that they do not count."""
        finite = self.x[np.isfinite(self.x)]
        if not finite.size:
            return y
        low, high = float(finite.min()), float(finite.max())
        room = max(1.0, 3.0 * (high - low)) if self.log else 3.0 * max(high - low, 0.05 * abs(high))
        near: FloatArray = np.where((y < low - room) | (y > high + room), np.nan, y)
        return near

    # -- parts ----------------------------------------------------------------------------------------------------

    def apply_theme(self, theme: Theme, ratio: float = 1.0) -> None:
        """Take over colours, fonts and the scale factor of the screen, unless the panel has them."""
        if self._applied == (theme, ratio):
            return
        super().apply_theme(theme, ratio)
        self._theme = theme
        base, muted, chosen = theme.colour("base"), theme.colour("muted"), theme.colour("selected_point")
        size = self._mark_size
        large = size > 7.0
        self._band.setBrush(theme.colour("faint", 0.10))
        self._band.setPen(pg.mkPen(None))
        self.identity.setPen(self.pen(muted, 1.3))
        self.edges.setPen(self.pen(theme.colour("faint", 0.75), 1, [3.0, 2.5]))
        self.left_out_bars.setPen(self.pen(theme.colour("faint"), 1.4, [1.2, 1.8]))
        for hollow, wider in ((self.left_out, -0.5 if large else 0.0), (self.from_predicted, 1.0)):
            hollow.set_look(size + wider, self.pen(muted, 1.5 if large else 1.1), base, muted)
        self.selected_bar.setPen(self.pen(chosen, 3))
        self._caps.setSize(10)
        self._caps.setPen(self.pen(chosen, 2.4))
        self._chosen_points.apply_theme(theme)
        self.group_marks.apply_theme(theme)
        self.names.apply_theme(theme)
        for model in (*self.marks, *self._dense):
            self._style(model)
        self.note.apply_theme(theme)
        self.key.apply_theme(theme)

    def _curve(self, z: float) -> Curve:
        item = Curve(connect="pairs", skipFiniteCheck=True)
        item.setZValue(z)
        self.box.addItem(item, ignoreBounds=True)
        return item

    def _scatter(self, z: float, symbol: str | QPainterPath = "o") -> Marks:
        item = Marks(symbol)
        item.setZValue(z)
        self.box.addItem(item, ignoreBounds=True)
        return item

    def _ends(self, model: ModelName) -> tuple[FloatArray, FloatArray]:
        assert self._points is not None
        predictions = self._points.models[model]
        return coordinates(predictions.lower, self.log), coordinates(predictions.upper, self.log)

    def _show_model(self, model: ModelName, used: NDArray[np.bool_], dense: bool, with_bars: bool) -> None:
        if dense:
            if model not in self._dense:
                self._dense[model] = DensePoints(self.box)
                self._style(model)
            if model in self.marks:
                self.marks[model].setData([], [])
            ends = tuple(end[used] for end in self._ends(model)) if with_bars else ()
            self._dense[model].set_points(self.x[used], self.y[model][used], *ends)
            return
        if model not in self.marks:
            self.marks[model] = self._scatter(_MARKS, model_style(model).symbol)
            self._style(model)
        if model in self._dense:
            self._dense[model].set_points(np.zeros(0), np.zeros(0))
        self.marks[model].put(self.x[used], self.y[model][used])

    def _clear(self, model: ModelName) -> None:
        if model in self.marks:
            self.marks[model].setData([], [])
        if model in self._dense:
            self._dense[model].set_points(np.zeros(0), np.zeros(0))

    def _style(self, model: ModelName) -> None:
        theme = self._theme
        if theme is None:
            return
        size = self._mark_size * model_style(model).symbol_scale
        if model in self.marks:
            item = self.marks[model]
            item.setSize(size)
            item.setPen(self.pen(theme.colour("base"), 1.0 if self._mark_size > 7.0 else 0.6))
            item.setBrush(theme.model_colour(model))
        if model in self._dense:
            self._dense[model].set_style(
                model_style(model).symbol, min(size, 6.0), theme.model_colour(model), bar_colour(theme, model)
            )

    def bars_of(self, model: ModelName) -> None:
        """Give the interval bars the colour of a calibrator."""
        if self._theme is not None:
            self.bars.setPen(self.pen(bar_colour(self._theme, model), 1.5))

    def _follow_range(self) -> None:
        super()._follow_range()
        self._draw_lines()

    def _draw_lines(self) -> None:
        """Draw identity line and band across the part in view only: dashes without end would take for ever."""
        (x0, x1), _ = self.box.viewRange()
        self.identity.setData([x0, x1], [x0, x1])
        if self.log:
            below, above = (
                (_TOLERANCE_LOG[0] + x0, _TOLERANCE_LOG[0] + x1),
                (_TOLERANCE_LOG[1] + x0, _TOLERANCE_LOG[1] + x1),
            )
        else:
            below, above = (0.9 * x0, 0.9 * x1), (1.1 * x0, 1.1 * x1)
        self.edges.setData([x0, x1, x0, x1], [*below, *above])
        path = QPainterPath(QPointF(x0, below[0]))
        if not self.log and x0 < 0.0 < x1:  # the edges cross at nought
            path.lineTo(x1, above[1])
            path.lineTo(x1, below[1])
            path.lineTo(x0, above[0])
        else:
            path.lineTo(x1, below[1])
            path.lineTo(x1, above[1])
            path.lineTo(x0, above[0])
        path.closeSubpath()
        self._band.setPath(path)


def _pairs(x: FloatArray, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the ends of upright bars one after the other; bars without ends are passed over."""
    kept = np.isfinite(x) & np.isfinite(lower) & np.isfinite(upper)
    return np.repeat(x[kept], 2), np.column_stack((lower[kept], upper[kept])).ravel()
