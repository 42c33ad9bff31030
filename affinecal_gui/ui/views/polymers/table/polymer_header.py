"""Head of the polymer table: the title, and the unit below it, so that a unit stands once."""

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from affinecal_gui.ui.parts.theme.fonts import SMALLEST_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme, icon
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.table.polymer_model import PolymerModel

HEIGHT = 34
MARGIN = 5  # between the text and the edge to which it is aligned
OTHER_MARGIN = 2
ARROW = 12


class PolymerHeader(QHeaderView):
    """Paints two lines a section, and a small arrow in the sorted one. A double click is left to Qt."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("polymerTableHead")
        self.setAccessibleName("Columns of the polymer table; a click sorts, a right click chooses columns")
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(True)
        self.setSortIndicatorClearable(True)
        self.setHighlightSections(False)
        self.setFixedHeight(HEIGHT)
        self.setMinimumSectionSize(36)
        self._theme = current_theme()
        self._hovered = -1
        self.setMouseTracking(True)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self._theme = theme
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Return the height of two lines, without asking the model for everything about every column as Qt does."""
        return QSize(self.length(), HEIGHT)

    def title_width(self, column: int) -> int:
        """Return the width that a column needs for its two lines and the arrow."""
        model = self.model()
        assert isinstance(model, PolymerModel)
        head = model.head(column)
        title = QFontMetricsF(self._theme.font(SMALLEST_SIZE, bold=True)).horizontalAdvance(head.title)
        unit = QFontMetricsF(self._theme.font(SMALLEST_SIZE)).horizontalAdvance(head.unit)
        # A unit may reach into the margin at its left, as long as it stays clear of the one beside it.
        return round(max(title, unit + (2 if _is_numeric(column) else -2))) + MARGIN + OTHER_MARGIN + 1

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Qt calls this for each visible section."""
        model = self.model()
        if not rect.isValid() or not isinstance(model, PolymerModel):
            return
        ground = QLinearGradient(rect.topLeft(), rect.bottomLeft())
        hovered = logicalIndex == self._hovered
        ground.setColorAt(0, self._theme.colour("button_top"))
        ground.setColorAt(1, self._theme.colour("button_top" if hovered else "button_bottom"))
        painter.save()
        painter.fillRect(rect, ground)
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), self._theme.colour("soft_border"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, self._theme.colour("border"))

        head = model.head(logicalIndex)
        numeric = _is_numeric(logicalIndex)
        side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
        left, right = (OTHER_MARGIN, MARGIN) if numeric else (MARGIN, OTHER_MARGIN)
        inner = QRectF(rect).adjusted(left, 3, -right, -2)
        half = inner.height() / 2
        title = QRectF(inner.left(), inner.top(), inner.width(), half)
        painter.setFont(self._theme.font(SMALLEST_SIZE, bold=True))
        painter.setPen(self._theme.colour("text"))
        metrics = painter.fontMetrics()
        painter.drawText(
            title,
            side | Qt.AlignmentFlag.AlignVCenter,
            metrics.elidedText(head.title, Qt.TextElideMode.ElideRight, int(title.width()) + 1),
        )
        painter.setFont(self._theme.font(SMALLEST_SIZE))
        painter.setPen(self._theme.colour("faint"))
        unit = QRectF(inner.left(), inner.top() + half, inner.width(), half)
        painter.drawText(unit, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, head.unit)
        if self.sortIndicatorSection() == logicalIndex:
            self._paint_arrow(painter, title, unit, metrics.horizontalAdvance(head.title), numeric)
        painter.restore()

    def _paint_arrow(self, painter: QPainter, title: QRectF, unit: QRectF, width: int, numeric: bool) -> None:
        """Place the arrow behind the title, or below it before the unit where the title fills the section."""
        ascending = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        picture = icon("chevron_up" if ascending else "chevron_down", self._theme.palette, "muted")
        beside = title.width() - width >= ARROW + 2
        if numeric:
            left = title.right() - width - ARROW - 2 if beside else unit.left() - 3
        else:
            left = title.left() + width + 2 if beside else unit.right() - ARROW
        line = title if beside else unit
        picture.paint(painter, QRect(round(left), round(line.center().y() - ARROW / 2), ARROW, ARROW))

    def viewportEvent(self, event: QEvent) -> bool:
        """Follow the mouse, to lift the section below it."""
        if event.type() in (QEvent.Type.HoverMove, QEvent.Type.MouseMove):
            position = event.position().toPoint()  # type: ignore[attr-defined]
            self._set_hovered(self.logicalIndexAt(position))
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.HoverLeave):
            self._set_hovered(-1)
        return super().viewportEvent(event)

    def _set_hovered(self, section: int) -> None:
        if section != self._hovered:
            self._hovered = section
            self.viewport().update()


def _is_numeric(column: int) -> bool:
    return Column.MEASURED <= column <= Column.RESIDUAL
