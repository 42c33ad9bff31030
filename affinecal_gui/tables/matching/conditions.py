"""Values of one polymer that hold under several conditions are kept apart: which of them are compared, and why.

Simulations of one polymer at several temperatures, pressures or tacticities, and measurements at several temperatures, are
not repeats of one another. A measured value is compared with the simulation whose temperature is nearest to its own, and
with none that is further away than a tolerance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from affinecal_gui.tables.cells.numbers import read_number
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.heading_words import words_of
from affinecal_gui.tables.units.properties import TEMPERATURES, find_property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.units.units import UnitProblem, conversion
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_temperatures import temperatures_of_values
from affinecal_gui.tables.words import is_missing_word

USUAL_TOLERANCE = 10.0
"""Kelvin between the temperatures of two values that are compared, unless the user says otherwise."""

ROOM_TEMPERATURE = 298.15  # K; near it values hold that state no temperature
SAME_TEMPERATURE = 1.0  # K; values nearer to each other hold at one temperature
_ATMOSPHERE = 1.01325e-4  # GPa

_PRESSURES = frozenset(("press", "pressure", "druck", "pression", "presión", "圧力", "压力"))
_TACTICITIES = ("isotactic", "syndiotactic", "atactic")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows of a measured polymer and of its partner that are compared."""

    measured: frozenset[int]
    md: frozenset[int]
    told: str = ""  # what the MD rows that count have in common, where there are others: "at 300 K, atactic"
    apart: float = 0.0  # K, between the two temperatures; 0 where they are not both stated
    reason: str = ""  # why nothing can be compared, as the end of a sentence; "" where something can


@dataclass
class SameConditions:
    """Chooses among the rows of two tables; ``tolerance`` in K."""

    measured: PolymerTable
    md: PolymerTable
    property_key: str
    tolerance: float
    compared: list[tuple[float, float]] = field(default_factory=list)  # K, measured and MD, of every pair
    unstated: list[tuple[float, float]] = field(default_factory=list)  # the same, where one of them is nan: not stated

    def __post_init__(self) -> None:
        has_condition = self.property_key not in TEMPERATURES
        self._kelvin = temperatures_of_values(self.md, "md", self.property_key) if has_condition else None
        self._measured_kelvin = (
            temperatures_of_values(self.measured, "measured", self.property_key) if has_condition else None
        )
        self._tacticity = _tacticities(self.md)
        self._measured_tacticity = _tacticities(self.measured)
        self._pressure = _pressures(self.md)

    @property
    def usual(self) -> float:
        """The temperature in kelvin at which most values were compared, and polymers without a measured value are taken."""
        return float(np.median([at for _, at in self.compared])) if self.compared else ROOM_TEMPERATURE

    @property
    def keeps_apart(self) -> bool:
        """Whether a table states any condition."""
        return (
            self._kelvin is not None
            or self._measured_kelvin is not None
            or bool(self._tacticity)
            or bool(self._pressure)
        )

    def chosen(self, measured: Sequence[int], md: Sequence[int]) -> Chosen:
        """Choose among the rows of a measured polymer, which may be none, and of the MD table."""
        told: list[str] = []
        rows = self._of_one_tacticity(measured, list(md), told)
        rows = self._of_one_pressure(rows, told)
        return self._of_one_temperature(list(measured), rows, told)

    def _of_one_tacticity(self, measured: Sequence[int], rows: list[int], told: list[str]) -> list[int]:
        if not self._tacticity or len(rows) < 2:
            return rows
        found: dict[str, list[int]] = {}
        for row in rows:
            found.setdefault(self._tacticity.get(row) or "atactic", []).append(row)
        if len(found) < 2:
            return rows
        stated = [self._stated_tacticity(row) for row in measured]
        wanted = next((one for one in stated if one in found), "atactic")
        wanted = wanted if wanted in found else max(found, key=lambda one: len(found[one]))
        told.append(wanted)
        return found[wanted]

    def _stated_tacticity(self, row: int) -> str:
        words = words_of(self.measured.names[row])
        named = next((one for one in _TACTICITIES if one in words), "")
        return self._measured_tacticity.get(row) or named

    def _of_one_pressure(self, rows: list[int], told: list[str]) -> list[int]:
        if not self._pressure or len(rows) < 2:
            return rows
        given = {row: self._pressure[row] for row in rows if row in self._pressure}
        if len({f"{value:.3g}" for value, _ in given.values()}) < 2:
            return rows
        nearest = min((value for value, _ in given.values()), key=lambda value: abs(value - _ATMOSPHERE))
        kept = [row for row in given if f"{given[row][0]:.3g}" == f"{nearest:.3g}"]
        told.append(f"at {given[kept[0]][1]}")
        return kept

    def _of_one_temperature(self, measured: list[int], rows: list[int], told: list[str]) -> Chosen:
        every = Chosen(frozenset(measured), frozenset(rows), ", ".join(told))
        stated = {row: kelvin for row in measured if np.isfinite(kelvin := self._of_measured(row))}
        groups = _groups(rows, self._kelvin) if self._kelvin is not None else {}
        if not groups:
            if stated:
                self.unstated.append((float(np.median(list(stated.values()))), np.nan))
            return every
        silent = [row for row in measured if row not in stated]
        # Of several that are equally near, the one nearest to room temperature; what states none is taken to hold there.
        pairs = [
            (abs(kelvin - at), abs(at - ROOM_TEMPERATURE), kelvin, at) for at in groups for kelvin in stated.values()
        ]
        nearest_room = min(groups, key=lambda at: abs(at - (self.usual if not measured else ROOM_TEMPERATURE)))
        apart, _, own, at = min(pairs, default=(0.0, 0.0, np.nan, nearest_room))
        counted = silent
        if stated and apart <= self.tolerance:
            counted = [row for row in measured if row in silent or abs(stated[row] - at) <= self.tolerance]
            if abs(at - ROOM_TEMPERATURE) > self.tolerance:
                counted = [row for row in counted if row in stated]
            self.compared.append((own, at))
        elif silent and abs(nearest_room - ROOM_TEMPERATURE) <= self.tolerance:
            at, apart = nearest_room, 0.0
        elif measured and not stated:
            self.unstated.append((np.nan, at))
        elif stated:
            where = _listed_kelvin(sorted(groups))
            return Chosen(
                frozenset(measured),
                frozenset(rows),
                reason=f"was measured at {_listed_kelvin(sorted(set(stated.values())))}, and its MD values hold at {where}: "
                f"further apart than {self.tolerance:g} K",
            )
        if len(groups) > 1:
            told.insert(0, f"at {at:g} K")
        return Chosen(frozenset(counted), frozenset(groups[at]), ", ".join(told), apart)

    def _of_measured(self, row: int) -> float:
        return float(self._measured_kelvin[row]) if self._measured_kelvin is not None else float("nan")

    def notes(self) -> list[str]:
        """Say how far the temperatures of the values that were compared lie apart, or that they cannot be compared."""
        return [*self._unstated_notes(), *self._apart_notes()]

    def _unstated_notes(self) -> list[str]:
        """Values that state no temperature hold near that of the room; where the others do not, this is told."""
        found = []
        for side, stated, silent in ((1, "MD", "measured"), (0, "measured", "MD")):
            far = [pair[side] for pair in self.unstated if abs(pair[side] - ROOM_TEMPERATURE) > self.tolerance]
            if far:
                count = f"{len(far)} {stated} value{'s hold' if len(far) > 1 else ' holds'}"
                where = f"{min(far):g} to {max(far):g} K" if max(far) - min(far) > SAME_TEMPERATURE else f"{far[0]:g} K"
                found.append(
                    f"{count} at {where}, and the {silent} values that they are compared with state no temperature. Is it "
                    "the same?"
                )
        return found

    def _apart_notes(self) -> list[str]:
        apart = [(own, at) for own, at in self.compared if abs(own - at) > 0.05]
        if not apart:
            return []
        own, at = ({f"{pair[side]:g}" for pair in apart} for side in (0, 1))
        count = f"{len(apart)} measured value{'s' if len(apart) > 1 else ''}"
        if len(own) == len(at) == 1:
            what = (
                f"{count} at {own.pop()} K {'are' if len(apart) > 1 else 'is'} compared with MD values at {at.pop()} K"
            )
        else:
            most = max(abs(one - other) for one, other in apart)
            what = f"{count} {'are' if len(apart) > 1 else 'is'} compared with MD values at up to {most:.3g} K more or less"
        return [f"{what}; up to {self.tolerance:g} K apart are allowed."]


