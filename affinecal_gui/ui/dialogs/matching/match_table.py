"""The lines of the matching report as a table: filtered, sorted, drawn."""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from affinecal_gui.study.shown.matching_content import MatchingContent, ReportLine
from affinecal_gui.tables.matching.match_report import MatchState
from affinecal_gui.ui.parts.number_text import MISSING, decimals_for, number_text
from affinecal_gui.ui.parts.row_tables import copy_selected_rows, set_up_row_table
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme, icon

ROW = 40
HEAD_MARGINS = 30  # pixels beside the words of a column head: margins, and the sign of the order
STATE, MEASURED, VALUE, PARTNER, MD_VALUE, REASON = range(6)
TITLES = ("State", "Measured polymer", "Measured", "MD polymer", "MD", "Why, and what may be meant")

STATE_SIGNS: dict[MatchState, tuple[str, str, str]] = {  # words, drawing, colour role
    "matched": ("matched", "check", "good"),
    "matched after rewriting": ("matched, written differently", "check", "good"),
    "linked by hand": ("linked by hand", "check", "accent"),
    "ambiguous": ("ambiguous", "caution", "caution"),
    "no MD value": ("no MD value", "info", "muted"),
    "no measured value": ("no measured value", "info", "muted"),
    "invalid": ("invalid", "caution", "bad"),
    "left out": ("left out", "left_out", "caution"),
}
"""How each state is said and drawn, in the order in which the filter offers them."""

WITHOUT_PARTNER: tuple[MatchState, ...] = ("no MD value", "ambiguous")

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class MatchModel(QAbstractTableModel):
    """The lines that pass the filter, in the order asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[ReportLine] = ()
        self._shown: list[ReportLine] = []
        self._states: frozenset[MatchState] | None = None
        self._words: list[str] = []
        self._sorted_by: tuple[int, bool] | None = None
        self._decimals = 0
        self._unit = ""

    def show_content(self, content: MatchingContent) -> None:
        """Take over another report."""
        self._lines = content.lines
        self._unit = content.quantity.unit
        values = [line.line.measured_value for line in content.lines]
        self._decimals = decimals_for(values) if any(map(math.isfinite, values)) else 0
        self._arrange()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(TITLES) - 1)

    def set_filter(self, states: Sequence[MatchState] | None, text: str) -> None:
        """Show only lines of these states (all if None) in which every word of the text is found."""
        self._states = None if states is None else frozenset(states)
        self._words = text.casefold().split()
        self._arrange()

    def line(self, row: int) -> ReportLine:
        """Return one of the lines shown."""
        return self._shown[row]

    def row_of(self, key: str) -> int:
        """Return where the line of a measured row is shown; -1 if it is not."""
        return next((row for row, line in enumerate(self._shown) if key and line.key == key), -1)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 is the order of the file."""
        self._sorted_by = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self._arrange()

    def _arrange(self) -> None:
        shown = [line for line in self._lines if self._states is None or line.state in self._states]
        for word in self._words:
            shown = [line for line in shown if word in _searched(line)]
        if self._sorted_by is not None:
            column, descending = self._sorted_by
            if column in (VALUE, MD_VALUE):
                known = [line for line in shown if math.isfinite(_number(line, column))]
                missing = [line for line in shown if not math.isfinite(_number(line, column))]
                shown = sorted(known, key=lambda line: _number(line, column), reverse=descending) + missing
            else:
                shown = sorted(shown, key=lambda line: self._text(line, column).casefold(), reverse=descending)
        self.beginResetModel()
        self._shown = shown
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of lines shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(TITLES)

    def text(self, row: int, column: int) -> str:
        """Return what a cell says."""
        return self._text(self._shown[row], column)

    def note(self, row: int, column: int) -> str:
        """Return the second, smaller line of a cell."""
        line = self._shown[row].line
        if column == MEASURED:
            lines = ", ".join(map(str, line.measured_lines[:4])) + (" …" if len(line.measured_lines) > 4 else "")
            return f"line {lines}" + (f" · {line.measured_smiles}" if line.measured_smiles else "")
        if column == PARTNER and line.md_name:
            return f"by {line.matched_by} · {line.md_smiles}" if line.md_smiles else f"by {line.matched_by}"
        if column == VALUE and len(line.measured_lines) > 1:
            return f"{len(line.measured_lines)} reports"
        return ""

    def copied(self, row: int, column: int) -> tuple[str | float, ...]:
        """Return a cell as it is copied."""
        line = self._shown[row].line
        if column == VALUE and line.measured >= 0:
            return (line.measured_value,)
        if column == MD_VALUE and line.library >= 0:
            return (line.md_value,)
        return (self.text(row, column),)

    def _text(self, found: ReportLine, column: int) -> str:
        line = found.line
        if column == STATE:
            return STATE_SIGNS[line.state][0]
        if column == MEASURED:
            return line.measured_name or line.measured_smiles
        if column == VALUE:
            return number_text(line.measured_value, self._decimals) if line.measured >= 0 else ""
        if column == PARTNER:
            return line.md_name or line.md_smiles
        if column == MD_VALUE:
            return number_text(line.md_value, self._decimals) if line.library >= 0 else ""
        return " ".join(part for part in (line.reason, line.suggestion) if part)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, tooltip or words for a screen reader."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            found = self._shown[row]
            if column == VALUE and found.reports:
                return "\n".join(
                    f"line {report.line}: {report.value:g} {self._unit}" + ("" if report.counts else ", does not count")
                    for report in found.reports[:20]
                )
            return "\n".join(part for part in (self.text(row, column), self.note(row, column)) if part)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{TITLES[column]}: {self.text(row, column)} {self.note(row, column)}".strip()
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles, with the unit of the values."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        numeric = section in (VALUE, MD_VALUE)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{TITLES[section]}, {self._unit}" if numeric and self._unit else TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


