"""The polymer table: sort, filter, copy, leave out; pictures of repeat units; columns that fit the width at hand."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from affinecal_gui.study.md_origin import MDOrigin
from affinecal_gui.study.snapshot import RowState, Snapshot
from affinecal_gui.ui.parts.clipboard import decimal_mark
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.views.polymers.table.kept_selection import KeptSelection
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column, CopiedCells
from affinecal_gui.ui.views.polymers.table.polymer_delegate import PICTURE, ROW_HEIGHT, PolymerDelegate
from affinecal_gui.ui.views.polymers.table.polymer_header import PolymerHeader
from affinecal_gui.ui.views.polymers.table.polymer_model import AnyIndex, PolymerModel
from affinecal_gui.ui.views.polymers.table.polymer_order import Filter, Group
from affinecal_gui.ui.views.polymers.table.row_copying import RowCopier
from affinecal_gui.ui.views.polymers.table.row_menus import can_be_left_out, row_menu, sort_menu
from affinecal_gui.ui.views.polymers.table.structure_hover import StructureHover
from affinecal_gui.ui.views.polymers.table.structure_preview import StructurePreview
from affinecal_gui.ui.views.polymers.table.table_columns import TableColumns
from affinecal_gui.ui.views.polymers.thumbnails import ThumbnailStore

MOST_TOLD = 5000  # selected polymers that are announced; nobody looks for more of them in a plot


class PolymerTableView(QTableView):
    """Shows the polymers of a snapshot, one list and one filter at a time.

    Space leaves the selected polymers out of the fit or takes them back; Ctrl+C copies them as tab-separated text; a
    click on a head sorts, a third one returns to the order of the file; a right click chooses columns or acts on rows.
    """

    selected = Signal(str)  # key of the polymer the user went to
    several_selected = Signal(object)  # tuple of the keys of all selected polymers
    leave_out_toggled = Signal(object)  # tuple of row keys
    note_wanted = Signal(str, QRect)  # key of the row that the user wants to write about, and its place on the screen
    text_typed = Signal(str)  # letters that were typed while the table had the keyboard
    arranged = Signal()  # the rows are those of the newest snapshot, filter and order

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("polymerTable")
        self.setAccessibleName("Polymers")
        self.setAccessibleDescription("Space leaves the selected polymers out of the fit. Ctrl+C copies them.")
        self._theme = current_theme()
        self._shown_key = ""
        self._quiet = False
        self._is_other_list = False  # than the one whose lines are shown
        self._other_sorting = (
            int(Column.RANK),
            Qt.SortOrder.AscendingOrder,
        )  # of the suggestions, or of the other lists
        self._told: tuple[str, ...] = ()  # keys of the polymers that others were told are selected
        self._telling = QTimer(self, interval=0, singleShot=True)
        self._telling.timeout.connect(self._tell_selection)
        self._model = PolymerModel(self)
        self._thumbnails = ThumbnailStore(self)
        self._hovering = StructureHover(self, self._model, self._thumbnails)
        self._copier = RowCopier(self)
        self._delegate = PolymerDelegate(self._thumbnails, self)
        self._head = PolymerHeader(self)
        self.setHorizontalHeader(self._head)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.columns = TableColumns(self, self._model, self._head, self._delegate, self._theme)
        self._selection = KeptSelection(self, self._model)
        self._set_up()
        self._thumbnails.ready.connect(self._repaint_structures)

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
        self._head.sectionClicked.connect(self._go_to_top)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_row_menu)
        self._model.modelAboutToBeReset.connect(self._remember_selection)
        self._model.modelReset.connect(self._restore_selection)
        self._model.arranged.connect(self._take_arrangement)

    # What is shown

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the polymers of a snapshot; selection, order and filter stay. ``arranged`` tells when they are shown."""
        self._model.show_snapshot(snapshot)

    def show_selection(self, key: str) -> None:
        """Select a polymer and scroll to it, without announcing it; "" selects nothing.

        The one that the user is at keeps the selection around it: this is also the answer to a press with Ctrl, after which
        Qt adds the row, or takes it away where it is selected already.
        """
        line = self._model.line_of(key)
        is_here = key == self._shown_key and line == self.currentIndex().row()
        self._shown_key = key
        self._quiet = True
        try:
            if line < 0:
                self.clearSelection()
            elif not is_here and not self.selectionModel().isRowSelected(line):
                index = self._model.index(line, Column.POLYMER)
                self.selectionModel().setCurrentIndex(
                    index,
                    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
                )
                if not self.viewport().rect().contains(self.visualRect(index)):
                    self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        finally:
            self._quiet = False

    def set_filter(
        self, group: Group, text: str = "", state: RowState | None = None, origin: MDOrigin | None = None
    ) -> None:
        """Show one list: polymers whose name, id or repeat unit has every word of the text, in a state or in any.

        With ``origin`` those whose calibrated value comes from such an MD value.
        ``arranged`` tells when they are shown.
        """
        before = self._model.filter.group
        self._is_other_list |= group != before
        self._model.set_filter(Filter(group, text, state, origin))
        if group != before and "next" in (group, before):  # suggestions have an order of their own
            wanted = self._other_sorting
            self._other_sorting = (self._head.sortIndicatorSection(), self._head.sortIndicatorOrder())
            self.sortByColumn(*wanted)

    @Slot()
    def _take_arrangement(self) -> None:
        if self._is_other_list and self._model.line_of(self._shown_key) < 0:
            self.scrollToTop()  # where the other list was scrolled to says nothing here
        self._is_other_list = False
        self.columns.fit()
        self.arranged.emit()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self._theme = theme
        self._delegate.apply_theme(theme)
        self._head.apply_theme(theme)
        self.columns.apply_theme(theme)
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
        return self._selection.keys()

    # Wishes

    def toggle_left_out(self) -> None:
        """Wish that the selected polymers are left out of the fit, or taken back; others cannot be in it anyway."""
        # The study may already be ahead of the lines.
        rows = (self._model.newest(self._model.row(line).key) for line in self._selection.lines())
        keys = tuple(row.key for row in rows if row is not None and can_be_left_out(row))
        if keys:
            self.leave_out_toggled.emit(keys)

    def _leave_out_in_sight(self) -> None:
        """Leave out what is selected; where none of it is in sight, only show it: nobody sees what else would change."""
        lines, sight = self._selection.lines(), self.viewport().rect()
        first, last = self.rowAt(0), self.rowAt(sight.bottom())
        last = self._model.rowCount() - 1 if last < 0 else last
        if lines and not any(first <= line <= last for line in lines):
            self.scrollTo(self._model.index(lines[0], int(Column.POLYMER)))
            return
        self.toggle_left_out()

    def ask_for_note(self) -> None:
        """Wish to write a note about the selected polymer."""
        lines = self._selection.lines()
        if len(lines) == 1:
            line = self.visualRect(self._model.index(lines[0], int(Column.POLYMER)))
            place = QRect(self.viewport().mapToGlobal(line.topLeft()), line.size())
            self.note_wanted.emit(self._model.row(lines[0]).key, place)

    def copied_text(self, lines: Sequence[int] | None = None) -> str:
        """Return lines of the table (the selected ones if None), with a head, as tab-separated text for a spreadsheet."""
        return self._copied(self._selection.lines() if lines is None else lines).text(mark=decimal_mark())

    def _copied(self, lines: Sequence[int]) -> CopiedCells:
        return self._model.copied(lines, sorted(self.columns.shown(), key=self._head.visualIndex))

    @Slot()
    def copy_all(self) -> None:
        """Put every polymer that is shown on the clipboard, in the order shown."""
        lines = range(self._model.rowCount())
        self._copier.copy(self._copied(lines), len(lines))

    def copy_selection(self) -> None:
        """Put the selected rows on the clipboard."""
        if self.selectionModel().hasSelection():
            lines = self._selection.lines()
            self._copier.copy(self._copied(lines), len(lines))

    @Slot()
    def _go_to_top(self) -> None:
        """Show the first rows of a new order, which is what one sorts for, rather than the selected one."""
        self.scrollToTop()

    # Events

    def keyboardSearch(self, text: str) -> None:
        """Hand over what is typed: Qt would ask the model for every row, in one turn."""
        if text.isprintable():
            self.text_typed.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space leaves out what is in sight, Ctrl+C copies, Shift+F2 writes a note; everything else is Qt's."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            self._leave_out_in_sight()
        elif event.key() == Qt.Key.Key_F2 and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
            self.ask_for_note()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width, and keep the chosen row in sight where it was."""
        chosen = self.currentIndex()
        was_seen = chosen.isValid() and QRect(QPoint(), event.oldSize()).contains(self.visualRect(chosen).center())
        super().resizeEvent(event)
        self.columns.fit()
        if was_seen:
            self.scrollTo(chosen)

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

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a larger structure while the mouse rests on one."""
        return self._hovering.takes(event) or super().viewportEvent(event)

    @property
    def structure_preview(self) -> StructurePreview:
        """The larger structure, shown or not."""
        return self._hovering.preview

    def event(self, event: QEvent) -> bool:
        """Stop drawing pictures when the table is about to go."""
        if event.type() == QEvent.Type.DeferredDelete:
            self.close_thumbnails()
        return super().event(event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Announce which polymers are selected, once for all changes of a moment, whoever made them."""
        super().selectionChanged(selected, deselected)
        if not self._telling.isActive():
            self._telling.start()

    @Slot()
    def _tell_selection(self) -> None:
        keys = self.selected_keys() if self._selection.count <= MOST_TOLD else ()
        if keys != self._told:
            self._told = keys
            self.several_selected.emit(keys)

    def select_keys(self, keys: Sequence[str]) -> None:
        """Select these polymers, and bring the first into sight; those that the list does not show are passed over."""
        self._selection.select_keys(keys)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Announce the polymer that the user went to."""
        super().currentChanged(current, previous)
        if current.isValid() and not self._quiet:
            key = self._model.row(current.row()).key
            if key != self._shown_key and self._model.newest(key) is not None:
                self._shown_key = key
                self.selected.emit(key)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the keyboard. Qt goes to the first row where the list does not show the chosen polymer: that is no choice."""
        was_quiet, self._quiet = self._quiet, True
        try:
            super().focusInEvent(event)
        finally:
            self._quiet = was_quiet

    @property
    def is_drawing(self) -> bool:
        """Whether pictures of visible rows are still to come."""
        return self._thumbnails.is_drawing or self._model.is_arranging or self._copier.is_busy

    def close_thumbnails(self) -> bool:
        """Stop drawing pictures, sorting and copying for good; returns whether every thread ended in time."""
        ended = self._model.close() and self._copier.shut_down()
        return self._thumbnails.close() and ended

    @Slot()
    def _remember_selection(self) -> None:
        self._selection.remember(self._shown_key)
        self._quiet = True

    @Slot()
    def _restore_selection(self) -> None:
        self._selection.restore(self._shown_key)
        self._quiet = False
        self._telling.start()  # Qt says nothing of a selection that went with its rows

    @Slot(str)
    def _repaint_structures(self, _smiles: str) -> None:
        left = self.columnViewportPosition(Column.STRUCTURE)
        self.viewport().update(left, 0, self.columnWidth(Column.STRUCTURE), self.viewport().height())

    @Slot(QPoint)
    def _show_column_menu(self, position: QPoint) -> None:
        menu = self.columns.menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._head.mapToGlobal(position))

    @Slot(QPoint)
    def _show_row_menu(self, position: QPoint) -> None:
        self.row_menu().popup(self.viewport().mapToGlobal(position))

    def row_menu(self) -> QMenu:
        """Return a menu of what can be done with the selected polymers, and with the table by keyboard."""
        rows = [self._model.row(line) for line in self._selection.lines()]
        menu = row_menu(
            self,
            rows,
            toggle_left_out=self.toggle_left_out,
            ask_for_note=self.ask_for_note,
            copy=self.copy_selection,
        )
        menu.addMenu(sort_menu(menu, self, self._model, self.columns.shown()))
        columns = self.columns.menu(menu)
        columns.setTitle("Columns")
        menu.addMenu(columns)
        return menu
