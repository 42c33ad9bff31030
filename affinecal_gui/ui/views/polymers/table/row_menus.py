"""The menus of the rows of the polymer table."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView, QWidget

from affinecal_gui.study.snapshot import PolymerRow
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.table.polymer_model import PolymerModel

NOTE_KEY = "Shift+F2"  # as in spreadsheets


def can_be_left_out(row: PolymerRow) -> bool:
    """Whether a polymer takes part in the fit, or would if the user had not left it out."""
    return row.state in ("used", "left out") or (row.state == "waiting" and row.measured == row.measured)


def row_menu(
    parent: QWidget,
    rows: Sequence[PolymerRow],
    *,
    toggle_left_out: Callable[[], object],
    ask_for_note: Callable[[], object],
    copy: Callable[[], object],
) -> QMenu:
    """Return a menu of what can be done with the selected polymers, which goes when it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    movable = [row for row in rows if can_be_left_out(row)]
    if movable:
        back = all(row.state == "left out" for row in movable)
        action = menu.addAction("Take back into the fit" if back else "Leave out of the fit")
        action.setShortcut(Qt.Key.Key_Space)
        action.triggered.connect(toggle_left_out)
    if len(rows) == 1:
        note = menu.addAction("Note…")
        note.setShortcut(NOTE_KEY)
        note.triggered.connect(ask_for_note)
    if rows:
        action = menu.addAction("Copy rows" if len(rows) > 1 else "Copy row")
        action.setShortcut(QKeySequence.StandardKey.Copy)
        action.triggered.connect(copy)
        menu.addSeparator()
    return menu


def sort_menu(parent: QWidget, table: QTableView, model: PolymerModel, columns: Sequence[Column]) -> QMenu:
    """Return a menu that sorts a table by one of these columns; by the one sorted by already, the other way round."""
    menu = QMenu("Sort by", parent)
    header = table.horizontalHeader()
    sorted_by = header.sortIndicatorSection()
    for column in columns:
        action = menu.addAction(model.head(column).title)
        action.setCheckable(True)
        action.setChecked(column == sorted_by)
        action.triggered.connect(lambda _checked=False, column=int(column): _sort(table, header, column))
    menu.addSeparator()
    action = menu.addAction("Order of the file")
    action.setCheckable(True)
    action.setChecked(sorted_by < 0)
    action.triggered.connect(lambda _checked=False: _sort(table, header, -1))
    return menu


def _sort(table: QTableView, header: QHeaderView, column: int) -> None:
    ascending = header.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
    turn = column == header.sortIndicatorSection() and ascending
    table.sortByColumn(column, Qt.SortOrder.DescendingOrder if turn else Qt.SortOrder.AscendingOrder)
