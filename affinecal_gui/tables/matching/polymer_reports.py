"""The polymers that a table reports for one property: their identity, and which rows are one polymer."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.notes import Note
from affinecal_gui.numbers import shortest
from affinecal_gui.polymers.chain.composition_ratio import composition_ratio
from affinecal_gui.polymers.chain.identity import PolymerIdentity
from affinecal_gui.polymers.copolymers.composition import identity_of, parse_composition
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.matching.combine_rules import COMBINE_WORDS, CombineRule
from affinecal_gui.tables.matching.differing_conditions import NO_CONDITIONS, find_conditions
from affinecal_gui.tables.matching.ids import same_id
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import FloatArray, ValueColumn
from affinecal_gui.task import Task


@dataclass(frozen=True, slots=True)
class Polymer:
    """One polymer of one table, with all rows that report it."""

    rows: tuple[int, ...]  # indices into the table, in its order
    value: float  # canonical unit; combined by the stated rule
    uncertainty: float  # the spread of several reports (sample standard deviation), else as given; nan when unknown
    known_identity: PolymerIdentity | None  # None where it was not worked out, or the table gives no repeat unit
    id: str = ""
    note: str = ""  # what was combined, as a sentence
    unused_rows: tuple[int, ...] = ()  # those of ``rows`` that do not count: by choice, or for their conditions
    unidentified: str = ""  # its repeat unit, where its identity was not worked out

    @property
    def counted_rows(self) -> tuple[int, ...]:
        """The rows that its value is made of."""
        return tuple(row for row in self.rows if row not in self.unused_rows) if self.unused_rows else self.rows

    @property
    def identity(self) -> PolymerIdentity | None:
        """What the polymer is, worked out now if it was not yet; None without a repeat unit that can be read."""
        if not self.unidentified:
            return self.known_identity
        try:
            return identity_of(self.unidentified)
        except InvalidRepeatUnit:
            return None

    @property
    def is_unreadable(self) -> bool:
        """Whether its repeat unit, of which the identity was not worked out, turns out to be none."""
        return bool(self.unidentified) and self.identity is None


IDENTIFIED_AT_ONCE = 20_000
"""Different repeat units up to which the identity of all is worked out; of more, only of those that can be a measured
polymer by their atoms: a millisecond for each would be minutes."""

ROWS_AT_ONCE = 2_000
POLYMERS_AT_ONCE = 50  # put together between two questions whether to stop


class ReportedPolymers:
    """One table: which rows have a value, what their identity is, and which rows are one polymer."""

    def __init__(
        self,
        table: PolymerTable,
        kind: ValueKind,
        property_key: str,
        rule: CombineRule,
        reports_off: Collection[int] = (),
    ) -> None:
        self.table, self.kind, self.rule = table, kind, rule
        self.reports_off = frozenset(reports_off)
        self.column: ValueColumn = table.values[(kind, property_key)]
        finite = np.isfinite(self.column.values)
        self.rows = [int(row) for row in np.flatnonzero(finite)]
        self.without_value = tuple(int(row) for row in np.flatnonzero(~finite))
        self.identities: dict[int, PolymerIdentity] = {}
        self.invalid: dict[int, RowProblem] = {}
        self.polymers: list[Polymer] = []
        self.of_row: dict[int, int] = {}
        self._conditions = NO_CONDITIONS
        self.called: dict[str, dict[str, int]] = {}  # by id: the polymers that it names (stereo key), and a row of each
        self.compared_by_text = 0  # repeat units whose identity was not worked out

    def identify(
        self,
        task: Task,
        start: float,
        end: float,
        known: "ReportedPolymers | None" = None,
        among: "ReportedPolymers | None" = None,
    ) -> None:
        """Work out the identity of every row that has a value and a repeat unit.

        Of a table of very many repeat units, only those are looked at that can be one of ``among`` by their atoms.
        """
        if known is not None:
            self.identities.update(known.identities)
            self.invalid.update(known.invalid)
        seen: dict[str, PolymerIdentity | str] = {}
        wanted = self._rows_that_can_be(among, task) if among is not None else self.rows
        for position, row in enumerate(wanted):
            if position % 50 == 0:
                task.check()
                share = position / max(len(wanted), 1)
                task.report(start + (end - start) * share, f"Comparing the polymers of {self.table.name}")
            text = self.table.smiles[row]
            if not text or row in self.identities or row in self.invalid:
                continue
            found = _identity(text, seen, task)
            if isinstance(found, str):
                self.invalid[row] = RowProblem(
                    self.table.lines[row], "", text[:200], found.rstrip("."), "Edit the repeat unit"
                )
            else:
                self.identities[row] = found
        if self.invalid:
            self.rows = [row for row in task.each(self.rows) if row not in self.invalid]
        self._ask_whom_ids_name(seen, task)

    def _rows_that_can_be(self, among: "ReportedPolymers", task: Task) -> list[int]:
        """Return the rows that can be one of other polymers by their atoms; all of them where there are not very many."""
        texts = {text for row in task.each(self.rows) if (text := self.table.smiles[row])}
        if len(texts) <= IDENTIFIED_AT_ONCE:
            return self.rows
        wanted = {
            composition_ratio(unit.smiles)
            for text in {among.table.smiles[row] for row in among.identities}
            for unit in parse_composition(text).units
        }
        if None in wanted:
            return self.rows
        wanted.add(None)
        can_be = {text for text in task.each(texts, ROWS_AT_ONCE) if composition_ratio(text) in wanted}
        self.compared_by_text = len(texts) - len(can_be)
        return [row for row in task.each(self.rows) if not self.table.smiles[row] or self.table.smiles[row] in can_be]

    def _ask_whom_ids_name(self, seen: "dict[str, PolymerIdentity | str]", task: Task) -> None:
        """Note which polymers every id names, also in rows without a value: an id of two polymers names neither."""
        ids = self.table.ids
        for row in task.each(self.rows):
            if row in self.identities and ids[row]:
                self.called.setdefault(same_id(ids[row]), {}).setdefault(self.identities[row].stereo_key, row)
        if not self.without_value:
            return
        used = {same_id(ids[row]) for row in task.each(self.rows) if ids[row]}
        for row in task.each(self.without_value):
            text = self.table.smiles[row]
            if ids[row] and text and (known := same_id(ids[row])) in used:
                found = _identity(text, seen, task)
                if not isinstance(found, str):
                    self.called.setdefault(known, {}).setdefault(found.stereo_key, row)

    def group(self, task: Task) -> None:
        """Put the rows of one polymer together; marks of double bonds and stereocentres tell polymers apart.

        A row without repeat unit belongs to the only polymer that has its id.
        """
        groups: dict[tuple[str, str], list[int]] = {}
        for row in task.each(self.rows):
            identity = self.identities.get(row)
            if identity is not None:
                key = ("polymer", identity.stereo_key)
            elif self.table.smiles[row]:
                key = ("text", self.table.smiles[row])
            else:
                known = same_id(self.table.ids[row])
                named = self.called.get(known, {})
                key = ("polymer", next(iter(named))) if len(named) == 1 else ("id", known)
            groups.setdefault(key, []).append(row)
        several = [rows for rows in groups.values() if len(rows) > 1]
        self._conditions = find_conditions(self.table, several, self.column, task=task)
        for rows in task.each(groups.values(), POLYMERS_AT_ONCE):
            for row in rows:
                self.of_row[row] = len(self.polymers)
            self.polymers.append(self._polymer(tuple(rows)))

    def count_only(self, index: int, rows: Collection[int], what: str = "") -> None:
        """Let only some rows of a polymer count; ``what`` says what they have in common: "at 300 K"."""
        polymer = self.polymers[index]
        if set(polymer.counted_rows) - set(rows):
            self.polymers[index] = self._polymer(polymer.rows, rows, what)

    def _polymer(self, rows: tuple[int, ...], among: Collection[int] | None = None, what: str = "") -> Polymer:
        eligible = [row for row in rows if among is None or row in among]
        counted = [row for row in eligible if row not in self.reports_off] or eligible
        unused = tuple(row for row in rows if row not in counted)
        chosen_off = [row for row in eligible if row not in counted]
        values = self.column.values[counted]
        own = self.column.uncertainty[counted]
        weights = self.column.repeats[counted] if self.column.repeats is not None else np.ones(len(counted))
        value = combined(values, self.rule, weights)
        first_id = next((self.table.ids[row] for row in rows if self.table.ids[row]), "")
        identity = next((self.identities[row] for row in rows if row in self.identities), None)
        units = (self.table.smiles[row] for row in rows if self.table.smiles[row])
        text = "" if identity is not None else next(units, "")
        if len(rows) == 1:
            return Polymer(rows, value, float(own[0]), identity, first_id, unidentified=text)
        how = COMBINE_WORDS[self.rule]
        if chosen_off:
            off = f"line{'s' if len(chosen_off) > 1 else ''} {listed_lines([self.table.lines[row] for row in chosen_off])}"
            how = "the one you chose" if len(counted) == 1 else f"{how} without {off}, as you chose,"
        if among is not None:
            how = f"the one {what}" if len(counted) == 1 else f"{COMBINE_WORDS[self.rule]} {what}"
        kind = "measured" if self.kind == "measured" else "MD"
        lines = listed_lines([self.table.lines[row] for row in rows])
        doubt = _difference(values)
        under = self._conditions.told_of(counted)
        note = Note(
            f"{self.table.label(rows[0])} has {len(rows)} {kind} values in {self.table.name} (lines {lines}); {how} is used."
            f"{under}{doubt}",
            subject=self.table.label(rows[0]),
            of_several=f"polymers have several {kind} values in {self.table.name}; {how} is used."
            + (self._conditions.told_of_all() if under else "")
            + (" They differ widely: are all of one polymer, phase and unit?" if doubt else ""),
        )
        uncertainty = float(np.std(values, ddof=1)) if len(counted) > 1 else float(own[0])
        return Polymer(rows, value, uncertainty, identity, first_id, note, unused, text)


def _identity(text: str, seen: "dict[str, PolymerIdentity | str]", task: Task) -> "PolymerIdentity | str":
    """Return the identity of a repeat unit, or why there is none; what was found before is kept in ``seen``."""
    if text not in seen:
        task.check()
        try:
            seen[text] = identity_of(text)
        except InvalidRepeatUnit as problem:
            seen[text] = str(problem)
    return seen[text]


FAR_APART = 0.3
"""Of the middle of several reports of one polymer: a larger difference is no scatter of measurements."""


def _difference(values: FloatArray) -> str:
    """Ask about reports that are too far apart to be of the same quantity, as the end of a note."""
    lowest, highest, middle = float(values.min()), float(values.max()), abs(float(np.median(values)))
    if not highest - lowest > FAR_APART * middle:
        return ""
    apart = f" by {100 * (highest - lowest) / middle:.0f} %" if middle > 0 and highest - lowest < 10 * middle else ""
    ends = f"from {shortest(lowest, 4)} to {shortest(highest, 4)}"
    return f" They differ{apart}, {ends}: are all of this polymer, phase and unit?"


def combined(values: FloatArray, rule: CombineRule, weights: FloatArray | None = None) -> float:
    """Make one value of several reports by a stated rule."""
    if len(values) == 1:
        return float(values[0])
    if rule == "median":
        return float(np.median(values))
    if rule == "first":
        return float(values[0])
    if rule == "last":
        return float(values[-1])
    if rule == "weighted" and weights is not None and np.isfinite(weights).all() and (weights > 0).all():
        return float(np.average(values, weights=weights))
    return float(np.mean(values))


def listed_lines(numbers: Sequence[int]) -> str:
    """Return line numbers as they stand in a sentence; only the first of many."""
    shown = ", ".join(map(str, numbers[:6]))
    return shown + (" ..." if len(numbers) > 6 else "")
