"""What the inspector says of the vibrations of one polymer: spectrum, heat, and its curve over temperature."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import given_keys
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import shortest, significant
from affinecal_gui.polymers.copolymers.composition import Composition
from affinecal_gui.polymers.copolymers.composition_spectrum import spectrum_of
from affinecal_gui.polymers.vibrations.heat_capacity import (
    classical_surplus,
    heat_capacity_curve,
    quantum_fraction,
    surplus_of_sites,
)
from affinecal_gui.polymers.vibrations.mode_density import WAVENUMBERS, mode_density
from affinecal_gui.polymers.vibrations.normal_modes import vibrations
from affinecal_gui.study.data.assembly import ROOM_TEMPERATURE
from affinecal_gui.study.quantum_properties import ESTIMATED, is_corrected
from affinecal_gui.study.snapshot import PolymerRow, Snapshot

FloatArray = NDArray[np.float64]

COLDEST, HOTTEST = 100.0, 600.0  # K, of the curve
_STEP = 10.0  # K


@dataclass(frozen=True, slots=True, eq=False)
class VibrationContent:
    """The vibrations of one polymer, ready to draw."""

    wavenumbers: FloatArray  # (g,) cm^-1
    moved: FloatArray  # (g,) modes per repeat unit and 100 cm^-1 that the simulation moves: each holds R in it
    quantum: FloatArray  # (g,) the same, each mode by the fraction of R that it holds in truth
    temperatures: FloatArray  # (t,) K; empty where there is no curve
    heat_capacity: FloatArray  # (t,) property unit
    measured: tuple[float, float]  # K, value; nan where there is none
    sentence: str
    note: str = ""  # what the measured point rests on, where it is drawn


def vibration_content(snapshot: Snapshot, row: PolymerRow, composition: Composition | None) -> VibrationContent | None:
    """Return what is drawn of the vibrations of a polymer; None for a property in which they do not show."""
    quantity = snapshot.quantity
    if quantity is None or composition is None or not is_corrected(quantity):
        return None
    try:
        spectrum = spectrum_of(composition)
        kelvin = _temperature(snapshot, row)
        surplus = classical_surplus(spectrum, kelvin, snapshot.settings.rigid_bonds)
    except UserError:
        return None
    moved = spectrum.moved(snapshot.settings.rigid_bonds)
    fraction = quantum_fraction(spectrum.wavenumbers, kelvin)
    temperatures, curve = np.zeros(0), np.zeros(0)
    if quantity.key not in ESTIMATED and isfinite(row.md):
        temperatures = np.arange(COLDEST, HOTTEST + _STEP / 2, _STEP)
        curve = heat_capacity_curve(row.md, spectrum, temperatures, snapshot.settings.rigid_bonds)
    stated = isfinite(row.measured_temperature)
    at = row.measured_temperature if stated else ROOM_TEMPERATURE
    count, free = float(spectrum.weights.sum()), float(spectrum.weights @ moved)
    return VibrationContent(
        WAVENUMBERS,
        mode_density(spectrum, moved.astype(np.float64)),
        mode_density(spectrum, fraction),
        temperatures,
        curve,
        (at, row.measured) if isfinite(row.measured) else (nan, nan),
        f"{shortest(count)} vibrations per repeat unit, of which the simulation moves {shortest(free)}. At "
        f"{shortest(kelvin)} K they hold {significant(100.0 * surplus.ratio, 2)} % of the heat that they hold in the "
        f"simulation; {significant(surplus.heat_capacity, 3)} J/(kg K) is classical.",
        ""
        if stated or not isfinite(row.measured) or not temperatures.size
        else f"The measured value is drawn at {shortest(at)} K: its table states no temperature.",
    )


def shares_of_surplus(snapshot: Snapshot, row: PolymerRow, composition: Composition | None) -> Mapping[int, float]:
    """Return what each heavy atom with its hydrogens adds to the correction, in J/(kg K): all are negative.

    By atom of the repeat unit's molecule; empty for a mixture, and where another calibrator is shown.
    """
    shown = snapshot.corrected is not None or snapshot.settings.model in given_keys()
    quantity = snapshot.quantity
    if not shown or composition is None or composition.is_copolymer or quantity is None or not is_corrected(quantity):
        return {}
    unit = composition.units[0]
    try:
        found = vibrations(unit)
        parts = surplus_of_sites(found, _temperature(snapshot, row), snapshot.settings.rigid_bonds)
    except UserError:
        return {}
    shares: dict[int, float] = {}
    for atom, part in zip(found.atoms, parts.tolist(), strict=True):
        shares[atom] = shares.get(atom, 0.0) - part
    return shares


def _temperature(snapshot: Snapshot, row: PolymerRow) -> float:
    if snapshot.corrected is not None:
        number = next((i for i, one in enumerate(snapshot.rows) if one.key == row.key), -1)
        if number >= 0:
            return snapshot.corrected.temperatures[number]
    return snapshot.temperature
