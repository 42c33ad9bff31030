"""The loaded tables: file, rows, and what each gives."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFont, QFontMetricsF, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from affinecal_gui.study.snapshot import Snapshot, TableSummary
from affinecal_gui.ui.parts.painted_text import draw_rich_text, plain_text, rich_text_width
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme, icon

ROW = 24
SHOWN_AT_ONCE = 4
COLUMNS = 4
ADJUST_COLUMN = 3
ADJUST = "Adjust…"
KEY_ROLE = Qt.ItemDataRole.UserRole
WORDINGS_ROLE = Qt.ItemDataRole.UserRole + 1  # with tags, the longest first


class TablesList(QTableWidget):
    """A small table of tables. A right click, or Delete, takes one out of the study; Adjust… shows how it is read."""

    table_removed = Signal(str)  # key of the table
    adjust_wanted = Signal(str)  # key of the table

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, COLUMNS, parent)
        self.setObjectName("tablesList")
        self.setAccessibleName("Loaded tables")
        self.setAccessibleDescription("Enter shows how the selected table is read, Delete takes it out of the study.")
        set_kind(self, "framed")
        self.setHorizontalHeaderLabels(["Table", "Rows", "Gives", ""])
        for column in range(COLUMNS):
            side = Qt.AlignmentFlag.AlignRight if column == 1 else Qt.AlignmentFlag.AlignLeft
            head = self.horizontalHeaderItem(column)
            if head is not None:
                head.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionsClickable(False)
        self.horizontalHeader().setFixedHeight(ROW)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(ROW)
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_TableDelegate(self))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.setMouseTracking(True)
        self.cellClicked.connect(self._click)
        self._fit_height()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """List the tables of a snapshot."""
        symbols = {
            quantity.symbol: quantity.symbol_html
            for quantity in (*snapshot.quantities, *([snapshot.quantity] if snapshot.quantity else []))
        }
        self.setRowCount(len(snapshot.tables))
        for line, table in enumerate(snapshot.tables):
            self._fill(line, table, symbols)
        self._fit_height()
        self._fit_columns()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.viewport().update()

    def _fill(self, line: int, table: TableSummary, symbols: dict[str, str]) -> None:
        gives = with_symbols(table.gives, symbols)
        wordings = [gives, *(with_symbols(text, symbols) for text in table.gives_briefly)]
        if table.rejected:
            unused = f"{table.rejected} {'row' if table.rejected == 1 else 'rows'} not used"
            wordings = [*(f"{wording}; {unused}" for wording in wordings), unused]
            gives = wordings[0]
        tip = f"{table.path}\n{table.rows} rows, {table.rejected} not used\n{plain_text(gives)}"
        for column, text in enumerate((table.file_name, f"{table.rows:,}", plain_text(gives), ADJUST)):
            item = QTableWidgetItem(text)
            item.setData(KEY_ROLE, table.key)
            item.setToolTip(f"See and change how {table.file_name} is read" if column == ADJUST_COLUMN else tip)
            if column == 2:
                item.setData(WORDINGS_ROLE, wordings)
            self.setItem(line, column, item)

    def _fit_height(self) -> None:
        shown = min(max(self.rowCount(), 1), SHOWN_AT_ONCE)
        self.setFixedHeight(ROW + shown * ROW + 2)

    def _fit_columns(self) -> None:
        figures = QFontMetricsF(current_theme().font(BODY_SIZE, bold=True))
        rows = max(
            round(max(figures.horizontalAdvance(text) for text in ("Rows", *self._texts(1)))) + 18,
            48,
        )
        names = QFontMetricsF(current_theme().font(BODY_SIZE))
        name = max([round(names.horizontalAdvance(text)) + 44 for text in self._texts(0)], default=100)
        link = round(names.horizontalAdvance(ADJUST)) + 14
        room = self.viewport().width() - rows - link
        gives = max([round(names.horizontalAdvance(text)) + 20 for text in self._texts(2)], default=0)
        # What a table gives is not cut for a name that is short, and said more briefly for one that is long.
        first = max(name, min(round(0.5 * room), room - gives))
        self.setColumnWidth(0, min(first, max(round(0.45 * room), room - self._briefest())))
        self.setColumnWidth(1, rows)
        self.setColumnWidth(2, max(room - self.columnWidth(0), 20))
        self.setColumnWidth(ADJUST_COLUMN, link)

    def _briefest(self) -> int:
        """Return the width of the column that says what tables give, with as few words as possible."""
        font = current_theme().font(BODY_SIZE)
        items = (self.item(line, 2) for line in range(self.rowCount()))
        widths = (rich_text_width(item.data(WORDINGS_ROLE)[-1], font) for item in items if item is not None)
        return max((round(width) + 20 for width in widths), default=0)

    def _texts(self, column: int) -> Sequence[str]:
        items = (self.item(line, column) for line in range(self.rowCount()))
        return [item.text() for item in items if item is not None]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width."""
        super().resizeEvent(event)
        self._fit_columns()

    def sizeHint(self) -> QSize:
        """Return the height of the rows that there are."""
        return QSize(300, self.height())

    def minimumSizeHint(self) -> QSize:
        """Return a width at which the names are cut."""
        return QSize(160, self.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes the selected table, Enter shows how it is read."""
        chosen = self.selectedItems()
        if chosen and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            event.accept()
            self.adjust_wanted.emit(chosen[0].data(KEY_ROLE))
            return
        if chosen and event.matches(QKeySequence.StandardKey.Delete):
            event.accept()
            self.table_removed.emit(chosen[0].data(KEY_ROLE))
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point the hand at what can be clicked."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_link = index.isValid() and index.column() == ADJUST_COLUMN
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)

    @Slot(int, int)
    def _click(self, line: int, column: int) -> None:
        item = self.item(line, column)
        if column == ADJUST_COLUMN and item is not None:
            self.adjust_wanted.emit(item.data(KEY_ROLE))

    @Slot(QPoint)
    def _show_menu(self, position: QPoint) -> None:
        # The menu key asks in the middle of the table, wherever the keyboard is.
        item = self.itemAt(position) or next(iter(self.selectedItems()), None)
        if item is None:
            return
        menu = self.menu_for(item)
        menu.popup(self.viewport().mapToGlobal(position))

    def menu_for(self, item: QTableWidgetItem) -> QMenu:
        """Return what can be done with the table of a cell."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        name = self.item(item.row(), 0)
        assert name is not None
        adjust = menu.addAction(f"Adjust how {name.text()} is read…")
        adjust.setData(item.data(KEY_ROLE))
        adjust.triggered.connect(self._adjust)
        action = menu.addAction(f"Remove {name.text()}")
        action.setShortcut(QKeySequence.StandardKey.Delete)
        action.setData(item.data(KEY_ROLE))
        action.triggered.connect(self._remove)
        return menu

    @Slot()
    def _adjust(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.adjust_wanted.emit(action.data())

    @Slot()
    def _remove(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.table_removed.emit(action.data())


class _TableDelegate(QStyledItemDelegate):
    """Icon before the file name, symbols with their lowered letters in the last column."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = current_theme()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected and state & QStyle.StateFlag.State_Active:
            painter.fillRect(rect, theme.colour("selection"))
        if index.row():
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, theme.colour("soft_border"))
        inner = QRectF(rect).adjusted(8, 0, -8, 0)
        font = theme.font(BODY_SIZE)
        text = str(index.data())
        if index.column() == 0:
            if rect.width() > 150:
                icon("table", theme.palette, "muted").paint(
                    painter, QRect(rect.left() + 8, rect.center().y() - 6, 14, 14)
                )
                inner.setLeft(rect.left() + 28)
            shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideMiddle, inner.width())
            draw_rich_text(painter, inner, _escaped(shown), font, theme.colour("text"))
        elif index.column() == 1:
            draw_rich_text(painter, inner, text, font, theme.colour("text"), Qt.AlignmentFlag.AlignRight)
        elif index.column() == ADJUST_COLUMN:
            link = theme.font(BODY_SIZE)
            link.setUnderline(True)
            draw_rich_text(painter, QRectF(rect).adjusted(2, 0, -4, 0), text, link, theme.colour("link"))
        else:
            shown = fitting_wording(index.data(WORDINGS_ROLE), font, inner.width())
            draw_rich_text(painter, inner, shown, font, theme.colour("muted"))
        painter.restore()


def fitting_wording(wordings: Sequence[str], font: QFont, width: float) -> str:
    """Return the first of some texts with tags that has room; where none has, the last one, which is the shortest."""
    return next((text for text in wordings if rich_text_width(text, font) <= width), wordings[-1])


def with_symbols(text: str, symbols: Mapping[str, str]) -> str:
    """Write the symbols of properties inside a plain text as they are printed: Cp with a lowered p.

    Where several symbols begin at the same place, the longest one is meant.
    """
    # Compared, not sought by expressions: one that is compiled for each column of a table would make the window wait.
    present = sorted((plain for plain in symbols if plain and plain in text), key=len, reverse=True)
    parts: list[str] = []
    end = at = 0
    while present and at < len(text):
        found = next((plain for plain in present if _stands_alone(plain, text, at)), "")
        if found:
            parts += _escaped(text[end:at]), symbols[found]
            end = at + len(found)
        at += max(len(found), 1)
    return "".join((*parts, _escaped(text[end:])))


def _stands_alone(word: str, text: str, at: int) -> bool:
    """Whether a word stands in a text at this place, and is no part of a longer one."""
    after = at + len(word)
    return (
        text.startswith(word, at) and not _goes_on(text[max(at - 1, 0) : at]) and not _goes_on(text[after : after + 1])
    )


def _goes_on(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
