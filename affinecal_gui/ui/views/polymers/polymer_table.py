"""The polymer table: sort, filter, copy, leave out; pictures of repeat units; columns that fit the width at hand."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAction,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from affinecal_gui.study.snapshot import PolymerRow, RowState, Snapshot
from affinecal_gui.task import Task
from affinecal_gui.ui.parts.clipboard import copy_long_text
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.running.worker import JobRunner, Publish, Work
from affinecal_gui.ui.views.polymers.polymer_cells import Column, CopiedCells
from affinecal_gui.ui.views.polymers.polymer_delegate import MARGIN, PICTURE, ROW_HEIGHT, PolymerDelegate
from affinecal_gui.ui.views.polymers.polymer_header import PolymerHeader
from affinecal_gui.ui.views.polymers.polymer_model import AnyIndex, PolymerModel
from affinecal_gui.ui.views.polymers.polymer_order import Filter, Group
from affinecal_gui.ui.views.polymers.thumbnails import ThumbnailStore

SMALLEST_NAME = 88  # pixels that a name needs to be read at all
COMFORTABLE_NAME = 200
WIDEST_STATE = 320
COPIED_AT_ONCE = 500  # lines; more are put together in the background
MOST_TOLD = 5000  # selected polymers that are announced; nobody looks for more of them in a plot
MOST_PARTS = 1000  # of a selection that is made again after sorting or filtering; it would take Qt seconds to make more
MEASURED_COLUMNS = tuple(column for column in Column if column not in (Column.RANK, Column.GAIN))
EXPENDABLE: tuple[Column, ...] = (Column.STATE, Column.MD, Column.INTERVAL, Column.RESIDUAL, Column.STRUCTURE)
"""Columns that make room in a narrow panel, the first one first; the word for the state then moves beside the id."""

GROUP_COLUMNS: Mapping[Group, tuple[Column, ...]] = {
    "measured": MEASURED_COLUMNS,
    "predicted": tuple(column for column in MEASURED_COLUMNS if column not in (Column.MEASURED, Column.RESIDUAL)),
    "next": tuple(column for column in Column if column not in (Column.MEASURED, Column.RESIDUAL, Column.STATE)),
}
"""Columns that can have a value in each list."""


def can_be_left_out(row: PolymerRow) -> bool:
    """Whether a polymer takes part in the fit, or would if the user had not left it out."""
    return row.state in ("used", "left out") or (row.state == "waiting" and row.measured == row.measured)


NOTE_KEY = "Shift+F2"  # as in spreadsheets


class PolymerTable(QTableView):
    """Shows the polymers of a snapshot, one list and one filter at a time.

    Space leaves the selected polymers out of the fit or takes them back; Ctrl+C copies them as tab-separated text; a
    click on a head sorts, a third one returns to the order of the file; a right click chooses columns or acts on rows.
    """

    selected = Signal(str)  # key of the polymer the user went to
    several_selected = Signal(object)  # tuple of the keys of all selected polymers
    leave_out_toggled = Signal(object)  # tuple of row keys
    note_wanted = Signal(str, QRect)  # key of the row that the user wants to write about, and its place on the screen
    columns_changed = Signal()  # other columns are shown
    text_typed = Signal(str)  # letters that were typed while the table had the keyboard
    arranged = Signal()  # the rows are those of the newest snapshot, filter and order

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("polymerTable")
        self.setAccessibleName("Polymers")
        self.setAccessibleDescription("Space leaves the selected polymers out of the fit. Ctrl+C copies them.")
        self._theme = current_theme()
        self._chosen: frozenset[Column] | None = None  # by the user; None: whatever fits
        self._shown_key = ""
        self._quiet = False
        self._was_shown = self._was_in_sight = False  # the current polymer, before the lines changed
        self._other_sorting = (
            int(Column.RANK),
            Qt.SortOrder.AscendingOrder,
        )  # of the suggestions, or of the other lists
        self._telling = QTimer(self, interval=0, singleShot=True)
        self._telling.timeout.connect(self._tell_selection)
        self._model = PolymerModel(self)
        self._thumbnails = ThumbnailStore(self)
        self._jobs = JobRunner(self)
        self._delegate = PolymerDelegate(self._thumbnails, self)
        self._head = PolymerHeader(self)
        self.setHorizontalHeader(self._head)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self._set_up()
        self._thumbnails.ready.connect(self._repaint_structures)
        self._jobs.done.connect(self._take_copy)

    def _set_up(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)  # Tab leaves the table; the arrow keys move inside it
        self.setCornerButtonEnabled(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW_HEIGHT)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        self._head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._head.customContextMenuRequested.connect(self._show_column_menu)
        self._head.setSortIndicator(Column.POLYMER, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_row_menu)
        self._model.modelAboutToBeReset.connect(self._remember_selection)
        self._model.modelReset.connect(self._restore_selection)
        self._model.arranged.connect(self._take_arrangement)
        self._remembered = self._model.remember(())

    # What is shown

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the polymers of a snapshot; selection, order and filter stay. ``arranged`` tells when they are shown."""
        self._model.show_snapshot(snapshot)

    def show_selection(self, key: str) -> None:
        """Select a polymer and scroll to it, without announcing it; "" selects nothing."""
        self._shown_key = key
        line = self._model.line_of(key)
        self._quiet = True
        try:
            if line < 0:
                self.clearSelection()
            elif not self.selectionModel().isRowSelected(line):
                index = self._model.index(line, Column.POLYMER)
                self.selectionModel().setCurrentIndex(
                    index,
                    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
                )
                if not self.viewport().rect().contains(self.visualRect(index)):
                    self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        finally:
            self._quiet = False

    def set_filter(self, group: Group, text: str = "", state: RowState | None = None) -> None:
        """Show one list: polymers whose name, id or repeat unit has every word of the text, in a state or in any.

        ``arranged`` tells when they are shown.
        """
        before = self._model.filter.group
        self._model.set_filter(Filter(group, text, state))
        if group != before and "next" in (group, before):  # suggestions have an order of their own
            wanted = self._other_sorting
            self._other_sorting = (self._head.sortIndicatorSection(), self._head.sortIndicatorOrder())
            self.sortByColumn(*wanted)

    @Slot()
    def _take_arrangement(self) -> None:
        self.fit_columns()
        self.arranged.emit()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self._theme = theme
        self._delegate.apply_theme(theme)
        self._head.apply_theme(theme)
        self.fit_columns()
        self.viewport().update()

    @property
    def polymer_model(self) -> PolymerModel:
        """The model behind the table."""
        return self._model

    def thumbnail(self, smiles: str) -> QPixmap | None:
        """Return the picture of a repeat unit as rows show it; None while it is being drawn."""
        _, pixmap = self._thumbnails.find(smiles, PICTURE, self.devicePixelRatioF(), dark=self._theme.dark)
        return pixmap

    def selected_keys(self) -> tuple[str, ...]:
        """Return the keys of the selected polymers, from top to bottom."""
        return tuple(self._model.row(line).key for line in self._selected_lines())

    def _selected_lines(self) -> Sequence[int]:
        # By ranges: a list of ten thousand indices would take a quarter of a second.
        selection = self.selectionModel().selection()
        parts = [selection.at(number) for number in range(selection.size())]
        if len(parts) == 1:
            return range(parts[0].top(), parts[0].bottom() + 1)
        lines = [np.arange(part.top(), part.bottom() + 1) for part in parts]
        return list(np.unique(np.concatenate(lines)).tolist()) if lines else []

    # Columns

    def shown_columns(self) -> tuple[Column, ...]:
        """Return the columns that are shown."""
        return tuple(column for column in Column if not self.isColumnHidden(column))

    def offered_columns(self) -> tuple[Column, ...]:
        """Return the columns that the list shown can fill."""
        return GROUP_COLUMNS[self._model.shown_group]

    @property
    def chosen_columns(self) -> tuple[Column, ...] | None:
        """Columns the user chose; None while the table itself shows what fits."""
        return None if self._chosen is None else tuple(sorted(self._chosen))

    def choose_columns(self, columns: Iterable[int] | None) -> None:
        """Show these columns whatever the width; None: those that fit."""
        known = None if columns is None else frozenset(Column(column) for column in columns if column in set(Column))
        self._chosen = None if known is None else known | {Column.POLYMER}
        self.fit_columns()

    def column_menu(self, parent: QWidget) -> QMenu:
        """Return a menu that chooses columns."""
        menu = QMenu(parent)
        menu.setAccessibleName("Columns")
        automatic = menu.addAction("Those that fit")
        automatic.setCheckable(True)
        automatic.setChecked(self._chosen is None)
        automatic.triggered.connect(self._choose_automatically)
        menu.addSeparator()
        shown = self.shown_columns()
        for column in self.offered_columns():
            action = menu.addAction(self._model.head(column).title)
            action.setCheckable(True)
            action.setChecked(column in shown)
            action.setEnabled(column != Column.POLYMER)
            action.setData(int(column))
            action.triggered.connect(self._toggle_column)
        return menu

    def fit_columns(self) -> None:
        """Give every column the width of its contents and the name the rest; hide what has no room."""
        narrowest = self._head.minimumSectionSize()
        widths = {column: max(self._content_width(column), narrowest) for column in Column}
        offered = self.offered_columns()
        shown = [column for column in offered if self._chosen is None or column in self._chosen]
        room = self.viewport().width()
        if self._chosen is None:
            for column in EXPENDABLE:
                if sum(widths[kept] for kept in shown) <= room:
                    break
                if column in shown:
                    shown.remove(column)
        before = self.shown_columns()
        rest = room - sum(widths[column] for column in shown if column != Column.POLYMER)
        widths[Column.POLYMER] = max(widths[Column.POLYMER], rest)
        if Column.STATE in shown and rest > COMFORTABLE_NAME:  # room that no name needs goes to the reasons
            widths[Column.POLYMER] = max(COMFORTABLE_NAME, rest - WIDEST_STATE + widths[Column.STATE])
            widths[Column.STATE] += rest - widths[Column.POLYMER]
        for column in Column:
            self.setColumnHidden(column, column not in shown)
            if column in shown and self.columnWidth(column) != widths[column]:
                self.setColumnWidth(column, widths[column])
        self._delegate.state_beside_id = Column.STATE not in shown
        self._delegate.first_column = min(shown, key=self._head.visualIndex)
        if self.shown_columns() != before:
            self.viewport().update()
            self.columns_changed.emit()

    def _content_width(self, column: Column) -> int:
        head = self._head.title_width(column)
        if column == Column.POLYMER:
            return SMALLEST_NAME
        if column == Column.STRUCTURE:
            return max(head, PICTURE.width() + 8)
        if column == Column.GAIN:
            lines = [(BODY_SIZE, found.words[0]) for found in self._model.suggestions]
            lines += [(NOTE_SIZE, found.words[1]) for found in self._model.suggestions]
            widths = (QFontMetricsF(self._theme.font(size)).horizontalAdvance(text) for size, text in lines)
            return max([head, *(round(width) + 2 * MARGIN + 1 for width in widths)])
        if column == Column.STATE:
            words = QFontMetricsF(self._theme.font(NOTE_SIZE))
            longest = "left out" if self._model.shown_group == "measured" else "predicted"
            return max(head, round(words.horizontalAdvance(longest)) + 2 * MARGIN + 1)
        figures = QFontMetricsF(self._theme.font(BODY_SIZE, bold=column == Column.CALIBRATED))
        texts = self._model.widest_texts(column)
        return max([head, *(round(figures.horizontalAdvance(text)) + 2 * MARGIN for text in texts)])

    @Slot()
    def _choose_automatically(self) -> None:
        self.choose_columns(None)

    @Slot()
    def _toggle_column(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            column = Column(action.data())
            shown = set(self.shown_columns())
            # Columns that only the other list has keep their state.
            kept = set(Column) - set(self.offered_columns()) if self._chosen is None else set(self._chosen)
            kept -= set(self.offered_columns())
            self.choose_columns((shown ^ {column}) | kept)

    # Wishes

    def toggle_left_out(self) -> None:
        """Wish that the selected polymers are left out of the fit, or taken back; others cannot be in it anyway."""
        # The study may already be ahead of the lines.
        rows = (self._model.newest(self._model.row(line).key) for line in self._selected_lines())
        keys = tuple(row.key for row in rows if row is not None and can_be_left_out(row))
        if keys:
            self.leave_out_toggled.emit(keys)

    def ask_for_note(self) -> None:
        """Wish to write a note about the selected polymer."""
        lines = self._selected_lines()
        if len(lines) == 1:
            line = self.visualRect(self._model.index(lines[0], int(Column.POLYMER)))
            place = QRect(self.viewport().mapToGlobal(line.topLeft()), line.size())
            self.note_wanted.emit(self._model.row(lines[0]).key, place)

    def copied_text(self, lines: Sequence[int] | None = None) -> str:
        """Return lines of the table (the selected ones if None), with a head, as tab-separated text for a spreadsheet."""
        return self._copied(self._selected_lines() if lines is None else lines).text(mark=_decimal_mark())

    def _copied(self, lines: Sequence[int]) -> CopiedCells:
        return self._model.copied(lines, sorted(self.shown_columns(), key=self._head.visualIndex))

    @Slot()
    def copy_all(self) -> None:
        """Put every polymer that is shown on the clipboard, in the order shown."""
        self._copy(range(self._model.rowCount()))

    def copy_selection(self) -> None:
        """Put the selected rows on the clipboard."""
        if self.selectionModel().hasSelection():
            self._copy(self._selected_lines())

    def _copy(self, lines: Sequence[int]) -> None:
        """Copy a few lines at once, and many in the background."""
        cells = self._copied(lines)
        if len(lines) <= COPIED_AT_ONCE:
            self._jobs.drop("copy")
            QGuiApplication.clipboard().setText(cells.text(mark=_decimal_mark()))
        else:
            self._jobs.start("copy", _write(cells))

    @Slot(str, object)
    def _take_copy(self, _purpose: str, text: object) -> None:
        if isinstance(text, bytes):
            copy_long_text(text)

    # Events

    def keyboardSearch(self, text: str) -> None:
        """Hand over what is typed: Qt would ask the model for every row, in one turn."""
        if text.isprintable():
            self.text_typed.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space leaves out, Ctrl+C copies, Shift+F2 writes a note; everything else is Qt's."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            self.toggle_left_out()
        elif event.key() == Qt.Key.Key_F2 and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
            self.ask_for_note()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width."""
        super().resizeEvent(event)
        self.fit_columns()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Say why there is nothing to see."""
        super().paintEvent(event)
        if self._model.rowCount() or self._model.is_arranging:
            return
        filtered = self._model.count(self._model.shown_group) > 0
        painter = QPainter(self.viewport())
        painter.setFont(self._theme.font(BODY_SIZE))
        painter.setPen(self._theme.colour("faint"))
        text = "No polymer matches the filter." if filtered else "No polymers yet."
        painter.drawText(self.viewport().rect().adjusted(14, 14, -14, -14), Qt.AlignmentFlag.AlignHCenter, text)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Stop drawing pictures when the table is about to go."""
        if event.type() == QEvent.Type.DeferredDelete:
            self.close_thumbnails()
        return super().event(event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Announce which polymers are selected, once for all changes of a moment."""
        super().selectionChanged(selected, deselected)
        if not self._quiet and not self._telling.isActive():
            self._telling.start()

    @Slot()
    def _tell_selection(self) -> None:
        parts = self.selectionModel().selection()
        if sum(parts.at(n).height() for n in range(parts.size())) <= MOST_TOLD:
            self.several_selected.emit(self.selected_keys())

    def select_keys(self, keys: Sequence[str]) -> None:
        """Select these polymers, and bring the first into sight; those that the list does not show are passed over."""
        lines = sorted(line for line in map(self._model.line_of, keys) if line >= 0)
        if not lines:
            return
        selection, last = QItemSelection(), len(Column) - 1
        for line in lines:
            selection.select(self._model.index(line, 0), self._model.index(line, last))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(self._model.index(lines[0], Column.POLYMER))

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Announce the polymer that the user went to."""
        super().currentChanged(current, previous)
        if current.isValid() and not self._quiet:
            key = self._model.row(current.row()).key
            if key != self._shown_key and self._model.newest(key) is not None:
                self._shown_key = key
                self.selected.emit(key)

    @property
    def is_drawing(self) -> bool:
        """Whether pictures of visible rows are still to come."""
        return self._thumbnails.is_drawing or self._model.is_arranging or self._jobs.is_busy

    def close_thumbnails(self) -> bool:
        """Stop drawing pictures, sorting and copying for good; returns whether every thread ended in time."""
        ended = self._model.close() and self._jobs.shut_down()
        return self._thumbnails.close() and ended

    @Slot()
    def _remember_selection(self) -> None:
        self._remembered = self._model.remember(self._selected_lines())
        line = self._model.line_of(self._shown_key)
        self._was_shown = line >= 0
        self._was_in_sight = self._was_shown and self._is_in_sight(line)
        self._quiet = True

    def _is_in_sight(self, line: int) -> bool:
        cell = self.visualRect(self._model.index(line, Column.POLYMER))
        return self.viewport().rect().intersects(cell)

    @Slot()
    def _restore_selection(self) -> None:
        """Select the same polymers again after other rows or another order.

        The current one stays in sight, or comes into it if it was not in the list. Who had scrolled away from it is left
        there: lines may change at any time after they were wished for.
        """
        lines = self._model.find_again(self._remembered)
        selection = QItemSelection()
        last = len(Column) - 1
        tops = lines[np.diff(lines, prepend=-2) != 1]  # of the parts without a gap
        bottoms = lines[np.diff(lines, append=-2) != 1]
        if tops.size <= MOST_PARTS:
            for top, bottom in zip(tops.tolist(), bottoms.tolist(), strict=True):
                selection.select(self._model.index(top, 0), self._model.index(bottom, last))
        model = self.selectionModel()
        current = self._model.line_of(self._shown_key)
        if current >= 0:
            index = self._model.index(current, Column.POLYMER)
            self.setAutoScroll(False)  # Qt would bring it into sight
            model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.setAutoScroll(True)
            if selection.isEmpty():
                selection.select(self._model.index(current, 0), self._model.index(current, last))
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if current >= 0 and (self._was_in_sight or not self._was_shown):
            hint = QAbstractItemView.ScrollHint
            come = hint.EnsureVisible if self._was_in_sight or self._is_in_sight(current) else hint.PositionAtCenter
            self.scrollTo(self._model.index(current, Column.POLYMER), come)
        self._quiet = False

    @Slot(str)
    def _repaint_structures(self, _smiles: str) -> None:
        left = self.columnViewportPosition(Column.STRUCTURE)
        self.viewport().update(left, 0, self.columnWidth(Column.STRUCTURE), self.viewport().height())

    @Slot(QPoint)
    def _show_column_menu(self, position: QPoint) -> None:
        menu = self.column_menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._head.mapToGlobal(position))

    @Slot(QPoint)
    def _show_row_menu(self, position: QPoint) -> None:
        self.row_menu().popup(self.viewport().mapToGlobal(position))

    def row_menu(self) -> QMenu:
        """Return a menu of what can be done with the selected polymers, and with the table by keyboard."""
        rows = [self._model.row(line) for line in self._selected_lines()]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        movable = [row for row in rows if can_be_left_out(row)]
        if movable:
            back = all(row.state == "left out" for row in movable)
            action = menu.addAction("Take back into the fit" if back else "Leave out of the fit")
            action.setShortcut(Qt.Key.Key_Space)
            action.triggered.connect(self.toggle_left_out)
        if len(rows) == 1:
            note = menu.addAction("Note…")
            note.setShortcut(NOTE_KEY)
            note.triggered.connect(self.ask_for_note)
        if rows:
            copy = menu.addAction("Copy rows" if len(rows) > 1 else "Copy row")
            copy.setShortcut(QKeySequence.StandardKey.Copy)
            copy.triggered.connect(self.copy_selection)
            menu.addSeparator()
        menu.addMenu(self._sort_menu(menu))
        columns = self.column_menu(menu)
        columns.setTitle("Columns")
        menu.addMenu(columns)
        return menu

    def _sort_menu(self, parent: QWidget) -> QMenu:
        menu = QMenu("Sort by", parent)
        sorted_by = self._head.sortIndicatorSection()
        for column in self.shown_columns():
            action = menu.addAction(self._model.head(column).title)
            action.setCheckable(True)
            action.setChecked(column == sorted_by)
            action.setData(int(column))
            action.triggered.connect(self._sort_by_action)
        menu.addSeparator()
        action = menu.addAction("Order of the file")
        action.setCheckable(True)
        action.setChecked(sorted_by < 0)
        action.setData(-1)
        action.triggered.connect(self._sort_by_action)
        return menu

    @Slot()
    def _sort_by_action(self) -> None:
        """Sort by the column chosen in the menu; the one sorted by already, the other way round."""
        action = self.sender()
        if not isinstance(action, QAction):
            return
        column = int(action.data())
        ascending = self._head.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        turn = column == self._head.sortIndicatorSection() and ascending
        self.sortByColumn(column, Qt.SortOrder.DescendingOrder if turn else Qt.SortOrder.AscendingOrder)


def _decimal_mark() -> str:
    """Return the decimal mark of this computer's language, which its spreadsheet takes numbers with."""
    return str(QLocale().decimalPoint())


def _write(cells: CopiedCells) -> Work:
    mark = _decimal_mark()

    def work(task: Task, publish: Publish) -> object:
        return cells.text(mark=mark, task=task).encode()

    return work
