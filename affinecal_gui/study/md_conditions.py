"""Under which conditions the MD values of a fit hold, and what that means for MD values that hold elsewhere.

Values are compared with MD values of their own temperature and pressure, within a tolerance; so are those that are calibrated
afterwards.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.headings.stated_pressures import ATMOSPHERE, pressure_in_words
from affinecal_gui.tables.matching.conditions import (
    PRESSURE_TOLERANCE,
    ROOM_TEMPERATURE,
    SAME_PRESSURE,
    SAME_TEMPERATURE,
    USUAL_TOLERANCE,
)
from affinecal_gui.tables.matching.tacticities import tacticities_of
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import possible
from affinecal_gui.tables.values.value_conditions import pressures_of_rows, temperatures_of_rows


@dataclass(frozen=True, slots=True)
class _MDRange:
    """The range of one condition of the MD values of a fit; nan where none of them states it."""

    lowest: float = math.nan
    highest: float = math.nan
    tolerance: float = 0.0  # how far from it an MD value may hold that is calibrated

    noun: ClassVar[str]
    usual: ClassVar[float]  # where values hold that state nothing
    same: ClassVar[float]  # values nearer to each other hold under one condition

    @classmethod
    def of(cls, values: Iterable[float], tolerance: float) -> Self:
        """Return the range of the MD values of a fit, of which those that state nothing do not count."""
        stated = [one for one in values if math.isfinite(one)]
        return cls(min(stated), max(stated), tolerance) if stated else cls(tolerance=tolerance)

    @staticmethod
    def _apart_in_words(apart: float) -> str:
        raise NotImplementedError

    @staticmethod
    def _range_in_words(lowest: float, highest: float) -> str:
        raise NotImplementedError

    @property
    def are_stated(self) -> bool:
        """Whether the MD values of the fit state the condition."""
        return math.isfinite(self.lowest) and math.isfinite(self.highest)

    def beyond(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which MD values hold too far from those of the fit; nan where nothing is stated."""
        if not self.are_stated:
            return np.zeros(values.shape, dtype=bool)
        return np.asarray((values < self.lowest - self.tolerance) | (values > self.highest + self.tolerance))

    @property
    def can_be(self) -> bool:
        """Whether these are a range and a tolerance, wherever they were read."""
        is_range = self.are_stated and self.lowest <= self.highest
        is_unknown = math.isnan(self.lowest) and math.isnan(self.highest)
        return (is_range or is_unknown) and 0.0 <= self.tolerance < math.inf

    @property
    def words(self) -> str:
        """The range, as the middle of a sentence."""
        return self._range_in_words(self.lowest, self.highest)

    @property
    def tolerance_in_words(self) -> str:
        """The tolerance, with its unit."""
        return self._apart_in_words(self.tolerance)

    @property
    def reason(self) -> str:
        """Say why an MD value beyond them is not calibrated."""
        return (
            f"Its MD value holds at another {self.noun} than those of the fit ({self.words}): further away than "
            f"{self.tolerance_in_words}."
        )

    def notes(self, name: str, values: NDArray[np.float64]) -> tuple[str, ...]:
        """Say of MD values that are calibrated how they lie to those of the fit, where that matters.

        Parameters
        ----------
        name
            Of their table.
        values
            Of each MD value; nan where the table states none.
        """
        stated = values[np.isfinite(values)]
        silent, found = len(values) - len(stated), list[str]()
        if not self.are_stated:
            far = stated[np.abs(stated - self.usual) > self.tolerance]
            if len(far):
                where = self._range_in_words(float(far.min()), float(far.max()))
                found.append(
                    f"{name}: {_values(len(far))} at {where}, and those of the fit state no {self.noun}. Is it the same?"
                )
            return tuple(found)
        near = stated[~self.beyond(stated)]
        apart = np.maximum(self.lowest - near, near - self.highest)
        other = apart[apart > self.same]
        if len(other):
            found.append(
                f"{name}: {_values(len(other))} at up to {self._apart_in_words(float(other.max()))} more or less than "
                f"those of the fit ({self.words}); up to {self.tolerance_in_words} are allowed."
            )
        if silent and max(abs(self.lowest - self.usual), abs(self.highest - self.usual)) > self.tolerance:
            count = "1 MD value states" if silent == 1 else f"{silent} MD values state"
            found.append(f"{name}: {count} no {self.noun}, and those of the fit hold at {self.words}. Is it the same?")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class MDTemperatures(_MDRange):
    """The range of temperatures of the MD values of a fit, K."""

    tolerance: float = USUAL_TOLERANCE

    noun: ClassVar[str] = "temperature"
    usual: ClassVar[float] = ROOM_TEMPERATURE
    same: ClassVar[float] = SAME_TEMPERATURE

    @staticmethod
    def _apart_in_words(apart: float) -> str:
        return f"{float(f'{apart:.3g}'):g} K"

    @staticmethod
    def _range_in_words(lowest: float, highest: float) -> str:
        return f"{lowest:g} K" if highest - lowest <= SAME_TEMPERATURE else f"{lowest:g} to {highest:g} K"


