"""Values of one polymer that hold under several conditions are kept apart: which of them are compared, and why.

Simulations and measurements of one polymer at several temperatures, pressures or tacticities are not repeats of one another.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from affinecal_gui.tables.headings.stated_pressures import ATMOSPHERE, pressure_in_words
from affinecal_gui.tables.matching.condition_axis import ConditionAxis
from affinecal_gui.tables.matching.tacticities import ATACTIC, tacticities_of, tacticity_in_name
from affinecal_gui.tables.units.properties import TEMPERATURES
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_conditions import comparable_temperatures, pressures_of_values

USUAL_TOLERANCE = 10.0
"""Kelvin between the temperatures of two values that are compared, unless the user says otherwise."""

ROOM_TEMPERATURE = 298.15  # K; near it values hold that state no temperature
SAME_TEMPERATURE = 1.0  # K; values nearer to each other hold at one temperature

PRESSURE_TOLERANCE = 5.0
"""Megapascal between the pressures of two values that are compared: the density of a polymer changes by some 0.2 %."""

SAME_PRESSURE = 0.02  # MPa


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows of a measured polymer and of its partner that are compared."""

    measured: frozenset[int]
    md: frozenset[int]
    told: str = ""  # what the MD rows that count have in common, where there are others: "at 300 K, atactic"
    reason: str = ""  # why nothing can be compared, as the end of a sentence; "" where something can


@dataclass
class SameConditions:
    """Chooses among the rows of two tables; ``tolerance`` in K."""

    measured: PolymerTable
    md: PolymerTable
    property_key: str
    tolerance: float
    _unlike: Counter[tuple[str, str]] = field(default_factory=Counter)  # tacticities, measured and MD, of pairs

    def __post_init__(self) -> None:
        has_temperature = self.property_key not in TEMPERATURES
        self._temperature = ConditionAxis(
            comparable_temperatures(self.measured, "measured", self.property_key) if has_temperature else None,
            comparable_temperatures(self.md, "md", self.property_key) if has_temperature else None,
            "temperature",
            ROOM_TEMPERATURE,
            self.tolerance,
            SAME_TEMPERATURE,
            _kelvin,
            lambda apart: f"{apart:.3g} K",
        )
        self._pressure = ConditionAxis(
            pressures_of_values(self.measured, "measured", self.property_key),
            pressures_of_values(self.md, "md", self.property_key),
            "pressure",
            ATMOSPHERE,
            PRESSURE_TOLERANCE,
            SAME_PRESSURE,
            _pressures,
            lambda apart: f"{apart:.3g} MPa",
        )
        self._tacticity = tacticities_of(self.md)
        self._measured_tacticity = tacticities_of(self.measured)

    @property
    def keeps_apart(self) -> bool:
        """Whether a table states any condition."""
        return self._temperature.is_stated or self._pressure.is_stated or bool(self._tacticity)

    def chosen(self, measured: Sequence[int], md: Sequence[int]) -> Chosen:
        """Choose among the rows of a measured polymer, which may be none, and of the MD table."""
        own, rows, told = self._of_one_tacticity(measured, md)
        by_pressure = self._pressure.kept(own, rows)
        if by_pressure.reason:
            return Chosen(frozenset(measured), frozenset(md), reason=by_pressure.reason)
        kept = self._temperature.kept(by_pressure.measured, by_pressure.md)
        if kept.reason:
            return Chosen(frozenset(measured), frozenset(md), reason=kept.reason)
        words = ", ".join(part for part in (kept.told, told, by_pressure.told) if part)
        return Chosen(frozenset(kept.measured), frozenset(kept.md), words)

    def _of_one_tacticity(self, measured: Sequence[int], md: Sequence[int]) -> tuple[Sequence[int], Sequence[int], str]:
        """Choose the rows of the tacticity that the measured ones state, else of atactic ones."""
        if not self._tacticity:
            return measured, md, ""
        found: dict[str, list[int]] = {}
        for row in md:
            found.setdefault(self._tacticity[row] or ATACTIC, []).append(row)
        stated = {row: self._stated_tacticity(row) for row in measured}
        wanted = next((one for one in stated.values() if one in found), ATACTIC)
        wanted = wanted if wanted in found else max(found, key=lambda one: len(found[one]))
        own = [row for row in measured if stated[row] in ("", wanted)]
        is_stated = any(self._tacticity[row] for row in found[wanted])
        if is_stated and measured and not any(stated[row] == wanted for row in measured):
            others = [one for one in stated.values() if one]
            if others or wanted != ATACTIC:
                self._unlike[(others[0] if others else "", wanted)] += 1
        return own or measured, found[wanted], wanted if len(found) > 1 else ""

    def _stated_tacticity(self, row: int) -> str:
        of_column = self._measured_tacticity[row] if self._measured_tacticity else ""
        return of_column or tacticity_in_name(self.measured.names[row])

    def notes(self) -> list[str]:
        """Say how far apart the conditions of the values that were compared lie, or that they cannot be compared."""
        found = [*self._temperature.notes(), *self._pressure.notes()]
        for (own, other), count in sorted(self._unlike.items()):
            what = f"{own} polymers" if own else "polymers whose tacticity is not stated"
            values = "1 measured value is" if count == 1 else f"{count} measured values are"
            found.append(f"{values} of {what}, and compared with MD values of {other} chains.")
        return found


def _kelvin(values: Sequence[float]) -> str:
    return _listed([f"{value:g}" for value in values]) + " K"


def _pressures(values: Sequence[float]) -> str:
    return _listed([pressure_in_words(value) for value in values])


def _listed(shown: Sequence[str]) -> str:
    if len(shown) > 4:
        return f"{', '.join(shown[:4])} ..."
    return shown[0] if len(shown) < 2 else f"{', '.join(shown[:-1])} and {shown[-1]}"
