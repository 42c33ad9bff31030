"""The quantum-corrected MD values of rows, for the calibrators that take them as a source beside the MD value."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.names import calibrator_in_sentence
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.numbers import shortest
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile
from affinecal_gui.study.data.assembly import ROOM_TEMPERATURE
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.quantum import Simulated, quantum_values
from affinecal_gui.study.words.validity_words import stands_in_sentence
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_conditions import temperatures_of_rows
from affinecal_gui.task import UNWATCHED, Task


@dataclass(frozen=True, slots=True, eq=False)
class FurtherSources:
    """The sources beside the MD value of k polymers."""

    values: FloatArray  # (k, p) property unit; nan where there is none
    problems: Sequence[str]  # (k,) "" or why there is none


def further_sources(
    opened: CalibratorFile,
    smiles: Sequence[str],
    md: FloatArray,
    temperatures: FloatArray,
    *,
    processes: int = 0,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> FurtherSources | None:
    """Return the sources beside the MD value that a calibrator takes; None where it takes none.

    Parameters
    ----------
    opened
        The calibrator.
    smiles, md, temperatures
        (k,) of polymers: repeat units, simulated MD values in the unit of the property (nan where there is none), and the
        temperatures of the simulations in K (nan where none is stated).
    processes, cache
        As of :func:`affinecal_gui.study.describing.spectra.spectra_of`.
    """
    if opened.sources is None:
        return None
    found = quantum_values(
        opened.facts.quantity,
        Simulated(smiles, md, temperatures),
        opened.sources.rigid_bonds,
        np.flatnonzero(np.isfinite(md)).tolist(),
        processes=processes,
        cache=cache,
        task=task.silent,
    )
    return FurtherSources(found.values[:, None], found.problems)


def temperature_notes(opened: CalibratorFile, table: PolymerTable) -> tuple[str, ...]:
    """Say at which temperature the MD values of a table are corrected where it states none."""
    if opened.sources is None or not table.has("md", opened.facts.quantity.key):
        return ()
    if np.isfinite(temperatures_of_rows(table, "md", opened.facts.quantity.key)).any():
        return ()
    return (f"{table.name} states no temperature: the quantum correction is that at {shortest(ROOM_TEMPERATURE)} K.",)


def stood_in_sentence(opened: CalibratorFile, why: str = "") -> str:
    """Say of a polymer that lacks a source why, if that is known, and by which calibrator it is calibrated instead."""
    assert opened.sources is not None
    one_source = calibrator(opened.facts.model).one_source
    name = calibrator_in_sentence(one_source, log_scale=opened.facts.log_scale)
    return f"{why} {stands_in_sentence(opened.sources.names[1:], name)}".lstrip()
