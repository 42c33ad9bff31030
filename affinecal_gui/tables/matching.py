"""Which measured polymer is which simulated one: by id where both tables have ids, else by polymer identity.

Two texts denote the same polymer when they generate the same infinite chain. Rows of one table that are one polymer are
kept together as one polymer with several reports. Nothing is dropped: every row ends up in exactly one place, with
the reason.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from affinecal_gui.polymers.composition import composition_identity, parse_composition
from affinecal_gui.polymers.identity import PolymerIdentity
from affinecal_gui.polymers.repeat_unit import InvalidRepeatUnit
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if, stoppable
from affinecal_gui.tables.column_roles import ValueKind
from affinecal_gui.tables.combine_rules import COMBINE_WORDS, CombineRule
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.polymer_table import PolymerTable
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.properties import find_property
from affinecal_gui.tables.value_columns import FloatArray, ValueColumn

Way = Literal["id", "repeat unit", "by hand"]


@dataclass(frozen=True, slots=True)
class Polymer:
    """One polymer of one table, with all rows that report it."""

    rows: tuple[int, ...]  # indices into the table, in its order
    value: float  # canonical unit; combined by the stated rule
    uncertainty: float  # the spread of several reports (sample standard deviation), else as given; nan when unknown
    identity: PolymerIdentity | None  # None when the table gives no repeat unit
    id: str = ""
    note: str = ""  # what was combined, as a sentence
    unused_rows: tuple[int, ...] = ()  # those of ``rows`` whose reports the user does not want to count


@dataclass(frozen=True, slots=True)
class Link:
    """A measured polymer and the simulated one that it is."""

    measured: int  # index into MatchReport.measured
    library: int  # index into MatchReport.library
    way: Way
    rewritten: bool  # the repeat units are written differently in the two tables
    note: str = ""  # what was ignored or contradicted, as a sentence


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A measured polymer without MD value."""

    measured: int  # index into MatchReport.measured
    state: Literal["no MD value", "ambiguous"]
    reason: str  # a sentence
    candidates: tuple[int, ...] = ()  # indices into MatchReport.library, of an ambiguous one


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The result of comparing two tables for one property; every row is in exactly one place."""

    property_key: str
    measured: tuple[Polymer, ...]  # every measured polymer, in the order of the file
    library: tuple[Polymer, ...]  # every polymer with an MD value, in the order of the file
    links: tuple[Link, ...]  # in the order of the measured polymers
    unmatched: tuple[Unmatched, ...]
    measured_without_value: tuple[int, ...]  # rows of the measured table that hold no value of this property
    md_without_value: tuple[int, ...]
    measured_invalid: tuple[RowProblem, ...]  # rows whose repeat unit cannot be read
    md_invalid: tuple[RowProblem, ...]
    notes: tuple[str, ...]  # sentences: duplicates, ignored marks, contradicting ids
    rule: CombineRule = "median"

    @property
    def summary(self) -> str:
        """One sentence: "62 of 81 measured polymers have an MD value."."""
        total, found = len(self.measured), len(self.links)
        noun, verb = ("polymer", "has") if total == 1 else ("polymers", "have" if found != 1 else "has")
        return f"{found:,} of {total:,} measured {noun} {verb} an MD value."

    @property
    def library_index(self) -> Mapping[int, int]:
        """Index into ``library`` by index into ``measured``."""
        return {link.measured: link.library for link in self.links}


def match(
    measured: PolymerTable,
    md: PolymerTable,
    property_key: str,
    *,
    rule: CombineRule = "median",
    by_hand: Mapping[int, int] | None = None,
    reports_off: Collection[int] = (),
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> MatchReport:
    """Find the MD value of every measured polymer.

    Parameters
    ----------
    measured, md
        The two tables; the same one twice when a file holds both kinds of values.
    property_key
        The property, which ``measured`` has measured and ``md`` simulated values of.
    rule
        How several reports of one polymer become one value.
    by_hand
        Links set by the user: row of ``measured`` -> row of ``md``; they come before everything else.
    reports_off
        Rows of ``measured`` that do not count where a polymer is reported several times; if none would be left, all count.

    Raises
    ------
    TableError
        One of the tables has no value of the property.
    """
    name = find_property(property_key).title.lower()
    for table, kind in ((measured, "measured"), (md, "md")):
        if not table.has(kind, property_key):  # type: ignore[arg-type]
            word = "measured" if kind == "measured" else "MD"
            raise TableError(f"{table.name} has no {word} values of {name}. Choose another property or file.")
    first = _Side(measured, "measured", property_key, rule, reports_off)
    second = _Side(md, "md", property_key, rule)
    first.identify(progress, cancelled, 0.0, 0.3 if measured is not md else 1.0)
    second.identify(progress, cancelled, 0.3, 1.0, known=first if measured is md else None)
    first.group(cancelled)
    second.group(cancelled)
    return _Matching(first, second, by_hand or {}, cancelled).report(property_key, rule)


POLYMERS_AT_ONCE = 50  # put together between two questions whether to stop


class _Side:
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

    def identify(
        self, progress: Progress, cancelled: CancelCheck, start: float, end: float, known: "_Side | None" = None
    ) -> None:
        """Work out the identity of every row that has a value and a repeat unit."""
        if known is not None:
            self.identities.update(known.identities)
            self.invalid.update(known.invalid)
        seen: dict[str, PolymerIdentity | str] = {}
        for position, row in enumerate(self.rows):
            if position % 50 == 0:
                stop_if(cancelled)
                share = position / max(len(self.rows), 1)
                progress(start + (end - start) * share, f"Comparing the polymers of {self.table.name}")
            text = self.table.smiles[row]
            if not text or row in self.identities or row in self.invalid:
                continue
            if text not in seen:
                stop_if(cancelled)
                try:
                    seen[text] = composition_identity(parse_composition(text))
                except InvalidRepeatUnit as problem:
                    seen[text] = str(problem)
            found = seen[text]
            if isinstance(found, str):
                self.invalid[row] = RowProblem(
                    self.table.lines[row], "", text[:200], found.rstrip("."), "Edit the repeat unit"
                )
            else:
                self.identities[row] = found
        if self.invalid:
            self.rows = [row for row in stoppable(self.rows, cancelled) if row not in self.invalid]

    def group(self, cancelled: CancelCheck) -> None:
        """Put the rows of one polymer together; marks of double bonds and stereocentres tell polymers apart."""
        groups: dict[tuple[str, str], list[int]] = {}
        for row in stoppable(self.rows, cancelled):
            identity = self.identities.get(row)
            key = ("polymer", identity.stereo_key) if identity is not None else ("id", self.table.ids[row])
            groups.setdefault(key, []).append(row)
        for rows in stoppable(groups.values(), cancelled, POLYMERS_AT_ONCE):
            for row in rows:
                self.of_row[row] = len(self.polymers)
            self.polymers.append(self._polymer(tuple(rows)))

    def _polymer(self, rows: tuple[int, ...]) -> Polymer:
        counted = [row for row in rows if row not in self.reports_off] or list(rows)
        unused = tuple(row for row in rows if row in self.reports_off) if len(counted) < len(rows) else ()
        values = self.column.values[counted]
        own = self.column.uncertainty[counted]
        weights = self.column.repeats[counted] if self.column.repeats is not None else np.ones(len(counted))
        value = combined(values, self.rule, weights)
        first_id = next((self.table.ids[row] for row in rows if self.table.ids[row]), "")
        identity = self.identities.get(rows[0])
        if len(rows) == 1:
            return Polymer(rows, value, float(own[0]), identity, first_id)
        how = COMBINE_WORDS[self.rule]
        if unused:
            off = f"line{'s' if len(unused) > 1 else ''} {_listed([self.table.lines[row] for row in unused])}"
            how = "the one you chose" if len(counted) == 1 else f"{how} without {off}, as you chose,"
        kind = "measured" if self.kind == "measured" else "MD"
        lines = _listed([self.table.lines[row] for row in rows])
        note = (
            f"{self.table.label(rows[0])} has {len(rows)} {kind} values in {self.table.name} (lines {lines}); {how} is used."
            f"{_difference(values)}"
        )
        uncertainty = float(np.std(values, ddof=1)) if len(counted) > 1 else float(own[0])
        return Polymer(rows, value, uncertainty, identity, first_id, note, unused)


FAR_APART = 0.3
"""Of the middle of several reports of one polymer: a larger difference is no scatter of measurements."""


def _difference(values: FloatArray) -> str:
    """Ask about reports that are too far apart to be of the same quantity, as the end of a note."""
    lowest, highest, middle = float(values.min()), float(values.max()), abs(float(np.median(values)))
    if not highest - lowest > FAR_APART * middle:
        return ""
    apart = f" by {100 * (highest - lowest) / middle:.0f} %" if middle > 0 and highest - lowest < 10 * middle else ""
    return f" They differ{apart}, from {lowest:.4g} to {highest:.4g}: are all of this polymer, phase and unit?"


def combined(values: FloatArray, rule: CombineRule, weights: FloatArray | None = None) -> float:
    """Make one value of several reports by a stated rule."""
    if rule == "median":
        return float(np.median(values))
    if rule == "first":
        return float(values[0])
    if rule == "last":
        return float(values[-1])
    if rule == "weighted" and weights is not None and np.isfinite(weights).all() and (weights > 0).all():
        return float(np.average(values, weights=weights))
    return float(np.mean(values))


class _Matching:
    """Links the polymers of two sides."""

    def __init__(self, measured: _Side, md: _Side, by_hand: Mapping[int, int], cancelled: CancelCheck) -> None:
        self.measured, self.md, self.cancelled = measured, md, cancelled
        self.by_hand = by_hand
        self.notes: list[str] = []
        self.same_table = measured.table is md.table
        self.by_id: dict[str, list[int]] = {}
        for index, polymer in enumerate(stoppable(md.polymers, cancelled, POLYMERS_AT_ONCE)):
            for text in {_folded(md.table.ids[row]) for row in polymer.rows}:
                if text:
                    self.by_id.setdefault(text, []).append(index)
        self.by_key: dict[str, list[int]] = {}
        for index, polymer in enumerate(stoppable(md.polymers, cancelled)):
            if polymer.identity is not None:
                self.by_key.setdefault(polymer.identity.key, []).append(index)

    def report(self, property_key: str, rule: CombineRule) -> MatchReport:
        links: list[Link] = []
        unmatched: list[Unmatched] = []
        for index, polymer in enumerate(stoppable(self.measured.polymers, self.cancelled, POLYMERS_AT_ONCE)):
            found = self._by_hand(index, polymer) or self._by_id(index, polymer) or self._by_identity(index, polymer)
            if isinstance(found, Link):
                links.append(found)
                if found.note:
                    self.notes.append(found.note)
                if polymer.identity is not None:
                    self.notes += [f"{self._name(polymer)}: {note}" for note in polymer.identity.notes]
            else:
                unmatched.append(found)
        duplicates = [p.note for p in stoppable((*self.measured.polymers, *self.md.polymers), self.cancelled) if p.note]
        duplicates.sort(key=lambda note: not note.endswith("?"))  # what is doubtful comes first; only some may be shown
        if self.same_table:
            duplicates = list(dict.fromkeys(duplicates))
        return MatchReport(
            property_key,
            tuple(self.measured.polymers),
            tuple(self.md.polymers),
            tuple(links),
            tuple(unmatched),
            self.measured.without_value,
            self.md.without_value,
            tuple(self.measured.invalid.values()),
            tuple(self.md.invalid.values()),
            (*duplicates, *dict.fromkeys(self.notes)),
            rule,
        )

    def _by_hand(self, index: int, polymer: Polymer) -> Link | None:
        for row in polymer.rows:
            target = self.md.of_row.get(self.by_hand.get(row, -1))
            if target is not None:
                return Link(index, target, "by hand", self._rewritten(polymer, self.md.polymers[target]))
        return None

    def _by_id(self, index: int, polymer: Polymer) -> Link | None:
        """Link by a common id, unless the repeat units say that the id means another polymer."""
        ids = list(dict.fromkeys(_folded(self.measured.table.ids[row]) for row in polymer.rows))
        for text in ids:
            candidates = self.by_id.get(text, []) if text else []
            agreeing = [c for c in candidates if self._agrees(polymer, self.md.polymers[c])]
            if len(agreeing) > 1:
                agreeing = [
                    c for c in agreeing if self._stereo_key(self.md.polymers[c]) == self._stereo_key(polymer)
                ] or agreeing
            if agreeing:
                other = self.md.polymers[agreeing[0]]
                note = ""
                if self._stereo_key(other) != self._stereo_key(polymer) and polymer.identity and other.identity:
                    note = (
                        f"{self._name(polymer)}: the two tables mark its stereochemistry differently; "
                        f"the common id {text} was followed."
                    )
                return Link(index, agreeing[0], "id", self._rewritten(polymer, other), note)
            if candidates:
                self.notes.append(
                    f"{self._name(polymer)}: the id {self.measured.table.ids[polymer.rows[0]]} means another polymer "
                    f"in {self.md.table.name} (line {self.md.table.lines[self.md.polymers[candidates[0]].rows[0]]}), "
                    "so the id was ignored and the repeat unit compared."
                )
        return None

    def _by_identity(self, index: int, polymer: Polymer) -> Link | Unmatched:
        name, identity = self._name(polymer), polymer.identity
        if identity is None:
            return Unmatched(
                index, "no MD value", f"{name} has no repeat unit, and its id is not in {self.md.table.name}."
            )
        same_chain = self.by_key.get(identity.key, [])
        exact = [c for c in same_chain if self._stereo_key(self.md.polymers[c]) == identity.stereo_key]
        if exact:
            return Link(index, exact[0], "repeat unit", self._rewritten(polymer, self.md.polymers[exact[0]]))
        if not same_chain:
            return Unmatched(
                index, "no MD value", f"{self.md.table.name} has no polymer with the repeat unit of {name}."
            )
        others = [self.md.polymers[c] for c in same_chain]
        unmarked = [c for c, o in zip(same_chain, others, strict=True) if o.identity and not o.identity.has_stereo]
        if identity.has_stereo and unmarked:
            note = (
                f"{name}: {self.md.table.name} does not mark double bonds or stereocentres, "
                "so the marks of the measured table were ignored."
            )
            return Link(index, unmarked[0], "repeat unit", True, note)
        if not identity.has_stereo and len(same_chain) == 1:
            note = (
                f"{name}: the measured table does not mark double bonds or stereocentres, so the marks of "
                f"{self._other_name(others[0])} in {self.md.table.name} were ignored."
            )
            return Link(index, same_chain[0], "repeat unit", True, note)
        listed = ", ".join(self._other_name(other) for other in others[:4])
        if not identity.has_stereo:
            reason = (
                f"{name} does not say which stereoisomer it is, and {self.md.table.name} has several: {listed}. "
                "Link one by hand."
            )
            return Unmatched(index, "ambiguous", reason, tuple(same_chain))
        reason = f"{self.md.table.name} has this polymer only with other stereochemistry: {listed}."
        return Unmatched(index, "no MD value", reason, tuple(same_chain))

    def _agrees(self, one: Polymer, other: Polymer) -> bool:
        return one.identity is None or other.identity is None or one.identity.key == other.identity.key

    def _stereo_key(self, polymer: Polymer) -> str:
        return polymer.identity.stereo_key if polymer.identity is not None else ""

    def _rewritten(self, one: Polymer, other: Polymer) -> bool:
        mine = {self.measured.table.smiles[row] for row in one.rows}
        return mine.isdisjoint(self.md.table.smiles[row] for row in other.rows)

    def _name(self, polymer: Polymer) -> str:
        return self.measured.table.label(polymer.rows[0])

    def _other_name(self, polymer: Polymer) -> str:
        row = polymer.rows[0]
        label = self.md.table.label(row)
        smiles = self.md.table.smiles[row]
        return label if label == smiles or not smiles else f"{label} {smiles}"


def _folded(text: str) -> str:
    return text.strip().casefold()


def _listed(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:6]))
    return shown + (" ..." if len(numbers) > 6 else "")
