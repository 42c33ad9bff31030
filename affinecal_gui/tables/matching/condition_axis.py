"""One condition under which values hold, temperature or pressure: which rows of two tables hold at nearly the same.

A measured value is compared with the simulation that is nearest to it, and with none that is further away than a tolerance.
A value that states nothing is taken to hold where values usually do: at room temperature, at the pressure of the air.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from affinecal_gui.tables.values.value_columns import FloatArray


@dataclass(frozen=True, slots=True)
class Kept:
    """The rows of a measured polymer and of its partner that hold under the same condition."""

    measured: tuple[int, ...]
    md: tuple[int, ...]
    told: str = ""  # where the MD rows hold that count, if there are others: "at 300 K"
    apart: float = 0.0  # between the two; 0 where they are not both stated
    reason: str = ""  # why nothing can be compared, as the end of a sentence; "" where something can


@dataclass
class ConditionAxis:
    """Chooses among rows by one condition.

    Parameters
    ----------
    measured, md
        (rows,) of the two tables; nan where a row states nothing, None where no row does.
    name
        "temperature".
    usual
        Where values hold that state nothing.
    tolerance
        How far apart two values may hold that are compared.
    same
        Values nearer to each other hold under one condition.
    words
        Puts values that are written side by side into words, "250, 300 and 400 K".
    apart_in_words
        Puts a distance into words.
    """

    measured: FloatArray | None
    md: FloatArray | None
    name: str
    usual: float
    tolerance: float
    same: float
    words: Callable[[Sequence[float]], str]
    apart_in_words: Callable[[float], str]
    compared: list[tuple[float, float]] = field(default_factory=list)  # measured and MD, of every pair
    unstated: list[tuple[float, float]] = field(default_factory=list)  # the same, where one of them is nan: not stated

    @property
    def is_stated(self) -> bool:
        """Whether a table states the condition."""
        return self.measured is not None or self.md is not None

    @property
    def mostly(self) -> float:
        """Where most values were compared, and polymers without a measured value are taken."""
        return float(np.median([at for _, at in self.compared])) if self.compared else self.usual

    def kept(self, measured: Sequence[int], rows: Sequence[int]) -> Kept:
        """Choose among the rows of a measured polymer, which may be none, and of the MD table."""
        every = Kept(tuple(measured), tuple(rows))
        own = self.measured
        stated = {row: float(own[row]) for row in measured if np.isfinite(own[row])} if own is not None else {}
        groups = self._groups(rows)
        if not groups:
            if stated:
                self.unstated.append((float(np.median(list(stated.values()))), np.nan))
            return every
        silent = [row for row in measured if row not in stated]
        # Of several that are equally near, the one nearest to the usual; what states none is taken to hold there.
        pairs = [(abs(value - at), abs(at - self.usual), value, at) for at in groups for value in stated.values()]
        nearest = min(groups, key=lambda at: abs(at - (self.usual if measured else self.mostly)))
        apart, _, value, at = min(pairs, default=(0.0, 0.0, np.nan, nearest))
        counted = silent
        if stated and apart <= self.tolerance:
            counted = [row for row in measured if row in silent or abs(stated[row] - at) <= self.tolerance]
            if abs(at - self.usual) > self.tolerance:
                counted = [row for row in counted if row in stated]
            self.compared.append((value, at))
        elif silent and abs(nearest - self.usual) <= self.tolerance:
            at, apart = nearest, 0.0
        elif measured and not stated:
            self.unstated.append((np.nan, at))
        elif stated:
            reason = (
                f"was measured at {self.words(sorted(set(stated.values())))}, and its MD values hold at "
                f"{self.words(sorted(groups))}: further apart than {self.apart_in_words(self.tolerance)}"
            )
            return Kept(every.measured, every.md, reason=reason)
        told = f"at {self.words([at])}" if len(groups) > 1 else ""
        return Kept(tuple(counted), tuple(groups[at]), told, apart)

    def _groups(self, rows: Sequence[int]) -> dict[float, list[int]]:
        """Group rows by where they hold; those that state nothing belong to the only group, and make none."""
        if self.md is None:
            return {}
        known = sorted((float(self.md[row]), row) for row in rows if np.isfinite(self.md[row]))
        groups: dict[float, list[int]] = {}
        at = np.nan
        for value, row in known:
            if not value - at <= self.same:
                at = value
            groups.setdefault(at, []).append(row)
        silent = [row for row in rows if not np.isfinite(self.md[row])]
        return {value: [*found, *silent] if len(groups) == 1 else found for value, found in groups.items()}

    def notes(self) -> list[str]:
        """Say how far apart the values that were compared hold, or that they cannot be compared."""
        return [*self._unstated_notes(), *self._apart_notes()]

    def _unstated_notes(self) -> list[str]:
        found = []
        for side, stated, silent in ((1, "MD", "measured"), (0, "measured", "MD")):
            far = sorted(pair[side] for pair in self.unstated if abs(pair[side] - self.usual) > self.tolerance)
            if far:
                count = f"{len(far)} {stated} value{'s hold' if len(far) > 1 else ' holds'}"
                ends = [far[0], far[-1]] if far[-1] - far[0] > self.same else far[:1]
                where = " to ".join(self.words([end]) for end in ends)
                found.append(
                    f"{count} at {where}, and the {silent} values that they are compared with state no {self.name}. Is it "
                    "the same?"
                )
        return found

    def _apart_notes(self) -> list[str]:
        apart = [(own, at) for own, at in self.compared if abs(own - at) > 0.05 * self.same]
        if not apart:
            return []
        own, at = ({self.words([pair[side]]) for pair in apart} for side in (0, 1))
        count = f"{len(apart)} measured value{'s' if len(apart) > 1 else ''}"
        are = "are" if len(apart) > 1 else "is"
        if len(own) == len(at) == 1:
            what = f"{count} at {own.pop()} {are} compared with MD values at {at.pop()}"
        else:
            most = max(abs(one - other) for one, other in apart)
            what = f"{count} {are} compared with MD values at up to {self.apart_in_words(most)} more or less"
        return [f"{what}; up to {self.apart_in_words(self.tolerance)} apart are allowed."]
