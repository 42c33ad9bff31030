"""The picture on the welcome page: MD values as they are, and calibrated."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from affinecal_gui.ui.parts.painted_text import draw_rich_text
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme

LOWEST, HIGHEST = 530.0, 5300.0
TICKS = (1000, 2000, 4000)
SYMBOL = "<i>C</i><sub>p</sub>, J/(kg K)"


class SmallParityPlot(NamedTuple):
    """One of the two small parity plots."""

    title: str
    role: str  # of the palette
    mark: Literal["square", "star"]
    y_label: str
    points: tuple[tuple[float, float], ...]  # measured and predicted value
    note: str


class WhatItDoes(QFrame):
    """Two small parity plots and an arrow from one to the other; painted, because nothing heavy is loaded yet."""

    def __init__(
        self,
        measured: Sequence[float],
        md: Sequence[float],
        calibrated: Sequence[float],
        notes: tuple[str, str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        set_kind(self, "card")
        self.setAccessibleName("What it does")
        self.setAccessibleDescription(
            f"Two plots against the measured specific heat capacity. MD as it is: {notes[0]}. "
            f"Combined, out-of-fold: {notes[1]}."
        )
        self.setMinimumHeight(220)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._panels = (
            SmallParityPlot(
                "MD as it is", "grey", "square", f"MD {SYMBOL}", tuple(zip(measured, md, strict=True)), notes[0]
            ),
            SmallParityPlot(
                "Combined, out-of-fold",
                "rose",
                "star",
                f"Calibrated {SYMBOL}",
                tuple(zip(measured, calibrated, strict=True)),
                notes[1],
            ),
        )

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """Role in the palette and mark of both calibrators."""
        return tuple((panel.role, panel.mark) for panel in self._panels)

    def sizeHint(self) -> QSize:
        """Return the least that looks well; more room is used."""
        return QSize(660, 220)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both plots, square and as large as the room allows."""
        super().paintEvent(event)
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top, bottom, left, gap = 38, 52, 62, 44
        side = min(self.height() - top - bottom, (self.width() - 2 * left - gap - 40) / 2)
        side = max(side, 60.0)
        start = (self.width() - 2 * side - 2 * left - gap) / 2 - 6
        frames = [QRectF(start + left + number * (side + left + gap), top, side, side) for number in range(2)]
        for panel, frame in zip(self._panels, frames, strict=True):
            _paint_panel(painter, theme, panel, frame)
        self._paint_arrow(painter, theme, (frames[0].right() + frames[1].left() - left) / 2, frames[0].center().y())
        painter.end()

    @staticmethod
    def _paint_arrow(painter: QPainter, theme: Theme, middle: float, y: float) -> None:
        painter.setPen(QPen(theme.colour("muted"), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QLineF(middle - 15, y, middle + 15, y))
        painter.drawPolyline(
            QPolygonF([QPointF(middle + 8, y - 7), QPointF(middle + 15, y), QPointF(middle + 8, y + 7)])
        )


def _paint_panel(painter: QPainter, theme: Theme, panel: SmallParityPlot, frame: QRectF) -> None:
    low, high = math.log(LOWEST), math.log(HIGHEST)

    def place(x: float, y: float) -> QPointF:
        across = (math.log(x) - low) / (high - low)
        up = (math.log(y) - low) / (high - low)
        return QPointF(frame.left() + across * frame.width(), frame.bottom() - up * frame.height())

    painter.save()
    painter.setFont(theme.font(NOTE_SIZE))
    for tick in TICKS:
        at = place(tick, tick)
        painter.setPen(QPen(theme.colour("grid"), 1))
        painter.drawLine(QLineF(at.x(), frame.top(), at.x(), frame.bottom()))
        painter.drawLine(QLineF(frame.left(), at.y(), frame.right(), at.y()))
        painter.setPen(QPen(theme.colour("faint"), 1))
        painter.drawLine(QLineF(at.x(), frame.bottom(), at.x(), frame.bottom() + 4))
        painter.drawLine(QLineF(frame.left() - 4, at.y(), frame.left(), at.y()))
        painter.setPen(theme.colour("muted"))
        painter.drawText(QRectF(at.x() - 30, frame.bottom() + 5, 60, 14), Qt.AlignmentFlag.AlignCenter, str(tick))
        painter.drawText(
            QRectF(frame.left() - 50, at.y() - 7, 43, 14),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            str(tick),
        )
    painter.setClipRect(frame)
    band = [place(LOWEST, 1.1 * LOWEST), place(HIGHEST, 1.1 * HIGHEST), place(HIGHEST, HIGHEST / 1.1)]
    band.append(place(LOWEST, LOWEST / 1.1))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("grid"))
    painter.drawPolygon(QPolygonF(band))
    painter.setPen(QPen(theme.colour("border"), 1, Qt.PenStyle.DashLine))
    painter.drawLine(band[0], band[1])
    painter.drawLine(band[3], band[2])
    painter.setPen(QPen(theme.colour("faint"), 1.2))
    painter.drawLine(place(LOWEST, LOWEST), place(HIGHEST, HIGHEST))
    painter.setPen(QPen(theme.colour("base"), 0.6))
    painter.setBrush(theme.colour(panel.role))
    for x, y in panel.points:
        at = place(x, y)
        _paint_mark(painter, panel.mark, at, 2.2)
    painter.setClipping(False)
    painter.setPen(QPen(theme.colour("border"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(frame)

    painter.setFont(theme.font(NOTE_SIZE))
    painter.setPen(theme.colour("text"))
    corner = frame.adjusted(4, 4, -5, -4)
    painter.drawText(corner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, panel.note)
    painter.setBrush(theme.colour(panel.role))
    painter.setPen(Qt.PenStyle.NoPen)
    mark = QPointF(frame.left() + 4, frame.top() - 15)
    _paint_mark(painter, panel.mark, mark, 3.0)
    painter.setFont(theme.font(BODY_SIZE, bold=True))
    painter.setPen(theme.colour(panel.role))
    painter.drawText(
        QRectF(frame.left() + 15, frame.top() - 24, frame.width(), 18), Qt.AlignmentFlag.AlignVCenter, panel.title
    )
    font, colour = theme.font(BODY_SIZE), theme.colour("text")
    below = QRectF(frame.left() - 30, frame.bottom() + 24, frame.width() + 60, 20)
    draw_rich_text(painter, below, f"Measured {SYMBOL}", font, colour, Qt.AlignmentFlag.AlignHCenter)
    painter.translate(frame.left() - 56, frame.center().y())
    painter.rotate(-90)
    beside = QRectF(-frame.height(), -10, 2 * frame.height(), 20)
    draw_rich_text(painter, beside, panel.y_label, font, colour, Qt.AlignmentFlag.AlignHCenter)
    painter.restore()


def _paint_mark(painter: QPainter, mark: Literal["square", "star"], at: QPointF, half: float) -> None:
    """Draw the mark that the calibrator has in the plots, without the module of their marks, for which no welcome waits."""
    if mark == "square":
        painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))
        return
    painter.drawPolygon(_star(half).translated(at))


@cache
def _star(half: float) -> QPolygonF:
    radii = (1.6 * half, 0.62 * half)
    angles = [math.pi * corner / 5 for corner in range(10)]
    return QPolygonF(
        [
            QPointF(radii[corner % 2] * math.sin(angle), -radii[corner % 2] * math.cos(angle))
            for corner, angle in enumerate(angles)
        ]
    )
