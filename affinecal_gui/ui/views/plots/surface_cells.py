"""The coloured cells of the cross-validation surface, and the bar that says what their colours mean."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from affinecal_gui.calibration.results import FloatArray, PenaltySurface
from affinecal_gui.ui.parts.number_text import significant
from affinecal_gui.ui.parts.theme.fonts import SMALLEST_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.views.plots.canvas.pens import line

_CONTRAST = 2.5  # the last colour stands for this many times the distance from the best to the median


def edges(positions: FloatArray) -> FloatArray:
    """Return the borders of cells around ascending positions: half-way between neighbours, as far out at the ends."""
    if positions.size == 1:
        return np.array([positions[0] - 0.5, positions[0] + 0.5])
    middle = (positions[:-1] + positions[1:]) / 2.0
    first, last = 2.0 * positions[0] - middle[0], 2.0 * positions[-1] - middle[-1]
    return np.concatenate(([first], middle, [last]))


def worst_shown(rmse: FloatArray) -> float:
    """Return the value from which on cells have the last colour: a plateau far off must not hide the valley."""
    finite = rmse[np.isfinite(rmse)]
    if finite.size == 0:
        return math.nan
    best, middle, most = float(finite.min()), float(np.median(finite)), float(finite.max())
    limit = best + _CONTRAST * (middle - best)
    return limit if best < limit < most else most


def between(best: QColor, worst: QColor, share: float) -> QColor:
    """Mix two colours; 0 is the first."""
    share = min(max(share, 0.0), 1.0)
    return QColor(
        round(best.red() + share * (worst.red() - best.red())),
        round(best.green() + share * (worst.green() - best.green())),
        round(best.blue() + share * (worst.blue() - best.blue())),
    )


class SurfaceCells(QGraphicsObject):
    """The coloured cells, in plot coordinates: log10 of both penalties."""

    def __init__(self) -> None:
        super().__init__()
        self._x_edges = self._y_edges = np.zeros(0)
        self._surface: PenaltySurface | None = None
        self._rmse: FloatArray = np.zeros((0, 0))
        self._range = (0.0, 1.0)
        self._colours = (QColor(), QColor(), QColor())
        self._painted: list[tuple[QRectF, QColor]] = []

    def set_surface(self, surface: PenaltySurface) -> float:
        """Show a surface; returns the value that has the last colour."""
        if surface is self._surface:
            return self._range[1]
        self._surface = surface
        self.prepareGeometryChange()
        self._x_edges = edges(np.log10(surface.lambda_1))
        self._y_edges = edges(np.log10(surface.lambda_2))
        self._rmse = surface.rmse
        worst = worst_shown(surface.rmse)
        best = float(np.nanmin(surface.rmse)) if math.isfinite(worst) else 0.0
        self._range = (best, worst)
        self._colour_cells()
        return self._range[1]

    def set_colours(self, best: QColor, worst: QColor, missing: QColor) -> None:
        """Choose the ends of the colour scale."""
        self._colours = (best, worst, missing)
        self._colour_cells()

    def _colour_cells(self) -> None:
        best, worst = self._range
        self._painted = []
        for row in range(self._rmse.shape[0]):
            for column in range(self._rmse.shape[1]):
                value = float(self._rmse[row, column])
                if not math.isfinite(value):
                    colour = self._colours[2]
                else:
                    share = (value - best) / (worst - best) if worst > best else 0.0
                    colour = between(self._colours[0], self._colours[1], share)
                # Each reaches below the next ones, which are painted after it: rounded to pixels, no gap shows between them.
                end = min(row + 2, len(self._x_edges) - 1), min(column + 2, len(self._y_edges) - 1)
                area = QRectF(
                    QPointF(self._x_edges[row], self._y_edges[column]),
                    QPointF(self._x_edges[end[0]], self._y_edges[end[1]]),
                )
                self._painted.append((area, colour))
        self.update()

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """Return the cell at a place, None outside the grid."""
        row = int(np.searchsorted(self._x_edges, place.x())) - 1
        column = int(np.searchsorted(self._y_edges, place.y())) - 1
        inside = 0 <= row < self._rmse.shape[0] and 0 <= column < self._rmse.shape[1]
        return (row, column) if inside else None

    def boundingRect(self) -> QRectF:
        """Return the extent of the grid."""
        if self._x_edges.size == 0:
            return QRectF()
        return QRectF(
            QPointF(self._x_edges[0], self._y_edges[0]), QPointF(self._x_edges[-1], self._y_edges[-1])
        ).normalized()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Fill the cells, without blurring their edges."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for area, colour in self._painted:
            painter.fillRect(area, colour)


class ColourBar(QGraphicsObject):
    """What the colours mean: best at the bottom, worst at the top."""

    def __init__(self, root: QGraphicsItem) -> None:
        super().__init__(root)
        self._area = QRectF()
        self.labels: tuple[tuple[float, str], ...] = ()
        self._theme = current_theme()

    @property
    def label_room(self) -> float:
        """Width in pixels of the labels and the gap before them."""
        metrics = self._metrics()
        return 5.0 + max((metrics.horizontalAdvance(text) for _, text in self.labels), default=24.0)

    def set_range(self, best: float, worst: float, cut: bool) -> None:
        """Label the ends and the middle; ``cut`` says that still worse cells have the last colour."""
        if not math.isfinite(best):
            self.labels = ()
        else:
            top = significant(worst, 2)
            self.labels = ((1.0, f"≥{top}" if cut else top), (0.5, significant((best + worst) / 2.0, 2)))
            self.labels += ((0.0, significant(best, 3)),)
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and font."""
        self._theme = theme
        self.update()

    def place(self, area: QRectF) -> None:
        """Put the bar at ``area``; the labels stand at its right."""
        self.prepareGeometryChange()
        self._area = area
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the extent of bar and labels."""
        return self._area.adjusted(-1.0, -8.0, self.label_room + 2.0, 8.0)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw bar and labels."""
        theme, area = self._theme, self._area
        gradient = QLinearGradient(area.bottomLeft(), area.topLeft())
        for step in range(11):
            share = step / 10.0
            gradient.setColorAt(share, between(theme.colour("surface_best"), theme.colour("surface_worst"), share))
        painter.setBrush(gradient)
        painter.setPen(line(theme.colour("border"), 1.0))
        painter.drawRect(area)
        painter.setFont(theme.font(SMALLEST_SIZE))
        painter.setPen(theme.colour("muted"))
        metrics = self._metrics()
        half = metrics.capHeight() / 2.0
        for share, text in self.labels:
            y = area.bottom() - share * area.height()
            y = min(max(y, area.top() + half), area.bottom() - half)
            painter.drawText(QPointF(area.right() + 5.0, y + half), text)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._theme.font(SMALLEST_SIZE))
