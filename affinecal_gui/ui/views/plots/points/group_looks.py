"""How the groups of polymers in a plot look: a colour and a mark for each, told apart with any colour vision."""

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from affinecal_gui.study.shown.groups import GROUP_ROLES, Groups
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.plotting import SYMBOLS
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme

_SYMBOLS = (("o", 1.0), ("t1", 1.06), ("d", 1.16), ("t", 1.06), ("x", 1.1), ("+", 1.1), ("p", 1.06))
_OTHERS = (("s", 0.86), ("h", 0.8))
_LINE = 18
_SAMPLE = 14
_BETWEEN = 12


def group_colour(theme: Theme, groups: Groups, number: int) -> QColor:
    """Return the colour of a group; ranges of a number go from orange over grey to blue, the others are grey."""
    if number >= groups.told:
        return theme.colour("grey")
    if not groups.ordered:
        return theme.colour(GROUP_ROLES[number])
    share = number / max(1, groups.told - 1)
    low, middle, high = theme.colour("selected_point"), theme.colour("grey"), theme.colour("accent")
    return _between(low, middle, 2.0 * share) if share < 0.5 else _between(middle, high, 2.0 * share - 1.0)


def group_symbol(groups: Groups, number: int) -> tuple[str, float]:
    """Return the mark of a group, and what evens out its area."""
    if number >= groups.told:
        return _OTHERS[min(number - groups.told, len(_OTHERS) - 1)]
    return _SYMBOLS[number]


def _between(first: QColor, second: QColor, share: float) -> QColor:
    pairs = ((first.red(), second.red()), (first.green(), second.green()), (first.blue(), second.blue()))
    return QColor(*(round((1.0 - share) * one + share * other) for one, other in pairs))


class GroupKey(QWidget):
    """What the colours and marks mean, in as many lines as the width needs; outside of the plot, where it hides nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._groups: Groups | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.hide()

    def show_groups(self, groups: Groups | None) -> None:
        """Explain these groups; None explains nothing."""
        self._groups = groups
        self.setVisible(groups is not None)
        if groups is not None:
            self.setAccessibleName(f"{groups.trait.words}: " + ", ".join(groups.labels))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Say that the height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines."""
        places = self._places(width)
        return places[-1].y() + _LINE if places else 0

    def sizeHint(self) -> QSize:
        """Return the size in the present width."""
        return QSize(200, self.heightForWidth(max(200, self.width())))

    def minimumSizeHint(self) -> QSize:
        """Return the least size."""
        return QSize(120, self.heightForWidth(max(120, self.width())))

    def _places(self, width: int) -> list[QPoint]:
        if self._groups is None:
            return []
        metrics = QFontMetricsF(current_theme().font(NOTE_SIZE))
        places, x, y = [], 0, 0
        for label in self._groups.labels:
            needed = _SAMPLE + round(metrics.horizontalAdvance(label))
            if x and x + needed > width:
                x, y = 0, y + _LINE
            places.append(QPoint(x, y))
            x += needed + _BETWEEN
        return places

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the samples and their words."""
        groups, theme = self._groups, current_theme()
        if groups is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(NOTE_SIZE))
        for number, (label, place) in enumerate(zip(groups.labels, self._places(self.width()), strict=True)):
            symbol, scale = group_symbol(groups, number)
            centre = QPointF(place.x() + 5.0, place.y() + _LINE / 2.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(group_colour(theme, groups, number))
            painter.drawPath(_outline(symbol, 8.5 * scale, centre))
            painter.setPen(theme.colour("text"))
            room = QRectF(place.x() + _SAMPLE, place.y(), max(0.0, self.width() - place.x() - _SAMPLE), _LINE)
            words = QFontMetricsF(painter.font()).elidedText(label, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.end()


def _outline(symbol: str, size: float, centre: QPointF) -> QPainterPath:
    transform = QTransform()
    transform.translate(centre.x(), centre.y())
    transform.scale(size, size)
    path: QPainterPath = transform.map(SYMBOLS[symbol])
    return path
