"""Which measured polymer is which simulated one: by id where both tables have ids, else by polymer identity.

Two texts denote the same polymer when they generate the same infinite chain. Rows of one table that are one polymer are
kept together as one polymer with several reports. Nothing is dropped: every row ends up in exactly one place, with
the reason.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from affinecal_gui.notes import Note, detail
from affinecal_gui.polymers.chain.same_polymer import same_polymer
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.matching.combine_rules import CombineRule
from affinecal_gui.tables.matching.common_ids import IdsOfTwoTables
from affinecal_gui.tables.matching.conditions import USUAL_TOLERANCE, SameConditions
from affinecal_gui.tables.matching.ids import same_id
from affinecal_gui.tables.matching.polymer_reports import POLYMERS_AT_ONCE, Polymer, ReportedPolymers
from affinecal_gui.tables.matching.unused_simulations import UnusedSimulations
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import UNWATCHED, Task

Way = Literal["id", "repeat unit", "by hand"]


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
    tolerance: float = USUAL_TOLERANCE,
    task: Task = UNWATCHED,
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
    tolerance
        How far apart, in kelvin, the temperatures of two values may be that are compared, where both are stated.

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
    first = ReportedPolymers(measured, "measured", property_key, rule, reports_off)
    second = ReportedPolymers(md, "md", property_key, rule)
    first.identify(task, 0.0, 0.3 if measured is not md else 1.0)
    second.identify(task, 0.3, 1.0, known=first if measured is md else None, among=None if measured is md else first)
    first.group(task)
    second.group(task)
    conditions = SameConditions(measured, md, property_key, tolerance)
    return _Matching(first, second, by_hand or {}, conditions, task).report(property_key, rule)


MOST_CLASHES = 5  # told one by one


def count_rows(table: PolymerTable) -> bool:
    """Whether the ids of a table are the numbers of its rows, whatever number the first one has."""
    if len(table) < 2 or not all(text.isdecimal() and len(text) < 10 for text in table.ids):
        return False
    return len({int(text) - line for text, line in zip(table.ids, table.lines, strict=True)}) == 1


class _Matching:
    """Links the polymers of two sides."""

    def __init__(
        self,
        measured: ReportedPolymers,
        md: ReportedPolymers,
        by_hand: Mapping[int, int],
        conditions: SameConditions,
        task: Task,
    ) -> None:
        self.measured, self.md, self.conditions, self.task = measured, md, conditions, task
        self.by_hand = by_hand
        self.notes: list[str] = []
        self.clashes: list[str] = []  # ids that mean one polymer here and another there, as sentences
        self.same_table = measured.table is md.table
        self.ids = IdsOfTwoTables(measured, md, task)
        self.unused = UnusedSimulations(md, task)
        self.md_names = frozenset(md.table.names[row].casefold() for polymer in md.polymers for row in polymer.rows)
        self.by_key: dict[str, list[int]] = {}
        for index, polymer in enumerate(task.each(md.polymers)):
            if polymer.known_identity is not None:
                self.by_key.setdefault(polymer.known_identity.key, []).append(index)

    def report(self, property_key: str, rule: CombineRule) -> MatchReport:
        links: list[Link] = []
        unmatched: list[Unmatched] = []
        for index, polymer in enumerate(self.task.each(self.measured.polymers, POLYMERS_AT_ONCE)):
            found = self._by_hand(index, polymer) or self._by_id(index, polymer)
            if not isinstance(found, Link):
                unit = self._by_identity(index, polymer)
                found = found if found is not None and not isinstance(unit, Link) else unit
            if isinstance(found, Link):
                links.append(found)
                if found.note:
                    self.notes.append(found.note)
                if polymer.identity is not None:
                    self.notes += [detail(f"{self._name(polymer)}: {note}") for note in polymer.identity.notes]
            else:
                unmatched.append(found)
        if self.conditions.keeps_apart:
            links = self._under_same_conditions(links, unmatched)
        self.notes += [*self._about_clashes(), *self.ids.notes(), *self._about_row_numbers(links), *self._about_texts()]
        duplicates = [p.note for p in self.task.each((*self.measured.polymers, *self.md.polymers)) if p.note]
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

    def _under_same_conditions(self, links: Sequence[Link], unmatched: list[Unmatched]) -> list[Link]:
        """Let only values count that hold under the same conditions; return the links that are left."""
        kept: list[Link] = []
        taken: dict[int, frozenset[int]] = {}
        for link in self.task.each(links, POLYMERS_AT_ONCE):
            own, partner = self.measured.polymers[link.measured], self.md.polymers[link.library]
            chosen = self.conditions.chosen(own.counted_rows, partner.rows)
            if taken.setdefault(link.library, chosen.md) != chosen.md:
                other = (
                    "the MD value that it would be compared with is compared with another one, under another condition"
                )
                chosen = replace(chosen, reason=other)
            if chosen.reason and link.way != "by hand":
                reason = f"{self._name(own)} {chosen.reason}."
                unmatched.append(Unmatched(link.measured, "no MD value", reason, (link.library,)))
                continue
            kept.append(link)
            if not chosen.reason:
                self.measured.count_only(link.measured, chosen.measured, "under the conditions of the simulation")
                self.md.count_only(link.library, chosen.md, chosen.told)
        unmatched.sort(key=lambda one: one.measured)
        for index, polymer in enumerate(self.task.each(self.md.polymers, POLYMERS_AT_ONCE)):
            if index not in taken and len(polymer.rows) > 1:
                chosen = self.conditions.chosen((), polymer.rows)
                self.md.count_only(index, chosen.md, chosen.told)
        self.notes += self.conditions.notes()
        return kept

    def _by_hand(self, index: int, polymer: Polymer) -> Link | None:
        for row in polymer.rows:
            target = self.md.of_row.get(self.by_hand.get(row, -1))
            if target is not None:
                return Link(index, target, "by hand", self._rewritten(polymer, self.md.polymers[target]))
        return None

    def _by_id(self, index: int, polymer: Polymer) -> Link | Unmatched | None:
        """Link by a common id, unless the repeat units say that the id means another polymer.

        An id of several polymers links none, but the repeat unit may tell which of them is meant.
        """
        ids = {same_id(text): text for row in reversed(polymer.rows) if (text := self.measured.table.ids[row])}
        unclear: Unmatched | None = None
        for text in reversed(ids.values()):
            candidates = [c for c in self.ids.candidates(text) if not self.md.polymers[c].is_unreadable]
            if not candidates:
                continue
            same = [c for c in candidates if self._is_same_chain(polymer, self.md.polymers[c])]
            open_ = [c for c in candidates if polymer.identity is None or self.md.polymers[c].identity is None]
            if not same and len(open_) == 1 and (meant := self._named_elsewhere(polymer, self.md.polymers[open_[0]])):
                unclear = unclear or Unmatched(index, "ambiguous", meant, tuple(candidates))
                continue
            agreeing = same or open_
            if len(agreeing) > 1:
                marks = self._stereo_key(polymer)
                agreeing = [c for c in agreeing if self._stereo_key(self.md.polymers[c]) == marks] or agreeing
            if not agreeing:
                self.clashes.append(
                    Note(
                        f"{self._name(polymer)}: the id {text} means another polymer "
                        f"in {self.md.table.name} (line {self.md.table.lines[self.md.polymers[candidates[0]].rows[0]]}), "
                        "so the id was ignored and the repeat unit compared.",
                        subject=self._name(polymer),
                        of_several=f"polymers: their ids mean other polymers in {self.md.table.name}, so the ids were "
                        "ignored and the repeat units compared.",
                    )
                )
                continue
            several = self.ids.several(text, index, by_id_alone=not same)
            if len(agreeing) > 1 or (several and not same):
                reason = f"{self._name(polymer)}: {several or self.ids.several(text, index)}. " + (
                    "Link it by hand." if polymer.identity is not None else "Give it a repeat unit, or link it by hand."
                )
                unclear = unclear or Unmatched(index, "ambiguous", reason, tuple(candidates))
                continue
            other = self.md.polymers[agreeing[0]]
            note = ""
            if self._stereo_key(other) != self._stereo_key(polymer) and polymer.identity and other.identity:
                name = self._name(polymer)
                note = Note(
                    f"{name}: the two tables mark its stereochemistry differently; the common id {text} was followed.",
                    subject=name,
                    of_several="polymers: the two tables mark their stereochemistry differently; the common ids were "
                    "followed.",
                )
            elif several:
                name = self._name(polymer)
                note = Note(
                    f"{name}: {several}; its repeat unit tells which is meant.",
                    subject=name,
                    of_several="polymers have ids that stand for several; their repeat units tell which is meant.",
                )
            return Link(index, agreeing[0], "id", self._rewritten(polymer, other), note)
        return unclear

    def _about_clashes(self) -> list[str]:
        """Say which ids were ignored; where two tables number their polymers each for itself, once for all."""
        if len(self.clashes) <= MOST_CLASHES:
            return self.clashes
        return [
            f"{len(self.clashes)} ids of {self.measured.table.name} mean other polymers in {self.md.table.name}, so they "
            f"were ignored and the repeat units compared. The first: {self.clashes[0]}"
        ]

    def _about_row_numbers(self, links: Sequence[Link]) -> list[str]:
        """Say where ids alone made the pairs though they count the rows: they may be no names of polymers."""
        by_id = [link for link in links if link.way == "id"]
        alone = sum(
            self.measured.polymers[link.measured].identity is None or self.md.polymers[link.library].identity is None
            for link in by_id
        )
        if self.same_table or not alone or not count_rows(self.measured.table):
            return []
        return [
            f"{alone} {'pair was' if alone == 1 else 'pairs were'} made by ids that count the rows of "
            f"{self.measured.table.name}. If they number rows and not polymers, give the repeat units as well."
        ]

    def _about_texts(self) -> list[str]:
        """Say where, for speed, not all polymers of a very long table were compared with one another."""
        count = self.md.compared_by_text
        if not count:
            return []
        return [
            detail(
                f"{self.md.table.name}: {count:,} repeat units are of no measured polymer by their atoms. Among them, two "
                "ways to write one polymer count as two polymers."
            )
        ]

    def _by_identity(self, index: int, polymer: Polymer) -> Link | Unmatched:
        name, identity = self._name(polymer), polymer.identity
        if identity is None:
            return Unmatched(
                index, "no MD value", f"{name} has no repeat unit, and its id is not in {self.md.table.name}."
            )
        same_chain = self.by_key.get(identity.key, [])
        if not same_chain:
            reason = self.unused.reason(name, self.measured.table.smiles[polymer.rows[0]], identity)
            return Unmatched(index, "no MD value", reason)
        others = [self.md.polymers[c] for c in same_chain]
        place, agreement = same_polymer(identity, [o.identity for o in others if o.identity is not None])
        if agreement == "same marks":
            return Link(index, same_chain[place], "repeat unit", self._rewritten(polymer, others[place]))
        if agreement == "own marks ignored":
            what = (
                f"{self.md.table.name} does not mark double bonds or stereocentres, so the marks of the measured table were "
                "ignored."
            )
            note = Note(f"{name}: {what}", subject=name, of_several=f"polymers: {what}")
            return Link(index, same_chain[place], "repeat unit", True, note)
        if agreement == "its marks ignored":
            why = "the measured table does not mark double bonds or stereocentres, so the marks of"
            note = Note(
                f"{name}: {why} {self._other_name(others[0])} in {self.md.table.name} were ignored.",
                subject=name,
                of_several=f"polymers: {why} {self.md.table.name} were ignored.",
            )
            return Link(index, same_chain[place], "repeat unit", True, note)
        listed = ", ".join(self._other_name(other) for other in others[:4])
        if agreement == "several":
            reason = (
                f"{name} does not say which stereoisomer it is, and {self.md.table.name} has several: {listed}. "
                "Link one by hand."
            )
            return Unmatched(index, "ambiguous", reason, tuple(same_chain))
        reason = f"{self.md.table.name} has this polymer only with other stereochemistry: {listed}."
        return Unmatched(index, "no MD value", reason, tuple(same_chain))

    def _named_elsewhere(self, polymer: Polymer, other: Polymer) -> str:
        """Say in a sentence that two rows of one id have different names, and that the name belongs to another id."""
        name, its = (side.table.names[one.rows[0]] for side, one in ((self.measured, polymer), (self.md, other)))
        if not name or not its or name.casefold() == its.casefold() or name.casefold() not in self.md_names:
            return ""
        return (
            f"{name}: its id is that of {its} in {self.md.table.name} (line {self.md.table.lines[other.rows[0]]}), where "
            "another row has this name. Give both tables the same ids or repeat units, or link it by hand."
        )

    def _is_same_chain(self, one: Polymer, other: Polymer) -> bool:
        return one.identity is not None and other.identity is not None and one.identity.key == other.identity.key

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