@dataclass(frozen=True, slots=True)
class MDPressures(_MDRange):
    """The range of pressures of the MD values of a fit, MPa."""

    tolerance: float = PRESSURE_TOLERANCE

    noun: ClassVar[str] = "pressure"
    usual: ClassVar[float] = ATMOSPHERE
    same: ClassVar[float] = SAME_PRESSURE

    @staticmethod
    def _apart_in_words(apart: float) -> str:
        return f"{apart:.3g} MPa"

    @staticmethod
    def _range_in_words(lowest: float, highest: float) -> str:
        low, high = pressure_in_words(lowest), pressure_in_words(highest)
        return low if highest - lowest <= SAME_PRESSURE else f"{low} to {high}"


@dataclass(frozen=True, slots=True)
class MDConditions:
    """Under which conditions the MD values of a fit hold."""

    temperatures: MDTemperatures = MDTemperatures()
    pressures: MDPressures = MDPressures()
    tacticities: tuple[str, ...] = ()  # that they name

    @property
    def words(self) -> str:
        """The conditions that are stated, as the middle of a sentence: "300 K and 1 atm"; "" where none is."""
        return " and ".join(one.words for one in (self.temperatures, self.pressures) if one.are_stated)

    def with_tolerance(self, kelvin: float) -> "MDConditions":
        """Let MD values be calibrated that hold so far from those of the fit."""
        return replace(self, temperatures=replace(self.temperatures, tolerance=kelvin))

    def reasons(self, kelvin: NDArray[np.float64], megapascal: NDArray[np.float64]) -> list[str]:
        """Say of each MD value why it is not calibrated; "" of those that are."""
        pairs = zip(
            self.temperatures.beyond(possible(kelvin)).tolist(), self.pressures.beyond(megapascal).tolist(), strict=True
        )
        return [
            self.temperatures.reason if is_too_warm else self.pressures.reason if is_too_high else ""
            for is_too_warm, is_too_high in pairs
        ]

    def reasons_in(self, table: PolymerTable, property_key: str) -> list[str]:
        """Do as :meth:`reasons` of the rows of a table."""
        return self.reasons(
            temperatures_of_rows(table, "md", property_key), pressures_of_rows(table, "md", property_key)
        )

    def notes_on(self, table: PolymerTable, property_key: str) -> tuple[str, ...]:
        """Say of the MD values of a table how they lie to those of the fit, where that matters."""
        if not table.has("md", property_key):
            return ()
        has_md = np.isfinite(table.values[("md", property_key)].values)
        return (
            *self.temperatures.notes(table.name, possible(temperatures_of_rows(table, "md", property_key))[has_md]),
            *self.pressures.notes(table.name, pressures_of_rows(table, "md", property_key)[has_md]),
            *self._of_tacticities(table, np.flatnonzero(has_md).tolist()),
        )

    def _of_tacticities(self, table: PolymerTable, rows: Sequence[int]) -> list[str]:
        """Tell where chains are of a tacticity that the fit does not know: that is another polymer, and no condition."""
        named = tacticities_of(table)
        others = sorted({named[row] for row in rows if named[row]} - set(self.tacticities)) if named else []
        if not (others and self.tacticities):
            return []
        count = sum(named[row] in others for row in rows)
        values = "1 MD value is" if count == 1 else f"{count} MD values are"
        return [
            f"{table.name}: {values} of {' and '.join(others)} chains, and those of the fit of "
            f"{' and '.join(self.tacticities)} ones."
        ]


UNKNOWN_CONDITIONS = MDConditions()


def _values(count: int) -> str:
    return "1 MD value holds" if count == 1 else f"{count} MD values hold"
