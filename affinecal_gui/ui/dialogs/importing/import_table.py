"""The first rows of a table in the import preview, with the column that says how their values are read."""

import math
import re
from typing import Any

import numpy as np
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
    Slot,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QGridLayout,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from affinecal_gui.study.importing.importing import Examined, PreviewRow
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.ui.dialogs.importing.import_heads import LINE_COLUMN, ColumnHeads, ResultHead
from affinecal_gui.ui.dialogs.importing.import_words import QUIET_ROLES, ROLE_TITLES
from affinecal_gui.ui.parts.number_text import MISSING, decimals_for, number_text
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme, icon

ROW = 25
NARROWEST, WIDEST = 92, 230
RESULT_WIDTH = 104
MEASURED_CELLS = 40  # cells of a column that its width is made for

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
# Put together here: Python takes microseconds for each combination of Qt's flags.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CURRENT = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus
_MARK = re.compile(r"read without “(.+?)”")


class PreviewModel(QAbstractTableModel):
    """Line, the columns of the file, and the value as it is read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.examined: Examined | None = None
        self.shown: ColumnRole | None = None  # the value column of the last column
        self._decimals = 0

    def show_examined(self, examined: Examined, shown: ColumnRole | None) -> None:
        """Take over another state of the table."""
        before = self.examined
        same = (
            before is not None
            and before.raw.headings == examined.raw.headings
            and len(before.rows) == len(examined.rows)
        )
        if not same:
            self.beginResetModel()
        self.examined, self.shown = examined, shown
        if shown is not None:
            values = np.array([row.read_as.get(shown.column, np.nan) for row in examined.rows])
            self._decimals = decimals_for(values) if np.isfinite(values).any() else 0
        if not same:
            self.endResetModel()
        elif examined.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(examined.rows) - 1, self.columnCount() - 1))

    def row(self, number: int) -> PreviewRow:
        """Return one of the first rows."""
        assert self.examined is not None
        return self.examined.rows[number]

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of rows shown."""
        return 0 if parent.isValid() or self.examined is None else len(self.examined.rows)

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of columns: those of the file, and two more."""
        return 0 if parent.isValid() or self.examined is None else len(self.examined.raw.headings) + 2

    def text(self, row: int, column: int) -> str:
        """Return what a cell says."""
        found = self.row(row)
        if column == LINE_COLUMN:
            return str(found.line)
        if column <= len(found.cells):
            return found.cells[column - 1]
        if self.shown is None:
            return MISSING
        return number_text(found.read_as.get(self.shown.column, float("nan")), self._decimals)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, tooltip or the words for a screen reader."""
        if not index.isValid() or self.examined is None:
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            found = self.row(row)
            _, reason = found.tints.get(column - 1, ("", ""))
            if role == Qt.ItemDataRole.ToolTipRole:
                return reason or (self.text(row, column) if 0 < column <= len(found.cells) else "")
            heading = self.headerData(column, Qt.Orientation.Horizontal)
            unused = "" if found.used else ", row not used"
            return f"{heading}, line {found.line}: {self.text(row, column)}{f', {reason}' if reason else ''}{unused}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return heading and role of a column, for screen readers."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole or self.examined is None:
            return None
        if section == LINE_COLUMN:
            return "Line"
        if section > len(self.examined.raw.headings):
            return "Read as"
        column = self.examined.roles.columns[section - 1]
        return f"{column.heading} ({ROLE_TITLES[column.role]})"