def _groups(rows: Sequence[int], kelvin: np.ndarray) -> dict[float, list[int]]:
    """Group rows by temperature; those that state none belong to each group, and make none."""
    known = sorted((float(kelvin[row]), row) for row in rows if np.isfinite(kelvin[row]))
    groups: dict[float, list[int]] = {}
    at = np.nan
    for value, row in known:
        if not value - at <= SAME_TEMPERATURE:
            at = value
        groups.setdefault(at, []).append(row)
    silent = [row for row in rows if not np.isfinite(kelvin[row])]
    return {value: [*found, *silent] if len(groups) == 1 else found for value, found in groups.items()}


def _tacticities(table: PolymerTable) -> Mapping[int, str]:
    """Return the tacticity that a column states, by row; atactic is what has none."""
    cells = next((cells for heading, cells in table.details.items() if simplified(heading) == "tacticity"), ())
    called = {cell: cell.strip().casefold() for cell in set(cells) if not is_missing_word(cell.strip())}
    if len(set(called.values()) - {"none", "atactic"}) == 0:
        return {}  # atactic all
    return {row: "" if called[cell] == "none" else called[cell] for row, cell in enumerate(cells) if cell in called}


def _pressures(table: PolymerTable) -> Mapping[int, tuple[float, str]]:
    """Return pressures by row, in GPa and as written."""
    for heading, cells in table.details.items():
        name, unit = split_heading(heading)
        if simplified(name) not in _PRESSURES:
            continue
        written = unit or "atm"  # as RadonPy, which names no unit
        try:
            way = conversion(written, find_property("bulk_modulus"))
        except UnitProblem:
            continue
        read = {cell: read_number(cell).value for cell in set(cells)}
        stated = {cell: (value * way.factor, f"{value:g} {shortened(written)}") for cell, value in read.items()}
        if len({f"{value:.3g}" for value, _ in stated.values()}) < 2:
            return {}
        return {row: stated[cell] for row, cell in enumerate(cells) if np.isfinite(read[cell])}
    return {}


def _listed_kelvin(values: Sequence[float]) -> str:
    shown = [f"{value:g}" for value in values[:4]]
    more = " ..." if len(values) > 4 else ""
    return f"{', '.join(shown)}{more} K" if len(shown) < 2 or more else f"{', '.join(shown[:-1])} and {shown[-1]} K"
