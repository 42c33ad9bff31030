"""What determines a study: its tables and the choices made. Everything else is derived from this."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.registry import DEFAULT, further_keys
from affinecal_gui.study.snapshot import MatchingChoices, Settings
from affinecal_gui.tables.units.properties import Property, find_property

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.tables.headings.role_names import ValueKind
    from affinecal_gui.tables.values.polymer_table import PolymerTable


@dataclass(frozen=True, slots=True, eq=False)
class LoadedTable:
    """One table of the study. ``key`` is its name inside the study; row keys are built from it."""

    key: str
    table: "PolymerTable"


@dataclass(frozen=True, slots=True)
class StudyState:
    """Immutable; a change makes a new one. Tables compare by identity, settings by value."""

    tables: tuple[LoadedTable, ...] = ()
    settings: Settings = field(default_factory=Settings)

    def with_tables(self, added: "tuple[PolymerTable, ...]") -> "StudyState":
        """Add tables; one of the same path takes the place of the earlier one. Settle on a property that has values.

        What was chosen for rows of the earlier table (left out, linked by hand) is carried over to the same rows of the
        new one, and forgotten where they are gone.
        """
        from affinecal_gui.tables.matching.own_names import (
            called_alike,  # with the chemistry, which the first window does not wait for
        )

        tables = list(self.tables)
        settings = self.settings
        for new in added:
            table = called_alike(new, [known.table for known in tables if known.table.path != new.path])
            same = next((i for i, known in enumerate(tables) if known.table.path == table.path), None)
            if same is None:
                tables.append(LoadedTable(self._free_key(tables), table))
            else:
                before = tables[same]
                tables[same] = LoadedTable(before.key, table)
                settings = _with_rows(settings, before.key, partial(_same_row, before.table, table))
        return replace(self, tables=tuple(tables), settings=settings).with_property_settled()

    def without_table(self, key: str) -> "StudyState":
        """Remove a table, and what was chosen for its rows."""
        tables = tuple(loaded for loaded in self.tables if loaded.key != key)
        settings = _with_rows(self.settings, key, lambda _row: None)
        return replace(self, tables=tables, settings=settings).with_property_settled()

    def with_matching(self, choices: MatchingChoices) -> "StudyState":
        """Make other choices about what is compared with what."""
        return replace(self, settings=replace(self.settings, matching=choices))

    def with_link(self, measured: str, md: str | None) -> "StudyState":
        """Link a measured row to an MD row by hand, both named by their keys; None takes its link away."""
        kept = {pair for pair in self.settings.matching.by_hand if pair[0] != measured}
        if md is not None:
            kept.add((measured, md))
        return self.with_matching(replace(self.settings.matching, by_hand=frozenset(kept)))

    def with_property(self, key: str) -> "StudyState":
        """Make ``key`` the target property, on its usual scale, with nothing left out."""
        model = self.settings.model
        chosen = replace(
            self.settings,
            property_key=key,
            model=DEFAULT if model in further_keys() else model,  # which another property may not have
            log_scale=find_property(key).log_by_default,
            penalties=None,
            left_out=frozenset(),
            sources=(),
        )
        return replace(self, settings=chosen)

    def with_property_settled(self) -> "StudyState":
        """Keep the target property if it has values; else take the first that can be calibrated, or at least is measured."""
        candidates = self.quantities() or self.quantities_of("measured") or self.quantities_of("md")
        keys = [candidate.key for candidate in candidates]
        if not keys or self.settings.property_key in keys:
            return self
        return self.with_property(keys[0])

    def quantities_of(self, kind: "ValueKind") -> tuple[Property, ...]:
        """Properties that some table has values of this kind ("measured" or "md") for, in order of appearance."""
        found: dict[str, Property] = {}
        for loaded in self.tables:
            for quantity in loaded.table.properties(kind):
                found.setdefault(quantity.key, quantity)
        return tuple(sorted(found.values(), key=lambda quantity: not quantity.is_known))

    @property
    def quantity(self) -> Property:
        """The target property, with the unit that its tables give it."""
        key = self.settings.property_key
        candidates = (*self.quantities_of("measured"), *self.quantities_of("md"))
        of_key = [candidate for candidate in candidates if candidate.key == key]
        # A table may name no unit of a property that is not known by name; the others are not to lose theirs by it.
        named = [candidate for candidate in of_key if candidate.unit]
        return next(iter((*named, *of_key)), find_property(key))

    def quantities(self) -> tuple[Property, ...]:
        """Properties that have both measured and MD values."""
        simulated = {quantity.key for quantity in self.quantities_of("md")}
        return tuple(quantity for quantity in self.quantities_of("measured") if quantity.key in simulated)

    @staticmethod
    def _free_key(tables: list[LoadedTable]) -> str:
        taken = {loaded.key for loaded in tables}
        number = 1
        while f"t{number}" in taken:
            number += 1
        return f"t{number}"


def _with_rows(settings: Settings, table_key: str, moved: Callable[[int], int | None]) -> Settings:
    """Return settings whose keys of rows of one table name the rows that ``moved`` gives, or none."""
    prefix = f"{table_key}."

    def key(text: str) -> str | None:
        number = text.removeprefix(prefix)
        if number == text or not number.isdigit():
            return text
        row = moved(int(number))
        return None if row is None else f"{prefix}{row}"

    left_out = frozenset(found for text in settings.left_out if (found := key(text)) is not None)
    links = frozenset(
        (one, other)
        for measured, md in settings.matching.by_hand
        if (one := key(measured)) is not None and (other := key(md)) is not None
    )
    off = frozenset(found for text in settings.matching.reports_off if (found := key(text)) is not None)
    notes = frozenset((found, note) for text, note in settings.notes if (found := key(text)) is not None)
    matching = replace(settings.matching, by_hand=links, reports_off=off)
    if (left_out, matching, notes) == (settings.left_out, settings.matching, settings.notes):
        return settings
    return replace(settings, left_out=left_out, matching=matching, notes=notes)


def _same_row(old: "PolymerTable", new: "PolymerTable", row: int) -> int | None:
    """Return the row of the new table that a row of the old one has become: what names the polymer is the same."""
    if row >= len(old):
        return None

    def names(table: "PolymerTable", number: int) -> tuple[str, str, str]:
        return table.smiles[number], table.ids[number], table.names[number]

    wanted, line = names(old, row), old.lines[row]
    if line in new.lines:
        same_line = new.lines.index(line)
        # One of the three is enough: the others may have been corrected.
        if any(text and text == other for text, other in zip(wanted, names(new, same_line), strict=True)):
            return same_line
    smiles, start = wanted[0], 0
    while True:
        try:
            found = new.smiles.index(smiles, start)
        except ValueError:
            return None
        if names(new, found) == wanted:
            return found
        start = found + 1
