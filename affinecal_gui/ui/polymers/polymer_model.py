"""The polymers as rows of a Qt table: what each cell says, copies and sorts by."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if
from affinecal_gui.study.next_measurements import NextMeasurement, measurement_sentence, next_measurements
from affinecal_gui.study.row_columns import STATES, RowColumns, TextColumn, columns_of, is_measured, state_text
from affinecal_gui.study.row_values import RowValues, largest_value, row_values
from affinecal_gui.study.snapshot import PolymerRow, RowState, Snapshot
from affinecal_gui.ui.event_loop.worker import JobRunner, Publish, Work
from affinecal_gui.ui.look.number_text import decimals_for, number_text, range_text
from affinecal_gui.ui.polymers.polymer_order import (
    Filter,
    Group,
    accepted,
    order_by_number,
    order_by_rank,
)

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

COPY_ROLE = Qt.ItemDataRole.UserRole
"""Text for a spreadsheet: every figure that is stored, a plain minus, nothing for a missing number."""


class Column(IntEnum):
    """Columns in the order in which they are shown at first."""

    RANK = 0  # of those worth measuring next
    STRUCTURE = 1
    POLYMER = 2
    MEASURED = 3
    MD = 4
    CALIBRATED = 5
    INTERVAL = 6
    RESIDUAL = 7
    GAIN = 8  # what measuring it would do
    STATE = 9


COLUMN_COUNT = len(Column)


class Head(NamedTuple):
    """The two lines of a table head."""

    title: str
    unit: str


STATE_ROLES: dict[RowState, str] = {
    "used": "good",
    "left out": "caution",
    "no MD value": "muted",
    "predicted": "good",
    "invalid": "bad",
    "waiting": "muted",
}
"""Palette role in which the word for a state is written."""


SORTED_TEXTS: dict[int, TextColumn] = {Column.STRUCTURE: "smiles", Column.POLYMER: "label", Column.STATE: "state"}
"""Columns that are sorted by a text."""


@dataclass(frozen=True, slots=True)
class Decimals:
    """Decimals of the value columns, one number for all, and of the residual in per cent."""

    value: int = 0
    residual: int = 1


class PolymerModel(QAbstractTableModel):
    """Reads a snapshot and shows those of its polymers that pass a filter, in the order asked for.

    Filtering and sorting happen here and not in a proxy: a proxy would ask Python a hundred thousand questions to sort
    ten thousand rows, and the window would stand still meanwhile.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PolymerRow, ...] = ()
        self._values: RowValues = row_values(Snapshot())
        self._decimals = Decimals()
        self._unit = ""
        self._level = 0.9
        self._columns: RowColumns = columns_of(Snapshot())
        self._counts: Counter[tuple[bool, RowState]] = Counter()
        self._suggestions: dict[int, NextMeasurement] = {}  # by the number of the row, the best first
        self._source = Snapshot()
        self._filter = Filter()
        self._sorted_by: tuple[int, bool] = (Column.POLYMER, False)  # column (-1: order of the file), descending
        self._shown = self._columns  # to whose rows the lines belong
        self._order: NDArray[np.intp] = np.zeros(0, dtype=np.intp)  # number of the row in each line
        self._lines: NDArray[np.intp] = np.zeros(0, dtype=np.intp)  # line of each row; -1 where it is not shown
        self._jobs = JobRunner(self)
        self._jobs.done.connect(self._on_ranked)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take over rows and values. While the shown rows stay the same, selection and scroll position survive."""
        new_rows = snapshot.rows is not self._rows
        if new_rows:
            self._rows = snapshot.rows
            self._columns = columns_of(snapshot)
            codes = is_measured(self._columns) * len(STATES) + self._columns.states
            counted = np.bincount(codes, minlength=2 * len(STATES)).reshape(2, len(STATES))
            self._counts = Counter(
                {
                    (measured, state): int(counted[int(measured), number])
                    for measured in (False, True)
                    for number, state in enumerate(STATES)
                }
            )
        if new_rows or snapshot.calibration is not self._source.calibration:
            numbers = self._columns.number_of
            self._suggestions = {numbers[found.row.key]: found for found in next_measurements(snapshot)}
        self._source = snapshot
        self._values = row_values(snapshot)
        self._decimals = Decimals(decimals_for([largest_value(snapshot)]))
        self._unit = snapshot.quantity.unit if snapshot.quantity is not None else ""
        calibration = snapshot.calibration
        self._level = calibration.interval_level if calibration is not None else snapshot.settings.interval_level
        self._arrange()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    def set_filter(self, wanted: Filter) -> None:
        """Restrict the table."""
        if wanted != self._filter:
            self._filter = wanted
            self._arrange()

    @property
    def filter(self) -> Filter:
        """What the table is restricted to."""
        return self._filter

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 is the order of the file."""
        wanted = (column, order == Qt.SortOrder.DescendingOrder)
        if wanted != self._sorted_by:
            self._sorted_by = wanted
            self._arrange()

    @property
    def is_sorting(self) -> bool:
        """Whether an order is being worked out in the background."""
        return self._jobs.is_busy

    def close(self) -> bool:
        """Work nothing out any more; returns whether the thread ended in time."""
        return self._jobs.shut_down()

    def row(self, number: int) -> PolymerRow:
        """Return the polymer in this line of the table."""
        return self._shown.rows[int(self._order[number])]

    def line_of(self, key: str) -> int:
        """Return the line of the table that shows this polymer; -1 if none does."""
        number = self._shown.number_of.get(key, -1)
        return int(self._lines[number]) if number >= 0 else -1

    def remember(self, lines: Sequence[int]) -> "RememberedRows":
        """Return something by which the polymers in these lines are found again after a change."""
        return RememberedRows(self._shown, self._numbers_of(lines))

    def find_again(self, remembered: "RememberedRows") -> NDArray[np.intp]:
        """Return the lines that show remembered polymers now, from top to bottom."""
        numbers = remembered.numbers
        if remembered.columns.number_of is not self._shown.number_of:
            known, rows = self._shown.number_of, remembered.columns.rows
            found = (known.get(rows[number].key, -1) for number in numbers.tolist())
            numbers = np.array([number for number in found if number >= 0], dtype=np.intp)
        lines = self._lines[numbers]
        return np.sort(lines[lines >= 0])

    def group_of_key(self, key: str) -> Group | None:
        """Return the list to which this polymer belongs, shown or not; the shown one if it is in several."""
        if self._filter.group == "next" and self.suggestion(key) is not None:
            return "next"
        number = self._columns.number_of.get(key, -1)
        if number < 0:
            return None
        return "measured" if is_measured(self._columns)[number] else "predicted"

    def suggestion(self, key: str) -> NextMeasurement | None:
        """Return what measuring this polymer would do, if it is one of those worth measuring next."""
        return next((found for found in self._suggestions.values() if found.row.key == key), None)

    @property
    def suggestions(self) -> tuple[NextMeasurement, ...]:
        """The polymers worth measuring next, the best first."""
        return tuple(self._suggestions.values())

    def count(self, group: Group) -> int:
        """Return how many polymers a list has without any filter."""
        if group == "next":
            return len(self._suggestions)
        return sum(count for (measured, _), count in self._counts.items() if measured == (group == "measured"))

    def state_counts(self, group: Group) -> dict[RowState, int]:
        """Return how many polymers of a list are in each state that occurs, in the order of :data:`STATE_ROLES`."""
        if group == "next":
            states = Counter(found.row.state for found in self._suggestions.values())
            return {state: states[state] for state in STATE_ROLES if states[state]}
        return {state: count for state in STATE_ROLES if (count := self._counts[group == "measured", state])}

    def _arrange(self) -> None:
        """Filter and sort anew, and tell the view only what changed."""
        order = self._ordered(accepted(self._columns, self._suggestions, self._filter))
        if self._is_shown(order):
            self._place(order)  # the same polymers may be other rows now
            if order.size:
                self.dataChanged.emit(self.index(0, 0), self.index(order.size - 1, len(Column) - 1))
            return
        self.beginResetModel()  # until here the view may ask for the polymers that are still shown
        self._place(order)
        self.endResetModel()

    def _place(self, order: NDArray[np.intp]) -> None:
        self._shown, self._order = self._columns, order
        self._lines = np.full(len(self._rows), -1, dtype=np.intp)
        self._lines[order] = np.arange(order.size)

    def _is_shown(self, order: NDArray[np.intp]) -> bool:
        """Whether the lines show these rows already, in this order."""
        if self._shown.number_of is self._columns.number_of:
            return np.array_equal(order, self._order)
        if order.size != self._order.size:
            return False
        return np.array_equal(self._shown.keys[self._order], self._columns.keys[order])

    def _ordered(self, numbers: NDArray[np.intp]) -> NDArray[np.intp]:
        column, descending = self._sorted_by
        values = self._values
        by_column: dict[int, FloatArray] = {
            Column.MEASURED: values.measured,
            Column.MD: values.md,
            Column.CALIBRATED: values.calibrated,
            Column.INTERVAL: values.upper - values.lower,  # the narrowest first: those that are known best
            Column.RESIDUAL: values.residual_percent,
        }
        if column in (Column.RANK, Column.GAIN):
            ranks = np.full(len(self._rows), np.nan)
            for number, found in self._suggestions.items():
                ranks[number] = found.rank if column == Column.RANK else found.narrower
            return order_by_number(numbers, ranks, descending)
        if column in by_column:
            return order_by_number(numbers, by_column[column], descending)
        if column < 0:
            return numbers
        text = SORTED_TEXTS[column]
        if not self._columns.has_ranks(text):
            self._jobs.start("rank", _rank(self._columns, text))  # and arrange again
            return numbers
        return order_by_rank(numbers, self._columns.ranks(text), descending)

    @Slot(str, object)
    def _on_ranked(self, _purpose: str, columns: object) -> None:
        if columns is self._columns:
            self._arrange()

    def copied_head(self, column: int) -> str:
        """Return the head of a column for a spreadsheet: with its unit, and saying what the figures below it are."""
        if column == Column.STRUCTURE:
            return "SMILES"
        if column == Column.GAIN:
            return "Narrows the mean interval by [%]"
        head = self.head(column)
        return f"{head.title} [{head.unit}]" if head.unit and column >= Column.MEASURED else head.title

    def head(self, column: int) -> Head:
        """Return the two lines above a column."""
        return {
            Column.RANK: Head("No.", ""),
            Column.STRUCTURE: Head("Structure", "repeat unit"),
            Column.POLYMER: Head("Polymer", "name, id"),
            Column.MEASURED: Head("Measured", self._unit),
            Column.MD: Head("MD", self._unit),
            Column.CALIBRATED: Head("Calibrated", self._unit),
            Column.INTERVAL: Head(f"{100 * self._level:g} % interval", self._unit),
            Column.RESIDUAL: Head("Residual", "%"),
            Column.GAIN: Head("If measured", "mean interval"),
            Column.STATE: Head("State", ""),
        }[Column(column)]

    def widest_texts(self, column: int) -> tuple[str, ...]:
        """Return the longest texts a number column can show, for its width."""
        decimals = self._decimals.value
        by_column: dict[int, tuple[FloatArray, ...]] = {
            Column.MEASURED: (self._values.measured,),
            Column.MD: (self._values.md,),
            Column.CALIBRATED: (self._values.calibrated,),
            Column.INTERVAL: (self._values.lower, self._values.upper),
            Column.RESIDUAL: (self._values.residual_percent,),
        }
        arrays = by_column.get(column, ())
        ends = [(float(np.nanmin(array)), float(np.nanmax(array))) for array in arrays if np.isfinite(array).any()]
        if not ends:
            return ()
        if column == Column.INTERVAL:
            return (range_text(ends[0][1], ends[-1][1], decimals), range_text(ends[0][0], ends[-1][1], decimals))
        if column == Column.RESIDUAL:
            return tuple(number_text(end, self._decimals.residual, signed=True) for end in ends[0])
        return tuple(number_text(end, decimals) for end in ends[0])

    # What Qt asks for

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of polymers."""
        return 0 if parent.isValid() else int(self._order.size)

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else COLUMN_COUNT

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return title and unit of a column on one line; the header view draws them on two."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        head = self.head(section)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{head.title}, {head.unit}" if head.unit else head.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return _HEAD_TIPS[Column(section)]
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, sort value, copied text, alignment or tooltip of a cell."""
        if not index.isValid():
            return None
        number, column = int(self._order[index.row()]), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(number, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            numeric = Column.MEASURED <= column <= Column.RESIDUAL
            side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == COPY_ROLE:
            return self._copied(number, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._details(number)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            head = self.head(column)
            return (
                f"{head.title}: {self._text(number, column)} {head.unit if column >= Column.MEASURED else ''}".strip()
            )
        return None

    def text(self, line: int, column: int) -> str:
        """Return what a cell says."""
        return self._text(int(self._order[line]), column)

    def copied(self, lines: Sequence[int], columns: Sequence[int]) -> "CopiedCells":
        """Return the cells of some lines for a spreadsheet; see :data:`COPY_ROLE`."""
        numbers = self._numbers_of(lines)
        return CopiedCells(self._rows, self._values, self._suggestions, numbers, tuple(map(Column, columns)))

    def _numbers_of(self, lines: Sequence[int]) -> NDArray[np.intp]:
        if isinstance(lines, range):
            return self._order[lines.start : lines.stop : lines.step]
        return self._order[np.asarray(lines, dtype=np.intp)]

    def _text(self, number: int, column: int) -> str:
        row, values, decimals = self._rows[number], self._values, self._decimals
        match column:
            case Column.STRUCTURE:
                return row.smiles
            case Column.POLYMER:
                return row.label
            case Column.MEASURED:
                return number_text(values.measured[number], decimals.value)
            case Column.MD:
                return number_text(values.md[number], decimals.value)
            case Column.CALIBRATED:
                return number_text(values.calibrated[number], decimals.value)
            case Column.INTERVAL:
                return range_text(values.lower[number], values.upper[number], decimals.value)
            case Column.RESIDUAL:
                return number_text(values.residual_percent[number], decimals.residual, signed=True)
            case Column.RANK:
                return str(self._suggestions[number].rank) if number in self._suggestions else ""
            case Column.GAIN:
                return ", ".join(filter(None, self._gain(number)))
            case _:
                return state_text(row)

    def gain(self, line: int) -> tuple[str, str]:
        """Return what measuring the polymer in this line would do, and in all with those above it; "" when unknown."""
        return self._gain(int(self._order[line]))

    def _gain(self, number: int) -> tuple[str, str]:
        return self._suggestions[number].words if number in self._suggestions else ("", "")

    def _copied(self, number: int, column: int) -> str:
        cells = CopiedCells(self._rows, self._values, self._suggestions, np.array([number]), (Column(column),))
        return cells.cell(number, Column(column))

    def _details(self, number: int) -> str:
        """Everything known about a polymer, as a small rich-text table."""
        row, unit = self._rows[number], self._unit
        lines = [("Id", row.id), ("Repeat unit", row.smiles)]
        for column in (Column.MEASURED, Column.MD, Column.CALIBRATED, Column.INTERVAL):
            text = self._text(number, column)
            if text != number_text(float("nan"), 0):
                lines.append((self.head(column).title, f"{text} {unit}".strip()))
        if self._values.out_of_fold[number]:
            lines.append(("", "calibrated out of fold: without its own measured value"))
        if number in self._suggestions:
            lines.append(("If measured", measurement_sentence(self._source, self._suggestions[number])))
        lines.append(("State", state_text(row)))
        lines.extend(row.details)
        body = "".join(
            f"<tr><td style='padding-right:8px'>{_escape(name)}</td><td>{_escape(_shortened(text))}</td></tr>"
            for name, text in lines
            if text
        )
        return f"<b>{_escape(row.label)}</b><table>{body}</table>"


@dataclass(frozen=True, slots=True, eq=False)
class RememberedRows:
    """Some rows, to be found again."""

    columns: RowColumns
    numbers: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class CopiedCells:
    """Cells as a spreadsheet takes them, whatever the table shows meanwhile: every figure, a plain minus, no dash."""

    rows: tuple[PolymerRow, ...]
    values: RowValues
    suggestions: dict[int, NextMeasurement]
    numbers: NDArray[np.intp]  # of the rows that are copied
    columns: tuple[Column, ...]

    def text(self, heads: Sequence[str], *, progress: Progress = silent, cancelled: CancelCheck = never) -> str:
        """Return tab-separated lines, below ``heads``; the id stands behind the name.

        Raises
        ------
        Cancelled
            When ``cancelled()`` became true.
        """
        place = self.columns.index(Column.POLYMER) + 1
        lines = ["\t".join((*heads[:place], "Id", *heads[place:]))]
        for position, number in enumerate(self.numbers.tolist()):
            if position % 1000 == 0:
                stop_if(cancelled)
                progress(position / self.numbers.size, "Copying the list")
            cells = [self.cell(number, column) for column in self.columns]
            cells.insert(place, self.rows[number].id)
            # A tab or line break inside a text would shift the columns of the spreadsheet.
            lines.append("\t".join(" ".join(cell.split()) for cell in cells))
        return "\n".join(lines) + "\n"

    def cell(self, number: int, column: Column) -> str:
        """Return one cell."""
        row, values = self.rows[number], self.values
        match column:
            case Column.STRUCTURE:
                return row.smiles
            case Column.POLYMER:
                return row.label
            case Column.MEASURED:
                numbers = [values.measured[number]]
            case Column.MD:
                numbers = [values.md[number]]
            case Column.CALIBRATED:
                numbers = [values.calibrated[number]]
            case Column.INTERVAL:
                numbers = [values.lower[number], values.upper[number]]
            case Column.RESIDUAL:
                numbers = [values.residual_percent[number]]
            case Column.RANK:
                return str(self.suggestions[number].rank) if number in self.suggestions else ""
            case Column.GAIN:
                return f"{self.suggestions[number].narrower:.6g}" if number in self.suggestions else ""
            case _:
                return state_text(row)
        return " to ".join(f"{value:.6g}" for value in numbers) if all(map(math.isfinite, numbers)) else ""


def _rank(columns: RowColumns, text: TextColumn) -> Work:
    def work(progress: Progress, cancelled: CancelCheck, publish: Publish) -> object:
        columns.ranks(text, cancelled=cancelled)
        return columns

    return work


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shortened(text: str, limit: int = 160) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


_HEAD_TIPS = {
    Column.RANK: "Measure the first one first; each further one is chosen in view of those above it.",
    Column.STRUCTURE: "The repeat unit; bonds that end in a wavy line lead to its neighbours in the chain.",
    Column.POLYMER: "Name and id, as in your table; without a name the id, or the repeat unit.",
    Column.MEASURED: "The measured value.",
    Column.MD: "The value from molecular dynamics, not calibrated.",
    Column.CALIBRATED: "Calibrated by the chosen model. For polymers of the fit the out-of-fold value, made without "
    "their own measurement.",
    Column.INTERVAL: "The interval in which the true value is expected. Sorts by its width.",
    Column.RESIDUAL: "Calibrated against measured value, in per cent of the measured one.",
    Column.GAIN: "By how much the mean interval of the whole library would shrink if this polymer were measured.",
    Column.STATE: "Whether the polymer takes part in the fit, and if not, why.",
}
