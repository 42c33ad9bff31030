"""One panel of the coefficient view: the bars of one descriptor block over the values they stand for."""

import math
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem

from affinecal_gui.calibration.calibrators.registry import DEFAULT
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.figures.round_values import Labels
from affinecal_gui.study.words.coefficient_words import BlockCoefficients
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE, SMALLEST_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.views.plots.canvas.axis_title import AxisTitle
from affinecal_gui.ui.views.plots.canvas.label_room import spread
from affinecal_gui.ui.views.plots.canvas.plot_items import Curve, show_if
from affinecal_gui.ui.views.plots.canvas.plot_notes import NoteBlock, Piece
from affinecal_gui.ui.views.plots.canvas.plot_panel import Panel

_BAR = 0.7  # width of a bar, of the distance between two
_LABEL_GAP = 2.5  # pixels free between the names of two bars
_OVERHANG = 8.0  # pixels by which a label may stand out at the sides of its panel
_BEYOND = 4.0  # pixels free around the words of a title, which may lie beyond the frame

CORNERS = ((True, True), (True, False), (False, True), (False, False))
"""Where the title of a panel may stand, the best first: whether at the right, whether at the top."""


class Bars(pg.BarGraphItem):  # type: ignore[misc]
    """Bars; without any the item costs nothing when its plot is painted."""

    _bounds: QRectF | None = None  # the base class sets data while it is being made

    def setOpts(self, **options: Any) -> None:
        """Show other bars, or the same in other colours."""
        self._bounds = None
        super().setOpts(**options)
        show_if(self, len(self.getData()[0]) > 0)

    def viewTransformChanged(self) -> None:
        """Note that the pixels in which outlines are measured have another size."""
        self._bounds = None
        super().viewTransformChanged()

    def boundingRect(self) -> QRectF:
        """Return the extent, which is asked for several times whenever the plot is painted."""
        if self._bounds is None:
            self._bounds = super().boundingRect()
        return self._bounds


