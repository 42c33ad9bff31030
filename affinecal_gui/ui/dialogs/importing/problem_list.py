"""The rows of a table that will not be used: line, reason, text, and what can be done."""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from affinecal_gui.study.importing.importing import Examined
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.ui.dialogs.importing.import_words import WayOut, way_out
from affinecal_gui.ui.parts.row_tables import set_up_row_table
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme

ROW = 25
TITLES = ("Line", "Why it will not be used", "In the file", "What you can do")
LINE, REASON, TEXT, WAY = range(4)
MARGIN = 6  # pixels beside the text of a cell
MOST_WRAPPED = 100  # rows whose reason is broken into lines; to measure very many takes long

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ProblemModel(QAbstractTableModel):
    """The problems of an examined table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problems: Sequence[RowProblem] = ()
        self._examined: Examined | None = None
        self._smiles = ""

    def show_examined(self, examined: Examined) -> None:
        """Take over another list; the same one again keeps the scroll position."""
        same = tuple(self._problems) == tuple(examined.problems)
        if not same:
            self.beginResetModel()
        self._examined = examined
        self._problems = examined.problems
        column = examined.roles.first("smiles")
        self._smiles = column.heading if column is not None else ""
        if not same:
            self.endResetModel()

    def problem(self, row: int) -> RowProblem:
        """Return one problem."""
        return self._problems[row]

    def way_out(self, row: int) -> WayOut:
        """Return what can be done about it."""
        assert self._examined is not None
        return way_out(self._problems[row], self._examined.raw, self._smiles)

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of problems."""
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(TITLES)

    def text(self, row: int, column: int) -> str:
        """Return what a cell says."""
        problem = self._problems[row]
        if column == LINE:
            return str(problem.line)
        if column == REASON:
            reason = f"{problem.reason[:1].upper()}{problem.reason[1:]}"
            return reason if problem.rejects_row else f"{reason} (the row is used)"
        return shortened(problem.text, 60) if column == TEXT else self.way_out(row).words

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, tooltip or words for a screen reader."""
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{TITLES[index.column()]}: {self.text(index.row(), index.column())}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class ProblemList(QTableView):
    """The list. A click on a way out, or Enter, takes it; any other click shows the line in the table."""

    way_taken = Signal(int, object, object)  # line, WayOut, QRect in global coordinates
    line_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problemList")
        self.setAccessibleName("Rows that will not be used")
        self.setAccessibleDescription("Enter takes the way out of the selected row.")
        self.problems = ProblemModel(self)
        self.setModel(self.problems)
        set_up_row_table(self, row=ROW, head=24)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self.setItemDelegate(_ProblemDelegate(self))
        self.clicked.connect(self._click)

    def show_examined(self, examined: Examined) -> None:
        """Show the problems of a table."""
        self.problems.show_examined(examined)
        self._give_heights()

    def take_way_out(self, row: int) -> None:
        """Do what the list offers for one of its rows."""
        way = self.problems.way_out(row)
        if way.column:
            place = self.visualRect(self.problems.index(row, WAY))
            place.moveTopLeft(self.viewport().mapToGlobal(place.topLeft()))
            self.way_taken.emit(self.problems.problem(row).line, way, place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the reason the room that is left."""
        super().resizeEvent(event)
        width = self.viewport().width()
        text, way = min(140, width // 4), min(130, width // 4)
        for column, size in ((LINE, 46), (REASON, width - 46 - text - way), (TEXT, text), (WAY, way)):
            self.setColumnWidth(column, max(size, 40))
        self._give_heights()

    def _give_heights(self) -> None:
        """Make each row as high as its reason needs, so that none of it is cut."""
        metrics = QFontMetricsF(current_theme().font(BODY_SIZE))
        room = QRectF(0, 0, self.columnWidth(REASON) - 2 * MARGIN, 1000)
        for row in range(min(self.problems.rowCount(), MOST_WRAPPED)):
            needed = metrics.boundingRect(room, _WRAPPED, self.problems.text(row, REASON)).height()
            self.setRowHeight(row, max(ROW, math.ceil(needed) + 8))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes the way out."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            event.accept()
            self.take_way_out(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point the hand at what can be clicked."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_link = index.isValid() and index.column() == WAY and bool(self.problems.way_out(index.row()).column)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)

    def leaveEvent(self, event: QEvent) -> None:
        """Take the hand back."""
        super().leaveEvent(event)
        self.viewport().unsetCursor()

    @Slot(QModelIndex)
    def _click(self, index: QModelIndex) -> None:
        if index.column() == WAY and self.problems.way_out(index.row()).column:
            self.take_way_out(index.row())
        else:
            self.line_chosen.emit(self.problems.problem(index.row()).line)


class _ProblemDelegate(QStyledItemDelegate):
    """Draws a problem: its text in the colour of what is wrong, its way out as a link."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(60, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, ProblemModel)
        theme = current_theme()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected and state & QStyle.StateFlag.State_Active:
            painter.fillRect(rect, theme.colour("selection"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.colour("soft_border"))
        column = index.column()
        font = theme.font(BODY_SIZE)
        metrics = QFontMetricsF(font)
        room = QRectF(rect).adjusted(MARGIN, 0, -MARGIN, -1)
        text = model.text(index.row(), column)
        is_wrapped = column == REASON and rect.height() > ROW
        if not is_wrapped:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        is_link = column == WAY and bool(model.way_out(index.row()).column)
        role = "bad" if column == TEXT else "link" if is_link else "muted" if column == WAY else "text"
        painter.setFont(font)
        painter.setPen(theme.colour(role))
        painter.drawText(room, _WRAPPED if is_wrapped else _WRAPPED & ~Qt.TextFlag.TextWordWrap, text)
        if is_link:
            baseline = room.center().y() + (metrics.ascent() - metrics.descent()) / 2 + 2
            painter.fillRect(
                QRectF(room.left(), round(baseline), metrics.horizontalAdvance(text), 1), theme.colour("link")
            )
        painter.restore()
