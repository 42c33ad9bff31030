"""At which temperatures the MD values of a fit hold, and what that means for MD values that hold elsewhere.

Values are compared with MD values of their own temperature, within a tolerance; so are those that are calibrated afterwards.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.matching.conditions import ROOM_TEMPERATURE, SAME_TEMPERATURE, USUAL_TOLERANCE
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_temperatures import temperatures_of_rows


@dataclass(frozen=True, slots=True)
class MDTemperatures:
    """The range of temperatures of the MD values of a fit; nan where none of them states one."""

    lowest: float = math.nan  # K
    highest: float = math.nan  # K
    tolerance: float = USUAL_TOLERANCE  # K, how far from it an MD value may hold that is calibrated

    @property
    def are_stated(self) -> bool:
        """Whether the MD values of the fit state their temperatures."""
        return math.isfinite(self.lowest) and math.isfinite(self.highest)

    def beyond(self, kelvin: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which MD values hold too far from those of the fit; ``kelvin`` is nan where nothing is stated."""
        if not self.are_stated:
            return np.zeros(kelvin.shape, dtype=bool)
        return np.asarray((kelvin < self.lowest - self.tolerance) | (kelvin > self.highest + self.tolerance))

    @property
    def can_be(self) -> bool:
        """Whether these are a range and a tolerance, wherever they were read."""
        is_range = self.are_stated and self.lowest <= self.highest
        is_unknown = math.isnan(self.lowest) and math.isnan(self.highest)
        return (is_range or is_unknown) and 0.0 <= self.tolerance < math.inf

    @property
    def words(self) -> str:
        """The range, as the middle of a sentence."""
        return _range(self.lowest, self.highest)

    @property
    def reason(self) -> str:
        """Say why an MD value beyond them is not calibrated."""
        return (
            f"Its MD value holds at another temperature than those of the fit ({self.words}): further away than "
            f"{self.tolerance:g} K."
        )

    def notes_on(self, table: PolymerTable, property_key: str) -> tuple[str, ...]:
        """Say it of the MD values of a table, if it has any: see :meth:`notes`."""
        if not table.has("md", property_key):
            return ()
        has_md = np.isfinite(table.values[("md", property_key)].values)
        return self.notes(table.name, temperatures_of_rows(table, "md", property_key)[has_md])

    def notes(self, name: str, kelvin: NDArray[np.float64]) -> tuple[str, ...]:
        """Say of MD values that are calibrated how their temperatures lie to those of the fit, where that matters.

        Parameters
        ----------
        name
            Of their table.
        kelvin
            Of each MD value; nan where the table states none.
        """
        stated = kelvin[np.isfinite(kelvin)]
        silent, found = len(kelvin) - len(stated), list[str]()
        if not self.are_stated:
            far = stated[np.abs(stated - ROOM_TEMPERATURE) > self.tolerance]
            if len(far):
                found.append(
                    f"{name}: {_values(len(far))} at {_range(float(far.min()), float(far.max()))}, and those of the fit "
                    "state no temperature. Is it the same?"
                )
            return tuple(found)
        near = stated[~self.beyond(stated)]
        apart = np.maximum(self.lowest - near, near - self.highest)
        other = apart[apart > SAME_TEMPERATURE]
        if len(other):
            found.append(
                f"{name}: {_values(len(other))} at up to {float(other.max()):.3g} K more or less than those of the fit "
                f"({self.words}); up to {self.tolerance:g} K are allowed."
            )
        if silent and max(abs(self.lowest - ROOM_TEMPERATURE), abs(self.highest - ROOM_TEMPERATURE)) > self.tolerance:
            count = "1 MD value states" if silent == 1 else f"{silent} MD values state"
            found.append(f"{name}: {count} no temperature, and those of the fit hold at {self.words}. Is it the same?")
        return tuple(found)


UNKNOWN_TEMPERATURES = MDTemperatures()


def md_temperatures(kelvin: Iterable[float], tolerance: float) -> MDTemperatures:
    """Return the temperatures of the MD values of a fit, of which those that state none do not count."""
    stated = [one for one in kelvin if math.isfinite(one)]
    return MDTemperatures(min(stated), max(stated), tolerance) if stated else MDTemperatures(tolerance=tolerance)


def _values(count: int) -> str:
    return "1 MD value holds" if count == 1 else f"{count} MD values hold"


def _range(lowest: float, highest: float) -> str:
    return f"{lowest:g} K" if highest - lowest <= SAME_TEMPERATURE else f"{lowest:g} to {highest:g} K"