class BlockPanel(Panel):
    """Bars filled where their band is clear of zero, outlined where not, with band, zero line and title.

    Parameters
    ----------
    root
        Item of the canvas.
    """

    def __init__(self, root: QGraphicsItem) -> None:
        super().__init__(root, SMALLEST_SIZE)
        self.upright_grid = False
        self.gap_y = 2.0  # of a low panel: three labels without a longer axis, on which the bars would be flat
        self.part: BlockCoefficients | None = None
        self._theme: Theme | None = None
        self._model: ModelName = DEFAULT
        self.x: FloatArray = np.zeros(0)
        self._step = 1.0
        self.x_range = (0.0, 1.0)
        self.scale = 1.0
        self._band_opacity = 1.0
        self._current = -1
        self._large = False
        self.band = QGraphicsPathItem()
        self.band.setZValue(-10)
        self.box.addItem(self.band, ignoreBounds=True)
        self.filled = self._bars(0)
        self.outlined = self._bars(1)
        self.marked = self._bars(2)
        self._zero = Curve(skipFiniteCheck=True, antialias=False)
        self._zero.setZValue(5)
        self.box.addItem(self._zero, ignoreBounds=True)
        self.title = NoteBlock(self.box, veil=0.0)  # a band may pass behind it, bars do not
        self.unit = AxisTitle(root)
        self.own_ticks_x = None

    def show_block(self, part: BlockCoefficients, model: ModelName, scale: float, *, band_opacity: float = 1.0) -> None:
        """Draw a block; ``scale`` multiplies the coefficients."""
        self.part = part
        self._model, self.scale, self._band_opacity = model, scale, band_opacity
        block = part.block
        if block.labels is None:
            self.x = block.physical_values
            low, high = block.minimum, block.maximum
            self._step = (high - low) / max(1, block.size)
            if high <= low:
                low, high, self._step = low - 0.5, low + 0.5, 1.0
            half = self._step / 2.0
            self.x_range = (min(low, float(self.x[0]) - half), max(high, float(self.x[-1]) + half))
        else:
            self.x = np.arange(block.size, dtype=np.float64)
            self._step = 1.0
            self.x_range = (-0.55, block.size - 0.45)
        symbol = f" {block.symbol}" if block.symbol and len(block.symbol) <= 2 and not block.symbol.isascii() else ""
        title = block.title if symbol.strip() and block.title.endswith(symbol.strip()) else block.title + symbol
        size = BODY_SIZE if self._large else NOTE_SIZE
        lines = [[Piece(title, bold=True, size=size)]]
        if part.off:
            lines.append([Piece("switched off", "muted", size=SMALLEST_SIZE)])
        elif part.factor != 1.0:
            lines.append([Piece(f"λ × {part.factor:g}", "muted", size=SMALLEST_SIZE)])
        self.title.set_lines(lines)
        self.unit.set_wordings("element" if block.name == "mass" and block.labels is not None else block.unit)
        self._draw_bars()
        self._label_bars()

    def set_large(self, large: bool) -> None:
        """Use the larger type of a panel that has the canvas for itself."""
        if large != self._large:
            self._large = large
            self.set_font_size(NOTE_SIZE if large else SMALLEST_SIZE)
            if self.part is not None:
                self.show_block(self.part, self._model, self.scale, band_opacity=self._band_opacity)

    def set_range(self, low: float, high: float) -> None:
        """Show this part of the shared y axis, and the whole block."""
        self.box.show_home(self.x_range, (low, high))
        self._zero.setData(list(self.x_range), [0.0, 0.0])

    def place(self, inner: QRectF) -> None:
        """Put the box at ``inner``; title and unit follow."""
        super().place(inner)
        self._label_bars()
        room, size = self.box.rect().width() - 1.0, self.title.boundingRect()
        self.title.setScale(min(1.0, room / size.width()) if size.width() > 0.0 and room > 0.0 else 1.0)  # never cut
        self._place_title(*CORNERS[0])
        self.unit.place(inner.center().x(), inner.bottom() + self.bottom_room - 1.0, inner.width() + 16.0)

    def place_title(self, low: float, high: float) -> float:
        """Put the title where no bar reaches it, at the top if need be; returns how far the y axis must reach for that.

        Parameters
        ----------
        low, high
            Ends of the axis.
        """
        for corner in CORNERS:
            if self._is_free(*corner, low, high):
                self._place_title(*corner)
                return high
        self._place_title(*CORNERS[0])
        highest = self._reach(*CORNERS[0])
        share = self._title_share
        return float((highest - low * share) / (1.0 - share))

    def _place_title(self, at_right: bool, at_top: bool) -> None:
        size, title, scale = self.box.rect(), self.title.boundingRect(), self.title.scale()
        self.title.setPos(
            size.width() - 1.0 - scale * title.width() if at_right else 1.0,
            -_BEYOND if at_top else size.height() + _BEYOND - scale * title.height(),
        )

    @property
    def _title_share(self) -> float:
        """How much of the height of the panel the words of the title take."""
        title = self.title.mapRectToParent(self.title.boundingRect())
        return float(min(0.6, max(0.0, title.height() - 2.0 * _BEYOND) / max(self.box.rect().height(), 1.0)))

    def _reach(self, at_right: bool, at_top: bool) -> float:
        """Return how far the bars in a corner, below the title or above it, reach towards it."""
        part = self.part
        if part is None or part.off:
            return -math.inf if at_top else math.inf
        left, right = self.x_range
        width = (right - left) * (self.title.scale() * self.title.boundingRect().width() + 4.0)
        width /= max(self.box.rect().width(), 1.0)
        beside = self.x + self._step / 2.0 >= right - width if at_right else self.x - self._step / 2.0 <= left + width
        bars = self.scale * part.gamma[beside]
        known = np.isfinite(bars)
        return float(np.max(bars, initial=0.0, where=known) if at_top else np.min(bars, initial=0.0, where=known))

    def _is_free(self, at_right: bool, at_top: bool, low: float, high: float) -> bool:
        reach, words = self._reach(at_right, at_top), self._title_share * (high - low)
        return reach <= high - words if at_top else reach >= low + words

    def set_visible(self, visible: bool) -> None:
        """Show or hide all parts."""
        super().set_visible(visible)
        self.unit.setVisible(visible)

    def bar_at(self, scene: QPointF) -> int:
        """Return the number of the bar at a place on the canvas, -1 if there is none."""
        if self.part is None or self.part.off or not self.box.sceneBoundingRect().contains(scene):
            return -1
        x = self.box.mapSceneToView(scene).x()
        nearest = int(np.argmin(np.abs(self.x - x)))
        return nearest if abs(self.x[nearest] - x) <= self._step / 2.0 + 1e-9 else -1

    def foot_of(self, bar: int) -> QPointF:
        """Return the place on the canvas below the end of a bar."""
        assert self.part is not None
        return QPointF(self.box.mapViewToScene(QPointF(self.x[bar], self.scale * float(self.part.gamma[bar]))))

    def mark(self, bar: int) -> None:
        """Set one bar off from the others; -1 for none."""
        self._current = bar
        shown = self.part is not None and not self.part.off and 0 <= bar < self.x.size
        heights = [self.scale * float(self.part.gamma[bar])] if shown and self.part is not None else []
        hollow = shown and self.part is not None and not self.part.clear_of_zero()[bar]
        self.marked.setOpts(
            x=self.x[bar : bar + 1] if shown else [],
            height=heights,
            width=_BAR * self._step,
            brush=self._theme.colour("base" if hollow else "selected_point") if self._theme is not None else None,
        )

    def apply_theme(self, theme: Theme, ratio: float = 1.0) -> None:
        """Take over colours, fonts and the scale factor of the screen."""
        self._theme = theme
        super().apply_theme(theme, ratio)
        self._zero.setPen(self.pen(theme.colour("faint"), 1.0))
        self.band.setPen(pg.mkPen(None))
        self.marked.setOpts(pen=self.pen(theme.colour("selected_point"), 1.6))
        self.mark(self._current)
        self.title.apply_theme(theme)
        self.unit.apply_theme(theme, NOTE_SIZE)
        self._colour_bars()

    def _bars(self, z: float) -> "Bars":
        item = Bars(x=[], height=[], width=0.7)
        item.setZValue(z)
        self.box.addItem(item, ignoreBounds=True)
        return item

    def _colour_bars(self) -> None:
        theme = self._theme
        if theme is None:
            return
        self.band.setBrush(theme.colour("coefficient_band", self._band_opacity))
        colour = theme.model_colour(self._model)
        self.filled.setOpts(brush=colour, pen=pg.mkPen(None))
        self.outlined.setOpts(brush=theme.colour("base"), pen=self.pen(colour, 1.0))

    def _draw_bars(self) -> None:
        part = self.part
        assert part is not None
        if part.off:
            self.filled.setOpts(x=[], height=[])
            self.outlined.setOpts(x=[], height=[])
            self.band.setPath(QPainterPath())
            self.mark(-1)
            return
        heights = self.scale * np.nan_to_num(part.gamma)
        clear = np.array(part.clear_of_zero(), dtype=bool)
        width = _BAR * self._step
        self.filled.setOpts(x=self.x[clear], height=heights[clear], width=width)
        self.outlined.setOpts(x=self.x[~clear], height=heights[~clear], width=width)
        self._colour_bars()
        self.band.setPath(self._band_path(self.scale * part.lower, self.scale * part.upper))
        self.mark(self._current if self._current < self.x.size else -1)

    def _band_path(self, lower: FloatArray, upper: FloatArray) -> QPainterPath:
        """Return the steps of the band; it is interrupted where a coefficient has none."""
        path = QPainterPath()
        half = self._step / 2.0
        run: list[int] = []
        for bar in range(self.x.size + 1):
            if bar < self.x.size and math.isfinite(lower[bar]) and math.isfinite(upper[bar]):
                run.append(bar)
                continue
            if run:
                path.moveTo(self.x[run[0]] - half, upper[run[0]])
                for k in run:
                    path.lineTo(self.x[k] - half, upper[k])
                    path.lineTo(self.x[k] + half, upper[k])
                for k in reversed(run):
                    path.lineTo(self.x[k] + half, lower[k])
                    path.lineTo(self.x[k] - half, lower[k])
                path.closeSubpath()
            run = []
        return path

    def _label_bars(self) -> None:
        """Name the bars of a labelled block, as many of them as there is room for."""
        labels = self.part.block.labels if self.part is not None else None
        if labels is None:
            self.own_ticks_x = None
            self.refresh_ticks()
            return
        width = self.box.rect().width()
        middles = [(bar - self.x_range[0]) * width / (self.x_range[1] - self.x_range[0]) for bar in range(len(labels))]
        extents = [self.label_extent(text) for text in labels]
        placed = spread(middles, extents, -_OVERHANG, width + _OVERHANG, _LABEL_GAP)
        if placed is not None:
            shifts = tuple(now - then for now, then in zip(placed, middles, strict=True))
            self.own_ticks_x = Labels(tuple(float(bar) for bar in range(len(labels))), tuple(labels), shifts)
            self.refresh_ticks()
            return
        kept: list[int] = []
        end = -_OVERHANG
        for bar in range(len(labels)):
            half, middle = extents[bar] / 2.0, middles[bar]
            if middle - half >= end and middle + half <= width + _OVERHANG:
                kept.append(bar)
                end = middle + half + (_LABEL_GAP if half < 8.0 else 5.0)
        self.own_ticks_x = Labels(tuple(float(bar) for bar in kept), tuple(labels[bar] for bar in kept))
        self.refresh_ticks()
