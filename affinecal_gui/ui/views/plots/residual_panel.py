"""The plot of residuals: points, the line on which they should lie, and the selected ones."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsItem

from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.study.shown.groups import Groups
from affinecal_gui.study.shown.parity_points import coordinates
from affinecal_gui.study.shown.residuals import Residuals
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.views.plots.canvas.plot_box import Range
from affinecal_gui.ui.views.plots.canvas.plot_items import Curve, Marks
from affinecal_gui.ui.views.plots.canvas.plot_notes import NoteBlock, bar_colour
from affinecal_gui.ui.views.plots.canvas.plot_panel import Panel
from affinecal_gui.ui.views.plots.points.dense_points import MANY, DensePoints
from affinecal_gui.ui.views.plots.points.group_marks import GroupMarks
from affinecal_gui.ui.views.plots.points.many_marks import ManyMarks
from affinecal_gui.ui.views.plots.points.point_names import PointNames
from affinecal_gui.ui.views.plots.points.selected_points import SelectedPoints, nearest_point, points_in

_MARK_SIZE = 9.0
_MARGIN = 0.05  # of the range, free at each end


class ResidualPanel(Panel):
    """One panel with the residuals of one calibrator.

    Parameters
    ----------
    root
        Item of the canvas.
    """

    def __init__(self, root: QGraphicsItem) -> None:
        super().__init__(root, NOTE_SIZE)
        self._theme: Theme | None = None
        self._model: ModelName = ""
        self.x: FloatArray = np.zeros(0)
        self.y: FloatArray = np.zeros(0)
        self._line = (0.0, 0.0)
        self.at_home = True
        self.expected = Curve(skipFiniteCheck=True)
        self.expected.setZValue(-20)
        self.box.addItem(self.expected, ignoreBounds=True)
        self.marks = self._scatter(4)
        self.group_marks = GroupMarks(self, _MARK_SIZE)
        self.left_out = ManyMarks(self.box, z=6)
        self._dense = DensePoints(self.box)
        self.selected = SelectedPoints(self, _MARK_SIZE, self._places)
        self.names = PointNames(self.box)
        self.note = NoteBlock(self.box)
        self.box.sigRangeChangedManually.connect(self._moved_by_hand)

    def _scatter(self, z: float) -> Marks:
        item = Marks("o")
        item.setZValue(z)
        self.box.addItem(item, ignoreBounds=True)
        return item

    def show_residuals(self, found: Residuals | None) -> None:
        """Draw the points of one calibrator; none clears the panel."""
        if found is None:
            self.x = self.y = np.zeros(0)
            self.group_marks.show(None, self.x, self.y, np.zeros(0, dtype=bool))
            for item in (self.marks, self.left_out, self.expected):
                item.setData([], [])
            self._dense.set_points(self.x, self.y)
            self.selected.clear()
            self.note.set_lines(())
            return
        self._model = found.model
        self.log_x = found.log_x
        self.x, self.y = coordinates(found.x, found.log_x), found.y
        self._line = found.line or (0.0, 0.0)
        used = ~found.points.left_out
        dense = used.sum() >= MANY
        nothing = np.zeros(0)
        self.marks.setSymbol(model_style(found.model).symbol)
        self.marks.put(*((nothing, nothing) if dense else (self.x[used], self.y[used])))
        self._dense.set_points(*((self.x[used], self.y[used]) if dense else (nothing, nothing)))
        self.left_out.put(*self._places(np.flatnonzero(~used).tolist()))
        self._style()
        self._draw_line()

    def show_groups(self, groups: Groups | None, used: NDArray[np.bool_]) -> None:
        """Give the points the colours of their groups; None gives them that of their calibrator."""
        self.group_marks.show(groups, self.x, self.y, used)
        if groups is not None:
            self.marks.setData([], [])

    def place_of(self, point: int) -> tuple[float, float]:
        """Return where a point stands, in plot coordinates."""
        return float(self.x[point]), float(self.y[point])

    def point_under(self, scene: QPointF) -> int:
        """Return the number of the point nearest to a place on the canvas, -1 if none is within reach."""
        return nearest_point(self.box, scene, self.x, [self.y])

    def points_in(self, frame: QRectF) -> list[int]:
        """Return the numbers of the points inside a frame in plot coordinates."""
        return points_in(frame, self.x, [self.y])

    def go_home(self) -> None:
        """Show all points, below the words at the top."""
        shown = np.isfinite(self.x) & np.isfinite(self.y)
        x, y = self.x[shown], np.append(self.y[shown], 0.0)
        height = max(1.0, self.box.rect().height())
        words = min(0.4, (self.note.boundingRect().height() + 6.0) / height)
        low, high = _range(y)
        self.box.show_home(_range(x) if x.size else (0.0, 1.0), (low, low + (high - low) / (1.0 - words)))
        self.at_home = True
        self.note.setPos(4.0, 2.0)

    def apply_theme(self, theme: Theme, ratio: float = 1.0) -> None:
        """Take over colours, fonts and the scale factor of the screen, unless the panel has them."""
        if self._applied == (theme, ratio):
            return
        super().apply_theme(theme, ratio)
        self._theme = theme
        self.expected.setPen(self.pen(theme.colour("muted"), 1.3))
        muted = theme.colour("muted")
        self.left_out.set_look(_MARK_SIZE - 0.5, self.pen(muted, 1.5), theme.colour("base"), muted)
        self.selected.apply_theme(theme)
        self.group_marks.apply_theme(theme)
        self.names.apply_theme(theme)
        self.note.apply_theme(theme)
        self._style()

    def _style(self) -> None:
        if self._theme is None or not self._model:
            return
        style, colour = model_style(self._model), self._theme.model_colour(self._model)
        self.marks.setSize(_MARK_SIZE * style.symbol_scale)
        self.marks.setPen(self.pen(self._theme.colour("base"), 1.0))
        self.marks.setBrush(colour)
        self._dense.set_style(style.symbol, 6.0, colour, bar_colour(self._theme, self._model))

    def _places(self, which: list[int]) -> tuple[FloatArray, FloatArray]:
        kept = [point for point in which if 0 <= point < self.x.size]
        return self.x[kept], self.y[kept]

    def _moved_by_hand(self, *_: object) -> None:
        self.at_home = False

    def _follow_range(self) -> None:
        super()._follow_range()
        self._draw_line()

    def _draw_line(self) -> None:
        """Draw the line across the part in view only."""
        if self.x.size:
            ends = np.array(self.box.viewRange()[0])
            self.expected.setData(ends, self._line[0] + self._line[1] * ends)


def _range(values: FloatArray) -> Range:
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        reach = 0.1 * max(abs(low), abs(high)) or 1.0
        return low - reach, high + reach
    edge = _MARGIN * (high - low)
    return low - edge, high + edge
