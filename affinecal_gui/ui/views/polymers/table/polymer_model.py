"""The polymers as lines of a Qt table; lines of a large table are filtered and sorted in the background."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot

from affinecal_gui.study.data.row_columns import RowColumns, TextColumn, is_measured
from affinecal_gui.study.data.structure_search import may_be_structure
from affinecal_gui.study.md_origin import MDOrigin
from affinecal_gui.study.shown.next_measurements import NextMeasurement
from affinecal_gui.study.snapshot import PolymerRow, RowState, Snapshot
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.ui.running.job import AnyJob, Job
from affinecal_gui.ui.running.worker import JobRunner
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column, CopiedCells, Head, PolymerCells, copied
from affinecal_gui.ui.views.polymers.table.polymer_order import (
    ArrangedRows,
    Filter,
    Group,
    Sorting,
    arrange,
    numbers_now,
)

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

ARRANGED_AT_ONCE = 5_000
"""Rows that are filtered and sorted in a few milliseconds; more of them, and structures, are sought in the background."""

_COLUMN_COUNT = len(Column)


class PolymerModel(QAbstractTableModel):
    """Reads a snapshot and shows those of its polymers that pass a filter, in the order asked for.

    Filtering and sorting happen here and not in a proxy: a proxy would ask Python a hundred thousand questions to sort
    ten thousand rows, and the window would stand still meanwhile. Of a large table a thread does it; until it is done the
    lines stay as they are, and of several wishes the last one counts. So there are two sets of polymers: the newest,
    which counts and searches concern, and those that the lines show, which everything that names a line concerns.
    """

    arranged = Signal()  # the lines are those of the newest snapshot, filter and order

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = PolymerCells.of(Snapshot())
        self._filter = Filter()
        self._sorted_by: tuple[int, bool] = (Column.POLYMER, False)  # column (-1: order of the file), descending
        self._cells = self._newest  # shown
        self._shown_filter = self._filter
        self._lines = ArrangedRows.of(np.zeros(0, dtype=np.intp), 0)
        self._numbers_now: NDArray[np.intp] | None = None  # of the rows shown before, while the lines change
        self._ranked: tuple[RowColumns, TextColumn] | None = None  # what a thread ranks now
        self._jobs = JobRunner(self)
        self._jobs.failed.connect(self._on_failed)

    # What is wished for

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take over rows and values. While the shown rows stay the same, selection and scroll position survive."""
        before = self._newest
        self._newest = PolymerCells.of(snapshot, before)
        if self._newest.columns.number_of is self._cells.columns.number_of:
            # The same polymers: what there is to say about them is said at once, whatever order they will have.
            self._cells = self._newest
            self._say_cells_changed()
        if self._newest.stand_as(before) and not self.is_arranging:
            self.arranged.emit()
        else:
            self._arrange()

    def set_filter(self, wanted: Filter) -> None:
        """Restrict the table."""
        if wanted != self._filter:
            self._filter = wanted
            self._arrange()

    @property
    def filter(self) -> Filter:
        """What the table is to be restricted to."""
        return self._filter

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 is the order of the file."""
        wanted = (column, order == Qt.SortOrder.DescendingOrder)
        if wanted != self._sorted_by:
            self._sorted_by = wanted
            self._arrange()

    @property
    def is_arranging(self) -> bool:
        """Whether the lines are still those of before."""
        return self._jobs.is_busy

    def close(self) -> bool:
        """Work nothing out any more; returns whether the thread ended in time."""
        return self._jobs.shut_down()

    def _arrange(self) -> None:
        """Let the lines become those of the newest snapshot, filter and order."""
        column, descending = self._sorted_by
        sorting = self._newest.sorting(column, descending=descending)
        wish = ArrangeLines(self._newest, self._cells.columns, self._filter, sorting)
        columns, text = self._newest.columns, sorting.text
        if text is not None and not columns.has_ranks(text):
            # Ranking takes longest, and goes on where other filters are wished for meanwhile.
            self._jobs.drop(ArrangeLines)
            if self._ranked != (columns, text):
                self._ranked = columns, text
                self._jobs.start(RankTexts(columns, text), self._on_ranked)
            return
        self._jobs.drop(RankTexts)
        self._ranked = None
        if len(columns.rows) <= ARRANGED_AT_ONCE and not may_be_structure(self._filter.text):
            self._jobs.drop(ArrangeLines)
            self._show(wish.arrange())
        else:
            self._jobs.start(wish, self._show)

    def _on_ranked(self, _ranks: object) -> None:
        self._ranked = None
        self._arrange()

    @Slot(object, object)
    def _on_failed(self, _job: AnyJob, _error: object) -> None:
        """Leave the lines as they are; the runner has noted the fault, and another wish begins anew."""
        self._ranked = None

    def _show(self, found: "_Arranged") -> None:
        """Change the lines, and tell the view only what changed."""
        are_new = found.cells is not self._cells
        if self._is_shown(found):
            self._take(found)  # the same polymers may be other rows now
            if are_new:
                self._say_cells_changed()
        else:
            self.beginResetModel()  # until here the view may ask for the polymers that are still shown
            self._take(found)
            self.endResetModel()
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, _COLUMN_COUNT - 1)
        self._numbers_now = None
        self.arranged.emit()

    def _take(self, found: "_Arranged") -> None:
        self._numbers_now = found.numbers_now
        self._cells, self._shown_filter, self._lines = found.cells, found.wanted, found.lines

    def _is_shown(self, found: "_Arranged") -> bool:
        """Whether the lines show these rows already, in this order."""
        order, shown = found.lines.order, self._lines.order
        if order.size != shown.size:
            return False
        if self._cells.columns.number_of is found.cells.columns.number_of:
            return np.array_equal(order, shown)
        return np.array_equal(self._cells.columns.keys[shown], found.cells.columns.keys[order])

    def _say_cells_changed(self) -> None:
        if self._lines.order.size:
            self.dataChanged.emit(self.index(0, 0), self.index(self._lines.order.size - 1, _COLUMN_COUNT - 1))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, _COLUMN_COUNT - 1)

    # The newest polymers

    def group_of_key(self, key: str) -> Group | None:
        """Return the list to which this polymer belongs, shown or not; the one wished for if it is in several."""
        if self._filter.group == "next" and self.suggestion(key) is not None:
            return "next"
        number = self._newest.columns.number_of.get(key, -1)
        if number < 0:
            return None
        return "measured" if is_measured(self._newest.columns)[number] else "predicted"

    def suggestion(self, key: str) -> NextMeasurement | None:
        """Return what measuring this polymer would do, if it is one of those worth measuring next."""
        return self._newest.suggestions.get(self._newest.columns.number_of.get(key, -1))

    @property
    def suggestions(self) -> tuple[NextMeasurement, ...]:
        """The polymers worth measuring next, the best first."""
        return tuple(self._newest.suggestions.values())

    def count(self, group: Group) -> int:
        """Return how many polymers a list has without any filter."""
        return self._newest.count(group)

    def state_counts(self, group: Group) -> dict[RowState, int]:
        """Return how many polymers of a list are in each state that occurs."""
        return self._newest.state_counts(group)

    def origin_counts(self, group: Group) -> dict[MDOrigin, int]:
        """Return how many calibrated values of a list come from each kind of MD value that occurs."""
        return self._newest.origin_counts(group)

    @property
    def tells_origins(self) -> bool:
        """Whether there is a calibrated value that does not come from a simulated MD value."""
        return self._cells.tells_origins

    def is_from_predicted(self, line: int) -> bool:
        """Whether the calibrated value of a line comes from a predicted MD value."""
        return bool(self._cells.values.from_predicted[int(self._lines.order[line])])

    @property
    def columns(self) -> RowColumns:
        """The columns of the study as it is now, in whatever order the lines are."""
        return self._newest.columns

    def newest(self, key: str) -> PolymerRow | None:
        """Return a polymer as the study has it now, in whatever line; None if the study no longer has it."""
        return self._newest.row(key)

    # What the lines show

    @property
    def shown_group(self) -> Group:
        """The list that the lines belong to."""
        return self._shown_filter.group

    def told(self, line: int) -> str:
        """Return the note about the polymer of a line, and why it is in its state."""
        return self._cells.source.told_of(self.row(line))

    def row(self, line: int) -> PolymerRow:
        """Return the polymer in this line of the table."""
        return self._cells.columns.rows[int(self._lines.order[line])]

    def line_of(self, key: str) -> int:
        """Return the line of the table that shows this polymer; -1 if none does."""
        number = self._cells.columns.number_of.get(key, -1)
        return int(self._lines.lines[number]) if number >= 0 else -1

    def remember(self, lines: Sequence[int]) -> NDArray[np.intp]:
        """Return by what :meth:`find_again` finds the polymers in these lines, while the lines change."""
        return self._numbers_of(lines)

    def find_again(self, remembered: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the lines that now show what was remembered before they changed, from top to bottom."""
        numbers = remembered if self._numbers_now is None else self._numbers_now[remembered]
        lines = self._lines.lines[numbers[numbers >= 0]]
        is_found = np.zeros(self._lines.order.size, dtype=np.bool_)  # sorting the lines would take longer
        is_found[lines[lines >= 0]] = True
        return np.flatnonzero(is_found)

    def text(self, line: int, column: int) -> str:
        """Return what a cell says."""
        return self._cells.text(int(self._lines.order[line]), column)

    def gain(self, line: int) -> tuple[str, str]:
        """Return what measuring the polymer in this line would do, and in all with those above it; "" when unknown."""
        return self._cells.gain(int(self._lines.order[line]))

    def copied(self, lines: Sequence[int], columns: Sequence[int]) -> CopiedCells:
        """Return the cells of some lines for a spreadsheet."""
        return copied(self._cells, self._numbers_of(lines), columns)

    def head(self, column: int) -> Head:
        """Return the two lines above a column."""
        return self._cells.head(column)

    def widest_texts(self, column: int) -> tuple[str, ...]:
        """Return the longest texts a number column can show, for its width."""
        return self._cells.widest_texts(column)

    def _numbers_of(self, lines: Sequence[int]) -> NDArray[np.intp]:
        if isinstance(lines, range):
            return self._lines.order[lines.start : lines.stop : lines.step]
        return self._lines.order[np.asarray(lines, dtype=np.intp)]

    # What Qt asks for

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of polymers."""
        return 0 if parent.isValid() else self._lines.order.size

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else _COLUMN_COUNT

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return title and unit of a column on one line; the header view draws them on two."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        head = self.head(section)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{head.title}, {head.unit}" if head.unit else head.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return _HEAD_TIPS[Column(section)]
        if role == Qt.ItemDataRole.InitialSortOrderRole and section == Column.RESIDUAL:
            return Qt.SortOrder.DescendingOrder.value  # what one looks for is what is far off
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, alignment or tooltip of a cell."""
        if not index.isValid():
            return None
        number, column = int(self._lines.order[index.row()]), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells.text(number, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            numeric = Column.MEASURED <= column <= Column.RESIDUAL
            side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._cells.details(number)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._cells.spoken_text(number, column)
        return None


@dataclass(frozen=True, slots=True, eq=False)
class _Arranged:
    """Lines that are ready to be shown."""

    cells: PolymerCells
    wanted: Filter
    lines: ArrangedRows
    numbers_now: NDArray[np.intp] | None  # of the rows shown before; None where they are the same


@dataclass(frozen=True, eq=False)
class ArrangeLines(Job[_Arranged]):
    """Filter and sort the rows."""

    cells: PolymerCells
    shown: RowColumns  # to which the lines of before belong
    wanted: Filter
    sorting: Sorting

    def run(self, task: Task, publish: Callable[[_Arranged], None]) -> _Arranged:
        """Do it, which may take long."""
        return self.arrange(task=task)

    def arrange(self, *, task: Task = UNWATCHED) -> _Arranged:
        """Filter and sort, and work out ahead what the table will ask for."""
        rows = self.cells.columns
        same = rows.number_of is self.shown.number_of
        now = None if same else numbers_now(self.shown, rows, task=task)
        lines = arrange(rows, self.cells.suggestions, self.wanted, self.sorting, self.cells.origins, task=task)
        for column in Column:
            self.cells.widest_texts(column)
        return _Arranged(self.cells, self.wanted, lines, now)


@dataclass(frozen=True, eq=False)
class RankTexts(Job[NDArray[np.int32]]):
    """Rank the rows by a column of text, which keeps the ranks."""

    columns: RowColumns
    text: TextColumn

    def run(self, task: Task, publish: Callable[[NDArray[np.int32]], None]) -> NDArray[np.int32]:
        """Rank them."""
        return self.columns.ranks(self.text, task=task)


_HEAD_TIPS = {
    Column.RANK: "Measure the first one first; each further one is chosen in view of those above it.",
    Column.STRUCTURE: "The repeat unit; bonds with a stroke across their end lead to its neighbours in the chain.",
    Column.POLYMER: "Name and id, as in your table; without a name the id, or the repeat unit.",
    Column.MEASURED: "The measured value.",
    Column.MD: "The value from molecular dynamics, not calibrated.",
    Column.CALIBRATED: "Calibrated by the chosen model. For polymers of the fit the out-of-fold value, made without "
    "their own measurement.",
    Column.INTERVAL: "The interval in which the true value is expected. Sorts by its width.",
    Column.RESIDUAL: "Calibrated against measured value, in per cent of the measured one. Sorts by its size.",
    Column.GAIN: "By how much the mean interval of the whole library would shrink if this polymer were measured.",
    Column.ORIGIN: "Where the MD value behind the calibrated one comes from: simulated, predicted from the MD table, or not "
    "used at all.",
    Column.STATE: "Whether the polymer takes part in the fit, and if not, why.",
}
