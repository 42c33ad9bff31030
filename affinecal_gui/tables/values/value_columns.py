"""The values of one property in its canonical unit, with what is known about each, and the columns of a table by key."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.units import conversion
from affinecal_gui.task import UNWATCHED, Task

FloatArray = NDArray[np.float64]
ValueKey = tuple[ValueKind, str]
"""("measured" or "md", property key)."""


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """The values of one property; arrays are read-only, one entry per row of the table, nan where there is none."""

    quantity: Property
    values: FloatArray  # (rows,) canonical unit
    uncertainty: FloatArray  # (rows,) canonical unit, as given or as read from the cell
    heading: str
    unit_as_written: str
    lowest: FloatArray | None = None  # (rows,) range of the reports, canonical unit
    highest: FloatArray | None = None
    repeats: FloatArray | None = None  # (rows,) number of reports behind each value
    notes: Mapping[int, str] = field(default_factory=dict)  # by row: how a cell that is more than a number was read
    problems: tuple[RowProblem, ...] = ()  # cells of used rows that hold no usable value
    remarks: tuple[
        str, ...
    ] = ()  # what was assumed about the column as a whole, and values that may be wrong; sentences
    unit_is_named: bool = True  # by the file or the user; else it was assumed
    kelvin: float = float("nan")  # at which all values hold, if the heading states it
    megapascal: float = float("nan")  # the pressure at which they hold, likewise

    def in_unit_of(self, quantity: Property) -> "ValueColumn":
        """Return the column in the unit of another property of the same key, as two tables may name different ones.

        Raises
        ------
        UnitProblem
            The unit cannot be converted to the other.
        """
        if self.quantity.unit == quantity.unit:
            return self
        way = conversion(self.quantity.unit, quantity)

        def converted(values: FloatArray | None, *, difference: bool = False) -> FloatArray | None:
            if values is None:
                return None
            return read_only(dataclasses.replace(way, offset=0.0 if difference else way.offset).apply(values))

        values, uncertainty = converted(self.values), converted(self.uncertainty, difference=True)
        assert values is not None
        assert uncertainty is not None
        assumed = (f"{shortened(self.heading)}: {way.assumed}.",) if way.assumed else ()
        return dataclasses.replace(
            self,
            quantity=quantity,
            values=values,
            uncertainty=uncertainty,
            lowest=converted(self.lowest),
            highest=converted(self.highest),
            remarks=(*self.remarks, *assumed),
        )

    def taken(self, rows: NDArray[np.int64], problems: tuple[RowProblem, ...] = ()) -> "ValueColumn":
        """Return the column of these rows only; ``problems`` are the cells of them without a usable value."""

        def part(array: FloatArray | None) -> FloatArray | None:
            return None if array is None else read_only(array if whole else array[rows])

        whole = len(rows) == len(self.values)
        notes = self.notes
        if notes and not whole:
            position = {row: index for index, row in enumerate(rows.tolist())}
            notes = {position[row]: note for row, note in notes.items() if row in position}
        uncertainty = self.uncertainty if whole else self.uncertainty[rows]
        return ValueColumn(
            self.quantity,
            read_only(self.values if whole else self.values[rows]),
            none_stated(len(rows)) if np.isnan(uncertainty).all() else read_only(uncertainty),
            self.heading,
            self.unit_as_written,
            part(self.lowest),
            part(self.highest),
            part(self.repeats),
            MappingProxyType(dict(notes)),
            problems,
            self.remarks,
            self.unit_is_named,
            self.kelvin,
            self.megapascal,
        )


class ValueColumns(Mapping[ValueKey, ValueColumn]):
    """The value columns of a table by kind and property; those that nobody has asked for yet are not read.

    Parameters
    ----------
    order
        All of them.
    ready, waiting
        Those that have been read, and what reads the others.
    cells
        The file that the others are read from, which takes far more memory than what is read.
    """

    def __init__(
        self,
        order: Sequence[ValueKey],
        ready: Mapping[ValueKey, ValueColumn],
        waiting: Mapping[ValueKey, Callable[[Task], ValueColumn]],
        cells: RawTable | None = None,
    ) -> None:
        self._order = tuple(order)
        self._ready = dict(ready)
        self._waiting = dict(waiting)
        self._cells = cells if waiting else None

    @property
    def cells(self) -> RawTable | None:
        """The file, as long as columns wait that are read from it."""
        return self._cells

    def __getitem__(self, key: ValueKey) -> ValueColumn:
        return self.read(key, UNWATCHED)

    def read(self, key: ValueKey, task: Task) -> ValueColumn:
        """Return a column; reading it raises Cancelled when the task was cancelled."""
        make = self._waiting.get(key)
        if make is None or key in self._ready:
            return self._ready[key]
        column = self._ready.setdefault(key, make(task))  # another thread may have been faster
        self._waiting.pop(key, None)
        if not self._waiting:
            self._cells = None
        return column

    def __contains__(self, key: object) -> bool:
        return key in self._ready or key in self._waiting

    def __iter__(self) -> Iterator[ValueKey]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)


def column_of(columns: Mapping[ValueKey, ValueColumn], key: ValueKey, task: Task) -> ValueColumn:
    """Return a column of a table, which may have to be read from its texts first.

    Raises
    ------
    Cancelled
        When the task was cancelled.
    """
    return columns.read(key, task) if isinstance(columns, ValueColumns) else columns[key]


def cells_of(columns: Mapping[ValueKey, ValueColumn]) -> RawTable | None:
    """Return the file that columns of a table still wait to be read from."""
    return columns.cells if isinstance(columns, ValueColumns) else None


def taken_columns(columns: Mapping[ValueKey, ValueColumn], rows: NDArray[np.int64]) -> ValueColumns:
    """Return the columns with these rows only; each is cut when it is asked for."""

    def later(key: ValueKey) -> Callable[[Task], ValueColumn]:
        def cut(task: Task) -> ValueColumn:
            whole = column_of(columns, key, task)
            return whole.taken(rows, whole.problems)

        return cut

    return ValueColumns(tuple(columns), {}, {key: later(key) for key in columns})


def none_stated(rows: int) -> FloatArray:
    """(rows,) of nan, read-only and without memory of its own: a table may have hundreds of columns without uncertainties."""
    return np.broadcast_to(np.float64(np.nan), (rows,))


def read_only(array: FloatArray) -> FloatArray:
    """Let nobody write to an array from now on, and return it."""
    array.setflags(write=False)
    return array


def possible(kelvin: FloatArray) -> FloatArray:
    """(rows,) K, nan where a temperature cannot be: what is not above 0 K marks a missing one, and is compared with none.

    A table keeps it nevertheless, and a value that is corrected by its temperature is refused with it.
    """
    return np.where(kelvin > 0.0, kelvin, np.nan)