class PreviewTable(QFrame):
    """The table with its heads. The last column stays in view while the others are scrolled."""

    role_chosen = Signal(int, str)
    unit_chosen = Signal(int, str)
    other_unit_wanted = Signal(int)
    property_chosen = Signal(int, str)
    edit_wanted = Signal(int, str, str, object)  # line, heading, text of the cell, QRect in global coordinates

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_kind(self, "table")
        self.model = PreviewModel(self)
        self.body = _PreviewView("previewTable", "First rows of the table")
        self.result = _PreviewView("previewResult", "Values as they are read")
        for view in (self.body, self.result):
            view.setModel(self.model)
        self.heads = ColumnHeads(self.body)
        self.result_head = ResultHead()
        self.result.setFixedWidth(RESULT_WIDTH)
        self.result_head.setFixedWidth(RESULT_WIDTH)
        self.body.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.result.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.result.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.result.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.body.verticalScrollBar().valueChanged.connect(self.result.verticalScrollBar().setValue)
        self.result.verticalScrollBar().valueChanged.connect(self.body.verticalScrollBar().setValue)
        self.body.horizontalScrollBar().rangeChanged.connect(self._level)
        self.body.edit_wanted.connect(self._want_edit)
        for name in ("role_chosen", "unit_chosen", "other_unit_wanted", "property_chosen"):
            getattr(self.heads, name).connect(getattr(self, name))
        grid = QGridLayout(self)
        grid.setContentsMargins(1, 1, 1, 1)
        grid.setSpacing(0)
        grid.addWidget(self.heads, 0, 0)
        grid.addWidget(self.result_head, 0, 1)
        grid.addWidget(self.body, 1, 0)
        grid.addWidget(self.result, 1, 1)
        self._widths: list[tuple[int, int]] = []  # least and wanted width of every column of the file
        self._chosen: str = ""  # heading of the value column that the user looks at

    def show_examined(self, examined: Examined) -> None:
        """Show another state of the table; widths and scroll position stay while the headings do."""
        before = self.model.examined
        shown = self._shown(examined)
        self.model.show_examined(examined, shown)
        if before is None or before.raw.headings != examined.raw.headings:
            self._size_columns(examined)
        self.heads.show_examined(examined)
        quantity = shown.quantity if shown is not None else None
        symbol = "" if quantity is None else quantity.symbol_html + (f", {quantity.unit}" if quantity.unit else "")
        self.result_head.show_symbol(symbol)

    def apply_theme(self, _theme: Theme) -> None:
        """Take over other colours."""
        for part in (self.body.viewport(), self.result.viewport(), self.heads, self.result_head):
            part.update()

    def show_values_of(self, heading: str) -> None:
        """Show the values of this column as they are read, where a table has several."""
        self._chosen = heading
        if self.model.examined is not None:
            self.show_examined(self.model.examined)

    def show_types_of(self, column: int) -> None:
        """Bring a column of the file into view, and open the list of its units and properties."""
        self.body.scrollTo(self.model.index(max(self.body.rowAt(0), 0), column + 1))
        types = self.heads.boxes_of(column)[1]
        types.setFocus()
        types.showPopup()

    def _shown(self, examined: Examined) -> ColumnRole | None:
        columns = examined.value_columns
        return next((column for column in columns if column.heading == self._chosen), columns[0] if columns else None)

    def _size_columns(self, examined: Examined) -> None:
        metrics = QFontMetricsF(current_theme().font(BODY_SIZE))
        bold = QFontMetricsF(current_theme().font(BODY_SIZE, bold=True))
        self.body.setColumnWidth(LINE_COLUMN, 62)
        self.result.setColumnWidth(len(examined.raw.headings) + 1, RESULT_WIDTH - 13)
        last = len(examined.raw.headings) + 1
        self._widths = []
        for number, column in enumerate(examined.roles.columns):
            longest = max((row.cells[number] for row in examined.rows[:MEASURED_CELLS]), key=len, default="")
            role = bold.horizontalAdvance(ROLE_TITLES[column.role]) + 46
            heading = bold.horizontalAdvance(column.heading) + 18
            wanted = metrics.horizontalAdvance(longest[:60]) + 22
            least = max(role, NARROWEST)
            self._widths.append((round(least), round(min(max(wanted, least, min(heading, 170)), WIDEST))))
        self.body.setColumnHidden(last, True)
        for number in range(last):
            self.result.setColumnHidden(number, True)
        self.result.setColumnHidden(last, False)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Use the room there is: narrow wide columns where that lets all of them be seen, widen texts where room is left."""
        room = self.body.viewport().width() - self.body.columnWidth(LINE_COLUMN)
        widths: list[int] = [wanted for _, wanted in self._widths]
        spare: list[int] = [wanted - least for least, wanted in self._widths]
        total, excess = sum(spare), sum(widths) - room
        if total > 0 and excess <= total:
            widths = [width - math.ceil(excess * more / total) for width, more in zip(widths, spare, strict=True)]
        for number, width in enumerate(widths):
            self.body.setColumnWidth(number + 1, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width."""
        super().resizeEvent(event)
        self._fit_columns()

    @Slot(int, int)
    def _level(self, _lowest: int, highest: int) -> None:
        """Keep the rows of both views on one level when only one of them has a horizontal scroll bar."""
        below = self.body.horizontalScrollBar().sizeHint().height() if highest > 0 else 0
        self.result.setViewportMargins(0, 0, 0, below)

    @Slot(QModelIndex)
    def _want_edit(self, index: QModelIndex) -> None:
        if self.model.examined is None or not 0 < index.column() <= len(self.model.examined.raw.headings):
            return
        place = self.body.visualRect(index)
        place.moveTopLeft(self.body.viewport().mapToGlobal(place.topLeft()))
        row = self.model.row(index.row())
        heading = self.model.examined.raw.headings[index.column() - 1]
        self.edit_wanted.emit(row.line, heading, row.cells[index.column() - 1], place)


