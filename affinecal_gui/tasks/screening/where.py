"""Wishes as a person writes them: ``Tg > 400 and density < 1.2``. A small grammar; nothing of it is ever run.

    wishes   one wish, or several with "and" between them
    wish     NAME > NUMBER UNIT        also <, >=, <=, ≥, ≤, "at least", "at most"
             NUMBER < NAME < NUMBER UNIT
             NAME between NUMBER and NUMBER UNIT
             NAME as high as possible        also "as low as possible"

NAME is a property of one of the calibrators: its key, title, symbol, or any name by which a heading is understood. Without
UNIT the number is in the unit of the calibrator, which is said.
"""

import math
import re
from collections.abc import Sequence

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.property_names import named_among
from affinecal_gui.tables.units.units import UnitProblem, conversion
from affinecal_gui.tasks.screening.wished import Goal, Wishes

_NUMBER = r"([+\-−]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+\-−]?\d{1,3})?)"
_UNIT = r"\s*([^<>=≥≤\d\s][^<>=≥≤]*?)?"
_NAME = r"([^<>=≥≤]*?[^<>=≥≤\s])"
_LESS, _MORE = r"(?:<=|<|≤)", r"(?:>=|>|≥)"
_EITHER = rf"({_LESS}|{_MORE}|\bat\s+least\b|\bat\s+most\b)"

_GOAL = re.compile(rf"{_NAME}\s+as\s+(high|low)\s+as\s+possible", re.IGNORECASE)
_BETWEEN = re.compile(rf"{_NAME}\s+between\s+{_NUMBER}{_UNIT}\s+and\s+{_NUMBER}{_UNIT}", re.IGNORECASE)
_ONE_SIDED = re.compile(rf"{_NAME}\s*{_EITHER}\s*{_NUMBER}{_UNIT}", re.IGNORECASE)
_UPWARDS = re.compile(rf"{_NUMBER}{_UNIT}\s*{_LESS}\s*{_NAME}\s*{_LESS}\s*{_NUMBER}{_UNIT}", re.IGNORECASE)
_DOWNWARDS = re.compile(rf"{_NUMBER}{_UNIT}\s*{_MORE}\s*{_NAME}\s*{_MORE}\s*{_NUMBER}{_UNIT}", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_IS_BETWEEN = re.compile(r"\sbetween\s", re.IGNORECASE)


def read_wishes(text: str, quantities: Sequence[Property]) -> tuple[Wishes, list[str]]:
    """Read wishes.

    Parameters
    ----------
    text
        As a person writes them.
    quantities
        The properties that are calibrated.

    Returns
    -------
    (Wishes, list of str)
        And in which units numbers were read that name none, in sentences.

    Raises
    ------
    UserError
        A part is not understood, names a property that is not calibrated or another unit, or contradicts another part.
    """
    reading = _Reading(quantities)
    for part in _parts(text):
        reading.take(part)
    for key, (low, high) in reading.bounds.items():
        if low >= high:
            raise UserError(f"--where: no polymer can have {key} above {low:g} and below {high:g} at once.")
    return Wishes(reading.bounds, reading.goals), reading.notes


def _parts(text: str) -> list[str]:
    """Divide wishes at "and", but for that of "between … and …"."""
    parts: list[str] = []
    open_between = False
    for piece in _AND.split(text.strip()):
        if open_between:
            parts[-1] += f" and {piece}"
            open_between = False
        else:
            parts.append(piece.strip())
            open_between = _IS_BETWEEN.search(piece) is not None
    return parts


class _Reading:
    """What has been read so far."""

    def __init__(self, quantities: Sequence[Property]) -> None:
        self._quantities = quantities
        self.bounds: dict[str, tuple[float, float]] = {}
        self.goals: dict[str, Goal] = {}
        self.notes: list[str] = []

    def take(self, part: str) -> None:
        """Read one wish."""
        if found := _GOAL.fullmatch(part):
            quantity = self._named(found[1])
            self.goals[quantity.key] = "high" if found[2].lower() == "high" else "low"
        elif found := _BETWEEN.fullmatch(part):
            name, low, low_unit, high, high_unit = found.groups()
            self._both(name, (low, low_unit or high_unit), (high, high_unit or low_unit))
        elif found := _ONE_SIDED.fullmatch(part):
            quantity = self._named(found[1])
            number = self._number(found[3], found[4], quantity)
            upwards = found[2][0] in ">≥" or found[2].lower().endswith("least")
            self._narrow(quantity, *((number, math.inf) if upwards else (-math.inf, number)))
        elif found := _UPWARDS.fullmatch(part):
            low, low_unit, name, high, high_unit = found.groups()
            self._both(name, (low, low_unit or high_unit), (high, high_unit or low_unit))
        elif found := _DOWNWARDS.fullmatch(part):
            high, high_unit, name, low, low_unit = found.groups()
            self._both(name, (low, low_unit or high_unit), (high, high_unit or low_unit))
        else:
            raise UserError(
                f"--where: “{shortened(part) or 'nothing'}” is not understood. Write wishes such as “Tg > 400 K and density "
                "between 1.0 and 1.2”, or “density as low as possible”."
            )

    def _both(self, name: str, low: tuple[str, str | None], high: tuple[str, str | None]) -> None:
        quantity = self._named(name)
        self._narrow(quantity, self._number(*low, quantity), self._number(*high, quantity))

    def _narrow(self, quantity: Property, low: float, high: float) -> None:
        before = self.bounds.get(quantity.key, (-math.inf, math.inf))
        self.bounds[quantity.key] = max(before[0], low), min(before[1], high)

    def _named(self, name: str) -> Property:
        found = named_among(name, self._quantities)
        if found is not None:
            return found
        listed = ", ".join(f"{quantity.title.lower()} ({quantity.key})" for quantity in self._quantities)
        raise UserError(f"--where: no calibrator is of “{shortened(name)}”; there are those of {listed}.")

    def _number(self, text: str, unit: str | None, quantity: Property) -> float:
        number = float(text.replace("−", "-"))
        if not math.isfinite(number):
            raise UserError(f"--where: {text} is too large to be a value of {quantity.title.lower()}.")
        if not unit:
            if quantity.unit:
                note = f"--where: {text} is read in {quantity.unit}, the unit of the calibrator of {quantity.title.lower()}."
                self.notes.append(note)
            return number
        try:
            way = conversion(unit.strip(), quantity)
        except UnitProblem as problem:
            raise UserError(f"--where: {str(problem).rstrip('.')}.") from None
        if way.needs_molar_mass:
            raise UserError(f"--where: {unit} is not the same for every polymer; write the bound in {quantity.unit}.")
        return float(way.apply(np.array([number]))[0])
