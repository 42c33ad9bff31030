"""MD values of heat capacities without what is classical in them, for the polymers of a study.

Thermal conductivities are scaled by the heat capacity of the vibrations by quantum mechanics over that in the simulation:
an estimate, because it takes every vibration to carry heat alike.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.errors import UserError
from affinecal_gui.numbers import shortest
from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.polymers.vibrations.heat_capacity import classical_surplus, corrected_heat_capacity
from affinecal_gui.polymers.vibrations.normal_modes import Spectrum
from affinecal_gui.study.data.assembly import ROOM_TEMPERATURE, Assembly
from affinecal_gui.study.describing.describing import Description
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.describing.spectra import spectra_of
from affinecal_gui.study.quantum_properties import ESTIMATED, HEAT_CAPACITIES, UNIT_OF_SURPLUS, is_corrected
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_conditions import temperatures_of_values
from affinecal_gui.task import UNWATCHED, Task

FloatArray = NDArray[np.float64]

CORRECTED: Final = "quantum-corrected MD"
"""What the corrected value is called among the sources of a calibrator."""

ESTIMATE = (
    "Quantum-corrected thermal conductivities are estimates: the MD value times the heat capacity of the vibrations by "
    "quantum mechanics over that in the simulation."
)


CORRECTED_AT_ONCE: Final = 1_000
SPECTRA_KEPT: Final = 4_000
"""Polymers whose spectra are kept in memory, 16 kB each: those of the largest MD tables would take gigabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """m polymers with MD values of one property."""

    smiles: Sequence[str]  # (m,) "" where a table gives none
    values: FloatArray  # (m,) canonical unit
    temperatures: FloatArray  # (m,) K; nan where the table states none


@dataclass(frozen=True, slots=True, eq=False)
class QuantumValues:
    """The corrected MD values of m polymers."""

    values: FloatArray  # (m,) property unit; nan where there is none
    problems: tuple[str, ...]  # (m,) "" or why there is none
    spectra: tuple[Spectrum | None, ...]  # (m,) None also beyond the first :data:`SPECTRA_KEPT`
    temperatures: FloatArray  # (m,) K, at which they hold
    notes: tuple[str, ...]  # what was assumed, in sentences
    known: Mapping[str, Description] = field(default_factory=dict, repr=False)
    of_whole_library: bool = False  # True where all were tried

    def with_values(self, elsewhere: Mapping[int, int], others: "QuantumValues") -> "QuantumValues":
        """Return these with the values that others have of some of them, by row there, where they have none themselves."""
        values = self.values.copy()
        for row, index in elsewhere.items():
            if np.isnan(values[index]):
                values[index] = others.values[row]
        values.flags.writeable = False
        return replace(self, values=values)

    def followed_by(self, others: "QuantumValues") -> "QuantumValues":
        """Return these polymers and then others."""
        return QuantumValues(
            np.concatenate([self.values, others.values]),
            (*self.problems, *others.problems),
            (*self.spectra, *others.spectra),
            np.concatenate([self.temperatures, others.temperatures]),
            tuple(dict.fromkeys((*self.notes, *others.notes))),
            {**self.known, **others.known},
            self.of_whole_library and others.of_whole_library,
        )


