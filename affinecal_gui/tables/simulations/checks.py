"""What a run of RadonPy says of itself: which of its values failed a check, and why they are not used unasked."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.simulations.reasons import NoValue, Reason
from affinecal_gui.tables.simulations.run_columns import of_conductivity
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.units.units import conversion
from affinecal_gui.tables.words import is_missing_word

ORIENTED_FROM = 0.1
"""Nematic order parameter from which on RadonPy calls a cell partially oriented."""

FAILED = -9999.0  # as Spacier writes it; 0 for what is pending

BEYOND_PLAUSIBLE = 2.0
"""Factor beyond the range in which values of polymers lie from which on a simulated value is impossible."""

CHECK_COLUMNS = ("check_eq", "check_tc", "do_TC", "remarks", "nematic_order_parameter")

AS_RADONPY: Mapping[str, str] = {}
"""No heading is called otherwise than by RadonPy."""

_CHECKS = {simplified(heading): heading for heading in CHECK_COLUMNS}
_OTHER_CHECKS = frozenset(
    map(
        simplified,
        ("equilibrated", "is_equilibrated", "converged", "is_converged", "equilibriert", "konvergiert", "équilibré"),
    )
)
"""What other programs call the check of the equilibrium."""

_YES = frozenset(
    (
        *("true", "t", ".true.", ".t.", "yes", "y", "ok", "okay", "pass", "passed", "good", "done", "✓", "✔", "☑"),
        *("wahr", "ja", "j", "vrai", "oui", "verdadero", "verdadeiro", "vero", "sí", "si", "sì", "sim", "да", "истина"),
        *("真", "是", "はい", "○", "예", "참", "reached", "equilibrated", "converged"),
    )
)
_NO = frozenset(
    (
        *("false", "f", ".false.", ".f.", "no", "n", "fail", "failed", "not ok", "bad", "✗", "✘", "☒"),
        *("falsch", "nein", "faux", "non", "falso", "não", "ложь", "нет"),
        *("偽", "假", "否", "いいえ", "×", "아니오", "거짓"),
        *("not reached", "not equilibrated", "not converged", "unconverged"),
    )
)
_ERROR = re.compile(r"\berror\s*[:\]]|\[\s*error\b")
_NO_EQUILIBRIUM = re.compile(r"\bnot (?:yet )?reach(?:ed)?\b.{0,12}\bequilibrium|\bnot (?:been )?equilibrated\b")
_ORIENTED = re.compile(r"\bpartially oriented\b")


@dataclass(frozen=True, slots=True)
class Flag:
    """Something a run says of its values."""

    reason: Reason
    sign: str  # what stands there: "check_eq is False"
    conductivity_only: bool = False

    def concerns(self, heading: str) -> bool:
        """Whether the values under a heading are set aside for it."""
        return not self.conductivity_only or of_conductivity(heading)


def flags_of(run: Mapping[str, str], called: Mapping[str, str] = AS_RADONPY) -> tuple[Flag, ...]:
    """Return what a run says against its values, the worst first.

    Parameters
    ----------
    run
        Cells by heading; a heading that is not there, or an empty cell, says nothing.
    called
        Headings of the table at hand, where they are others than RadonPy's.
    """

    def sign_of(check: str) -> str:
        return f"{called.get(check, check)} is {run[check]}"

    remarks = run.get("remarks", "")
    said = remarks.casefold()
    flags = []
    if not _is_passed(run.get("check_eq", "")):
        flags.append(Flag("not-equilibrated", sign_of("check_eq")))
    elif _NO_EQUILIBRIUM.search(said):
        flags.append(Flag("not-equilibrated", remarks))
    order = float(numbers_of([run.get("nematic_order_parameter", "")])[0])
    if order >= ORIENTED_FROM:
        flags.append(Flag("oriented", sign_of("nematic_order_parameter")))
    elif _ORIENTED.search(said):
        flags.append(Flag("oriented", remarks))
    if _ERROR.search(said) and not flags:
        flags.append(Flag("other-error", remarks))
    if not _is_passed(run.get("do_TC", "")):
        flags.append(Flag("no-conductivity", sign_of("do_TC"), conductivity_only=True))
    elif not _is_passed(run.get("check_tc", "")):
        flags.append(Flag("conductivity-check", sign_of("check_tc"), conductivity_only=True))
    return tuple(flags)


def check_columns(headings: Sequence[str]) -> dict[str, int]:
    """Return where RadonPy's checks stand among headings, however they are spelled: number of the column by check.

    >>> check_columns(["id", "Check EQ", "remarks"])
    {'check_eq': 1, 'remarks': 2}
    """
    found: dict[str, int] = {}
    for number, heading in enumerate(headings):
        check = heading if heading in CHECK_COLUMNS else _CHECKS.get(simplified(heading))
        if check is not None and (check not in found or heading == check):
            found[check] = number
    return found


def may_be_other_check(heading: str) -> bool:
    """Whether the heading of another program speaks of equilibrium, which its cells may say yes or no to."""
    return simplified(heading) in _OTHER_CHECKS


def say_yes_or_no(cells: Collection[str]) -> bool:
    """Whether most of what cells say is yes or no."""
    said = {cell.strip().casefold() for cell in cells if not is_missing_word(cell)}
    return 0 < len(said) <= 2 * sum(text in _YES or text in _NO or number_of(text) in (0.0, 1.0) for text in said)


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
    """Return the number that a cell holds as RadonPy writes it; nan where there is none."""
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
    """Do as :func:`number_of` of many cells, which may have been through a spreadsheet that writes decimal commas."""
    try:
        return np.array([text or "nan" for text in texts], dtype=np.float64)
    except ValueError:
        return np.array([_with_either_mark(text) for text in texts], dtype=np.float64)


def _with_either_mark(text: str) -> float:
    return number_of(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)


def _is_passed(text: str) -> bool:
    """Whether a check was passed, or not made; what is neither yes nor no has not been passed."""
    return is_missing_word(text.strip()) or text.strip().casefold() in _YES or number_of(text) == 1.0
