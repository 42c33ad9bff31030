"""Which columns of a table an estimator takes for what: MD values, and descriptors in blocks, by name or by position."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from affinecal_gui.calibration.block_names import named_blocks

Column = str | int
"""A column of a table by its name, where it is a data frame, or by its position."""

Blocks = Mapping[str, Sequence[Column]] | Sequence[int]
"""The columns of each block by its name, or the numbers of columns of blocks that stand side by side."""


@dataclass(frozen=True, slots=True)
class FoundColumns:
    """Positions of columns in a table of p columns."""

    sources: tuple[int, ...]  # MD values
    descriptors: tuple[int, ...]  # block by block
    sizes: tuple[int, ...]  # descriptors of each block; empty: one plain set
    blocks: tuple[str, ...] = ()  # names; empty where they have none

    @property
    def ranks(self) -> list[int]:
        """(d,) position among ``descriptors`` of the descriptors as they stand in the table, from left to right."""
        return sorted(range(len(self.descriptors)), key=self.descriptors.__getitem__)


def find_columns(
    count: int,
    names: Sequence[str] | None,
    sources: Column | Sequence[Column] | None,
    blocks: Blocks | None,
    *,
    most_sources: float = inf,
) -> FoundColumns:
    """Find the columns of a table.

    Parameters
    ----------
    count
        Columns of the table.
    names
        Their names; None for an array.
    sources
        The column of the MD values, or several; None for the first.
    blocks
        The blocks of descriptors; None makes them from the names, and of nameless columns one block.
    most_sources
        How many columns of MD values there may be.

    Raises
    ------
    ValueError
        A column is not there or in two places, descriptors are in no block, or something names no column or block.
    """
    place = _Places(count, names)
    wanted = 0 if sources is None else sources
    listed = tuple(wanted) if isinstance(wanted, Iterable) and not isinstance(wanted, str) else (wanted,)
    if len(listed) > most_sources:
        raise ValueError(f"md_column must name one column, not {len(listed)}")
    md = tuple(place(column, "md_column") for column in listed)
    others = tuple(number for number in range(count) if number not in md)
    if isinstance(blocks, Mapping):
        for name, columns in blocks.items():
            if isinstance(columns, str) or not isinstance(columns, Iterable):
                raise ValueError(f"block {name!r} must be a list of columns, not {columns!r}")
        found = {name: [place(column, f"block {name!r}") for column in columns] for name, columns in blocks.items()}
        return _complete(md, found, others, place)
    if blocks is not None:
        if not all(map(_is_whole, blocks)):
            raise ValueError(
                f"blocks must be columns by the name of their block, or numbers of columns, not {blocks!r}"
            )
        sizes = tuple(int(size) for size in blocks)
        if sum(sizes) != len(others) or min(sizes, default=1) < 1:
            raise ValueError(f"blocks add up to {sum(sizes)} columns, but X has {len(others)} beside the MD values")
        return FoundColumns(md, others, sizes)
    if names is None or not others:
        return FoundColumns(md, others, (len(others),) if others else ())
    by_name = named_blocks([names[number] for number in others])
    inferred = {block: [place(column, "blocks") for column in columns] for block, columns in by_name.items()}
    return _complete(md, inferred, others, place)


def _complete(
    md: tuple[int, ...], blocks: Mapping[str, Sequence[int]], others: Sequence[int], place: "_Places"
) -> FoundColumns:
    taken = [number for columns in blocks.values() for number in columns]
    twice = sorted({number for number in taken if taken.count(number) > 1 or number in md})
    if twice:
        raise ValueError(f"{place.listed(twice)}: named as MD value or in a block more than once")
    rest = [number for number in others if number not in set(taken)]
    if rest:
        raise ValueError(
            f"{place.listed(rest)}: in no block. Add {'it' if len(rest) == 1 else 'them'} to blocks, or leave "
            f"{'it' if len(rest) == 1 else 'them'} out of X."
        )
    filled = {name: columns for name, columns in blocks.items() if columns}
    return FoundColumns(md, tuple(taken), tuple(map(len, filled.values())), tuple(filled))


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


class _Places:
    """Positions of columns by name or position."""

    def __init__(self, count: int, names: Sequence[str] | None) -> None:
        self.count, self.names = count, names
        self._place_of = {} if names is None else {name: number for number, name in enumerate(names)}

    def __call__(self, column: Column, what: str) -> int:
        if isinstance(column, str):
            if self.names is None:
                raise ValueError(
                    f"{what} names the column {column!r}, but X has no names. Use a DataFrame, or its position."
                )
            if column not in self._place_of:
                raise ValueError(
                    f"{what}: X has no column {column!r}; its columns are {self.listed(range(self.count))}."
                )
            return self._place_of[column]
        if not _is_whole(column):
            raise ValueError(f"{what} must be the name of a column or its position, not {column!r}")
        number = int(column)
        if not 0 <= number < self.count:
            raise ValueError(f"{what} is column {number}, but X has {self.count} columns, counted from 0")
        return number

    def listed(self, numbers: Iterable[int]) -> str:
        """Name some columns, the first ones where they are many."""
        numbers = list(numbers)
        shown = [repr(self.names[number]) if self.names is not None else f"column {number}" for number in numbers[:6]]
        return ", ".join(shown) + (f" and {len(numbers) - 6} more" if len(numbers) > 6 else "")
