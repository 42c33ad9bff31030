"""The ticks and labels beside a panel: what is drawn is chosen by the panel, so that little is left to be done here."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

TICK = 5  # pixels
TICK_GAP = 3  # pixels between a tick and its label
_OVERHANG = 15.0  # pixels by which labels may stand out at the ends of the axis
_TEXT_HEIGHT = 0.8  # of a line, which a label takes
_BESIDE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
_BELOW = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip
_FOR_MEASURING = QRectF(0.0, 0.0, 100.0, 100.0)

Side = Literal["left", "bottom"]


class LabelledAxis(QGraphicsItem):
    """Ticks and labels only: the mouse belongs to the plots, also to one that lies under the room for the labels.

    Parameters
    ----------
    side
        Where the axis lies beside its panel.
    parent
        Item of the canvas on which it is placed.
    """

    def __init__(self, side: Side, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self._upright = side == "left"
        self._area = QRectF()
        self._range = (0.0, 1.0)
        self._positions: tuple[float, ...] = ()
        self._labels: tuple[str, ...] = ()
        self._shifts: tuple[float, ...] = ()
        self._font = QFont()
        self._tick_pen, self._text_colour = QPen(), QColor()
        self._sizes: dict[str, QRectF] = {}  # of labels in this font
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def set_geometry(self, rectangle: QRectF) -> None:
        """Place the axis; the panel lies at its right or above it."""
        self.prepareGeometryChange()
        self.setPos(rectangle.topLeft())
        self._area = QRectF(QPointF(), rectangle.size())

    def set_range(self, low: float, high: float) -> None:
        """Say which coordinates lie at the ends."""
        if (low, high) != self._range:
            self._range = (low, high)
            self.update()

    def set_ticks(self, positions: Sequence[float], labels: Sequence[str], shifts: Sequence[float] = ()) -> None:
        """Label these coordinates; ``shifts`` moves the labels along the axis, by pixels."""
        wanted = tuple(positions), tuple(labels), tuple(shifts) or (0.0,) * len(labels)
        if wanted != (self._positions, self._labels, self._shifts):
            self._positions, self._labels, self._shifts = wanted
            self.update()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, from low to high."""
        return self._labels

    def set_look(self, font: QFont, tick_pen: QPen, text: QColor) -> None:
        """Take over font and colours."""
        self._font, self._tick_pen, self._text_colour = font, tick_pen, text
        self._sizes.clear()
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the room, with what labels may stand out at both ends."""
        if self._upright:
            return self._area.adjusted(0.0, -_OVERHANG, 0.0, _OVERHANG)
        return self._area.adjusted(-_OVERHANG, 0.0, _OVERHANG, 0.0)

    def shape(self) -> QPainterPath:
        """Return nothing that could be clicked, dragged or hovered."""
        return QPainterPath()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the ticks that lie on the axis, and the labels that have room."""
        placed = self._placed()
        if not placed:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing, True)
        painter.setPen(self._tick_pen)
        edge = self._area.right()
        for place, _, _ in placed:
            if self._upright:
                painter.drawLine(QPointF(edge, place), QPointF(edge - TICK, place))
            else:
                painter.drawLine(QPointF(place, 0.0), QPointF(place, TICK))
        painter.setFont(self._font)
        painter.setPen(self._text_colour)
        for box, label in self._written(placed):
            painter.drawText(box, _BESIDE if self._upright else _BELOW, label)

    def label_boxes(self) -> list[QRectF]:
        """Return where on the canvas labels are written."""
        return [self.mapRectToScene(box) for box, label in self._written(self._placed()) if label]

    def _placed(self) -> list[tuple[float, str, float]]:
        """Return the ticks that lie on the axis: where, their labels, and by how much these are moved."""
        length = self._area.height() if self._upright else self._area.width()
        low, high = self._range
        if length <= 0.0 or high == low:
            return []
        per_unit = (-length if self._upright else length) / (high - low)
        begin = low * per_unit - (length if self._upright else 0.0)
        first, last = sorted((low * per_unit - begin, high * per_unit - begin))
        places = (position * per_unit - begin for position in self._positions)
        marks = zip(places, self._labels, self._shifts, strict=True)
        return [(place, label, shift) for place, label, shift in marks if first <= place <= last]

    def _written(self, placed: Sequence[tuple[float, str, float]]) -> list[tuple[QRectF, str]]:
        """Return the labels that have room, and where they stand."""
        room = self.boundingRect()
        boxes = [(self._box(place + shift, label), label) for place, label, shift in placed]
        return [(box, label) for box, label in boxes if room & box == box]

    def _box(self, place: float, label: str) -> QRectF:
        """Return where a label stands."""
        size = self._sizes.get(label)
        if size is None:
            size = QFontMetricsF(self._font).boundingRect(_FOR_MEASURING, Qt.AlignmentFlag.AlignCenter, label)
            self._sizes[label] = size
        width, height = size.width(), _TEXT_HEIGHT * size.height()
        if self._upright:
            end = self._area.right() - TICK - TICK_GAP
            return QRectF(end - width, place - height / 2.0, width, height)
        return QRectF(place - width / 2.0, TICK + TICK_GAP, width, height)
