"""Words and keys inside a plot: blocks of text with samples of what is drawn, laid out once and then only painted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from affinecal_gui.calibration.calibrators.registry import DEFAULT
from affinecal_gui.calibration.results import ModelName
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.plotting import SYMBOLS
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.views.plots.canvas.pens import line

_PADDING = 4.0
_SAMPLE_WIDTH = 18.0
_BEFORE_FLUSH = 5.0  # pixels more, at least, than between other pieces
_LINE = 1.42  # distance of two lines, in sizes of type


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or a sample on a line of a block.

    ``sample`` is one of ``mark``, ``interval``, ``identity``, ``band``, ``left_out``, ``from_predicted``, or empty for text.
    """

    text: str = ""
    role: str = "text"
    bold: bool = False
    italic: bool = False
    size: float = NOTE_SIZE
    tab: float = 0.0  # starts no further left than this, in pixels
    flush: bool = False  # ends at the right edge of the block, one below the other; the last of its line
    sample: str = ""
    model: ModelName | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
    piece: Piece
    x: float
    middle: float
    baseline: float
    font: QFont


def mark_path(model: ModelName, size: float, centre: QPointF | None = None) -> QPainterPath:
    """Return the outline of a calibrator's mark."""
    style = model_style(model)
    transform = QTransform()
    if centre is not None:
        transform.translate(centre.x(), centre.y())
    transform.scale(size * style.symbol_scale, size * style.symbol_scale)
    path: QPainterPath = transform.map(SYMBOLS[style.symbol])
    return path


class NoteBlock(QGraphicsObject):
    """Lines of words and samples, on a veil of the ground colour where points may lie behind them.

    Parameters
    ----------
    parent
        The plot box; positions are its pixels.
    veil
        How much of the ground colour covers what is behind, from 0 to 1.
    """

    def __init__(self, parent: QGraphicsItem, veil: float = 0.92) -> None:
        super().__init__(parent)
        self._veil = veil
        self._lines: tuple[tuple[Piece, ...], ...] = ()
        self._placed: list[_Placed] = []
        self._size = QRectF()
        self._theme: Theme | None = None
        self.setZValue(60)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def set_lines(self, lines: Sequence[Sequence[Piece]]) -> None:
        """Show these lines."""
        new = tuple(tuple(line) for line in lines)
        if new != self._lines:
            self._lines = new
            self._lay_out()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        self._lay_out()

    @property
    def text(self) -> str:
        """The words of all lines, for tests and screen readers."""
        return "\n".join(" ".join(piece.text for piece in line if piece.text) for line in self._lines)

    def boundingRect(self) -> QRectF:
        """Return the extent in pixels."""
        return self._size

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw veil, samples and words."""
        theme = self._theme
        if theme is None or not self._placed:
            return
        if self._veil > 0.0:
            painter.fillRect(self._size, theme.colour("base", self._veil))
        for placed in self._placed:
            if placed.piece.sample:
                _draw_sample(painter, theme, placed)
            else:
                piece = placed.piece
                colour = theme.model_colour(piece.model) if piece.model else theme.colour(piece.role)
                painter.setPen(colour)
                painter.setFont(placed.font)
                painter.drawText(QPointF(placed.x, placed.baseline), piece.text)

    def _lay_out(self) -> None:
        self.prepareGeometryChange()
        self._placed = []
        theme = self._theme
        if theme is None:
            return
        y, width = _PADDING, 0.0
        for pieces in self._lines:
            height = max((piece.size for piece in pieces), default=NOTE_SIZE) * _LINE
            x = _PADDING
            for piece in pieces:
                font = theme.font(piece.size, piece.bold, piece.italic)
                metrics = QFontMetricsF(font)
                x = max(x, piece.tab + _PADDING if piece.tab else 0.0)
                if piece.flush:
                    x += _BEFORE_FLUSH
                middle = y + height / 2.0
                self._placed.append(_Placed(piece, x, middle, middle + metrics.capHeight() / 2.0, font))
                if piece.sample:
                    x += 13.0 if piece.sample == "mark" else _SAMPLE_WIDTH + 7.0
                else:
                    x += metrics.horizontalAdvance(piece.text) + 5.0
            width = max(width, x - 5.0)
            y += height
        for number, placed in enumerate(self._placed):
            if placed.piece.flush:
                left = width - QFontMetricsF(placed.font).horizontalAdvance(placed.piece.text)
                self._placed[number] = replace(placed, x=left)
        self._size = QRectF(0.0, 0.0, width + _PADDING, y + _PADDING) if self._lines else QRectF()
        self.update()


def _draw_sample(painter: QPainter, theme: Theme, placed: _Placed) -> None:
    """Draw what the plot draws, small."""
    kind, model = placed.piece.sample, placed.piece.model or DEFAULT
    left, middle = placed.x, placed.middle
    right = left + _SAMPLE_WIDTH
    centre = QPointF((left + right) / 2.0, middle)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if kind == "identity":
        painter.setPen(line(theme.colour("muted"), 1.3))
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
    elif kind == "band":
        area = QRectF(left, middle - 4.5, right - left, 9.0)
        painter.fillRect(area, theme.colour("faint", 0.12))
        painter.setPen(line(theme.colour("faint"), 1.0, (2.5, 2.0)))
        painter.drawLine(area.topLeft(), area.topRight())
        painter.drawLine(area.bottomLeft(), area.bottomRight())
    elif kind == "interval":
        painter.setPen(line(bar_colour(theme, model), 1.4))
        painter.drawLine(QPointF(centre.x(), middle - 6.5), QPointF(centre.x(), middle + 6.5))
        painter.setPen(line(theme.colour("base"), 0.8))
        painter.setBrush(theme.model_colour(model))
        painter.drawPath(mark_path(model, 8.0, centre))
    elif kind == "left_out":
        painter.setPen(line(theme.colour("muted"), 1.4))
        painter.setBrush(theme.colour("base"))
        painter.drawEllipse(centre, 3.6, 3.6)
    elif kind == "from_predicted":
        painter.setPen(line(theme.colour("muted"), 1.4))
        painter.setBrush(theme.colour("base"))
        x, y = centre.x(), centre.y()
        corners = (0.0, -5.0), (3.5, 0.0), (0.0, 5.0), (-3.5, 0.0)
        painter.drawPolygon([QPointF(x + across, y + down) for across, down in corners])
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.model_colour(model))
        painter.drawPath(mark_path(model, 8.5, QPointF(left + 4.5, middle)))


def bar_colour(theme: Theme, model: ModelName) -> QColor:
    """Return the colour of the interval bars of a calibrator: its own, faded into the ground."""
    if model == DEFAULT:
        return theme.colour("interval_bar")
    mark, ground, share = theme.model_colour(model), theme.colour("base"), 0.45
    pairs = ((mark.red(), ground.red()), (mark.green(), ground.green()), (mark.blue(), ground.blue()))
    return QColor(*(round(share * strong + (1.0 - share) * weak) for strong, weak in pairs))
