"""A study that is not calibrated, for want of measured values or of enough of them: heat capacities are corrected."""

import numpy as np

from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.numbers import significant
from affinecal_gui.polymers.vibrations.heat_capacity import quantum_fraction
from affinecal_gui.polymers.vibrations.mode_density import WAVENUMBERS, mode_density
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.literature import literature_errors, literature_half_width
from affinecal_gui.study.fitting.quantum import (
    QuantumValues,
    Simulated,
    quantum_values,
    simulated_library,
)
from affinecal_gui.study.quantum_properties import ESTIMATED, HEAT_CAPACITIES, is_corrected
from affinecal_gui.study.snapshot import CorrectedValues, MeanModes, Settings
from affinecal_gui.tables.values.value_conditions import temperatures_of_rows
from affinecal_gui.task import UNWATCHED, Task


def corrected_alone(
    assembly: Assembly,
    settings: Settings,
    *,
    processes: int = 0,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> CorrectedValues | None:
    """Correct the MD values of all rows of a study that is not calibrated; None where there is nothing to correct.

    That is a study without measured values, or one with so few polymers of both kinds that nothing can be fitted.
    """
    if assembly.md_side is None or not is_corrected(assembly.quantity):
        return None
    if assembly.report is None:
        if assembly.measured_side is not None:
            return None
        simulated, places = _rows_of_the_table(assembly), np.arange(len(assembly.rows))
    else:
        simulated = simulated_library(assembly)
        places = np.array([row.library_index for row in assembly.rows], dtype=np.int64)
    found = quantum_values(
        assembly.quantity, simulated, settings.rigid_bonds, processes=processes, cache=cache, task=task
    )
    there = places >= 0
    values, temperatures = (np.where(there, array[places], np.nan) for array in (found.values, found.temperatures))
    lower, upper, basis = np.full(len(places), np.nan), np.full(len(places), np.nan), _NO_INTERVAL
    if assembly.quantity.key not in ESTIMATED:
        factor = float(np.exp(literature_half_width(settings.interval_level)))
        lower, upper, basis = values / factor, values * factor, _basis(settings)
    for array in (values, lower, upper):
        array.flags.writeable = False
    return CorrectedValues(
        values,
        lower,
        upper,
        tuple(found.problems[place] if place >= 0 else "" for place in places.tolist()),
        tuple(temperatures.tolist()),
        settings.interval_level,
        (basis, *found.notes),
        mean_modes(found, settings),
    )


def mean_modes(found: QuantumValues, settings: Settings) -> MeanModes | None:
    """Return the mean of the vibrations of polymers that have a corrected value; None where none has.

    Of very many polymers these are the first ones.
    """
    moved, quantum, count = np.zeros(len(WAVENUMBERS)), np.zeros(len(WAVENUMBERS)), 0
    for spectrum, value, kelvin in zip(found.spectra, found.values.tolist(), found.temperatures.tolist(), strict=True):
        if spectrum is None or not np.isfinite(value):
            continue
        moved += mode_density(spectrum, spectrum.moved(settings.rigid_bonds).astype(np.float64))
        quantum += mode_density(spectrum, quantum_fraction(spectrum.wavenumbers, kelvin))
        count += 1
    if not count:
        return None
    for array in (moved, quantum):
        array /= count
        array.flags.writeable = False
    return MeanModes(WAVENUMBERS, moved, quantum, count)


def stands_in(assembly: Assembly, settings: Settings) -> bool:
    """Whether corrected MD values take the place of a calibration that too few measured polymers do not allow.

    So it is for heat capacities, whose corrected values have a known error, unless the user chose what is to be fitted.
    """
    chosen = settings.follows_advice or settings.model == QUANTUM_CORRECTED.key
    return chosen and assembly.quantity.key in HEAT_CAPACITIES and is_corrected(assembly.quantity)


def compared_with_few(assembly: Assembly, settings: Settings, corrected: CorrectedValues) -> str:
    """Say how far the corrected values are from the few measured ones that count; empty without any."""
    measured = np.array([np.nan if row.key in settings.left_out else row.measured for row in assembly.rows])
    with np.errstate(all="ignore"):
        errors = np.log(corrected.values / measured)
    errors = errors[np.isfinite(errors)]
    if not errors.size:
        return ""
    size = significant(float(np.sqrt(np.mean(errors**2))))
    them = "the measured value differs" if errors.size == 1 else f"the {errors.size} measured values differ"
    return f"{them} from them by {size} (RMSE of ln {assembly.quantity.symbol})"


def _rows_of_the_table(assembly: Assembly) -> Simulated:
    """Return what was simulated where there is a table of MD values alone; by row."""
    side = assembly.md_side
    assert side is not None
    row_of = {name: row for row, name in enumerate(side.keys)}
    rows = [row_of[row.key] for row in assembly.rows]
    return Simulated(
        [side.table.smiles[row] for row in rows],
        side.table.values[("md", assembly.quantity.key)].values[rows],
        temperatures_of_rows(side.table, "md", assembly.quantity.key)[rows],
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