def _number(line: ReportLine, column: int) -> float:
    return line.line.measured_value if column == VALUE else line.line.md_value


def _searched(found: ReportLine) -> str:
    line = found.line
    return "\n".join(
        (line.measured_name, line.measured_smiles, line.md_name, line.md_smiles, line.reason, line.suggestion)
    ).casefold()


class MatchTable(QTableView):
    """The table; Ctrl+C copies the selected lines for a spreadsheet."""

    line_selected = Signal(object)  # ReportLine, or None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("matchTable")
        self.setAccessibleName("Matching report")
        self.lines = MatchModel(self)
        self._states: tuple[MatchState, ...] = tuple(STATE_SIGNS)
        self.setModel(self.lines)
        self.setItemDelegate(_MatchDelegate(self))
        set_up_row_table(self, row=ROW, head=26)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setSectionsClickable(True)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(self._announce)

    @property
    def current_line(self) -> ReportLine | None:
        """The line with the keyboard."""
        index = self.currentIndex()
        return self.lines.line(index.row()) if index.isValid() and index.row() < self.lines.rowCount() else None

    def show_line(self, row: int) -> None:
        """Select a line, or the first where there is no such line."""
        if self.lines.rowCount() == 0:
            self.line_selected.emit(None)
            return
        # selectRow would ask which keys are held down: a key for another purpose would take the selection away.
        self.selectionModel().setCurrentIndex(
            self.lines.index(max(row, 0), 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
        )
        self.scrollTo(self.currentIndex())
        self.line_selected.emit(self.current_line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share out the room anew."""
        super().resizeEvent(event)
        self._share_room()

    def set_filter(self, states: Sequence[MatchState] | None, text: str) -> None:
        """Show only lines of these states (all if None) with this text, and no columns of partners that none can have."""
        self.lines.set_filter(states, text)
        self._states = tuple(STATE_SIGNS) if states is None else tuple(states)
        for column in (PARTNER, MD_VALUE):
            self.setColumnHidden(column, set(self._states) <= set(WITHOUT_PARTNER))
        self._share_room()

    def show_content(self, content: MatchingContent) -> None:
        """Take over another report."""
        self.lines.show_content(content)
        self._share_room()

    def _share_room(self) -> None:
        """Give states and values what their words and heads need, polymers a share, and the reason all that is left."""
        room = self.viewport().width()
        words = QFontMetricsF(current_theme().font(BODY_SIZE))
        heads = QFontMetricsF(self.horizontalHeader().font())
        polymer = max(150, round(0.19 * room))
        widths = dict.fromkeys((MEASURED, PARTNER), polymer)
        widths[STATE] = round(max(words.horizontalAdvance(STATE_SIGNS[state][0]) for state in self._states)) + 40
        for column in (VALUE, MD_VALUE):
            title = str(self.lines.headerData(column, Qt.Orientation.Horizontal))
            widths[column] = round(heads.horizontalAdvance(title)) + HEAD_MARGINS
        taken = sum(width for column, width in widths.items() if not self.isColumnHidden(column))
        widths[REASON] = max(room - taken, 120)
        for column, width in widths.items():
            if not self.isColumnHidden(column):
                self.setColumnWidth(column, width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy as tab-separated text."""
        if event.matches(QKeySequence.StandardKey.Copy):
            copy_selected_rows(self, self.lines.copied, range(len(TITLES)))
            return
        super().keyPressEvent(event)

    def _announce(self, current: QModelIndex, _before: QModelIndex) -> None:
        self.line_selected.emit(self.lines.line(current.row()) if current.isValid() else None)


class _MatchDelegate(QStyledItemDelegate):
    """Two lines in a cell: what it says, and where that comes from."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(80, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, MatchModel)
        theme = current_theme()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        row, column = index.row(), index.column()
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("selection"))
        elif row % 2:
            painter.fillRect(rect, theme.colour("alternate_row"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.colour("soft_border"))
        room = QRectF(rect).adjusted(7, 0, -7, -1)
        text, note = model.text(row, column), model.note(row, column)
        font = theme.font(BODY_SIZE)
        side, role = Qt.AlignmentFlag.AlignLeft, "text"
        if column == STATE:
            _, drawing, role = STATE_SIGNS[model.line(row).state]
            sign = icon(drawing, theme.palette, role if role != "muted" else "muted")
            sign.paint(painter, QRect(rect.left() + 7, rect.center().y() - 7, 14, 14))
            room.setLeft(room.left() + 20)
        elif column in (VALUE, MD_VALUE):
            side = Qt.AlignmentFlag.AlignRight
            role = "muted" if text == MISSING else "text"
        elif column == REASON:
            self._draw_wrapped(painter, room, text)
            painter.restore()
            return
        upper = QRectF(room.left(), room.top() + 4, room.width(), room.height() / 2 - 3) if note else room
        painter.setFont(font)
        painter.setPen(theme.colour(role))
        painter.drawText(upper, side | Qt.AlignmentFlag.AlignVCenter, _elided(text, font, upper.width()))
        if note:
            small = theme.font(NOTE_SIZE)
            lower = QRectF(room.left(), room.center().y() + 1, room.width(), room.height() / 2 - 4)
            painter.setFont(small)
            painter.setPen(theme.colour("muted"))
            painter.drawText(lower, side | Qt.AlignmentFlag.AlignVCenter, _elided(note, small, lower.width()))
        painter.restore()

    @staticmethod
    def _draw_wrapped(painter: QPainter, room: QRectF, text: str) -> None:
        """Draw up to two lines; the pane below shows all of it."""
        theme = current_theme()
        font = theme.font(NOTE_SIZE)
        painter.setFont(font)
        painter.setPen(theme.colour("muted"))
        metrics = QFontMetricsF(font)
        shown = (
            text if metrics.horizontalAdvance(text) < 1.8 * room.width() else _elided(text, font, 1.8 * room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, shown)


def _elided(text: str, font: Any, width: float) -> str:
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
