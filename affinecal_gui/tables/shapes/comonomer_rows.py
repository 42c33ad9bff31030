"""Copolymers with a row for each of their repeat units -> a row for each copolymer.

The rows of a sample become one, at the line of the first: its repeat units stand in one cell, "*CC*|*CC(*)C", and so do their
fractions.
"""

import dataclasses
from collections.abc import Sequence

import numpy as np

from affinecal_gui.polymers.copolymers.composition_text import SEPARATOR, holds_several_units
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import SAMPLE_CELLS, label_of, quantity_of
from affinecal_gui.tables.evidence.composition_columns import are_parts, holds_units, is_fraction_heading, share_of
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

MOST_COLUMNS = 100
MOST_UNITS = 20  # of one copolymer
OFF = 0.02  # of the whole, that rounded fractions may be off it


def joined(raw: RawTable, *, task: Task = UNWATCHED) -> RawTable:
    """Return a table of comonomers by row with a row for each copolymer, and a note that says so; others as they are.

    The rows of a copolymer are told by what they have in common: a column of samples, within each of which the fractions
    of different repeat units add up to the whole. If values of one sample differ, the rows stay as they are.
    """
    if not 3 <= len(raw.headings) <= MOST_COLUMNS or raw.row_count < 2:
        return raw
    first = [column[:SAMPLE_CELLS] for column in raw.columns]
    units = [number for number, cells in enumerate(first) if holds_units(cells)]
    fractions = [n for n, cells in enumerate(first) if is_fraction_heading(raw.headings[n]) and are_parts(cells)]
    if len(units) != 1 or len(fractions) != 1 or any(map(holds_several_units, first[units[0]])):
        return raw
    unit, fraction = units[0], fractions[0]
    for sample in range(len(raw.headings)):
        task.check()
        if sample in (unit, fraction) or len(set(first[sample])) in (1, len(first[sample])):
            continue
        groups = _groups(raw.columns[sample].all_cells(task=task))
        if _are_copolymers(groups, raw.columns[unit], raw.columns[fraction]):
            return _with_groups(raw, groups, sample, unit, fraction)
    return raw


def without_fractions(raw: RawTable, unit: int, keys: Sequence[int], values: Sequence[int]) -> tuple[int, int] | None:
    """Find samples with a row for each of several repeat units, and no column that says how much of each is in them.

    One such sample is none: a class or a lot with two polymers, of which one has no value, looks the same.

    Parameters
    ----------
    raw
        The table.
    unit
        The column of repeat units.
    keys
        Columns of ids and names, which may name samples.
    values
        Columns of values; a sample has the same in all its rows, or one in a single row.

    Returns
    -------
    tuple of int
        The column of the samples, and the first row that stands beside another of its sample; None where there is none, as
        nearly always.
    """
    if raw.row_count < 2 or not values:
        return None
    for key in keys:
        groups = _groups(raw.columns[key].all_cells())
        several = [rows for rows in groups if len(rows) > 1]
        # One such pair may be a row without a name; from two on that is how the table is written.
        if 2 * len(several) < len(groups) or len(several) < 2 or max(map(len, several)) > MOST_UNITS:
            continue
        units = raw.columns[unit].all_cells()
        apart = all(len({units[row] for row in rows}) == len(rows) for rows in several)
        # One column after the other: taken apart all together, those of a large table take as much memory as the table.
        if apart and all(_are_alike(raw.columns[number].all_cells(), several) for number in values):
            return key, several[0][1]
    return None


def _are_alike(cells: Sequence[str], several: Sequence[Sequence[int]]) -> bool:
    """Whether the rows of each sample say the same, or nothing."""
    return all(len(_common([cells[row] for row in rows])) == 1 for rows in several)


def _groups(cells: Sequence[str]) -> list[list[int]]:
    """Put the rows of each sample together; a row without a name of its own belongs to the sample above it."""
    groups: dict[str, list[int]] = {}
    current = ""
    for row, cell in enumerate(cells):
        current = current if is_missing_word(cell) else cell
        groups.setdefault(current, []).append(row)
    return list(groups.values())


def _are_copolymers(groups: Sequence[Sequence[int]], units: Sequence[str], fractions: Sequence[str]) -> bool:
    cells, shares = list(units), [share_of(cell) for cell in fractions]
    several = [rows for rows in groups if len(rows) > 1]
    if not several or max(map(len, groups)) > MOST_UNITS:
        return False
    sums = [sum(shares[row] or 0.0 for row in rows) for rows in several]
    whole = 100 if sums[0] > 1 + OFF else 1
    alone = [shares[rows[0]] for rows in groups if len(rows) == 1]
    return (
        all(abs(total - whole) <= OFF * whole for total in sums)
        and all(len({cells[row] for row in rows}) == len(rows) for rows in several)
        and all(share is None or share == whole for share in alone)
    )


def _with_groups(raw: RawTable, groups: Sequence[Sequence[int]], sample: int, unit: int, fraction: int) -> RawTable:
    columns = []
    for number, column in enumerate(raw.columns):
        cells = list(column)
        if number in (unit, fraction):
            columns.append(TextColumn.of(SEPARATOR.join(cells[row] for row in rows) for rows in groups))
            continue
        found = [_common([cells[row] for row in rows]) for rows in groups]
        if any(len(texts) > 1 for texts in found) and quantity_of(label_of(raw, number))[0] is not None:
            return raw
        columns.append(TextColumn.of(SEPARATOR.join(texts) for texts in found))
    note = (
        f"{raw.name} has a row for each repeat unit of a copolymer: rows with the same “{shortened(raw.headings[sample])}” "
        f"are read as one polymer, with “{shortened(raw.headings[fraction])}” as the fractions of its units."
    )
    return dataclasses.replace(
        raw,
        columns=tuple(columns),
        lines=np.array([raw.lines[rows[0]] for rows in groups], dtype=np.int64),
        notes=(*raw.notes, note),
    )


def _common(cells: Sequence[str]) -> list[str]:
    """Return the different texts of a column in the rows of one sample; [""] where there are none."""
    return list(dict.fromkeys(cell for cell in cells if not is_missing_word(cell))) or [cells[0]]
