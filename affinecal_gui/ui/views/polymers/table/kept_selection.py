"""The selected polymers of the table, which stay selected when its rows change."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QObject
from PySide6.QtWidgets import QAbstractItemView, QTableView

from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.table.polymer_model import PolymerModel

MOST_PARTS = 1000  # of a selection that is made again after sorting or filtering; it would take Qt seconds to make more


class KeptSelection(QObject):
    """Remembers which polymers are selected before the rows change, and selects them again afterwards.

    Parameters
    ----------
    table
        The table; its model is set already.
    model
        What it shows.
    """

    def __init__(self, table: QTableView, model: PolymerModel) -> None:
        super().__init__(table)
        self._table, self._model = table, model
        self._remembered = model.remember(())
        self._was_shown = self._was_in_sight = False  # the current polymer, before the lines changed

    @property
    def count(self) -> int:
        """How many polymers are selected."""
        parts = self._table.selectionModel().selection()
        return sum(parts.at(number).height() for number in range(parts.size()))

    def lines(self) -> Sequence[int]:
        """Return the lines that are selected, from top to bottom."""
        # By ranges: a list of ten thousand indices would take a quarter of a second.
        selection = self._table.selectionModel().selection()
        parts = [selection.at(number) for number in range(selection.size())]
        if len(parts) == 1:
            return range(parts[0].top(), parts[0].bottom() + 1)
        lines = [np.arange(part.top(), part.bottom() + 1) for part in parts]
        return list(np.unique(np.concatenate(lines)).tolist()) if lines else []

    def keys(self) -> tuple[str, ...]:
        """Return the keys of the selected polymers, from top to bottom."""
        return tuple(self._model.row(line).key for line in self.lines())

    def select_keys(self, keys: Sequence[str]) -> None:
        """Select these polymers, go to one of them, and bring the first into sight; what the list lacks is passed over."""
        lines = sorted(line for line in map(self._model.line_of, keys) if line >= 0)
        if not lines:
            return
        selection, last = QItemSelection(), len(Column) - 1
        for line in lines:
            selection.select(self._model.index(line, 0), self._model.index(line, last))
        model, first = self._table.selectionModel(), self._model.index(lines[0], Column.POLYMER)
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if self._table.currentIndex().row() not in lines:
            model.setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._table.scrollTo(first)

    def remember(self, current: str) -> None:
        """Take note of the selection, and whether the current polymer is in sight."""
        self._remembered = self._model.remember(self.lines())
        line = self._model.line_of(current)
        self._was_shown = line >= 0
        self._was_in_sight = self._was_shown and self._is_in_sight(line)

    def _is_in_sight(self, line: int) -> bool:
        cell = self._table.visualRect(self._model.index(line, Column.POLYMER))
        return self._table.viewport().rect().intersects(cell)

    def restore(self, current_key: str) -> None:
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
        model = self._table.selectionModel()
        current = self._model.line_of(current_key)
        if current >= 0:
            index = self._model.index(current, Column.POLYMER)
            self._table.setAutoScroll(False)  # Qt would bring it into sight
            model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self._table.setAutoScroll(True)
            if selection.isEmpty():
                selection.select(self._model.index(current, 0), self._model.index(current, last))
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if current >= 0 and (self._was_in_sight or not self._was_shown):
            hint = QAbstractItemView.ScrollHint
            come = hint.EnsureVisible if self._was_in_sight or self._is_in_sight(current) else hint.PositionAtCenter
            self._table.scrollTo(self._model.index(current, Column.POLYMER), come)
