"""What a run of RadonPy says of itself: which of its values failed a check, and why they are not used unasked."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.simulations.reasons import NoValue, Reason
from affinecal_gui.tables.simulations.run_columns import of_conductivity
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.units import conversion

ORIENTED_FROM = 0.1
"""Nematic order parameter from which on RadonPy calls a cell partially oriented."""

FAILED = -9999.0  # as Spacier writes it; 0 for what is pending

BEYOND_PLAUSIBLE = 2.0
"""Factor beyond the range in which values of polymers lie from which on a simulated value is impossible."""

CHECK_COLUMNS = ("check_eq", "check_tc", "do_TC", "remarks", "nematic_order_parameter")

_NO = frozenset(("false", "f", "no", "n", "0", "0.0", "falsch", "faux", "falso", "偽", "假"))


@dataclass(frozen=True, slots=True)
class Flag:
    """Something a run says of its values."""

    reason: Reason
    sign: str  # what stands there: "check_eq is False"
    conductivity_only: bool = False

    def concerns(self, heading: str) -> bool:
        """Whether the values under a heading are set aside for it."""
        return not self.conductivity_only or of_conductivity(heading)


def flags_of(run: Mapping[str, str]) -> tuple[Flag, ...]:
    """Return what a run says against its values, the worst first.

    Parameters
    ----------
    run
        Cells by heading; a heading that is not there, or an empty cell, says nothing.
    """
    remarks = run.get("remarks", "")
    said = remarks.casefold()
    flags = []
    if _is_no(run.get("check_eq", "")):
        flags.append(Flag("not-equilibrated", f"check_eq is {run['check_eq']}"))
    elif "error" in said and "equilibrium" in said:
        flags.append(Flag("not-equilibrated", remarks))
    order = number_of(run.get("nematic_order_parameter", ""))
    if order >= ORIENTED_FROM:
        flags.append(Flag("oriented", f"nematic_order_parameter is {run['nematic_order_parameter']}"))
    elif "error" in said and "oriented" in said:
        flags.append(Flag("oriented", remarks))
    if "error" in said and not flags:
        flags.append(Flag("other-error", remarks))
    if _is_no(run.get("do_TC", "")):
        flags.append(Flag("no-conductivity", f"do_TC is {run['do_TC']}", conductivity_only=True))
    elif _is_no(run.get("check_tc", "")):
        flags.append(Flag("conductivity-check", f"check_tc is {run['check_tc']}", conductivity_only=True))
    return tuple(flags)


def reason_against(
    heading: str, text: str, value: float, quantity: Property, flags: Sequence[Flag], use: Collection[str]
) -> tuple[Reason | NoValue | None, str]:
    """Return why a value is not to be used, and what says so; None where nothing does.

    Parameters
    ----------
    heading, text, value
        The value, as written and as read, in the unit of RadonPy.
    flags
        Of its run.
    use
        Reasons that the user has waved through; one of them is returned only where there is no other.
    """
    if value == FAILED:
        return "failed", f"{heading} is {text}"
    if value == 0:
        return "pending", f"{heading} is {text}"
    found: list[tuple[Reason, str]] = [(flag.reason, flag.sign) for flag in flags if flag.concerns(heading)]
    if not is_possible(value, quantity):
        found.append(("impossible", f"{heading} is {text}"))
    return next((pair for pair in found if pair[0] not in use), found[0] if found else (None, ""))


def number_of(text: str) -> float:
    """Return the number that a cell of a result holds; nan where there is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def is_possible(value: float, quantity: Property) -> bool:
    """Whether a simulated value can be right, as written by RadonPy in its own units."""
    return bool(are_possible(np.array([value]), quantity)[0])


def are_possible(values: NDArray[np.float64], quantity: Property) -> NDArray[np.bool_]:
    """Do as :func:`is_possible` of many values; nan is not possible."""
    possible: NDArray[np.bool_] = values >= 0 if quantity.positive else np.isfinite(values)
    if quantity.plausible is None:
        return possible
    unit = quantity.bare_unit or quantity.unit
    way = conversion(unit, quantity) if unit else None
    canonical = values if way is None else values * way.factor + way.offset
    lowest, highest = quantity.plausible
    if not quantity.positive:
        return possible & (np.abs(canonical) <= highest * BEYOND_PLAUSIBLE)
    return possible & (lowest / BEYOND_PLAUSIBLE <= canonical) & (canonical <= highest * BEYOND_PLAUSIBLE)


def numbers_of(texts: Sequence[str]) -> NDArray[np.float64]:
    """Do as :func:`number_of` of many cells."""
    try:
        return np.array([text or "nan" for text in texts], dtype=np.float64)
    except ValueError:
        return np.array([number_of(text) for text in texts], dtype=np.float64)


def _is_no(text: str) -> bool:
    return text.strip().casefold() in _NO
