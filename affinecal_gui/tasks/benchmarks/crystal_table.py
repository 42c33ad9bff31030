"""Reads the table of crystals: a property that all of them have, one that few have, and descriptors."""

from pathlib import Path

import numpy as np

from affinecal_gui.calibration.networks.conductivity import FOLDS, TEST_CRYSTALS
from affinecal_gui.calibration.networks.source_networks import Crystals
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tables.cells.numbers import read_number_column
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.task import UNWATCHED, Task

SOURCE, TARGET = "SPS (cm)", "TC (W/mK)"
LEFT_OUT = frozenset(
    [
        "min:gs_mag_moment",
        "min:num_d_unfilled",
        *(f"{one}:num_f_unfilled" for one in ("min", "ave", "sum", "var", "max")),
        *(f"{one}:num_f_valence" for one in ("min", "ave", "sum", "var", "max")),
    ]
)
"""Descriptors that the published program leaves out, as (nearly) constant."""

FEWEST = FOLDS + TEST_CRYSTALS

_NUMBERS = 0.5  # share of cells from which on a column is one of numbers: "NaN" and "InF" are formulas too


def read_crystals(path: Path, *, task: Task = UNWATCHED) -> tuple[Crystals, tuple[str, ...]]:
    """Return the crystals of a table, and sentences on what of it was left out.

    Columns are found by their headings: :data:`SOURCE`, :data:`TARGET`; every other column of numbers is a descriptor.
    Columns of text, in which hardly a cell can be read as a number, are named in the sentences.

    Raises
    ------
    TableError
        The file cannot be read, has no such columns or too few rows; a cell that should be a number is none, with its line.
    """
    raw = read_table(path, task=task.silent)
    headings = [heading.strip() for heading in raw.headings]
    for wanted in (SOURCE, TARGET):
        # A heading that stands there twice is read with a number behind the second.
        if wanted not in headings or f"{wanted} (2)" in headings:
            how = "has no column" if wanted not in headings else "has more than one column"
            raise TableError(
                f"{raw.name} {how} “{wanted}”; it needs one “{SOURCE}”, one “{TARGET}” and the descriptors."
            )
    if not raw.row_count:
        raise TableError(f"{raw.name} has headings and no rows; it needs a row for each crystal.")
    source = _numbers(raw, headings.index(SOURCE), empty=False, positive=True)
    target = _numbers(raw, headings.index(TARGET), empty=True, positive=True)
    columns, left, named = [], [], []
    for number, heading in enumerate(headings):
        if heading in (SOURCE, TARGET):
            continue
        values = read_number_column(raw.columns[number]).values
        if np.mean(np.isfinite(values)) < _NUMBERS:
            named.append(heading)
            continue
        values = _numbers(raw, number, empty=False, positive=False)
        if heading in LEFT_OUT or np.ptp(values) <= 4 * np.finfo(np.float64).eps * np.abs(values).max():
            left.append(heading)
        else:
            columns.append(values)
    measured = int(np.isfinite(target).sum())
    if measured < FEWEST:
        raise TableError(
            f"{raw.name} has {measured} rows with a value of “{TARGET}”; {TEST_CRYSTALS} are predicted and the others "
            f"divided into {FOLDS} folds, so it needs {FEWEST} or more."
        )
    if len(columns) < 4:
        raise TableError(f"{raw.name} has {len(columns)} descriptors that are not constant; it needs 4 or more.")
    notes = []
    if named:
        notes.append(f"Columns of text are not used: {', '.join(map(shortened, named))}.")
    if left:
        notes.append(f"{len(left)} descriptors are left out, as constant or nearly so.")
    return Crystals(np.column_stack(columns), source, target), tuple(notes)


def _numbers(raw: RawTable, number: int, *, empty: bool, positive: bool) -> FloatArray:
    """Return a column of numbers, nan where a cell is empty, if that may be."""
    column = raw.columns[number]
    values = np.asarray(read_number_column(column).values, dtype=np.float64)
    blank = np.array([not cell.strip() for cell in column]) if empty else np.zeros(len(values), dtype=bool)
    wrong = ~np.isfinite(values) & ~blank
    if positive:
        wrong |= values <= 0.0
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        cell = shortened(column[row])
        what = f"“{cell}” is not a {'positive ' if positive else ''}number" if cell else "a value is missing"
        where = f"{raw.name}, line {int(raw.lines[row])}, column “{shortened(raw.headings[number])}”"
        raise TableError(f"{where}: {what}. Correct it or remove the row.")
    return values
