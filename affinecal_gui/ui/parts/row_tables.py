"""Tables that draw their own rows: how all of them behave, and how their selected rows are copied."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QTableView

from affinecal_gui.tables.cells.formula_texts import pasted_cell
from affinecal_gui.ui.parts.clipboard import copied_number, decimal_mark
from affinecal_gui.ui.parts.theme.style_sheet import set_kind


def set_up_row_table(table: QTableView, *, row: int, head: int) -> None:
    """Give a table rows and a head of these heights, in pixels; whole rows are selected, and columns fill its width."""
    set_kind(table, "framed")
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setMinimumSectionSize(row)
    table.verticalHeader().setDefaultSectionSize(row)
    table.horizontalHeader().setFixedHeight(head)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setSectionsClickable(False)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)


def copy_selected_rows(
    table: QTableView, cells: Callable[[int, int], Iterable[str | float]], columns: Iterable[int]
) -> None:
    """Put the selected rows on the clipboard, as tab-separated text for a spreadsheet.

    ``cells`` is given row and column, and returns the cells that it is copied as: two of an interval.
    """
    shown, mark = tuple(columns), decimal_mark()
    rows = sorted({index.row() for index in table.selectionModel().selectedRows()})
    lines = []
    for row in rows:
        found = (cell for column in shown for cell in cells(row, column))
        lines.append(
            "\t".join(pasted_cell(cell) if isinstance(cell, str) else copied_number(cell, mark) for cell in found)
        )
    QApplication.clipboard().setText("\n".join(lines))
