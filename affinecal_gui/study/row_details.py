"""The further columns of one row of a table, taken out of the table when somebody looks at them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import overload


class RowDetails(Sequence[tuple[str, str]]):
    """Heading and text of each further column that the row has something in.

    A table may have a hundred thousand rows, of which somebody looks at a few: pairs that are made for all of them take a
    kilobyte a row.

    Parameters
    ----------
    columns
        The further columns of the table by heading; one text for each row.
    row
        Number of the row.
    """

    __slots__ = ("_columns", "_row")

    def __init__(self, columns: Mapping[str, tuple[str, ...]], row: int) -> None:
        self._columns, self._row = columns, row

    def __iter__(self) -> Iterator[tuple[str, str]]:
        row = self._row
        return ((heading, cells[row]) for heading, cells in self._columns.items() if cells[row])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @overload
    def __getitem__(self, index: int) -> tuple[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[str, str], ...]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, str] | tuple[tuple[str, str], ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowDetails | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