class _PreviewView(QTableView):
    """A plain table; Enter, F2 or a double click on a cell asks to edit it."""

    edit_wanted = Signal(QModelIndex)

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(20)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(ROW)
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(_PreviewDelegate(self))
        self.doubleClicked.connect(self.edit_wanted)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Edit the current cell."""
        if event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            event.accept()
            self.edit_wanted.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def show_line(self, line: int) -> None:
        """Scroll to a line of the file, if it is among the first rows."""
        model = self.model()
        assert isinstance(model, PreviewModel)
        number = next((n for n in range(model.rowCount()) if model.row(n).line == line), None)
        if number is not None:
            index = model.index(number, max(self.currentIndex().column(), 0))
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)


class _Look:
    """Colours and letters of a theme, made once: for every cell anew they take as long as the rest of its painting."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._colours: dict[str, QColor] = {}
        fonts = [theme.font(BODY_SIZE, bold=bold) for bold in (False, True)]
        self.letters = [(font, QFontMetricsF(font)) for font in fonts]

    def colour(self, role: str) -> QColor:
        """Return the colour of a role of the palette."""
        if role not in self._colours:
            self._colours[role] = self.theme.colour(role)
        return self._colours[role]


class _PreviewDelegate(QStyledItemDelegate):
    """Draws the cells: a sign where the row is not used, a ground and a mark where a cell is doubtful."""

    _look: _Look | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(NARROWEST, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, PreviewModel)
        assert model.examined is not None
        theme = current_theme()
        look = self._look
        if look is None or look.theme is not theme:
            look = self._look = _Look(theme)
        rect: QRect = option.rect
        place, number = index.row(), index.column()
        row = model.row(place)
        tint, reason = row.tints.get(number - 1, ("", ""))
        painter.save()
        if tint:
            painter.fillRect(rect, look.colour(f"{tint}_tint"))
        elif place % 2:
            painter.fillRect(rect, look.colour("alternate_row"))
        border = look.colour("soft_border")
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, border)
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), border)
        state: QStyle.StateFlag = option.state
        if state & _CURRENT == _CURRENT:
            painter.setPen(look.colour("accent"))
            painter.drawRect(rect.adjusted(0, 0, -2, -2))
        text = model.text(place, number)
        room = QRectF(rect).adjusted(7, 0, -7, 0)
        last = number == len(row.cells) + 1
        side = _LEFT
        bold, colour = False, "text" if row.used else "muted"
        if number == LINE_COLUMN:
            colour = "muted"
            if not row.used:
                sign = QRect(rect.right() - 21, rect.center().y() - 6, 13, 13)
                icon("left_out", theme.palette, "bad").paint(painter, sign)
        elif last:
            side, bold = _RIGHT, text != MISSING
        else:
            column = model.examined.roles.columns[number - 1]
            if column.role in VALUE_ROLES:
                side = _RIGHT
            if column.role in QUIET_ROLES:
                colour = "muted"
            if tint == "bad":
                bold, colour = True, "bad"
        font, metrics = look.letters[bold]
        mark = _MARK.search(reason) if tint == "caution" else None
        if mark is not None and text.endswith(mark[1]):
            room = self._draw_mark(painter, room, mark[1])
            text = text[: -len(mark[1])].rstrip()
        painter.setFont(font)
        painter.setPen(look.colour(colour))
        painter.drawText(room, side, metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width()))
        painter.restore()

    @staticmethod
    def _draw_mark(painter: QPainter, room: QRectF, mark: str) -> QRectF:
        """Draw a footnote mark struck out at the right end, or behind the text; return what room is left."""
        theme = current_theme()
        font = theme.font(BODY_SIZE)
        font.setStrikeOut(True)
        width = QFontMetricsF(font).horizontalAdvance(mark)
        painter.setFont(font)
        painter.setPen(theme.colour("caution"))
        painter.drawText(room, _RIGHT, mark)
        return room.adjusted(0, 0, -(width + 4), 0)
