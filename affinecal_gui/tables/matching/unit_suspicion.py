"""Whether the measured values are in another unit than the file says: offered as a correction, never applied."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.numbers import shortest
from affinecal_gui.polymers.copolymers.composition import parse_composition
from affinecal_gui.polymers.copolymers.molar_mass import mean_molar_mass
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.tables.matching.matching import MatchReport
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.units import Conversion, UnitProblem, conversion
from affinecal_gui.tables.values.polymer_table import PolymerTable


@dataclass(frozen=True, slots=True)
class UnitSuspicion:
    """Measured and MD values differ by a factor that a wrong unit explains; offered, never applied."""

    factor: float  # multiply the measured values by this; nan when it is the molar mass of each repeat unit
    unit: str  # the unit that the measured values probably have
    sentence: str


def suspect_unit(
    measured: Sequence[float] | NDArray[np.float64],
    md: Sequence[float] | NDArray[np.float64],
    molar_masses: Sequence[float] | NDArray[np.float64] | None,
    quantity: Property,
    written: str = "",
) -> UnitSuspicion | None:
    """Look for a unit that explains why measured and MD values differ more than the bias of any force field.

    The ratio MD / measured is compared with the one that is usual for the property. A unit of the property's own list
    is suspected when the median ratio is more than a factor of 2.5 away from the usual one, and that unit brings it
    within a factor of 1.8 of it.

    Parameters
    ----------
    measured, md
        (n,) values of the same polymers, canonical unit.
    molar_masses
        (n,) of the repeat units in g/mol, when known.
    quantity
        The property.
    written
        The unit in which the measured values were read; left out of the candidates.
    """
    measured_values, md_values = np.asarray(measured, dtype=float), np.asarray(md, dtype=float)
    sound = np.isfinite(measured_values) & np.isfinite(md_values) & (measured_values > 0) & (md_values > 0)
    if sound.sum() < 3:
        return None
    log_ratio = np.log(md_values[sound] / measured_values[sound])
    off = log_ratio - math.log(quantity.usual_md_ratio)
    if abs(float(np.median(off))) < math.log(2.5):
        return None
    try:
        used = conversion(written, quantity) if written else Conversion(quantity.unit, 1.0)
    except UnitProblem:
        return None
    if used.offset or used.per_mole_of:
        return None
    best: tuple[float, str, float] | None = None
    for unit in (quantity.unit, *quantity.other_units):
        way = conversion(unit, quantity)
        if way.offset or unit == written:
            continue
        shift: NDArray[np.float64] | float = math.log(way.factor / used.factor)
        if way.needs_molar_mass:
            if molar_masses is None:
                continue
            masses = np.asarray(molar_masses, dtype=float)[sound]
            if not np.isfinite(masses).all():
                continue
            shift = shift - np.log(masses)
        left = off - shift
        # Values per mole scatter with the molar mass until they are divided by it: the scatter counts as well.
        remaining = abs(float(np.median(left))) + 0.5 * float(np.median(np.abs(left - np.median(left))))
        if remaining < math.log(1.8) and (best is None or remaining < best[0]):
            best = (remaining, unit, math.nan if way.needs_molar_mass else way.factor / used.factor)
    if best is None:
        return None
    _, unit, factor = best
    times = math.exp(float(np.median(log_ratio)))
    ratio = _times(times)
    sentence = (
        f"MD values are typically {ratio}. "
        f"Are the measured values in {unit} instead of {written or quantity.unit or 'the unit assumed'}?"
    )
    return UnitSuspicion(factor, unit, sentence)


_KELVIN_ABOVE_CELSIUS = 273.15
_SCALES = ("K", "°C", "C", "degC", "")


def suspect_unnamed_unit(
    measured: Sequence[float] | NDArray[np.float64],
    md: Sequence[float] | NDArray[np.float64],
    quantity: Property,
) -> UnitSuspicion | None:
    """Look for signs that two tables have different units, of which at least one names none: 273 kelvin, a power of ten.

    Parameters
    ----------
    measured, md
        (n,) values of the same polymers, as they were read.
    quantity
        The property, with the unit that they were read in.

    Returns
    -------
    UnitSuspicion | None
        ``unit`` is "°C" where the measured values are too low, else ""; ``factor`` is what they are to be multiplied by,
        nan where it is no factor.
    """
    one, other = np.asarray(measured, dtype=float), np.asarray(md, dtype=float)
    sound = np.isfinite(one) & np.isfinite(other)
    if sound.sum() < 3:
        return None
    one, other = one[sound], other[sound]
    apart = float(np.median(other - one))
    spread = float(np.median(np.abs(other - one - apart)))
    far = abs(apart) - _KELVIN_ABOVE_CELSIUS
    of_temperature = quantity.unit in _SCALES and not quantity.is_dimensionless
    near = abs(far) < (abs(apart) / 2.5 if quantity.unit else 40.0)
    if of_temperature and near and spread < 60.0:
        sign, what = ("higher", "measured") if apart > 0 else ("lower", "MD")
        sentence = (
            f"MD values are typically {shortest(abs(apart), 3)} {sign} than the measured ones, about the 273.15 between "
            f"°C and K. Are the {what} values in °C?"
        )
        return UnitSuspicion(math.nan, "°C" if apart > 0 else "", sentence)
    if not ((one > 0) & (other > 0)).all():
        return None
    ratio = np.log10(other / one)
    power = round(float(np.median(ratio)))
    if power == 0 or abs(float(np.median(ratio)) - power) > 0.15 or float(np.median(np.abs(ratio - power))) > 0.2:
        return None
    sentence = (
        f"MD values are typically about {_times(10.0**power)}, a power of ten. Do both tables have the same unit?"
    )
    return UnitSuspicion(10.0**power, "", sentence)


def _times(factor: float) -> str:
    """Say by which factor MD values are larger or smaller."""
    if factor > 1:
        return f"{shortest(factor, 3)} times the measured ones"
    return f"the measured ones divided by {shortest(1 / factor, 3)}"


_SUSPECT_FACTOR = 5.0
_SAME_FOR_ALL = 1.5


def suspect_factor(
    measured: Sequence[float] | NDArray[np.float64],
    md: Sequence[float] | NDArray[np.float64],
    quantity: Property,
) -> UnitSuspicion | None:
    """Look for a factor between two tables that is nearly the same for all polymers, and larger than force fields are off.

    Parameters
    ----------
    measured, md, quantity
        As :func:`suspect_unnamed_unit` takes them.
    """
    one, other = np.asarray(measured, dtype=float), np.asarray(md, dtype=float)
    sound = np.isfinite(one) & np.isfinite(other) & (one * other > 0)
    if sound.sum() < 3 or sound.sum() < 0.9 * len(one):
        return None
    ratio = np.log(other[sound] / one[sound])
    off = ratio - math.log(quantity.usual_md_ratio)
    middle = float(np.median(off))
    spread = float(np.median(np.abs(off - middle)))
    if abs(middle) < math.log(_SUSPECT_FACTOR) or spread > math.log(_SAME_FOR_ALL) or not (off * middle > 0).all():
        return None
    times = math.exp(float(np.median(ratio)))
    sentence = (
        f"MD values are typically {_times(times)}, much the same for all polymers. Are the units of both tables right?"
    )
    return UnitSuspicion(math.nan, "", sentence)


def suspected_unit(report: MatchReport, measured: PolymerTable) -> UnitSuspicion | None:
    """Look for a wrong unit among the polymers that a matching has linked.

    Parameters
    ----------
    report, measured
        The result of matching, and the table with the measured values.
    """
    column = measured.values[("measured", report.property_key)]
    pairs = [(report.measured[link.measured], report.library[link.library]) for link in report.links]
    masses = []
    for one, _ in pairs:
        try:
            masses.append(mean_molar_mass(parse_composition(measured.smiles[one.rows[0]])))
        except InvalidRepeatUnit:
            masses.append(math.nan)
    return suspect_unit(
        [one.value for one, _ in pairs],
        [other.value for _, other in pairs],
        masses,
        column.quantity,
        column.unit_as_written or column.quantity.unit,
    )