def quantum_values(
    quantity: Property,
    simulated: Simulated,
    constraint: Constraint,
    wanted: Collection[int] | None = None,
    *,
    processes: int = 0,
    known: Mapping[str, Description] | None = None,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> QuantumValues:
    """Correct the MD values of polymers by the vibrations of their chains.

    Parameters
    ----------
    quantity
        One that can be corrected.
    simulated
        The polymers.
    constraint
        What the simulation holds rigid.
    wanted
        Positions of the polymers to correct; None corrects all.
    processes, known, cache
        As of :func:`affinecal_gui.study.describing.spectra.spectra_of`.
    """
    count = len(simulated.values)
    chosen = sorted(range(count) if wanted is None else set(wanted))
    values, problems = np.full(count, np.nan), [""] * count
    spectra: list[Spectrum | None] = [None] * count
    temperatures = np.where(np.isnan(simulated.temperatures), ROOM_TEMPERATURE, simulated.temperatures)
    with_text = [index for index in chosen if simulated.smiles[index] and np.isfinite(simulated.values[index])]
    for index in chosen:
        if not simulated.smiles[index]:
            problems[index] = "The table gives no repeat unit for it."
    kept = dict(known or {})
    for start in range(0, len(with_text), CORRECTED_AT_ONCE):
        portion = with_text[start : start + CORRECTED_AT_ONCE]
        table = spectra_of(
            [simulated.smiles[index] for index in portion],
            processes=processes,
            known=kept,
            cache=cache,
            task=_portion(task, start, len(portion), len(with_text)),
        )
        keeps = start < SPECTRA_KEPT
        if keeps:
            kept.update(table.known)
        for index, spectrum, problem in zip(portion, table.spectra, table.problems, strict=True):
            problems[index] = problem
            if spectrum is None:
                continue
            if keeps:
                spectra[index] = spectrum
            try:
                values[index] = corrected_value(
                    quantity, float(simulated.values[index]), spectrum, float(temperatures[index]), constraint
                )
            except UserError as error:
                problems[index] = str(error)
    values.flags.writeable = False
    return QuantumValues(
        values,
        tuple(problems),
        tuple(spectra),
        temperatures,
        _assumptions(quantity, simulated, chosen),
        kept,
        wanted is None,
    )


def _portion(task: Task, start: int, count: int, total: int) -> Task:
    """Return the task of some of the polymers, which counts all of them."""

    def report(fraction: float, _sentence: str) -> None:
        done = start + round(fraction * count)
        task.report(done / total, f"Computed the vibrations of {done} of {total} polymers")

    return replace(task, progress=report)


def corrected_value(
    quantity: Property, simulated: float, spectrum: Spectrum, temperature: float, constraint: Constraint
) -> float:
    """Return an MD value without what is classical in it.

    Raises
    ------
    UserError
        The temperature is not positive, or nothing would be left of the value.
    """
    surplus = classical_surplus(spectrum, temperature, constraint)
    if quantity.key in ESTIMATED:
        return simulated * surplus.ratio
    return corrected_heat_capacity(simulated, surplus)


def simulated_library(assembly: Assembly) -> Simulated:
    """Return the polymers of a study that have an MD value, which were matched with the measured ones."""
    assert assembly.md_side is not None
    assert assembly.report is not None
    rows = [polymer.counted_rows for polymer in assembly.report.library]
    kelvin = temperatures_of(assembly.md_side.table, rows, assembly.quantity)
    return Simulated(assembly.library_smiles, assembly.library_md, kelvin)


def temperatures_of(table: PolymerTable, rows: Sequence[Sequence[int]], quantity: Property) -> FloatArray:
    """(m,) the mean temperature of the MD values in the rows of each polymer, in K; nan where the table states none.

    One that cannot be is left as it is, and refused when it is used.
    """
    kelvin = temperatures_of_values(table, "md", quantity.key)
    if kelvin is None:
        return np.full(len(rows), np.nan)
    own = [kelvin[list(some)] for some in rows]
    return np.array([_temperature(some) for some in own])


def _temperature(kelvin: FloatArray) -> float:
    stated = kelvin[np.isfinite(kelvin)]
    if not stated.size:
        return float("nan")
    impossible = stated[stated <= 0.0]
    return float(impossible[0] if impossible.size else stated.mean())


def missing_in_the_fit(values: QuantumValues, fitted: Sequence[int]) -> str:
    """Say that the corrected values are not compared because polymers of the fit have none; "" if they all have."""
    why = Counter(values.problems[index] or "It has none." for index in fitted if not np.isfinite(values.values[index]))
    if not why:
        return ""
    count = sum(why.values())
    (reason, times), *_ = why.most_common(1)
    which = "one polymer of the fit has" if count == 1 else f"{count} polymers of the fit have"
    first = "" if times == count else f"{times} of them: "
    return f"The quantum-corrected MD value is not compared, because {which} none. {first}{reason}"


def refuse_incomplete(quantity: Property, values: QuantumValues | None, fitted: Sequence[int]) -> None:
    """Refuse the calibrator of corrected MD values where a study has none, before anything is calibrated.

    Raises
    ------
    UserError
        The property knows no correction (``values`` is None), or a polymer of the fit has no corrected value.
    """
    if values is None:
        refuse_uncorrected(quantity)
    elif missing := missing_in_the_fit(values, fitted):
        raise UserError(f"{missing} Choose another calibrator, or leave them out.")


def refuse_uncorrected(quantity: Property) -> None:
    """Refuse the calibrator of corrected MD values for a property that knows no correction, before anything is described.

    Raises
    ------
    UserError
        The property knows none.
    """
    if is_corrected(quantity):
        return
    unit = UNIT_OF_SURPLUS if quantity.key in HEAT_CAPACITIES else ""
    what = f"{quantity.title} in {quantity.unit or 'an unknown unit'}, not in {unit}," if unit else quantity.title
    raise UserError(
        f"{what} has no quantum-corrected MD value: there is one for heat capacities (Cp, Cv), and an estimate for "
        "thermal conductivity. Choose another calibrator."
    )


def _assumptions(quantity: Property, simulated: Simulated, chosen: Sequence[int]) -> tuple[str, ...]:
    notes = []
    unstated = int(np.isnan(simulated.temperatures[list(chosen)]).sum())
    if unstated:
        which = (
            "The MD table states no temperature"
            if unstated == len(chosen)
            else (f"The MD table states no temperature for {unstated} of {len(chosen)} polymers")
        )
        notes.append(f"{which}: the quantum correction is that at {shortest(ROOM_TEMPERATURE)} K.")
    if quantity.key in ESTIMATED:
        notes.append(ESTIMATE)
    return tuple(notes)
