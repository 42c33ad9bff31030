"""A study of MD values alone: heat capacities corrected without a measurement."""

import numpy as np

from affinecal_gui.numbers import significant
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.literature import literature_errors, literature_half_width
from affinecal_gui.study.fitting.quantum import (
    ESTIMATED,
    Simulated,
    can_be_corrected,
    quantum_values,
    temperatures_of,
)
from affinecal_gui.study.snapshot import CorrectedValues, Settings
from affinecal_gui.task import UNWATCHED, Task


def corrected_alone(
    assembly: Assembly,
    settings: Settings,
    *,
    processes: int = 0,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> CorrectedValues | None:
    """Correct the MD values of all rows of a study that has no measured ones; None where there is nothing to correct."""
    side, key = assembly.md_side, assembly.quantity.key
    if assembly.measured_side is not None or side is None or not can_be_corrected(assembly.quantity):
        return None
    row_of = {name: row for row, name in enumerate(side.keys)}
    rows = [row_of[row.key] for row in assembly.rows]
    values = side.table.values[("md", key)].values[rows]
    found = quantum_values(
        assembly.quantity,
        Simulated(
            [side.table.smiles[row] for row in rows], values, temperatures_of(side.table, [(row,) for row in rows])
        ),
        settings.rigid_bonds,
        processes=processes,
        cache=cache,
        task=task,
    )
    lower, upper, basis = np.full(len(rows), np.nan), np.full(len(rows), np.nan), _NO_INTERVAL
    if key not in ESTIMATED:
        factor = float(np.exp(literature_half_width(settings.interval_level)))
        lower, upper, basis = found.values / factor, found.values * factor, _basis(settings)
    for array in (lower, upper):
        array.flags.writeable = False
    return CorrectedValues(
        found.values,
        lower,
        upper,
        found.problems,
        tuple(found.temperatures.tolist()),
        settings.interval_level,
        (basis, *found.notes),
    )


_NO_INTERVAL = "The values have no interval: no measured thermal conductivities come with the program to compare with."


def _basis(settings: Settings) -> str:
    """Say where the intervals come from."""
    errors = literature_errors()
    rmse = float(np.sqrt(np.mean(errors**2)))
    start = (
        f"Nothing is fitted. The {100 * settings.interval_level:g} % intervals are the errors of the same correction for the "
        f"{len(errors)} measured heat capacities that come with the program (literature values, Cp by RadonPy; RMSE "
        f"{significant(rmse)} on the ln scale), not those of your simulations."
    )
    if settings.rigid_bonds == "hydrogen":
        return start
    return f"{start} Those hold bonds to hydrogen rigid."
