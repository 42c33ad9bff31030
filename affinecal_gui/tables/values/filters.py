"""A table with only the rows of some temperatures and phases; what is left out is listed, as everything else."""

import dataclasses
from collections import Counter
from collections.abc import Collection

import numpy as np

from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import UNWATCHED, Task


def phases_of(table: PolymerTable) -> dict[str, int]:
    """Return the phases that occur, with their numbers of rows, the most frequent first; "" where none is given."""
    return dict(Counter(table.phase or ()).most_common())


def only(
    table: PolymerTable,
    *,
    temperatures: tuple[float, float] | None = None,
    phases: Collection[str] | None = None,
    keep_unknown: bool = True,
    task: Task = UNWATCHED,
) -> PolymerTable:
    """Return the table without the rows measured at other temperatures or in other phases.

    Parameters
    ----------
    table
        A table with temperatures or phases; a criterion for which it has no column leaves out nothing.
    temperatures
        Lowest and highest temperature to keep, K.
    phases
        The phases to keep, as written.
    keep_unknown
        Whether rows without a readable temperature, or with an empty phase, stay.
    """
    reasons: dict[int, str] = {}
    if temperatures is not None and table.temperature is not None:
        lowest, highest = temperatures
        for row, kelvin in enumerate(task.each(table.temperature.tolist())):
            if np.isfinite(kelvin):
                if not lowest <= kelvin <= highest:
                    reasons[row] = f"left out: {kelvin:g} K is not between {lowest:g} and {highest:g} K"
            elif not keep_unknown:
                reasons[row] = "left out: no temperature is given"
    if phases is not None and table.phase is not None:
        for row, phase in enumerate(task.each(table.phase)):
            if row in reasons or phase in phases or (keep_unknown and not phase):
                continue
            reasons[row] = f"left out: its phase is “{phase}”" if phase else "left out: no phase is given"
    if not reasons:
        return table
    kept = np.array([row for row in range(len(table)) if row not in reasons], dtype=np.int64)
    left_out = [RowProblem(table.lines[row], "", table.label(row), reason) for row, reason in reasons.items()]
    shorter = table.taken(kept)
    return dataclasses.replace(
        shorter,
        problems=tuple(sorted((*table.problems, *left_out), key=lambda problem: problem.line)),
        rows_rejected=table.rows_rejected + len(reasons),
    )
